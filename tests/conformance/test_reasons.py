"""The trace alone tells of stops, refusals and waits that have no reason, in scenarios about something else."""

from pathlib import Path

import pytest

from tests.conformance import broken_reasons as broken
from tests.conformance.broken_run import needs_of
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.catalogue import catalogue
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.trace_checks import check_of, check_trace
from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import general_empty, general_room, general_waits
from tidegate.record.report import CheckResult

RULES = rules_in(general_empty, general_room, general_waits)
STAYS = "a_producer_that_stays_fills_a_destination_as_often_as_it_is_emptied_each_time_with_as_many_messages"
REFUSING = "from_its_limit_in_bytes_on_every_message_is_refused"
CONSUMED = "once_all_is_consumed_nobody_is_stopped"
ROOM = "what_finds_room_is_taken"
STOPPED = "who_is_stopped_by_a_full_destination_sends_nothing"


def failing(cls: type, check: str, folder: Path) -> set[str]:
    """The trace rules of this file that fail in the trace of one check, by their names."""
    run = run_suite({"broker": cls}, needs_of, folder, selection=Selection(checks=(check,)), judge_traces=False)
    assert run.errors == []
    (subject,) = run.subjects
    assert subject.checks
    named = {check_of(rule) for rule in RULES}
    claimed = [rule for rule in catalogue() if needs_of(rule) <= subject.capabilities]
    told = check_trace(subject.trace_path, claimed.__contains__, subject.name, run.replay)
    found = {each.check for each in told if each.result is CheckResult.VIOLATED} & named
    return {name.partition(":")[2] for name in found}


@pytest.mark.parametrize(
    ("cls", "check", "rule"),
    [
        (broken.StaysStoppedByItsConnection, STAYS, CONSUMED),
        (broken.StaysStoppedByItsPolicy, STAYS, CONSUMED),
        (broken.StaysStoppedByTheMemory, STAYS, CONSUMED),
        (broken.StaysStoppedByItsWindow, STAYS, CONSUMED),
        (broken.RefusesTheThird, STAYS, ROOM),
        (broken.HoldsBackTheSecond, STAYS, ROOM),
        (broken.TakesWhatIsTriedAgain, STAYS, STOPPED),
        (broken.TakesOneMoreAtItsLimit, REFUSING, "at_a_limit_messages_are_refused"),
    ],
    ids=lambda value: getattr(value, "__name__", "in"),
)
def test_what_has_no_reason_is_seen_in_the_trace(cls: type, check: str, rule: str, tmp_path: Path) -> None:
    assert rule in failing(cls, check, tmp_path / "broken")
    right = next(
        base for base in cls.__mro__ if base.__module__.startswith(ClassicReference.__module__.rpartition(".")[0])
    )
    assert failing(right, check, tmp_path / "right") == set()
