"""Whether a broker uses a permission or not, it violates no rule."""

import pytest

from tests.conformance.honest import WITHOUT_RANDOM_SEQUENCES, references, report_on
from tests.conformance.permissions import ALWAYS_USED, NOT_USED
from tests.sample import sampled, wanted
from tidegate.catalogue import Level, catalogue
from tidegate.conformance.selection import Selection
from tidegate.record.report import ImplementationReport, Report
from tidegate.record.verdict import Verdict

PERMISSIONS = [rule.id for rule in catalogue().values() if rule.level is Level.MAY]
USING = {cls.identity.version: cls for cls in references()}
BEYOND_REACH = {"CLASSIC-MEMORY-7": {"CLASSIC-USAGE-2", "CLASSIC-USAGE-10"}}
"""The rules that are unknown without a permission: if files count as memory, no queue fills the temporary space."""


@pytest.fixture(
    scope="module",
    params=[WITHOUT_RANDOM_SEQUENCES, pytest.param(Selection(), marks=pytest.mark.nightly)],
    ids=["scenarios", "whole"],
)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    tried = {permission: NOT_USED[permission] for permission in wanted(request, "unused")}
    return report_on(tried, tmp_path_factory.mktemp("run"), request.param)


@pytest.fixture(scope="module")
def report_of_references(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report on the permissions alone: the command that judges the references checks all other rules."""
    return report_on(USING, tmp_path_factory.mktemp("references"), Selection(rules=tuple(PERMISSIONS)))


def named(report: Report, name: str) -> ImplementationReport:
    return next(each for each in report.implementations if each.implementation.profile == name)


def said(each: ImplementationReport, *wanted: Verdict) -> set[str]:
    return {one.rule for one in each.verdicts if one.verdict in wanted}


def test_every_permission_is_tried_both_ways() -> None:
    assert {*NOT_USED, *ALWAYS_USED} == set(PERMISSIONS)


@pytest.mark.parametrize("permission", PERMISSIONS)
def test_a_broker_that_uses_a_permission_violates_nothing(report_of_references: Report, permission: str) -> None:
    references_of = [named(report_of_references, name) for name in USING]
    using = [each for each in references_of if permission in said(each, Verdict.USED)]
    assert using
    assert [said(each, Verdict.VIOLATED, Verdict.UNKNOWN) for each in using] == [set()] * len(using)


@pytest.mark.parametrize("unused", sampled(NOT_USED, 3))
def test_a_broker_that_does_not_use_it_violates_nothing_either(report: Report, unused: str) -> None:
    each = named(report, unused)
    assert unused in said(each, Verdict.NOT_USED)
    assert said(each, Verdict.VIOLATED) == set()
    assert said(each, Verdict.UNKNOWN) == BEYOND_REACH.get(unused, set())
