"""The trace alone judges the counts of management, in any scenario."""

import pytest

from tests.conformance.broken_run import needs_of
from tests.conformance.broken_traffic import TRAFFIC
from tests.sample import sampled, wanted
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.trace_checks import check_of
from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import general_traffic
from tidegate.record.report import Check, CheckKind, CheckResult

ABOUT_OTHERS = {"GENERAL-11", "GENERAL-40", "GENERAL-43"}
"""Rules in whose scenarios messages go back, expire, are refused for good, or are consumed."""
MORE = ("a_purge_releases_every_producer_that_waits[1]", "a_latecomer_is_stopped_by_what_a_consumer_has_in_hand")
"""Scenarios in which messages are purged, and in hand at the end."""


@pytest.fixture(scope="module")
def violated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Check]]:
    """The checks, from scenarios about other rules, of each broker that is tried in this session."""
    about_others = (each.check for each in scenarios() if each.examples == 1 and ABOUT_OTHERS & set(each.rules))
    by_trace = map(check_of, rules_in(general_traffic))
    conformance = run_suite(
        {cls.__name__: cls for cls in wanted(request, "cls")},
        needs_of,
        tmp_path_factory.mktemp("traffic"),
        selection=Selection(checks=(*about_others, *MORE, *by_trace)),
    )
    assert conformance.errors == []
    return {
        subject.name: [check for check in subject.checks if check.result is CheckResult.VIOLATED]
        for subject in conformance.subjects
    }


@pytest.mark.parametrize("cls", sampled(TRAFFIC, kind=TRAFFIC.__getitem__), ids=lambda cls: cls.__name__)
def test_a_wrong_figure_is_found_in_scenarios_about_other_rules(violated: dict[str, list[Check]], cls: type) -> None:
    rules = TRAFFIC[cls]
    found = {rule for check in violated[cls.__name__] for rule in check.rules}
    assert {check.kind for check in violated[cls.__name__]} == {CheckKind.TRACE}
    # a wrong count may show no messages, or some, beside right bytes
    assert set(rules) <= found <= {*rules, "GENERAL-48"}
