"""What a run violates its trace shows, too; what shows in a scenario only is listed, with why."""

import pytest

from tests.browser.test_pages import COMMITTED, committed
from tidegate.catalogue import Form, catalogue
from tidegate.catalogue.obligations import owed
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.verdict import Verdict

IN_SCENARIOS = {
    ("artemis-2.31.2", "ARTEMIS-AMQP-6"): "credit is issued too early, at the limit; its trace rule asks who has none",
    ("artemis-stomp-2.44.0", "GENERAL-3"): "no producer was ever stopped; its trace rule asks who is",
}
"""By report and rule, why a scenario in which the rule follows from another one does not show in the trace."""
ALONE = "its trace rule compares producers with each other, and one was there alone"
VIOLATED_IN_SCENARIOS = {
    **{(f"qpid-{version}", "QPID-DISK-3"): ALONE for version in ("9.2.1", "8.0.6", "7.1.12", "6.1.7")},
    **{
        (f"artemis-{version}", "ARTEMIS-AMQP-4"): "its trace rule judges the credit that comes, and none came"
        for version in ("2.50.0", "2.44.0")
    },
}
"""By report and rule, why a scenario that violates the rule does not show in the trace."""


def shown_by_scenarios_alone(name: str, verdict: Verdict) -> set[tuple[str, str]]:
    """The rules with this verdict that owe a trace form, and that neither the trace nor a random sequence violates."""
    (report,) = committed(name).implementations
    return {
        (name, said.rule)
        for said in report.verdicts
        if said.verdict is verdict and Form.TRACE in owed(catalogue()[said.rule])
        if {each.result for each in said.checks if each.kind is CheckKind.TRACE} == {CheckResult.KEPT}
        if all(each.result is CheckResult.KEPT for each in said.checks if each.kind is CheckKind.STATEFUL)
    }


@pytest.mark.parametrize("name", COMMITTED)
def test_what_is_violated_shows_in_the_trace_or_is_listed(name: str) -> None:
    listed = {each for each in VIOLATED_IN_SCENARIOS if each[0] == name}
    assert shown_by_scenarios_alone(name, Verdict.VIOLATED) == listed


@pytest.mark.parametrize("name", COMMITTED)
def test_what_follows_shows_in_the_trace_or_is_listed(name: str) -> None:
    assert shown_by_scenarios_alone(name, Verdict.FOLLOWS) == {each for each in IN_SCENARIOS if each[0] == name}
