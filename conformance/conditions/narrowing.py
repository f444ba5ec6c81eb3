"""Chooses checks to run again under fewer conditions, so that a violation names the fewest conditions it needs."""

from collections.abc import Callable, Iterator, Sequence

from tidegate.conformance.conditions.weaving import WEAVE_IN_NAME
from tidegate.record.report import Check, CheckKind, CheckResult

SEVERAL = 2
MOST_OF_A_RULE = 10
"""The most checks to run again for one rule each time."""
MOST = 24
"""The most checks to run again on one implementation: on a real broker each takes some seconds."""


def each_alone(checks: Sequence[Check]) -> tuple[str, ...]:
    """Checks of violated rules as written, and under each single value of the smallest violated weave.

    None for a rule that is violated under one value or none, or whose values already ran alone.
    """
    return _names(checks, lambda scenario, values: [scenario, *(_named(scenario, [value]) for value in values)])


def without_each(checks: Sequence[Check]) -> tuple[str, ...]:
    """For each rule, its smallest violated weave without each single value, for when no value alone was enough."""
    return _names(
        checks,
        lambda scenario, values: [_named(scenario, [each for each in values if each != value]) for value in values],
    )


def _names(checks: Sequence[Check], fewer: Callable[[str, list[str]], list[str]]) -> tuple[str, ...]:
    ran = {check.check for check in checks}
    found: dict[str, None] = {}
    for row in _smallest_rows(checks):
        scenario, values = _parts(row)
        wanted = [name for name in fewer(scenario, values) if name not in ran]
        found.update(dict.fromkeys(wanted[:MOST_OF_A_RULE]))
    return tuple(found)


def _smallest_rows(checks: Sequence[Check]) -> Iterator[Check]:
    """For each rule, the violated scenario with the fewest values, if it has several."""
    violated = [check for check in checks if check.result is CheckResult.VIOLATED and check.kind is not CheckKind.TRACE]
    for rule in dict.fromkeys(rule for check in violated for rule in check.rules):
        smallest = min((check for check in violated if rule in check.rules), key=lambda check: len(check.conditions))
        if len(smallest.conditions) >= SEVERAL and smallest.kind is CheckKind.SCENARIO:
            yield smallest


def _parts(check: Check) -> tuple[str, list[str]]:
    """The name of the check as written, and the values in its weave."""
    woven = WEAVE_IN_NAME.search(check.check)
    assert woven is not None
    return check.check[: woven.start()], woven["values"].split(", ")


def _named(scenario: str, values: Sequence[str]) -> str:
    return f"{scenario} ({', '.join(values)})"
