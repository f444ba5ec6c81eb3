"""The trace alone judges what management shows, in any scenario."""

import pytest

from tests.conformance.broken_run import needs_of
from tests.conformance.broken_shown import SHOWN
from tests.sample import sampled, wanted
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.trace_checks import check_of
from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import general_shown
from tidegate.record.report import Check, CheckKind, CheckResult

ABOUT_OTHERS = {"GENERAL-19", "CLASSIC-FAIL-2"}
"""Rules whose scenarios have free producers beside stopped ones, or producers that are told of a failure."""

MORE = (
    "consumption_releases_every_producer_that_waits[2]",
    "a_purge_releases_every_producer_that_waits[1]",
    "a_raised_limit_releases_every_producer_that_waits[1]",
    "a_latecomer_is_stopped_by_what_a_consumer_has_in_hand",
    "a_full_topic_stops_its_producer_and_an_empty_one_lets_it_go",
)
"""Scenarios with messages in hand, and with producers stopped and released in every way, at queues and topics."""


@pytest.fixture(scope="module")
def violated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Check]]:
    """The checks, from scenarios about other rules, of each broker that is tried in this session."""
    about_others = (each.check for each in scenarios() if each.examples == 1 and ABOUT_OTHERS & set(each.rules))
    by_trace = map(check_of, rules_in(general_shown))
    conformance = run_suite(
        {cls.__name__: cls for cls in wanted(request, "cls")},
        needs_of,
        tmp_path_factory.mktemp("shown"),
        selection=Selection(checks=(*about_others, *MORE, *by_trace)),
    )
    assert conformance.errors == []
    return {
        subject.name: [check for check in subject.checks if check.result is CheckResult.VIOLATED]
        for subject in conformance.subjects
    }


@pytest.mark.parametrize("cls", sampled(SHOWN, kind=SHOWN.__getitem__), ids=lambda cls: cls.__name__)
def test_what_is_shown_wrongly_is_found_in_scenarios_about_other_rules(
    violated: dict[str, list[Check]], cls: type
) -> None:
    found = {rule for check in violated[cls.__name__] for rule in check.rules}
    assert {check.kind for check in violated[cls.__name__]} == {CheckKind.TRACE}
    assert found == set(SHOWN[cls])
