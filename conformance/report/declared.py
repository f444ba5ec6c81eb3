"""Known deviations applied to a report: they change the exit code, never a verdict, and the report names each."""

import difflib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from enum import Enum, auto

from tidegate.conformance.report.check_names import check_name
from tidegate.conformance.report.deviations import TO_FILL_IN, Deviation
from tidegate.conformance.report.following import followers
from tidegate.record.report import (
    FAILING,
    NO_TIME_LEFT,
    NOT_REACHED,
    Check,
    CheckKind,
    CheckResult,
    DeclaredDeviation,
    DeviationState,
    Implementation,
    ImplementationReport,
    RuleVerdict,
)
from tidegate.record.verdict import Verdict

DEVIATES = (Verdict.VIOLATED, Verdict.FOLLOWS)
SOON = timedelta(days=30)
"""The time before its last day in which a run says that a declaration expires."""
ALIKE = 0.8
"""The similarity of two names, from 0 to 1, from which one of them is taken for a misspelling of the other."""


class Extent(Enum):
    """How much of the suite ran."""

    PART = auto()
    SHORT = auto()
    """All of it, but the time for checks under conditions ran out: what shows only there may not have shown."""
    WHOLE = auto()


def applied(
    deviations: Sequence[Deviation], report: ImplementationReport, *, today: date, whole_run: bool = True
) -> ImplementationReport:
    """The report with its declared violations marked, and the state of each declaration that concerns it.

    A violation is marked once every violated check deviates as declared. An unknown verdict is marked once marked
    violations alone kept its checks from beginning. After a run of selected checks (`whole_run` false) a declaration
    says nothing if its check was not selected.
    """
    concerning = [deviation for deviation in deviations if deviation.concerns(report.implementation)]
    verdicts = {verdict.rule: verdict for verdict in report.verdicts}
    rules = {rule for deviation in concerning for rule in (deviation.rule, *deviation.also)}
    in_short = any(NO_TIME_LEFT in each for each in report.not_tried)
    extent = Extent.PART if not whole_run else Extent.SHORT if in_short else Extent.WHOLE
    declared = tuple(
        _judged(deviation, verdicts.get(deviation.rule), _beside(deviation, concerning), today, extent, report, rules)
        for deviation in concerning
    )
    valid = [deviation for deviation in concerning if not deviation.expired(today)]
    marked = tuple(_marked(verdict, valid) for verdict in report.verdicts)
    return replace(
        report,
        verdicts=tuple(_followed(verdict, marked) for verdict in marked),
        declared=declared,
        # several declarations of a rule say the same of a check that none of them names
        deviations_gone=tuple(dict.fromkeys(f"{one.rule}: {one.why}" for one in declared if one.state in FAILING)),
    )


def elsewhere(deviations: Sequence[Deviation], judged: Sequence[Implementation]) -> tuple[str, ...]:
    """One sentence for each implementation and version with declared deviations that was not judged."""
    others = Counter(
        (one.implementation, one.version) for one in deviations if not any(one.concerns(each) for each in judged)
    )
    return tuple(
        f"{number} known {'deviation is' if number == 1 else 'deviations are'} declared for {name} {version}, "
        f"which was not judged{_hint(name, judged)}"
        for (name, version), number in others.items()
    )


def _hint(name: str, judged: Sequence[Implementation]) -> str:
    for each in judged:
        if name == each.name:
            return f"; {name} {each.version} was."
        spellings = (each.name, each.profile.partition(":")[0])
        likeness = difflib.SequenceMatcher(None, name.casefold(), each.name.casefold()).ratio()
        if name.casefold() in map(str.casefold, spellings) or likeness >= ALIKE:
            return f"; did you mean {each.name}?"
    return "."


def _beside(deviation: Deviation, concerning: Sequence[Deviation]) -> tuple[Deviation, ...]:
    """The other declarations for the same rule."""
    return tuple(one for one in concerning if one.rule == deviation.rule and one is not deviation)


def _judged(
    deviation: Deviation,
    verdict: RuleVerdict | None,
    beside: Sequence[Deviation],
    today: date,
    extent: Extent,
    report: ImplementationReport,
    declared_rules: Collection[str],
) -> DeclaredDeviation:
    if deviation.expired(today):
        state, why = DeviationState.EXPIRED, f"the declaration expired on {deviation.expires}: {deviation.reason}"
    elif verdict is None or verdict.verdict is Verdict.NOT_CLAIMED:
        missing = extent is not Extent.PART or verdict is not None
        state = DeviationState.GONE if missing else DeviationState.NOT_SEEN
        why = f"it was not judged{_reason(verdict)}" if missing else "not part of the run"
    elif verdict.verdict is Verdict.UNKNOWN:
        state, why = DeviationState.NOT_SEEN, f"unknown: {verdict.reason}"
    else:
        state, why = _compared(deviation, verdict, beside, extent)
        if state is DeviationState.HOLDS and deviation.also:
            state, why = _also(deviation, report, declared_rules, extent)
    return DeclaredDeviation(
        deviation.rule,
        deviation.reason,
        deviation.link,
        state,
        why,
        deviation.expires.isoformat() if deviation.expires else None,
        deviation.expires is not None and today <= deviation.expires <= today + SOON,
        TO_FILL_IN not in (deviation.reason, deviation.link),
    )


def _reason(verdict: RuleVerdict | None) -> str:
    return f", because it is not claimed: {verdict.reason}" if verdict is not None else ""


