"""The reports on random sequences that fail, in which the broker dies, or that vary."""

from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest

from tests.conformance import broken
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import AdapterError, Outcome, Standing
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import Check, CheckResult

CHECK = "random_sends_and_removals_through_the_queue_gate"
INTERNALS = ("hypothesis", "falsifying", "flaky", "@seed", "explicit example", "shrink", "reproduce_failure")


FIRST = ".first"
"""The end of the name of a producer that exists only in random sequences."""


class DiesOnce(QpidReference):
    """Dies at the twentieth message of a sequence's first producers, and never again."""

    def __init__(self) -> None:
        super().__init__()
        self._messages = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        is_first = producer.endswith(FIRST)
        self._messages += is_first
        if is_first and self._messages == 20:
            raise AdapterError("the program ended with exit status 3: out of memory")
        return super().send(producer, message_id, size_bytes)


class StopsNobodyOnce(QpidReference):
    """Stops no producer in the first sequence in which one should be stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._lenient = True
        self._was_lenient = False

    def standing(self, producer: str) -> Standing:
        stopped = super().standing(producer).stopped
        lenient = self._lenient and producer.endswith(FIRST)
        self._was_lenient |= stopped and lenient
        return Standing(stopped and not lenient)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._lenient &= not self._was_lenient


class RemembersWhatItDiedOf(broken.DiesAtMessagesOf500Bytes):
    """Remembers the call that sends the last message of 500 bytes."""

    asked: ClassVar[list[str]] = []

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._remember("send", size_bytes, producer, message_id)
        return super().send(producer, message_id, size_bytes)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        try:
            return super().send_to(producer, destination, message_id, size_bytes)
        finally:
            # which calls `send`
            self._remember("send_to", size_bytes, producer, destination, message_id)

    def _remember(self, verb: str, size_bytes: int, *names: str) -> None:
        if size_bytes == 500:
            own = ", ".join(repr(name.partition(".")[2]) for name in names)
            self.asked[:] = [f"{verb}({own}, 500)"]


@cache
def run(cls: type) -> tuple[Check, str]:
    """The check of random sequences, and the whole output of the run."""
    chance = Selection(checks=(CHECK,))
    printed = StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(printed), redirect_stderr(printed):
        conformance = run_suite({"broker": cls}, needs_of, Path(folder), selection=chance, judge_traces=False)
    assert conformance.errors == []
    return conformance.subjects[0].checks[0], printed.getvalue()


def found(cls: type) -> Check:
    """The check of random sequences."""
    return run(cls)[0]


def test_a_sequence_that_breaks_a_rule_tells_levels_and_who_stands_how() -> None:
    check = found(broken.LetsTheSecondSenderPast)
    assert check.result is CheckResult.VIOLATED
    assert check.done[0] == "destination: capacity 1,000 (lower level 800)"
    assert any("first is stopped" in line for line in check.done[1:-1])
    standing, _, level = check.seen.partition(", and ")
    assert standing.endswith(" is free") and standing in check.done[-1]
    assert level.startswith("destination holds ") and level in check.done[-1]


def test_a_broker_that_dies_in_a_sequence_tells_what_it_was_asked_then() -> None:
    check = found(RemembersWhatItDiedOf)
    assert check.result is CheckResult.UNKNOWN
    (asked,) = RemembersWhatItDiedOf.asked
    assert check.done[-1] == f"then it is asked to {asked}"
    assert check.seen == "the broker is gone"


@pytest.mark.parametrize(
    ("cls", "once"),
    [(DiesOnce, "the program ended with exit status 3: out of memory"), (StopsNobodyOnce, "first is free")],
)
def test_a_sequence_that_varies_tells_what_was_otherwise_the_next_time(cls: type, once: str) -> None:
    check = found(cls)
    assert check.result is CheckResult.UNKNOWN
    first, _, then = check.seen.partition("; the next time ")
    assert first.startswith("the repetition differs: once ") and once in first
    assert then and once not in then


@pytest.mark.parametrize("cls", [broken.LetsTheSecondSenderPast, RemembersWhatItDiedOf, DiesOnce])
def test_nothing_of_the_tool_that_draws_sequences_is_told(cls: type) -> None:
    check, printed = run(cls)
    told = " ".join([*check.done, check.expected, check.seen, printed]).lower()
    assert [word for word in INTERNALS if word in told] == []


class Remembers(QpidReference):
    """Remembers every message that it is sent."""

    sent: ClassVar[list[tuple[str, str, int]]] = []

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self.sent.append((producer, message_id, size_bytes))
        return super().send(producer, message_id, size_bytes)


def sent(seed: str) -> list[tuple[str, str, int]]:
    """All messages that are sent in the random sequences of a seed."""
    Remembers.sent.clear()
    chance = Selection(checks=(CHECK,))
    with TemporaryDirectory() as folder:
        run_suite({"broker": Remembers}, needs_of, Path(folder), selection=chance, judge_traces=False, seed=seed)
    return list(Remembers.sent)


def test_a_seed_draws_the_same_sequences_each_time_and_another_one_others() -> None:
    first = sent("")
    assert len(first) > 100
    assert sent("") == first
    assert sent("another") != first
