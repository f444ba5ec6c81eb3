"""Pure functions from the checks of a rule to its verdict, and from the verdicts to the exit code."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from tidegate.adapters.groups import AllBut, Declined, reason_to_decline
from tidegate.catalogue import Level, Rule
from tidegate.conformance.conditions.trying import only_under
from tidegate.conformance.report.order import of_check
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.report import Check, CheckKind, CheckResult, Footer, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

NOTHING: Declined = {}
MOST_NAMED = 3
"""The most conditions that a verdict names as not tried; a longer list is counted."""


def judge(
    rule: Rule, checks: Sequence[Check], capabilities: Collection[str], excused: Declined = NOTHING
) -> RuleVerdict:
    """The verdict on one rule of one implementation.

    `checks` are all runs of all checks of the rule, repetitions included. `capabilities` are those that the
    implementation claims; `excused` are the rules that it declines in spite of them.
    """
    if rule.level is Level.MAY:
        checks = [_of_permission(check) for check in checks]
    verdict, reason = _verdict(rule, checks, capabilities, excused)
    deciding = _repetitions(checks) if verdict is Verdict.VIOLATED else list(checks)
    return RuleVerdict(
        rule=rule.id,
        level=rule.level,
        title=rule.title,
        sentence=rule.sentence,
        verdict=verdict,
        reason=reason,
        times_violated=_number(deciding, CheckResult.VIOLATED),
        times_run=len(deciding),
        checks=tuple(checks),
        only_under=only_under(checks) if verdict is Verdict.VIOLATED else (),
    )


def _verdict(
    rule: Rule, checks: Sequence[Check], capabilities: Collection[str], excused: Declined
) -> tuple[Verdict, str]:
    if (reason := reason_to_decline(excused, rule.id)) is not None:
        # only a part of a product may decline what a document states, if it does not decide it
        if rule.level is not Level.SHOULD and not isinstance(excused, AllBut):
            raise BadInput(f"{rule.id} is a {rule.level}; a profile can decline only a SHOULD")
        return Verdict.NOT_CLAIMED, reason
    if missing := [need for need in rule.needs if need not in capabilities]:
        return Verdict.NOT_CLAIMED, f"the adapter does not offer {', '.join(missing)}"
    if not checks:
        return Verdict.UNKNOWN, "claimed, but no check of the rule ran"
    if rule.level is Level.MAY:
        return _permission(checks)
    return _obligation(checks)


def _permission(checks: Sequence[Check]) -> tuple[Verdict, str]:
    """The verdict on a permission, which cannot be violated: used, not used, or unknown."""
    for wanted, verdict in ((CheckResult.USED, Verdict.USED), (CheckResult.NOT_USED, Verdict.NOT_USED)):
        if found := _those(checks, wanted):
            return verdict, found[0].seen
    return Verdict.UNKNOWN, checks[0].seen


def _of_permission(check: Check) -> Check:
    """The check with the results of a permission: `used` for `kept`, `not used` for `violated`."""
    match check.result:
        case CheckResult.KEPT:
            return replace(check, result=CheckResult.USED)
        case CheckResult.VIOLATED:
            return replace(check, result=CheckResult.NOT_USED)
        case _:
            return check


def _obligation(checks: Sequence[Check]) -> tuple[Verdict, str]:
    if violated := _those(checks, CheckResult.VIOLATED):
        if _varies(checks) and _traces_acquit(checks):
            runs = _repetitions(checks)
            figure = f"{_number(runs, CheckResult.VIOLATED)} of {len(runs)} runs"
            return Verdict.UNKNOWN, f"varies: {figure} violated the rule, and the recorded trace shows no violation"
        return Verdict.VIOLATED, min(violated, key=of_check).seen
    if unknown := _those(checks, CheckResult.UNKNOWN):
        return Verdict.UNKNOWN, unknown[0].seen
    if declined := _those(checks, CheckResult.NOT_USED):
        return Verdict.UNKNOWN, f"{declined[0].check} was not used, and only a permission may be unused"
    return Verdict.KEPT, f"{len(checks)} of {len(checks)} checks"


def _varies(checks: Sequence[Check]) -> bool:
    """Whether every violated check was kept in another run."""
    violated = {check.check for check in _those(checks, CheckResult.VIOLATED)}
    kept = {check.check for check in _those(checks, CheckResult.KEPT)}
    return violated <= kept


def _traces_acquit(checks: Sequence[Check]) -> bool:
    """Whether the recorded trace was judged by this rule and does not violate it."""
    traces = [check for check in checks if check.kind is CheckKind.TRACE]
    return bool(traces) and not _those(traces, CheckResult.VIOLATED)


def _repetitions(checks: Sequence[Check]) -> list[Check]:
    """All runs of the checks that were violated at least once."""
    violated = {check.check for check in _those(checks, CheckResult.VIOLATED)}
    return [check for check in checks if check.check in violated]


def _those(checks: Sequence[Check], *results: CheckResult) -> list[Check]:
    return [check for check in checks if check.result in results]


def _number(checks: Sequence[Check], result: CheckResult) -> int:
    return len(_those(checks, result))


def varies(verdict: RuleVerdict) -> bool:
    """Whether the same check of a violated rule was violated in some runs and kept in others."""
    return verdict.verdict is Verdict.VIOLATED and verdict.times_violated < verdict.times_run


def wording(verdict: RuleVerdict) -> str:
    """The verdict as reports print it: the count if it varies, the level if SHOULD, and whether it is not scored.

    A violation names the conditions that it needs. A kept rule names the conditions that it was not tried under.
    """
    words = decided(verdict) + reservation(verdict)
    return words if verdict.scored else f"{words}, not scored"


def reservation(verdict: RuleVerdict) -> str:
    """What was not tried of a kept rule; empty if everything was.

    Conditions are named, as `; not tried: topic`, or counted, as `; 19 conditions not tried`. Scenarios are counted.
    """
    if verdict.verdict is not Verdict.KEPT:
        return ""
    said = ""
    if len(verdict.not_tried) > MOST_NAMED:
        said += f"; {counted(len(verdict.not_tried), 'conditions')} not tried"
    elif verdict.not_tried:
        said += f"; not tried: {', '.join(verdict.not_tried)}"
    if verdict.scenarios_not_tried:
        said += f"; {counted(len(verdict.scenarios_not_tried), 'scenarios')} not tried"
    return said


def decided(verdict: RuleVerdict) -> str:
    """The verdict with its count if it varies, its level if SHOULD, and the conditions that a violation needs."""
    words = str(verdict.verdict)
    if verdict.verdict is Verdict.FOLLOWS:
        words += f" from {', '.join(verdict.follows_from)}"
    if varies(verdict):
        words += f" ({verdict.times_violated} of {verdict.times_run})"
    if verdict.verdict is Verdict.VIOLATED and verdict.level == Level.SHOULD:
        words += ", level SHOULD"
    if verdict.only_under:
        words += f", only under: {', '.join(verdict.only_under)}"
    return words


def exit_code(implementations: Iterable[ImplementationReport], *, harness_failed: bool = False) -> ExitCode:
    """The exit code. A known deviation excuses a violation and the unknown verdicts that it causes.

    Verdicts that are not scored do not count. A verdict that follows from violations counts if none of these counts. An
    adapter that cannot be trusted makes the run unknown.
    """
    codes = {ExitCode.HARNESS if harness_failed else ExitCode.OK}
    for report in implementations:
        counting = {one.rule for one in report.verdicts if one.scored and one.verdict is Verdict.VIOLATED}
        for verdict in report.verdicts:
            if not verdict.scored:
                continue
            if verdict.verdict is Verdict.FOLLOWS and counting.isdisjoint(verdict.follows_from):
                codes.add(ExitCode.VIOLATED)
            if verdict.verdict is Verdict.UNKNOWN and verdict.known_deviation is None:
                codes.add(ExitCode.UNKNOWN)
            if verdict.verdict is Verdict.VIOLATED and verdict.known_deviation is None:
                codes.add(ExitCode.VIOLATED)
        if report.deviations_gone:
            codes.add(ExitCode.VIOLATED)
        if any(not finding.explained_by for finding in report.findings):
            codes.add(ExitCode.UNKNOWN)
    return ExitCode.of_all(codes)


def ending(report: ImplementationReport) -> tuple[ExitCode, str]:
    """The exit code that one implementation alone leads to, and a word or two for it."""
    code = exit_code([report])
    if code is ExitCode.OK:
        known = any(verdict.known_deviation is not None for verdict in report.verdicts)
        return code, "as declared" if known else "kept"
    if exit_code([replace(report, deviations_gone=())]) is ExitCode.OK:
        return code, "not as declared"
    return code, "unknown" if code is ExitCode.UNKNOWN else "violated"


def counts(implementations: Iterable[ImplementationReport]) -> tuple[dict[str, int], int]:
    """The number of rules with each verdict (zeros included), and the number of checks."""
    verdicts = [verdict for report in implementations for verdict in report.verdicts]
    numbers = Counter(verdict.verdict for verdict in verdicts)
    return {kind.value: numbers[kind] for kind in Verdict}, sum(len(verdict.checks) for verdict in verdicts)


def footer(implementations: Sequence[ImplementationReport], *, harness_failed: bool = False) -> Footer:
    """The footer of a report over these implementations."""
    verdicts, checks = counts(implementations)
    return Footer(verdicts, checks, exit_code(implementations, harness_failed=harness_failed))
