"""The findings of the committed reports of real brokers, by rule, with the evidence and a control check."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generate.markup import boxed, code, literal, paragraphs, table
from tidegate.catalogue import catalogue
from tidegate.catalogue.rules import Rule
from tidegate.conformance.report.deviations import Deviation, read_deviations
from tidegate.conformance.report.store import read_report
from tidegate.record.counts import counted
from tidegate.record.report import Check, CheckKind, CheckResult, Implementation, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

REPORTS = Path(__file__).parents[2] / "reports"
REPORT_JSON = "report.json"
KNOWN = "known-deviations.yaml"
HEADS = ("version", "what it does", "checks", "seen, for example", "conditions", "script", "control")
NONE = "none"
AS_WRITTEN = "as written"
SCENARIO = re.compile(r"^[^\[ (]+")
"""The name of a scenario, at the beginning of its check's name."""


@dataclass(frozen=True)
class Finding:
    """A deviation of one version from one rule, for one reason."""

    folder: str
    """The folder of its report, below `reports/`."""
    implementation: Implementation
    verdict: RuleVerdict
    reason: str
    checks: tuple[Check, ...]
    """The checks that show the deviation."""

    @property
    def version(self) -> str:
        """The version's name in its report."""
        return f"{self.implementation.name} {self.implementation.version}"

    @property
    def conditions(self) -> str:
        """The values of conditions that the deviation needs; `AS_WRITTEN` if a check as written shows it."""
        # a trace was seen under the conditions of several checks, and says nothing of them
        own = [check for check in self.checks if check.kind is not CheckKind.TRACE]
        if not all(check.conditions for check in own) or not own:
            return AS_WRITTEN
        fewest = min((check.conditions for check in own), key=len)
        needed = [value for value in self.verdict.only_under if value in {_value(name) for name in fewest}]
        return ", ".join(needed or map(_value, fewest))

    @property
    def script(self) -> str:
        """A link to a reproducer; none if only the trace shows the deviation, or no script repeats it."""
        scripts = (check.script for check in self.checks if check.script is not None)
        return next((_to_script(self.folder, script) for script in scripts), NONE)

    @property
    def control(self) -> str:
        """A check of the rule that the version keeps: one of the same scenario if there is one."""
        kept = [check for check in self.verdict.checks if check.result is CheckResult.KEPT]
        scenarios = {_scenario(check) for check in self.checks}
        alike = [check for check in kept if _scenario(check) in scenarios]
        chosen = sorted(alike or kept, key=lambda check: (check.kind is CheckKind.TRACE, len(check.conditions)))
        return code(chosen[0].check) if chosen else NONE


def found(reports: Path = REPORTS) -> str:
    """The number of deviations in the committed reports, the rules by version, and each deviation by rule."""
    folders = sorted(path.parent for path in reports.glob(f"*/{REPORT_JSON}"))
    findings = [finding for folder in folders for finding in _findings(folder)]
    rules = [rule for rule in catalogue().values() if any(each.verdict.rule == rule.id for each in findings)]
    count = (
        f"{counted(len(findings), 'deviations')} from {counted(len(rules), 'rules')} in "
        f"{counted(len(folders), 'reports')}."
    )
    return paragraphs(count, _by_version(findings), *(_section(rule, findings) for rule in rules))


def _by_version(findings: Sequence[Finding]) -> str:
    """The rules from which each version deviates, for a reader who has one version."""
    versions: dict[str, dict[str, None]] = {}
    for each in findings:
        versions.setdefault(each.version, {})[each.verdict.rule] = None
    return "\n".join(f"- {version}: {', '.join(rules)}" for version, rules in versions.items())


def _section(rule: Rule, findings: Sequence[Finding]) -> str:
    rows = [
        (
            each.version,
            literal(each.reason),
            str(len(each.checks)),
            literal(each.checks[0].seen),
            each.conditions,
            each.script,
            each.control,
        )
        for each in findings
        if each.verdict.rule == rule.id
    ]
    return paragraphs(f"## {rule.id} · {rule.title}", f"> {rule.sentence}", boxed("found", table(HEADS, rows)))


def _findings(folder: Path) -> Iterator[Finding]:
    declared = read_deviations(folder / KNOWN, catalogue()) if (folder / KNOWN).is_file() else ()
    for each in read_report(folder / REPORT_JSON).implementations:
        for verdict in each.verdicts:
            yield from _findings_of(folder.name, each, verdict, declared)


def _findings_of(
    folder: str, each: ImplementationReport, verdict: RuleVerdict, declared: Sequence[Deviation]
) -> Iterator[Finding]:
    by_reason: dict[str, list[Check]] = {}
    for check in verdict.checks:
        if check.result is CheckResult.VIOLATED:
            by_reason.setdefault(_reason(verdict, check, declared), []).append(check)
    for reason, checks in by_reason.items():
        shown = sorted(checks, key=lambda check: (len(check.conditions), check.kind is CheckKind.TRACE))
        yield Finding(folder, each.implementation, verdict, reason, tuple(shown))


def _reason(verdict: RuleVerdict, check: Check, declared: Sequence[Deviation]) -> str:
    reasons = (one.reason for one in declared if one.rule == verdict.rule and one.matches(check))
    follows = f"follows from {', '.join(verdict.follows_from)}" if verdict.verdict is Verdict.FOLLOWS else None
    return next(reasons, follows or "not declared")


def _to_script(folder: str, script: str) -> str:
    return f"[script](../reports/{folder}/{script})"


def _scenario(check: Check) -> str:
    found = SCENARIO.match(check.check)
    return found[0] if found else check.check


def _value(name: str) -> str:
    return name.partition(": ")[2]
