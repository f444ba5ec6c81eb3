"""Marks, in a report, violations that follow from the violation of another rule: pure functions."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from tidegate.conformance.report.order import of_check
from tidegate.record.report import Check, CheckResult, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

Causes = Mapping[str, tuple[str, ...]]
"""By check, the rules whose replacement in the version's profile makes the check end as it did."""


NONE: Mapping[str, Check] = {}


def following(
    report: ImplementationReport, causes: Causes, unexplained: Mapping[str, Check] = NONE
) -> ImplementationReport:
    """The report with the causes of each violated check, and `follows` for each rule that fails by others alone.

    `unexplained` maps the name of each trace check without a cause at some of its events to the check judged by these
    events alone.
    """
    verdicts = tuple(
        replace(
            _as_judged(verdict),
            checks=tuple(_caused(unexplained.get(each.check, each), causes) for each in verdict.checks),
        )
        for verdict in report.verdicts
    )
    others = {verdict.rule: _others(verdict) for verdict in verdicts if verdict.verdict is Verdict.VIOLATED}
    return replace(report, verdicts=tuple(_following(verdict, others) for verdict in verdicts))


def _as_judged(verdict: RuleVerdict) -> RuleVerdict:
    """The verdict as it was before `follows` was set."""
    follows = verdict.verdict is Verdict.FOLLOWS
    return replace(verdict, verdict=Verdict.VIOLATED, follows_from=()) if follows else verdict


def _caused(check: Check, causes: Causes) -> Check:
    return replace(check, follows_from=causes.get(check.check, ())) if check.result is CheckResult.VIOLATED else check


def _others(verdict: RuleVerdict) -> tuple[str, ...]:
    """The other rules from which all violated checks follow; none if a check follows from none or from its own rule."""
    violated = [check for check in verdict.checks if check.result is CheckResult.VIOLATED]
    if any(verdict.rule in check.follows_from or not check.follows_from for check in violated):
        return ()
    return tuple(dict.fromkeys(rule for check in violated for rule in check.follows_from))


def _first_causes(rule: str, others: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The violated rules that follow from no other, and from which this rule follows directly or through others."""
    found: dict[str, None] = {}
    passed, ahead = {rule}, list(others.get(rule, ()))
    while ahead:
        cause = ahead.pop(0)
        if cause not in passed and cause in others:
            passed.add(cause)
            ahead += others[cause]
            found.update({} if others[cause] else {cause: None})
    return tuple(found)


def _following(verdict: RuleVerdict, others: Mapping[str, tuple[str, ...]]) -> RuleVerdict:
    if causes := _first_causes(verdict.rule, others):
        return replace(verdict, verdict=Verdict.FOLLOWS, follows_from=causes)
    violated = [check for check in verdict.checks if check.result is CheckResult.VIOLATED]
    told = (
        min(violated, key=lambda check: of_check(check, verdict.rule)) if verdict.verdict is Verdict.VIOLATED else None
    )
    return replace(verdict, reason=told.seen) if told is not None else verdict


def followers(verdicts: Iterable[RuleVerdict], rule: str) -> tuple[str, ...]:
    """The rules that fail because of a rule and for no other reason."""
    return tuple(one.rule for one in verdicts if rule in one.follows_from)
