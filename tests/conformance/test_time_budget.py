"""Once the time for checks under conditions is up, checks as written still run, and the other checks are listed."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.record.report import CheckKind


class OnARealClock(QpidReference):
    """A broker on a real clock that answers at once."""

    parameters = replace(VIRTUAL, never_ms=1)


def run(cls: type, folder: Path, minutes: int | None) -> Subject:
    selection = Selection(rules=("QPID-QUEUE-1",), kinds=(CheckKind.SCENARIO,), minutes=minutes)
    conformance = run_suite({"q": cls}, needs_of, folder, selection=selection, strength=1, judge_traces=False)
    assert conformance.errors == []
    return conformance.subjects[0]


def test_no_check_under_conditions_begins_once_the_time_is_up(tmp_path: Path) -> None:
    subject = run(OnARealClock, tmp_path, 0)
    assert [check.conditions for check in subject.checks] == [()] * len(subject.checks) != []
    assert subject.not_tried
    reason = ": no check under conditions begins after 0 minutes (--minutes)"
    assert all(each.endswith(reason) for each in subject.not_tried)


@pytest.mark.parametrize(("cls", "minutes"), [(OnARealClock, None), (QpidReference, 0)])
def test_the_usual_time_is_enough_for_few_checks_and_a_virtual_clock_has_no_end(
    cls: type, minutes: int | None, tmp_path: Path
) -> None:
    subject = run(cls, tmp_path, minutes)
    assert subject.not_tried == []
    is_woven = [check.conditions != () for check in subject.checks]
    assert True in is_woven
    assert is_woven == sorted(is_woven), "as they are written first"
