"""Each event before messages leave is found out by a broker that breaks there, and by no other event."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conformance.broken_meanwhile import UNDER
from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.conformance.conditions.meanwhile import MEANWHILE
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind, CheckResult

EVENTS = tuple(value.name for value in MEANWHILE.values if value != MEANWHILE.plain)


@dataclass(frozen=True)
class Alone(Selection):
    """The checks as written, and under one event alone."""

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        _, woven, values = check.partition(" (")
        return (not woven or values.removesuffix(")") in EVENTS) and super().takes(rules, check, kind)


def test_there_is_a_broken_broker_for_each_event() -> None:
    assert sorted(UNDER.values()) == sorted(EVENTS)


@pytest.mark.parametrize("cls", sampled(UNDER, kind=lambda cls: cls.__bases__), ids=lambda cls: cls.__name__)
def test_a_broker_that_forgets_by_an_event_is_found_under_it_alone(cls: type, tmp_path: Path) -> None:
    selection = Alone(("GENERAL-4",), kinds=(CheckKind.SCENARIO,))
    conformance = run_suite(
        {cls.__name__: cls}, needs_of, tmp_path, selection=selection, strength=1, judge_traces=False
    )
    assert conformance.errors == []
    checks = conformance.subjects[0].checks
    violated = {check.conditions for check in checks if check.result is CheckResult.VIOLATED}
    assert violated == {(f"meanwhile: {UNDER[cls]}",)}
    assert {(), (f"meanwhile: {UNDER[cls]}",)} < {check.conditions for check in checks}
