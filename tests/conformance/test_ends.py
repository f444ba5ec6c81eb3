"""An error at the end of a scenario or of the run is reported, and changes no verdict."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import AdapterError, Limits, Outcome, Standing
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.resolver import resolve
from tidegate.conformance.assembly import assemble
from tidegate.conformance.report.trust import with_unended
from tidegate.conformance.report.verdicts import decided
from tidegate.conformance.runner import run_suite
from tidegate.conformance.scenarios.common import ENOUGH
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.errors import ExitCode, Unavailable
from tidegate.record.report import (
    AdapterFinding,
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    Report,
    RuleVerdict,
)
from tidegate.record.verdict import Verdict

EXPIRING = "messages_whose_time_is_over_are_handed_to_nobody_and_let_their_producer_go"
COUNTS = (
    "trace:what_is_held_is_what_was_accepted",
    "trace:what_left_is_what_is_not_there",
    "trace:as_many_expired_as_are_said_to",
)
"""The rules of traces about the counts of management."""
FULL = Selection(rules=("QPID-QUEUE-7",), kinds=(CheckKind.SCENARIO,))
ROOM_IN_MEMORY = "what_finds_room_in_memory_is_accepted_whatever_the_limit_of_pages_and_the_size_of_a_page[399-200]"
EXPECTED = "that the rest is consumed, each producer is looked at, and everything is closed"


class TakesNoConsumer(QpidReference):
    """Refuses the consumer that is opened at the end of a scenario."""

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        if consumer.startswith("s"):
            raise AdapterError("no more consumers")
        super().open_consumer(consumer, connection, destination)


class StopsNobody(QpidReference):
    """Ignores the limit of a queue. Its messages are old by the time that somebody asks for the last producer."""

    _sent = 0

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, Limits())

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        self._sent += 1
        return super().send_expiring(producer, message_id, size_bytes, lives_ms)

    def standing(self, producer: str) -> Standing:
        if self._sent == ENOUGH:
            self._sent = 0
            self.advance(1000)
        return super().standing(producer)


class DoesNotStop(QpidReference):
    """Raises an error only when it is stopped."""

    def stop(self) -> None:
        super().stop()
        raise AdapterError("the journal could not be closed")


class StartsOnce(QpidReference):
    """Cannot start again: the port on which it listened is taken."""

    def restart_broker(self) -> None:
        raise Unavailable("the broker ended before it was ready: Address already in use")


def ran(cls: type, folder: Path) -> tuple[Subject, Report]:
    conformance = run_suite({cls.__name__: cls}, needs_of, folder, selection=FULL)
    assert conformance.errors == []
    report = assemble(conformance, (), "", whole=False, today=date(2026, 11, 20))
    return conformance.subjects[0], report


def findings(report: ImplementationReport) -> Sequence[AdapterFinding]:
    return [each for each in report.findings if each.expected == EXPECTED]


def test_what_could_not_be_looked_at_when_a_scenario_was_over_is_said_and_changes_no_verdict(tmp_path: Path) -> None:
    subject, report = ran(TakesNoConsumer, tmp_path)
    assert {check.result for check in subject.checks if check.kind is CheckKind.SCENARIO} == {CheckResult.KEPT}
    (each,) = report.implementations
    assert [one.verdict for one in each.verdicts if one.rule == "QPID-QUEUE-7"] == [Verdict.KEPT]
    (finding,) = findings(each)
    assert finding.asked.startswith("the end of whoever_sends_to_an_overfull_queue_is_stopped_by_it[")
    assert finding.asked.endswith(f" (and {len(subject.unended) - 1} more)") and len(subject.unended) > 1
    assert finding.answered == "raised: no more consumers"
    assert report.footer.exit_code == ExitCode.UNKNOWN


def test_what_expired_in_a_check_that_ends_early_is_counted_as_gone(tmp_path: Path) -> None:
    selection = Selection(checks=(EXPIRING, *COUNTS))
    conformance = run_suite({"stops nobody": StopsNobody}, needs_of, tmp_path, selection=selection)
    failed = [check for check in conformance.subjects[0].checks if check.result is CheckResult.VIOLATED]
    assert {rule for check in failed for rule in check.rules} == {"GENERAL-20", "GENERAL-40"}
    kept = {check.check for check in conformance.subjects[0].checks if check.result is CheckResult.KEPT}
    assert kept == {*COUNTS}


def test_a_right_broker_comes_to_each_end(tmp_path: Path) -> None:
    _, report = ran(QpidReference, tmp_path)
    assert findings(report.implementations[0]) == []
    assert report.footer.exit_code == ExitCode.OK


def test_an_implementation_that_cannot_be_stopped_leaves_a_whole_trace_and_a_report(tmp_path: Path) -> None:
    subject, report = ran(DoesNotStop, tmp_path)
    (finding,) = findings(report.implementations[0])
    assert (finding.asked, finding.answered) == ("stop()", "raised: the journal could not be closed")
    assert any(check.kind is CheckKind.TRACE for check in subject.checks)
    assert report.footer.exit_code == ExitCode.UNKNOWN


def test_a_broker_that_does_not_start_again_leaves_its_check_unknown_and_is_no_failure_of_the_suite(
    tmp_path: Path,
) -> None:
    selection = Selection(rules=("GENERAL-25",), kinds=(CheckKind.SCENARIO,))
    conformance = run_suite({"starts once": StartsOnce}, needs_of, tmp_path, selection=selection)
    assert conformance.errors == []
    plain = [check for check in conformance.subjects[0].checks if not check.conditions]
    assert plain
    assert {(check.result, check.seen) for check in plain} == {
        (CheckResult.UNKNOWN, "the broker ended before it was ready: Address already in use")
    }


def test_a_run_whose_end_violates_what_its_steps_kept_is_one_violated_run(tmp_path: Path) -> None:
    name = "built:artemis-2.44.0"
    selection = Selection(checks=(ROOM_IN_MEMORY,), kinds=(CheckKind.SCENARIO,))
    conformance = run_suite(resolve(name), needs_of, tmp_path, selection=selection)
    runs = [check for check in conformance.subjects[0].checks if check.kind is CheckKind.SCENARIO]
    assert [check.result for check in runs] == [CheckResult.VIOLATED]
    report = assemble(conformance, (), "", whole=False, today=date(2026, 11, 20))
    (verdict,) = (each for each in report.implementations[0].verdicts if each.rule == "GENERAL-21")
    assert decided(verdict) == "violated, level SHOULD"


@pytest.mark.parametrize(("result", "is_found"), [(CheckResult.USED, False), (CheckResult.NOT_USED, True)])
def test_a_permission_that_was_used_may_keep_a_scenario_from_its_end(result: CheckResult, is_found: bool) -> None:
    check = Check("held_up", CheckKind.SCENARIO, result, ("CLASSIC-CONNECTION-2",), (), "", "", "")
    verdict = RuleVerdict("CLASSIC-CONNECTION-2", "MAY", "", "", Verdict.USED, "", checks=(check,))
    report = ImplementationReport(Implementation("old", "4", "", "old", ()), (verdict,), "", 0)
    said = with_unended(report, [("the end of held_up", "take was not answered")])
    assert bool(said.findings) is is_found
    expected = () if is_found else ("the end of held_up, since a permission was used: take was not answered",)
    assert said.not_tried == expected
