"""The findings of the committed reports of real brokers: a page for each implementation, with evidence and controls.

Versions that deviate from a rule for the same reason and under the same conditions share a row.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from packaging.version import Version

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
FOLDER = "brokers/found"
HEADS = ("what it does", "versions", "seen, for example", "conditions", "checks", "script", "control")
FOLLOWING = "follows"
"""The anchor of the rules that fail because of other rules' deviations."""
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


@dataclass(frozen=True)
class Group:
    """The same deviation of one or more versions of an implementation, the newest version first."""

    findings: tuple[Finding, ...]

    @property
    def versions(self) -> str:
        """The versions, the newest one first."""
        return ", ".join(each.implementation.version for each in self.findings)

    @property
    def checks(self) -> str:
        """How many checks show the deviation: on each version, or from the fewest to the most."""
        counts = [len(each.checks) for each in self.findings]
        return str(counts[0]) if len(set(counts)) == 1 else f"{min(counts)} to {max(counts)}"

    def row(self) -> tuple[str, ...]:
        """The cells below `HEADS`, with the evidence of the newest version."""
        newest = self.findings[0]
        return (
            literal(newest.reason),
            self.versions,
            literal(newest.checks[0].seen),
            newest.conditions,
            self.checks,
            newest.script,
            newest.control,
        )


def found(reports: Path = REPORTS) -> str:
    """The number of deviations in the committed reports, and for each implementation the rules by version."""
    all_findings = findings(reports)
    rules = {each.verdict.rule for each in all_findings}
    versions = {each.folder for each in all_findings}
    count = (
        f"{counted(len(all_findings), 'deviations')} from {counted(len(rules), 'rules')} in "
        f"{counted(len(versions), 'reports')}."
    )
    return paragraphs(count, *(_contents(name, own) for name, own in _by_implementation(all_findings)))


def pages() -> Iterator[tuple[str, str]]:
    """Path below the docs folder and Markdown of each implementation's page."""
    for name, own in _by_implementation(findings()):
        yield _path(own), page(name, own)


def paths() -> list[str]:
    """The pages, in the order of the implementations' names."""
    return [_path(own) for _, own in _by_implementation(findings())]


def page(name: str, own: Sequence[Finding]) -> str:
    """The deviations of an implementation's versions, rule by rule; at the end, what follows from other deviations."""
    groups = grouped(own)
    causes = [group for group in groups if not _follows(group.findings[0].verdict)]
    follow = [group for group in groups if _follows(group.findings[0].verdict)]
    rules = [rule for rule in catalogue().values() if any(_rule(group) == rule.id for group in causes)]
    return paragraphs(
        f"# Found in {name}",
        f"This page lists the deviations of {', '.join(_versions(own))} from the documents, and from tidegate's own "
        f"properties. The evidence is that of the version that is named first. "
        f"[What the suite found](../found.md#the-columns) explains the columns, and has the other brokers.",
        *(_section(rule, [group for group in causes if _rule(group) == rule.id]) for rule in rules),
        *_following(follow),
    )


@cache
def findings(reports: Path = REPORTS) -> tuple[Finding, ...]:
    """All findings of the committed reports."""
    folders = sorted(path.parent for path in reports.glob(f"*/{REPORT_JSON}"))
    return tuple(finding for folder in folders for finding in _findings(folder))


def grouped(own: Sequence[Finding]) -> list[Group]:
    """The findings of an implementation, with the versions together that deviate alike; the newest versions first."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for each in _newest_first(own):
        alike = (each.verdict.rule, each.verdict.verdict, each.reason, each.conditions)
        groups.setdefault(alike, []).append(each)
    return [Group(tuple(alike)) for alike in groups.values()]


def _by_implementation(all_findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    by_name = sorted(all_findings, key=lambda each: each.implementation.name)
    return [(name, list(own)) for name, own in groupby(by_name, key=lambda each: each.implementation.name)]


def _path(own: Sequence[Finding]) -> str:
    return f"{FOLDER}/{own[0].folder.rpartition('-')[0]}.md"


def _newest_first(own: Sequence[Finding]) -> list[Finding]:
    return sorted(own, key=lambda each: Version(each.implementation.version), reverse=True)


def _versions(own: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(each.implementation.version for each in _newest_first(own)))


def _rule(group: Group) -> str:
    return group.findings[0].verdict.rule


def _contents(name: str, own: Sequence[Finding]) -> str:
    """The rules from which each version of an implementation deviates, with links to the deviations."""
    address = _path(own).removeprefix("brokers/")
    lines = []
    for version in _versions(own):
        verdicts = {each.verdict.rule: each.verdict for each in own if each.implementation.version == version}
        broken = [f"[{rule}]({address}#{rule})" for rule, each in verdicts.items() if not _follows(each)]
        follow = [f"[{rule}]({address}#{FOLLOWING})" for rule, each in verdicts.items() if _follows(each)]
        lines.append(f"- {version}: {', '.join(broken)}" + (f"; {', '.join(follow)} follow" if follow else ""))
    return paragraphs(f"### [{name}]({address})", "\n".join(lines))


def _follows(verdict: RuleVerdict) -> bool:
    return verdict.verdict is Verdict.FOLLOWS


def _section(rule: Rule, groups: Sequence[Group]) -> str:
    return paragraphs(
        f"## {rule.id} · {rule.title} {{#{rule.id}}}",
        f"> {rule.sentence}",
        boxed("found", table(HEADS, [group.row() for group in groups])),
    )


def _following(groups: Sequence[Group]) -> Iterator[str]:
    """The rules that fail only because of another rule's deviation, with this rule and the versions."""
    if groups:
        yield f"## What follows from these {{#{FOLLOWING}}}"
        yield "These rules fail too, but only because of another rule's deviation:"
        yield "\n".join(f"- {_rule(group)}: {literal(group.findings[0].reason)} ({group.versions})" for group in groups)


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
    return f"[script](../../reports/{folder}/{script})"


def _scenario(check: Check) -> str:
    found = SCENARIO.match(check.check)
    return found[0] if found else check.check


def _value(name: str) -> str:
    return name.partition(": ")[2]
