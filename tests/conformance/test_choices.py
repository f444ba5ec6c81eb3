"""A broker that uses another choice which a chapter allows or leaves open violates nothing."""

import pytest

from tests.conformance.choices import MADE, OTHER_CHOICES
from tests.conformance.honest import WITHOUT_RANDOM_SEQUENCES, not_green, report_on
from tests.sample import sampled, wanted
from tidegate.conformance.selection import Selection
from tidegate.record.report import Report


@pytest.fixture(
    scope="module",
    params=[WITHOUT_RANDOM_SEQUENCES, pytest.param(Selection(), marks=pytest.mark.nightly)],
    ids=["scenarios", "whole"],
)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Report:
    tried = wanted(request, "name")
    brokers = {cls.__name__: cls for cls in OTHER_CHOICES if cls.__name__ in tried}
    return report_on(brokers, tmp_path_factory.mktemp("run"), request.param)


@pytest.mark.parametrize("name", sampled((cls.__name__ for cls in OTHER_CHOICES), 2))
def test_another_choice_violates_nothing(report: Report, name: str) -> None:
    assert name in MADE, "it never came to choose"
    assert not_green(report, name) == []
