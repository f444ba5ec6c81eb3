"""What a run violates its trace shows, too; where only a scenario shows it, that is listed, with the reason."""

import pytest

from tests.browser.test_pages import COMMITTED, committed
from tidegate.catalogue import Form, catalogue
from tidegate.catalogue.obligations import owed
from tidegate.record.report import CheckKind, CheckResult
from tidegate.record.verdict import Verdict

BY_SCENARIOS = {
    ("artemis-2.31.2", "ARTEMIS-AMQP-6"): "the refill came before the scenario had looked, on a busy machine",
    ("artemis-2.44.0", "GENERAL-6"): "the rule asks of a producer without credit; the anonymous one keeps a window",
    ("artemis-2.44.0", "GENERAL-8"): "fewer messages are stored than the scenario begins with, which charges nothing",
}
"""By report and rule, why a scenario violates the rule and no event of the trace does."""


@pytest.mark.parametrize("name", COMMITTED)
def test_what_is_violated_shows_in_the_trace(name: str) -> None:
    (report,) = committed(name).implementations
    shown_by_scenarios = {
        (name, verdict.rule)
        for verdict in report.verdicts
        if verdict.verdict in (Verdict.VIOLATED, Verdict.FOLLOWS) and Form.TRACE in owed(catalogue()[verdict.rule])
        if {each.result for each in verdict.checks if each.kind is CheckKind.TRACE} == {CheckResult.KEPT}
    }
    assert shown_by_scenarios == {each for each in BY_SCENARIOS if each[0] == name}