def _compared(
    deviation: Deviation, verdict: RuleVerdict, beside: Sequence[Deviation], extent: Extent
) -> tuple[DeviationState, str]:
    """The state of a declaration by what was seen, and the reason for it."""
    changed = list(_otherwise(deviation, verdict, beside))
    if changed:
        return DeviationState.CHANGED, "; ".join(changed)
    gone = list(_gone(deviation, verdict, extent))
    violated = [one for one in _named(deviation, verdict) if one.result is CheckResult.VIOLATED]
    if gone:
        return DeviationState.GONE, "; ".join(gone)
    return (DeviationState.HOLDS, "") if violated else (DeviationState.NOT_SEEN, "not seen in this run")


def _also(
    deviation: Deviation, report: ImplementationReport, declared_rules: Collection[str], extent: Extent
) -> tuple[DeviationState, str]:
    """The state of a declaration by the rules that follow from its rule, compared with the declared ones.

    A part of the suite may lack the checks by which a rule fails for its own reason, or follows from another cause.
    There, a rule that is declared otherwise may follow from this rule.
    """
    follow = followers(report.verdicts, deviation.rule)
    part = extent is Extent.PART
    if more := [rule for rule in follow if rule not in deviation.also and not (part and rule in declared_rules)]:
        return DeviationState.CHANGED, f"{', '.join(more)} follows from it too, and is not declared"
    if extent is Extent.WHOLE and (fewer := [rule for rule in deviation.also if rule not in follow]):
        return DeviationState.CHANGED, f"{', '.join(fewer)} does not follow from it any more"
    return DeviationState.HOLDS, ""


def _named(deviation: Deviation, verdict: RuleVerdict) -> list[Check]:
    return [check for check in verdict.checks if deviation.names(check) and not _is_of_others(deviation, check)]


def _is_of_others(deviation: Deviation, check: Check) -> bool:
    """Whether the check follows from other rules, and the deviation is a race of the rule itself."""
    return deviation.racing and bool(check.follows_from)


def _otherwise(deviation: Deviation, verdict: RuleVerdict, beside: Sequence[Deviation]) -> Iterator[str]:
    """One sentence for each violated check that deviates by another figure or that no declaration covers.

    A declaration without named checks covers all checks that no other declaration names. What follows from another rule
    is no figure of a race.
    """
    for check in verdict.checks:
        if check.result is not CheckResult.VIOLATED or deviation.matches(check):
            continue
        if _is_of_others(deviation, check):
            continue
        if check.check in deviation.by_check:
            yield _by_another_figure(deviation, check)
        elif any(check.check in one.by_check for one in beside):
            continue
        elif deviation.names(check):
            if not any(one.matches(check) for one in beside):
                yield _by_another_figure(deviation, check)
        elif not any(one.names(check) for one in beside):
            yield f"{check.check} is violated too, and not declared: seen {check.seen!r}"


def _by_another_figure(deviation: Deviation, check: Check) -> str:
    declared = " or ".join(repr(str(figure)) for figure in deviation.figures_of(check))
    return f"deviates by another figure in {check.check}: declared {declared}, seen {check.seen!r}"


def _gone(deviation: Deviation, verdict: RuleVerdict, extent: Extent) -> Iterator[str]:
    """One sentence for each check that no longer deviates or did not run; conditions of a check vary between runs."""
    if not deviation.by_check:
        # the check that deviates need not be in a part of the suite
        if extent is not Extent.PART and not deviation.racing and verdict.verdict not in DEVIATES:
            yield f"no longer deviates: {verdict.verdict}"
        return
    for name in deviation.by_check:
        runs = [check for check in verdict.checks if check.check == name]
        if not runs:
            if extent is not Extent.PART and not check_name(name).conditions:
                yield f"no check {name!r} ran"
            continue
        # the trace of a part need not hold the scenario in which it shows
        tells = extent is Extent.WHOLE or any(check.kind is not CheckKind.TRACE for check in runs)
        if tells and not deviation.racing and all(check.result is CheckResult.KEPT for check in runs):
            yield f"no longer deviates in {name}: {CheckResult.KEPT}"


def _marked(verdict: RuleVerdict, deviations: Sequence[Deviation]) -> RuleVerdict:
    if verdict.verdict is not Verdict.VIOLATED:
        return verdict
    reasons: dict[str, None] = {}
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED:
            matching = [one for one in deviations if one.rule == verdict.rule and one.matches(check)]
            # in a part of the suite the rule that is the cause need not be judged
            matching += [one for one in deviations if one.rule in check.follows_from and verdict.rule in one.also]
            if not matching:
                return verdict
            reasons.update({f"{one.reason} ({one.link})": None for one in matching})
    return replace(verdict, known_deviation="; ".join(reasons))


def _followed(verdict: RuleVerdict, marked: Sequence[RuleVerdict]) -> RuleVerdict:
    """An unknown verdict, marked if a declared violation, or what follows from one, kept its checks from beginning."""
    unknown = [check for check in verdict.checks if check.result is CheckResult.UNKNOWN]
    if verdict.verdict is not Verdict.UNKNOWN or not unknown:
        return verdict
    declared = {other.rule for other in marked if other.known_deviation is not None}
    known = {
        check.check: cause
        for other in marked
        for cause in (other.follows_from if other.verdict is Verdict.FOLLOWS else (other.rule,))
        if cause in declared
        for check in other.checks
        if check.result is CheckResult.VIOLATED
    }
    if not all(check.seen.startswith(NOT_REACHED) and check.check in known for check in unknown):
        return verdict
    causes = ", ".join(dict.fromkeys(known[check.check] for check in unknown))
    return replace(verdict, known_deviation=f"its checks could not begin because of the declared deviation of {causes}")
