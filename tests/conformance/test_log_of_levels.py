"""At the end of each scenario the log is compared with the observed levels, whatever the scenario is about."""

from pathlib import Path

import pytest

from tests.conformance.broken_batches import LogsTheFirstQueue
from tests.conformance.broken_run import needs_of
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckResult

ABOUT_STOPS = "the_second_of_several_queues_stops_their_producer_too_and_both_store_its_message"
"""A scenario that says nothing of the log."""


@pytest.mark.parametrize(("adapter", "rules"), [(QpidReference, set()), (LogsTheFirstQueue, {"QPID-LOG-2"})])
def test_no_line_says_of_a_queue_below_its_capacity_that_it_stops_a_channel(
    adapter: type[QpidReference], rules: set[str], tmp_path: Path
) -> None:
    selection = Selection(checks=(ABOUT_STOPS,))
    run = run_suite({"logging": adapter}, needs_of, tmp_path, selection=selection, strength=0, judge_traces=False)
    violated = [check for check in run.subjects[0].checks if check.result is CheckResult.VIOLATED]
    assert {rule for check in violated for rule in check.rules} == rules
    assert run.errors == []
    assert any(check.result is CheckResult.KEPT for check in run.subjects[0].checks)
