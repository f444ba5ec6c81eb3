"""Each event before messages leave is found out by a broker that breaks there, and by no other event."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.broken_meanwhile import CONTAINING, UNDER
from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.adapters.base import Adapter, Limits, Outcome, ProducerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.conditions.meanwhile import MEANWHILE
from tidegate.conformance.conditions.weaving import weave_named
from tidegate.conformance.lab import Lab
from tidegate.conformance.recorder import Recorder
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.errors import BadInput
from tidegate.record.report import CheckKind, CheckResult

LIMITS = Limits(limit_bytes=1000, resume_bytes=800, policy="BLOCK")
EVENTS = tuple(value.name for value in MEANWHILE.values if value != MEANWHILE.plain)


NOTHING_TO_DO = "a_producer_may_send_as_long_as_it_has_a_credit_left[98-free] (lowered meanwhile)"
"""A check in which nobody is stopped, so that no limits are lowered."""
NOTHING_MEANWHILE = "nothing could happen meanwhile: no message waited, or nobody was stopped"


@dataclass(frozen=True)
class Alone(Selection):
    """The checks as written, and under one event alone."""

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        _, woven, values = check.partition(" (")
        return (not woven or values.removesuffix(")") in EVENTS) and super().takes(rules, check, kind)


def test_there_is_a_broken_broker_for_each_event() -> None:
    assert sorted(UNDER.values()) == sorted(EVENTS)


@pytest.mark.parametrize("cls", sampled(UNDER, kind=lambda cls: cls.__bases__), ids=lambda cls: cls.__name__)
def test_a_broker_that_forgets_by_an_event_is_found_under_it_alone(cls: type, tmp_path: Path) -> None:
    selection = Alone(("GENERAL-4",), kinds=(CheckKind.SCENARIO,))
    conformance = run_suite(
        {cls.__name__: cls}, needs_of, tmp_path, selection=selection, strength=1, judge_traces=False
    )
    assert conformance.errors == []
    checks = conformance.subjects[0].checks
    violated = {check.conditions for check in checks if check.result is CheckResult.VIOLATED}
    containing = (UNDER[cls], *CONTAINING.get(UNDER[cls], ()))
    assert violated == {(f"meanwhile: {event}",) for event in containing}
    assert {(), (f"meanwhile: {UNDER[cls]}",)} < {check.conditions for check in checks}


def test_a_check_is_not_tried_under_an_event_with_nothing_to_do(tmp_path: Path) -> None:
    as_written = NOTHING_TO_DO.removesuffix(" (lowered meanwhile)")
    selection = Selection(checks=(NOTHING_TO_DO, as_written))
    conformance = run_suite({"artemis": ArtemisReference}, needs_of, tmp_path, selection=selection)
    (subject,) = conformance.subjects
    assert conformance.errors == []
    assert NOTHING_TO_DO not in {check.check for check in subject.checks}
    assert as_written in {check.check for check in subject.checks}
    assert subject.not_tried == [f"{NOTHING_TO_DO}: {NOTHING_MEANWHILE}"]


def test_a_run_whose_only_check_is_not_tried_is_an_error_with_the_reason(tmp_path: Path) -> None:
    selection = Selection(checks=(NOTHING_TO_DO,))
    with pytest.raises(BadInput, match=r"^no check was tried: .*nothing could happen meanwhile"):
        run_suite({"artemis": ArtemisReference}, needs_of, tmp_path, selection=selection)


@contextmanager
def lab_with(adapter: Adapter, *names: str) -> Iterator[Lab]:
    """A lab with one destination, under the values with these names."""
    adapter.start()
    try:
        lab = Lab(adapter, Recorder("check"), "s1.", weave=weave_named(names))
        lab.declare("queue", LIMITS)
        yield lab
    finally:
        adapter.stop()


def test_an_event_happens_once_before_the_first_message_leaves_and_hands_nothing_out() -> None:
    with lab_with(ArtemisReference(), "handed back meanwhile") as lab:
        lab.open_producer("producer", "queue")
        assert lab.drain("queue") == 0
        assert [call.verb for call in lab.calls].count("close_consumer") == 0
        sent = [lab.send("producer", 100), lab.send("producer", 100)]
        assert lab.drain("queue") == len(sent)
        assert lab.drain("queue") == 0
        assert [call.verb for call in lab.calls].count("close_consumer") == 1
        assert len(lab.deliveries()) == len(sent)


def test_no_event_happens_in_the_history_of_a_destination() -> None:
    with lab_with(ArtemisReference(), "drained once", "browsed meanwhile") as lab:
        assert "browse" not in {call.verb for call in lab.calls}
        lab.open_producer("producer", "queue")
        lab.send("producer", 100)
        lab.purge("queue")
        assert [call.verb for call in lab.calls].count("browse") == 1


def test_an_event_happens_halfway_through_the_time_for_which_a_send_waits() -> None:
    with lab_with(QpidReference(), "listed meanwhile") as lab:
        lab.open_producer("producer", "queue", options=ProducerOptions(wait_ms=1000, notify_ms=1000))
        lab.pass_time(10)
        while lab.send("producer", 400) is Outcome.ACCEPTED:
            pass
        lab.pass_time(999)
        assert [call.arguments for call in lab.calls if call.verb == "advance"] == [(10,), (499,), (500,)]
        verbs = [call.verb for call in lab.calls]
        assert verbs[verbs.index("list_messages") :].count("advance") == 1
        assert lab.answer_to_last("producer") is None
        lab.pass_time(1)
        assert lab.answer_to_last("producer") is Outcome.REJECTED


def test_limits_stay_exceeded_as_they_are_raised() -> None:
    with lab_with(ArtemisReference(), "raised meanwhile") as lab:
        lab.open_producer("producer", "queue")
        while lab.send("producer", 400) is Outcome.ACCEPTED:
            pass
        held = lab.depth("queue").bytes
        lab.consume("queue")
        changed = [call.arguments[1].limit_bytes for call in lab.calls if call.verb == "change_limits"]
        assert changed == [held - 1, LIMITS.limit_bytes]
