"""Rules by condition: under which values a rule was kept, violated or not tried, by the checks of a report."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from tidegate.conformance.conditions import CONDITIONS
from tidegate.conformance.report.view import AS_STATED
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

AS_WRITTEN = "as written"
"""Stands for the absence of any condition: the scenario runs as it is written."""
CONDITION_OF = {value.name: condition.name for condition in CONDITIONS for value in condition.values}


class State(StrEnum):
    """What is known of a rule under one value of a condition."""

    KEPT = "kept"
    """A check under the value found what the rule says or allows."""
    VIOLATED = "violated"
    """A check under the value was violated, and the violation needs this value, or needs none."""
    UNKNOWN = "unknown"
    """Checks under the value found nothing, or their violation needs another value that was there too."""
    NOT_TRIED = "not tried"
    """The rule does not settle the condition and is claimed, but nothing ran under the value."""


@dataclass(frozen=True)
class Under:
    """A rule under one value of a condition."""

    condition: str
    """Empty for a scenario as it is written."""
    value: str
    state: State


@dataclass(frozen=True)
class Line:
    """A value of a condition, with the rules grouped by their state under it."""

    condition: str
    value: str
    rules: dict[State, tuple[str, ...]]
    """Every state has an entry."""


def of_rule(verdict: RuleVerdict) -> tuple[Under, ...]:
    """The state of the rule in its scenarios as written, and under each value that was or was not tried."""
    judged = [check for check in verdict.checks if check.kind is CheckKind.SCENARIO]
    names = dict.fromkeys(name for check in judged for name in check.conditions)
    plain = [check for check in judged if not check.conditions]
    found = [Under("", AS_WRITTEN, _state(verdict, plain, AS_WRITTEN))] if plain else []
    for name in names:
        condition, _, value = name.partition(": ")
        under = [check for check in judged if name in check.conditions]
        found.append(Under(condition, value, _state(verdict, under, value)))
    known = {each.value for each in found}
    missing = (value for value in verdict.not_tried if value not in known)
    found += [Under(CONDITION_OF.get(value, ""), value, State.NOT_TRIED) for value in missing]
    return tuple(found) if names or verdict.not_tried else ()


def of_implementation(report: ImplementationReport) -> tuple[Line, ...]:
    """Every value that a rule of the implementation was or should have been tried under, in the order of the report."""
    found: dict[str, dict[State, list[str]]] = defaultdict(lambda: {state: [] for state in State})
    conditions: dict[str, str] = {AS_WRITTEN: ""}
    for verdict in report.verdicts:
        for each in of_rule(verdict) if verdict.verdict is not Verdict.NOT_CLAIMED else ():
            found[each.value][each.state].append(verdict.rule)
            conditions[each.value] = each.condition
    order = [AS_WRITTEN, *CONDITION_OF]
    lines = (
        Line(conditions[value], value, {state: tuple(rules) for state, rules in by_state.items()})
        for value, by_state in found.items()
    )
    return tuple(sorted(lines, key=lambda line: order.index(line.value) if line.value in order else len(order)))


def sentences(line: Line) -> Iterator[str]:
    """The states other than `kept` under a value, each with its rules."""
    for state in (State.VIOLATED, State.UNKNOWN, State.NOT_TRIED):
        if line.rules[state]:
            yield f"{state}: {', '.join(line.rules[state])}"


def _state(verdict: RuleVerdict, under: list[Check], value: str) -> State:
    """The state of a rule by its checks under a value."""
    needs_no_value = not verdict.only_under
    if (needs_no_value or value in verdict.only_under) and _any(under, CheckResult.VIOLATED):
        return State.VIOLATED
    return State.KEPT if _any(under, *AS_STATED, CheckResult.NOT_USED) else State.UNKNOWN


def _any(checks: list[Check], *results: CheckResult) -> bool:
    return any(check.result in results for check in checks)
