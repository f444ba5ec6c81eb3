"""What management counts is judged in whatever scenario it goes wrong, by the trace alone."""

from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tests.conformance.broken_traffic import TRAFFIC
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind, CheckResult

OTHER_SCENARIOS = tuple(
    each.check
    for each in scenarios()
    if each.examples == 1 and {"GENERAL-4", "GENERAL-8", "GENERAL-11", "GENERAL-40", "GENERAL-43"} & set(each.rules)
)
"""Scenarios about other rules, in which messages go back, expire, are refused for good, purged and consumed."""


@pytest.mark.parametrize(("cls", "rules"), TRAFFIC.items(), ids=lambda each: getattr(each, "__name__", each[0]))
def test_a_wrong_figure_is_found_in_scenarios_about_other_rules(
    cls: type, rules: tuple[str, ...], tmp_path: Path
) -> None:
    selection = Selection(checks=OTHER_SCENARIOS)
    conformance = run_suite({cls.__name__: cls}, needs_of, tmp_path, selection=selection)
    assert conformance.errors == []
    violated = [check for check in conformance.subjects[0].checks if check.result is CheckResult.VIOLATED]
    assert {check.kind for check in violated} == {CheckKind.TRACE}
    assert {rule for check in violated for rule in check.rules} == set(rules)
