"""Finds the values of open conditions that no check of a rule ran under, and the values that a violation needs."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from tidegate.adapters.base import Adapter
from tidegate.adapters.capabilities import GROUPS
from tidegate.conformance.conditions.condition import Value
from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.conformance.conditions.weaving import OF_EVERY_MECHANISM, as_woven, values_of
from tidegate.conformance.feature_files import Scenario, scenarios
from tidegate.record.report import Check, CheckKind, CheckResult

SCENARIO = re.compile(r"^[^\[ ]+")
"""The name of a scenario, at the beginning of its check's name."""


def not_tried(checks: Sequence[Check], capabilities: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """For each rule, the names of claimed values that no scenario of the rule's mechanism was judged under.

    A rule without an open condition or without a scenario has none.
    """
    by_name = {each.check: each for each in scenarios()}
    ran = [(by_name[name], check) for check in checks if (name := _scenario_of(check)) in by_name]
    tried: dict[str, set[str]] = defaultdict(set)
    for scenario, check in ran:
        if check.result is not CheckResult.UNKNOWN:
            tried[scenario.feature] |= set(check.conditions)
    missing: dict[str, dict[str, None]] = defaultdict(dict)
    for scenario in dict.fromkeys(scenario for scenario, _ in ran):
        for name, value in _open_values(scenario, capabilities):
            if f"{name}: {value.name}" not in tried[scenario.feature]:
                missing.update({rule: {**missing[rule], value.name: None} for rule in scenario.rules})
    return {rule: tuple(names) for rule, names in missing.items()}


def only_under(checks: Iterable[Check]) -> tuple[str, ...]:
    """The values that a violation needs; none if a check as written, or one that is no scenario, is violated too.

    They are the values that all violated checks have and no kept check has. If there are none, they are the values that
    all violated checks have and no kept check has together; else the values of the violated check with the fewest. A
    kept trace check does not count, since it may have judged no event under a condition.
    """
    judged = [check for check in checks if check.kind is not CheckKind.TRACE or check.scenarios]
    violated = [check for check in judged if check.result is CheckResult.VIOLATED]
    if not violated or not all(check.conditions for check in violated):
        return ()
    kept = [set(check.conditions) for check in judged if check.result is CheckResult.KEPT]
    shared = set.intersection(*(set(check.conditions) for check in violated))
    together = set() if any(shared <= each for each in kept) else shared
    fewest = min((check.conditions for check in violated), key=len)
    never_kept = shared.difference(*kept)
    needed = [name for name in fewest if name in (never_kept or together)] or list(fewest)
    return tuple(name.partition(": ")[2] for name in needed)


def could_claim(adapter: Adapter, claimed: Collection[str]) -> tuple[str, ...]:
    """Capabilities that conditions need, whose verbs an adapter has, and that it does not claim.

    An adapter with the verbs of every group passes them to a program whose abilities are unknown, so it gets none.
    """
    if all(isinstance(adapter, group) for group in GROUPS.values()):
        return ()
    needed = {need for condition in CONDITIONS for value in condition.values for need in value.needs}
    has_verbs = (each for each in sorted(needed & GROUPS.keys()) if isinstance(adapter, GROUPS[each]))
    return tuple(each for each in has_verbs if each not in claimed)


def _scenario_of(check: Check) -> str:
    found = SCENARIO.match(check.check) if check.kind is CheckKind.SCENARIO else None
    return found[0] if found else ""


def _open_values(scenario: Scenario, capabilities: Collection[str]) -> Iterator[tuple[str, Value]]:
    of_every = scenario.feature == OF_EVERY_MECHANISM
    for condition in as_woven(scenario).open_ones:
        for value in values_of(condition, capabilities):
            if value != condition.plain and (of_every or not value.lasting):
                yield condition.name, value
