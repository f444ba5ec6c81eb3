"""While a state must last, a virtual clock jumps ahead by itself, so that later events are seen."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tidegate.adapters.base import Adapter, Call, Limits, Outcome, Parameters, ProducerOptions, Standing
from tidegate.adapters.groups import ConsumerOptions, Usage
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import catalogue
from tidegate.conformance.lab import Lab
from tidegate.conformance.lab.waiting import LONGEST_MS
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.report import CheckKind, CheckResult

JUMPS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
"""The last jump is the rest of an hour."""
SOON, A_MINUTE, ALMOST_AN_HOUR = 100, 60_000, 59 * 60_000


class LetsGoAfterAWhile(QpidReference):
    """Releases a stopped producer after `after_ms`."""

    after_ms = SOON

    def __init__(self) -> None:
        super().__init__()
        self._since: dict[str, int] = {}

    def standing(self, producer: str) -> Standing:
        seen, now_ms = super().standing(producer), self._storage.now_ms
        if not seen.stopped:
            self._since.pop(producer, None)
            return seen
        return replace(seen, stopped=now_ms - self._since.setdefault(producer, now_ms) < self.after_ms)

    def end_scenario(self) -> None:
        self._since.clear()
        super().end_scenario()


class IssuesCreditAfterAWhile(ArtemisReference):
    """Issues a producer without credit one credit after `after_ms`."""

    after_ms = SOON

    def __init__(self) -> None:
        super().__init__()
        self._since: dict[str, int] = {}

    def standing(self, producer: str) -> Standing:
        seen, now_ms = super().standing(producer), self._storage.now_ms
        if seen.credit_left != 0 or now_ms - self._since.setdefault(producer, now_ms) < self.after_ms:
            return seen
        assert seen.credit_issued is not None
        return Standing(stopped=False, credit_issued=seen.credit_issued + 1, credit_left=1)

    def end_scenario(self) -> None:
        self._since.clear()
        super().end_scenario()


class Sleeping(ArtemisReference):
    """Claims a virtual clock, and sleeps."""

    def advance(self, ms: int) -> None:
        time.sleep(ms / 1000)


def found(cls: type, rule: str, after_ms: int, folder: Path) -> tuple[Subject, list[CheckResult]]:
    planted = type(cls.__name__, (cls,), {"after_ms": after_ms})
    (subject,) = run_suite(
        {"planted": planted},
        lambda rule: frozenset(catalogue()[rule].needs),
        folder,
        selection=Selection(rules=(rule,), kinds=(CheckKind.SCENARIO,)),
    ).subjects
    return subject, [check.result for check in subject.checks if check.kind is CheckKind.SCENARIO]


def lab_of(adapter: Adapter) -> Lab:
    return Lab(adapter, Recorder("s1.check"), "s1.")


def stays(lab: Lab) -> list[int]:
    """The jumps in which a virtual clock went on while nothing happened."""
    before = len(lab.calls)
    assert lab.stays(lambda: 0, lambda seen: seen == 0) == 0
    return [call.arguments[0] for call in lab.calls[before:] if call.verb == "advance"]


@pytest.mark.parametrize("after_ms", [SOON, A_MINUTE, ALMOST_AN_HOUR])
@pytest.mark.parametrize(("cls", "rule"), [(LetsGoAfterAWhile, "QPID-QUEUE-1"), (IssuesCreditAfterAWhile, "GENERAL-3")])
def test_who_is_let_go_by_time_alone_is_found_out(cls: type, rule: str, after_ms: int, tmp_path: Path) -> None:
    subject, results = found(cls, rule, after_ms, tmp_path)
    assert CheckResult.VIOLATED in results
    violated = next(check for check in subject.checks if check.result is CheckResult.VIOLATED)
    calls = next(calls for source, calls in subject.calls.items() if source.endswith(f".{violated.check}"))
    assert sum(call.arguments[0] for call in calls if call.verb == "advance") >= after_ms


@pytest.mark.parametrize(("cls", "rule"), [(LetsGoAfterAWhile, "QPID-QUEUE-1"), (IssuesCreditAfterAWhile, "GENERAL-3")])
def test_what_happens_after_days_is_nobodys_business(cls: type, rule: str, tmp_path: Path) -> None:
    _, results = found(cls, rule, 100 * LONGEST_MS, tmp_path)
    assert set(results) == {CheckResult.KEPT}


def test_watching_goes_on_for_an_hour_in_jumps_that_grow() -> None:
    jumps = stays(lab_of(QpidReference()))
    assert (jumps[:-1], sum(jumps)) == (JUMPS, LONGEST_MS)


def test_watching_goes_on_only_as_long_as_the_wanted_state_lasts() -> None:
    lab = lab_of(QpidReference())
    seen = lab.stays(lambda: len(lab.calls), lambda seen: seen < 3)
    assert seen == 3
    assert lab.calls == [Call("advance", (jump,)) for jump in JUMPS[:3]]


def test_a_real_clock_is_watched_for_as_long_as_the_adapter_says() -> None:
    broker = QpidReference()
    broker.parameters = Parameters(eventually_ms=10, never_ms=10)
    lab = lab_of(broker)
    assert stays(lab) == []


@pytest.mark.parametrize(
    ("options", "usage", "waits_ms"),
    [
        (ProducerOptions(wait_ms=2000), Usage(), 1999),
        (ProducerOptions(wait_ms=2000, notify_ms=900), Usage(), 899),
        (ProducerOptions(), Usage(fail_after_ms=3000), 2999),
        (ProducerOptions(), Usage(), LONGEST_MS),
    ],
)
def test_time_stops_just_before_what_falls_due_for_a_send_that_waits(
    options: ProducerOptions, usage: Usage, waits_ms: int
) -> None:
    broker = ClassicReference()
    lab = lab_of(broker)
    lab.declare_usage(usage)
    lab.declare("q", Limits(limit_bytes=100, cursor="memory"))
    lab.open_producer("p", "q", options=options)
    assert [lab.send("p", 100) for _ in range(2)] == [Outcome.ACCEPTED, Outcome.UNSETTLED]
    assert sum(stays(lab)) == waits_ms
    lab.pass_time(500)  # of those since the send began, so nothing more
    assert (lab.waited_ms, sum(stays(lab))) == (waits_ms, 0 if waits_ms < LONGEST_MS else LONGEST_MS)
    lab.drain("q")
    lab.drain("q")
    assert sum(stays(lab)) == LONGEST_MS


def test_what_was_let_pass_counts_for_what_the_scenario_lets_pass() -> None:
    broker = ClassicReference()
    lab = lab_of(broker)
    lab.declare_usage(Usage(fail_after_ms=3000))
    lab.declare("q", Limits(limit_bytes=100, cursor="memory"))
    lab.open_producer("p", "q")
    assert [lab.send("p", 100) for _ in range(2)] == [Outcome.ACCEPTED, Outcome.UNSETTLED]
    assert sum(stays(lab)) == 2999
    assert lab.answer_to_last("p") is None
    lab.pass_time(3000)
    assert lab.calls[-1] == Call("advance", (1,))
    assert lab.answer_to_last("p") is Outcome.REJECTED


def test_time_stops_before_a_second_has_passed_since_a_rate_let_a_message_pass() -> None:
    broker = ArtemisCoreReference()
    lab = lab_of(broker)
    lab.declare("q", Limits())
    lab.open_producer("p", "q")
    lab.send("p", 1)
    lab.open_consumer_with("c", "q", ConsumerOptions(rate=1))
    assert lab.take("c") is not None
    assert sum(stays(lab)) == 999
    assert stays(lab) == []


def test_the_time_of_events_is_that_of_the_virtual_clock(tmp_path: Path) -> None:
    found(LetsGoAfterAWhile, "QPID-QUEUE-1", A_MINUTE, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "trace-planted.jsonl").read_text().splitlines()[1:-1]]
    consumed = {event["source"]: event["seq"] for event in reversed(lines) if event["kind"] == "take"}
    released = [
        event
        for event in lines
        if event["kind"] == "release" and event["seq"] < consumed.get(event["source"], event["seq"] + 1)
    ]
    stopped = {event["source"]: event["time"] for event in lines if event["kind"] == "stop"}
    assert released
    assert {event["time"] - stopped[event["source"]] for event in released} == {111_111}


def test_a_clock_that_is_said_to_be_virtual_and_sleeps_is_found_out_and_not_let_go_on() -> None:
    lab = lab_of(Sleeping())
    assert stays(lab) == JUMPS[:4]
    assert lab._clock.sleeps
    assert stays(lab) == []
