"""A broker that has what it claims, and nothing else, violates nothing."""

import pytest

from tests.conformance.broken_run import needs_of
from tests.conformance.honest import WITHOUT_RANDOM_SEQUENCES, PlainQueue, honest, not_green, references, report_on
from tests.sample import sampled, wanted
from tidegate.adapters.capabilities import CAPABILITIES, STOPPING, STOPS_PRODUCERS, with_implied
from tidegate.catalogue import catalogue
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.selection import Selection
from tidegate.record.report import Report
from tidegate.record.verdict import Verdict

ALONE = {
    f"{capability} of {cls.identity.version}": honest(cls, {capability})
    for cls in references()
    for capability in sorted(cls.capabilities)
}
"""Every capability of every profile, claimed by a broker that has no other."""
BROKERS = {"nothing": PlainQueue, **ALONE}


@pytest.fixture(
    scope="module",
    params=[WITHOUT_RANDOM_SEQUENCES, pytest.param(Selection(), marks=pytest.mark.nightly)],
    ids=["scenarios", "whole"],
)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report on the brokers that are tried in this session."""
    tried = {name: BROKERS[name] for name in wanted(request, "name")}
    return report_on(tried, tmp_path_factory.mktemp("run"), request.param)


def test_every_capability_is_tried_alone() -> None:
    tried = {capability for cls in references() for capability in cls.capabilities}
    needed = {need for rule in catalogue().values() for need in rule.needs}
    assert needed - tried == {STOPS_PRODUCERS}, "it follows from each mechanism that does so"


def kind(name: str) -> tuple[str, bool]:
    """The profile of the reference from which the broker is made, and whether its capability stops producers."""
    capability, _, profile = name.partition(" of ")
    return profile, any(capability in mechanism for mechanism in STOPPING)


@pytest.mark.parametrize("name", sampled(BROKERS, kind=kind))
def test_a_broker_with_one_capability_is_green(report: Report, name: str) -> None:
    assert not_green(report, name) == []
    each = next(each for each in report.implementations if each.implementation.profile == name)
    assert any(one.verdict is Verdict.KEPT for one in each.verdicts)


def test_what_stops_producers_is_asked_what_needs_that() -> None:
    for mechanism in STOPPING:
        assert STOPS_PRODUCERS in with_implied(mechanism)
        assert all(STOPS_PRODUCERS not in with_implied(mechanism - {one}) for one in mechanism)
    assert with_implied({"purge"}) == {"purge"}


def test_every_rule_has_a_scenario_that_needs_no_more_than_the_rule() -> None:
    """Without such a scenario, a claim of the rule alone would leave the rule without a check."""
    satisfied = {
        rule
        for scenario in scenarios()
        for rule in scenario.rules
        if scenario.needs.union(*(needs_of(other) for other in scenario.rules)) <= with_implied(needs_of(rule))
    }
    assert catalogue().keys() - satisfied == set()


def test_what_a_scenario_needs_is_a_capability_that_its_rules_do_not_need() -> None:
    for scenario in scenarios():
        assert scenario.needs <= CAPABILITIES
        assert not scenario.needs & frozenset().union(*map(needs_of, scenario.rules)), scenario.check
