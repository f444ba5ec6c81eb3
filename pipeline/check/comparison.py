"""Compares the verdicts on traces and logs with the verdicts of the run that wrote them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from tidegate.catalogue import Form as RuleForm
from tidegate.catalogue import Rule
from tidegate.catalogue.obligations import owed
from tidegate.pipeline.findings.reports import InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.forms import TRACE
from tidegate.record.errors import BadInput
from tidegate.record.report import CheckKind, CheckResult, ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict


def compared(found: TraceReport, run: Report, rules: Mapping[str, Rule], path: Path) -> TraceReport:
    """The report of the check, compared with the report of the run from `path`. BadInput for the report of another run.

    A verdict that the run reached too does not change the exit code of the check: the run's own exit code tells it.
    A trace must reach the verdict of the run for every rule that owes a trace form and that the run checked. Where a
    rule judges no event of a mechanism, neither run nor trace has a check of it, and there is nothing to compare. A
    trace rule may ask for less than the sentence, so a scenario alone may show that a rule is violated, follows from
    others, or is unknown. If the run kept the rule in the trace, a kept rule is a note here, and a violated rule is a
    disagreement. A log shows only a part of the run, but must not show a violation of a rule that the run found kept;
    its unknown verdicts are not compared. Neither are the run's verdicts that are unknown for an adapter that could not
    be trusted.
    """
    pairs = [
        (each, verdict, said)
        for each in found.inputs
        for said in _trusted(_implementation(each, run, path))
        for verdict in each.verdicts
        if said.rule == verdict.rule and said.checks and _is_compared(each.form, rules[said.rule], verdict, said)
    ]
    in_scenarios = [pair for pair in pairs if _in_scenarios_alone(pair[0].form, pair[1].verdict, pair[2])]
    sentences = (
        f"{verdict.rule} is {verdict.verdict} in {each.input} ({verdict.reason}), "
        f"but {said.verdict} in the run ({said.reason})"
        for each, verdict, said in pairs
        if (each, verdict, said) not in in_scenarios and _contradicts(each.form, verdict.verdict, said)
    )
    notes = (
        f"{verdict.rule} is kept in {each.input}, as in the trace of the run; in a scenario of the run it {_is(said)} "
        f"({said.reason})"
        for each, verdict, said in in_scenarios
    )
    return replace(
        found, compared=len(pairs), disagreements=tuple(sentences), notes=(*found.notes, *notes)
    ).ended()  # fmt: skip


def _is(said: RuleVerdict) -> str:
    return f"follows from {', '.join(said.follows_from)}" if said.follows_from else f"is {said.verdict}"


def _in_scenarios_alone(form: str, found: Verdict, said: RuleVerdict) -> bool:
    """Whether scenarios alone are not kept: the trace, which the run judged too, is kept."""
    if form != TRACE or found is not Verdict.KEPT or _results(said, CheckKind.TRACE) != {CheckResult.KEPT}:
        return False
    at_random = CheckResult.VIOLATED in _results(said, CheckKind.STATEFUL)
    return said.verdict in (Verdict.FOLLOWS, Verdict.UNKNOWN) or (said.verdict is Verdict.VIOLATED and not at_random)


def _results(said: RuleVerdict, kind: CheckKind) -> set[CheckResult]:
    return {check.result for check in said.checks if check.kind is kind}


def _trusted(each: ImplementationReport) -> list[RuleVerdict]:
    doubtful = {rule for finding in each.findings for rule in finding.unknown}
    return [verdict for verdict in each.verdicts if verdict.rule not in doubtful]


def _is_compared(form: str, rule: Rule, found: TraceVerdict, said: RuleVerdict) -> bool:
    if form != TRACE:
        return found.verdict is not Verdict.UNKNOWN
    nothing_judged = found.verdict is Verdict.UNKNOWN and all(each.kind is not CheckKind.TRACE for each in said.checks)
    return RuleForm.TRACE in owed(rule) and not nothing_judged


def _contradicts(form: str, found: Verdict, said: RuleVerdict) -> bool:
    if form != TRACE:
        return found is Verdict.VIOLATED and said.verdict is Verdict.KEPT
    # the run judges random sequences as they happen, and not in its trace once more
    in_events = _results(said, CheckKind.TRACE) | _results(said, CheckKind.STATEFUL)
    if found is Verdict.VIOLATED and CheckResult.KEPT in in_events and CheckResult.VIOLATED not in in_events:
        return True
    # a trace shows that a rule is broken, not which other rule breaks it
    return found is not (Verdict.VIOLATED if said.verdict is Verdict.FOLLOWS else said.verdict)


def _implementation(found: InputReport, run: Report, path: Path) -> ImplementationReport:
    file = Path(found.input).name
    for each in run.implementations:
        if file in {Path(written).name for written in (each.trace, each.log) if written}:
            return each
    raise BadInput(f"expected the report of the run that wrote {found.input}", file=path, field="implementations")
