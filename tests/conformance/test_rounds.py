"""A destination in use: a fault in one of its steps is reported under the rule of this step."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.conformance.broken_run import needs_of
from tests.sample import sampled
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.conformance.feature_files import Scenario, scenarios
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.strength.broker import Behaviour, as_it_is, broken
from tidegate.conformance.strength.levels import ChangesSize, DecidesOtherwise
from tidegate.conformance.strength.mechanisms import MECHANISMS
from tidegate.conformance.strength.messages import Drops, Refuses
from tidegate.conformance.strength.triggers import ALWAYS, TRIGGERS, Trigger
from tidegate.conformance.strength.waiters import Starves, everyone
from tidegate.record.report import CheckResult

GATE = MECHANISMS[0]
BY_NAME = {trigger.name: trigger for trigger in TRIGGERS}


def never_stops(trigger: Trigger) -> DecidesOtherwise:
    assert GATE.decides is not None
    return DecidesOtherwise(trigger, GATE.decides, GATE.decides.lets_pass, lambda facts, producer: True)


def counts_twice(trigger: Trigger) -> ChangesSize:
    assert GATE.charged is not None
    return ChangesSize(trigger, GATE.charged, lambda size: 2 * size)


BREAKS: dict[str, Callable[[], Behaviour]] = {
    "GENERAL-2": partial(Drops, ALWAYS),
    "GENERAL-3": partial(Starves, ALWAYS, everyone),
    "GENERAL-7": partial(never_stops, BY_NAME["late"]),
    "GENERAL-8": partial(counts_twice, BY_NAME["drained-once"]),
    "GENERAL-20": partial(never_stops, ALWAYS),
    "GENERAL-21": partial(Refuses, ALWAYS),
}


def in_use() -> Scenario:
    """The scenario of a destination that three producers fill."""
    return next(each for each in scenarios() if each.feature == "rounds" and "three_producers" in each.check)


@pytest.mark.parametrize("rule", sampled([*BREAKS, None], kind=lambda rule: rule is None))
def test_each_promise_is_told_by_its_own_rule(rule: str | None, tmp_path: Path) -> None:
    scenario = in_use()
    make = partial(broken, QpidReference, BREAKS[rule]) if rule else partial(as_it_is, QpidReference)
    selection = Selection(checks=(scenario.check,))
    run = run_suite({"broker": make}, needs_of, tmp_path, selection=selection, judge_traces=False)
    assert run.errors == []
    violated = [check.rules for check in run.subjects[0].checks if check.result is CheckResult.VIOLATED]
    assert violated == ([(rule,)] if rule else [])


def test_the_scenario_is_about_the_rules_that_it_is_tagged_with() -> None:
    assert set(in_use().rules) == set(BREAKS)
