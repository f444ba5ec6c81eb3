"""A check whose looks came too late tells nothing, so it runs again before its rule is called unknown."""

from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Limits, TooLate
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.runner import ROUNDS_FOR_LATE_CHECKS, run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import Check, CheckResult

SCENARIOS = ("consumption_releases_every_producer_that_waits[2]", "consumption_releases_every_producer_that_waits[3]")


def results(late: int, folder: Path) -> tuple[list[Check], list[Check]]:
    """The results that a run keeps, and all that it tells, on a broker whose first `late` looks are late."""
    left = late

    class Slow(QpidReference):
        def declare(self, destination: str, limits: Limits) -> None:
            nonlocal left
            super().declare(destination, limits)
            if not destination.startswith("smoke") and left:
                left -= 1
                raise TooLate("this machine was too slow")

    told: list[Check] = []
    conformance = run_suite(
        {"slow": Slow},
        needs_of,
        folder,
        selection=Selection(checks=SCENARIOS),
        judge_traces=False,
        progress=told.append,
    )
    assert conformance.errors == []
    return list(conformance.subjects[0].checks), told


@pytest.mark.parametrize(("late", "told"), [(0, 2), (1, 3), (2, 4), (3, 5), (4, 6)])
def test_a_late_check_runs_again_and_its_new_result_counts(late: int, told: int, tmp_path: Path) -> None:
    kept, seen = results(late, tmp_path)
    assert [check.result for check in kept] == [CheckResult.KEPT] * 2
    assert {check.check for check in kept} == set(SCENARIOS)
    assert len(seen) == told


def test_a_check_that_is_always_late_stays_unknown_and_is_told_once(tmp_path: Path) -> None:
    kept, seen = results(100, tmp_path)
    assert [(check.result, check.seen) for check in kept] == [(CheckResult.UNKNOWN, "this machine was too slow")] * 2
    assert len(seen) == len(SCENARIOS) * (1 + ROUNDS_FOR_LATE_CHECKS)
