"""A broker that goes by the other reading of a sentence violates the rule that scores one."""

from functools import partial
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.model.language.linker import Linker, Rule
from tidegate.model.language.rule import rule
from tidegate.model.mechanisms import artemis_consumer, classic, credit, qpid942
from tidegate.model.mechanisms.artemis_consumer import has_room_below_window
from tidegate.record.report import CheckResult


@rule
def fits_below_window(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: the other reading, with the parameters of the scored one."""
    return has_room_below_window(consumer_window, buffered)


OTHER_READINGS: dict[str, tuple[type, Rule, Rule]] = {
    "ARTEMIS-AMQP-4": (ArtemisReference, credit.refill, credit.refill_by_window),
    "ARTEMIS-CONSUMER-1": (ArtemisCoreReference, artemis_consumer.has_room, fits_below_window),
    "CLASSIC-FAIL-5": (ClassicReference, classic.failed, classic.failed_by_timeout_first),
    "QPID-POLICY-5": (Qpid942Reference, qpid942.policy_in_force, qpid942.policy_level_by_level),
    "QPID-ORDER-2": (Qpid942Reference, qpid942.after_start_all, qpid942.after_lifting),
}
"""By the rule whose sentence leaves two readings: where it is claimed, the scored one, and the other."""


@pytest.mark.parametrize("name", OTHER_READINGS)
def test_the_other_reading_violates_the_rule_that_scores_one(name: str, tmp_path: Path) -> None:
    cls, scored, other = OTHER_READINGS[name]
    results = {}
    for reading, model in (("scored", Linker({})), ("other", Linker({scored: other}))):
        conformance = run_suite(
            {reading: partial(cls, model)}, needs_of, tmp_path / reading,
            selection=Selection(rules=(name,)), judge_traces=False,
        )  # fmt: skip
        assert conformance.errors == []
        checks = conformance.subjects[0].checks
        results[reading] = {check.result for check in checks if name in check.rules}
    assert results["scored"] == {CheckResult.KEPT}
    assert CheckResult.VIOLATED in results["other"]
