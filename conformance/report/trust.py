"""Whether the observations of a run can be trusted: findings about answers of the adapter that breach the contract.

If a violated rule explains an answer, the implementation is at fault, and the rule says so. Otherwise the adapter is
taken to be at fault, and verdicts that rest on its observations become unknown.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from tidegate.catalogue import Rule
from tidegate.conformance.smoke import Step
from tidegate.record.report import AdapterFinding, CheckResult, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

BY_OBSERVATION = (Verdict.KEPT, Verdict.USED, Verdict.NOT_USED)
"""Verdicts that rest on what was observed and have no evidence of their own."""


END_OF = "the end of "
"""Stands before the name of a check to name the end of its scenario."""
SPEAKING: Mapping[str, tuple[str, ...]] = {
    "send": ("GENERAL-2", "GENERAL-21"),
    "take": ("GENERAL-1", "GENERAL-2"),
    "depth": ("GENERAL-2", "GENERAL-8", "GENERAL-22", "GENERAL-42"),
    "standing": ("GENERAL-3", "GENERAL-7", "GENERAL-20", "GENERAL-21", "GENERAL-22"),
}
"""By verb that every adapter has, the rules that speak about what the verb shows."""


def judged(report: ImplementationReport, steps: Sequence[Step], rules: Mapping[str, Rule]) -> ImplementationReport:
    """The report with a finding for each step that was answered otherwise than expected.

    A step of a group concerns the rules that need its capability; a step of any other verb concerns every rule. A verb
    that raised showed nothing wrong: it changes no verdict, but the run does not end well.
    """
    for step in steps:
        needing = {rule for rule in rules if step.about & set(rules[rule].needs)}
        concerned = set() if step.raised else needing if step.about else set(rules)
        speaking = needing if step.about else set(SPEAKING.get(step.verb, ()))
        report = _with(report, step, concerned, speaking)
    return report


def without_mechanism(report: ImplementationReport, rules: Mapping[str, Rule]) -> ImplementationReport:
    """The report with a finding if no rule of any document is claimed, since then no rule says how producers stop."""
    judged_or_left = (
        *report.left_out,
        *(one.rule for one in report.verdicts if one.verdict is not Verdict.NOT_CLAIMED),
    )
    if any(rules[rule].sources for rule in judged_or_left):
        return report
    finding = AdapterFinding(
        "capabilities",
        ", ".join(report.implementation.capabilities) or "none",
        "a mechanism that stops producers, such as queue-gate, address-limit or memory-limit",
        "claim the mechanism of the implementation; without one, only the general rules are judged",
    )
    return replace(report, findings=(*report.findings, finding))


def with_unended(report: ImplementationReport, unended: Sequence[tuple[str, str]]) -> ImplementationReport:
    """The report with a finding if scenarios, or the run, could not be brought to their end; it tells the first error.

    No verdict rests on this end, so none changes, but the run does not end well. A used permission may leave a party
    waiting for ever; then the end of its scenario is listed as not tried.
    """
    used = {check.check for verdict in report.verdicts for check in verdict.checks if check.result is CheckResult.USED}
    permitted = [(asked, raised) for asked, raised in unended if asked.removeprefix(END_OF) in used]
    left = [each for each in unended if each not in permitted]
    untried = tuple(f"{asked}, since a permission was used: {raised}" for asked, raised in permitted)
    report = replace(report, not_tried=(*report.not_tried, *untried))
    if not left:
        return report
    asked, raised = left[0]
    more = f" (and {len(left) - 1} more)" if len(left) > 1 else ""
    finding = AdapterFinding(
        f"{asked}{more}",
        f"raised: {raised}",
        "that the rest is consumed, each producer is looked at, and everything is closed",
        "look at the exception of the adapter",
    )
    return replace(report, findings=(*report.findings, finding))


def sentence(finding: AdapterFinding) -> str:
    """The finding and its consequence, in one sentence."""
    said = f"{finding.asked} answered {finding.answered}, expected {finding.expected}"
    if finding.explained_by:
        return f"{said}; violated, and the reason: {', '.join(finding.explained_by)}"
    unknown = f"so {len(finding.unknown)} rules that were kept are unknown; " if finding.unknown else ""
    return f"{said}; {unknown}to mend it: {finding.fix}"


def doubtful(report: ImplementationReport) -> frozenset[str]:
    """The rules that are unknown because of the adapter; their evidence is worth nothing."""
    return frozenset(rule for finding in report.findings for rule in finding.unknown)


def _with(
    report: ImplementationReport, step: Step, concerned: Collection[str], speaking: Collection[str]
) -> ImplementationReport:
    violated = [one.rule for one in report.verdicts if one.verdict is Verdict.VIOLATED]
    explaining = tuple(rule for rule in violated if rule in speaking)
    doubtful = tuple(
        one.rule
        for one in report.verdicts
        if one.rule in concerned and one.verdict in BY_OBSERVATION and not explaining
    )
    finding = AdapterFinding(step.asked, step.answer, step.expected, step.fix, doubtful, explaining)
    return replace(
        report,
        verdicts=tuple(_doubted(one, finding) if one.rule in doubtful else one for one in report.verdicts),
        findings=(*report.findings, finding),
    )


def _doubted(verdict: RuleVerdict, finding: AdapterFinding) -> RuleVerdict:
    reason = f"{finding.asked} answered {finding.answered} before the first scenario, expected {finding.expected}"
    return replace(verdict, verdict=Verdict.UNKNOWN, reason=f"what was observed cannot be trusted: {reason}")
