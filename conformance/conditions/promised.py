"""Causes of failing checks by the conditions under which they ran: pure functions.

A value such as "what went past a limit of pages was dropped" is itself promised by a rule. If an implementation breaks
that rule, a scenario that fails only under the value says nothing of its own rule.
"""

from collections.abc import Iterator, Mapping

from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport

PROMISED: Mapping[str, tuple[str, ...]] = {
    f"{condition.name}: {value.name}": value.promised_by
    for condition in CONDITIONS
    for value in condition.values
    if value.promised_by
}
"""By value, in the form of a check's conditions, the rules that promise it."""


def broken_conditions(report: ImplementationReport) -> Mapping[str, tuple[str, ...]]:
    """By check that fails only under a value, the rules that promise the value and fail without any value.

    A trace was seen under the conditions of several checks, so trace checks are left out.
    """
    checks = {check.check: check for verdict in report.verdicts for check in verdict.checks}
    failing = {name: check for name, check in checks.items() if check.result is CheckResult.VIOLATED}
    plain = (check for check in failing.values() if not check.conditions and check.kind is not CheckKind.TRACE)
    broken = {rule for check in plain for rule in check.rules}
    causes = {
        name: tuple(dict.fromkeys(rule for rule in _promising(check) if rule in broken - set(check.rules)))
        for name, check in failing.items()
        if as_written(check) not in failing
    }
    return {name: rules for name, rules in causes.items() if rules}


def as_written(check: Check) -> str:
    """The name of a check without the values that it ran under."""
    values = ", ".join(name.partition(": ")[2] for name in check.conditions)
    return check.check.removesuffix(f" ({values})")


def _promising(check: Check) -> Iterator[str]:
    for name in check.conditions:
        yield from PROMISED.get(name, ())
