"""What every rendering of a report shows: rules against implementations, and what is behind a verdict."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.record.report import Check, CheckResult, ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

ORDER = (Verdict.KEPT, Verdict.ALLOWED, Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.NOT_CLAIMED)
"""In which order verdicts are counted."""

NOT_GREEN = (Verdict.VIOLATED, Verdict.UNKNOWN)
_SCALED = re.compile(r" \(really [^)]*\)")
_WORST_FIRST = (CheckResult.VIOLATED, CheckResult.UNKNOWN, CheckResult.NOT_TAKEN, CheckResult.KEPT)


@dataclass(frozen=True)
class Finding:
    """All runs of one check of a rule: the first of its worst result, and how many runs ended like it."""

    check: Check
    times: int
    runs: int

    @property
    def seen(self) -> str:
        """What was seen, with the number of runs where there were several."""
        return self.check.seen if self.runs == 1 else f"{self.check.seen}, {self.times} of {self.runs} runs"


def in_order(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The checks behind a verdict in the order in which they ran, each with its repetitions folded into one."""
    runs: dict[str, list[Check]] = {}
    for check in verdict.checks:
        runs.setdefault(check.check, []).append(check)
    return tuple(_folded(same) for same in runs.values())


def findings(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The checks behind a verdict, the worst first, each with its repetitions folded into one."""
    return tuple(sorted(in_order(verdict), key=lambda finding: _WORST_FIRST.index(finding.check.result)))


def _folded(runs: list[Check]) -> Finding:
    worst = min(runs, key=lambda check: _WORST_FIRST.index(check.result))
    return Finding(worst, sum(check.result is worst.result for check in runs), len(runs))


def deciding(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The findings that made a verdict what it is: all but those of checks that were kept."""
    return tuple(one for one in findings(verdict) if one.check.result is not CheckResult.KEPT)


def kept(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The findings of the checks that were kept."""
    return tuple(one for one in findings(verdict) if one.check.result is CheckResult.KEPT)


def in_own_figures(seen: str) -> str:
    """What was seen in the figures of the check, without those that a scale made of them."""
    return _SCALED.sub("", seen)


def label(report: ImplementationReport) -> str:
    """An implementation as columns and headings name it."""
    return f"{report.implementation.name} {report.implementation.version}".strip()


def full_label(report: ImplementationReport) -> str:
    """An implementation with the protocol that it was reached by."""
    protocol = report.implementation.protocol
    return f"{label(report)} ({protocol})" if protocol else label(report)


@dataclass(frozen=True)
class Cell:
    """One implementation's verdict on a rule; None where it was not judged by it."""

    report: ImplementationReport
    verdict: RuleVerdict | None


@dataclass(frozen=True)
class Row:
    """One rule, with a cell for each implementation."""

    rule: str
    level: str
    title: str
    sentence: str
    cells: tuple[Cell, ...]

    @property
    def judged(self) -> tuple[Cell, ...]:
        """The cells of the implementations that claim the rule."""
        return tuple(cell for cell in self.cells if cell.verdict and cell.verdict.verdict is not Verdict.NOT_CLAIMED)

    @property
    def claimed(self) -> bool:
        """Whether any implementation claims the rule."""
        return bool(self.judged)

    @property
    def alarming(self) -> bool:
        """Whether any verdict on it is violated or unknown."""
        return any(cell.verdict and cell.verdict.verdict in NOT_GREEN for cell in self.cells)


@dataclass(frozen=True)
class Group:
    """The rules of one mechanism: those whose ids differ in the number only."""

    name: str
    rows: tuple[Row, ...]

    @property
    def claimed(self) -> bool:
        """Whether any implementation claims a rule of it."""
        return any(row.claimed for row in self.rows)


def rows(report: Report) -> tuple[Row, ...]:
    """Every rule that any implementation was judged by, in the order of the report.

    A rule that is claimed, but by nobody judged, because the subset leaves it out, has no row.
    """
    unjudged = set(left_out(report))
    columns = [(each, {one.rule: one for one in each.verdicts}) for each in report.implementations]
    first: dict[str, RuleVerdict] = {}
    for _, verdicts in columns:
        for rule, verdict in verdicts.items():
            first.setdefault(rule, verdict)
    every = (
        Row(
            rule,
            one.level,
            one.title,
            one.sentence,
            tuple(Cell(each, verdicts.get(rule)) for each, verdicts in columns),
        )
        for rule, one in first.items()
    )
    return tuple(row for row in every if row.claimed or row.rule not in unjudged)


def left_out(report: Report) -> tuple[str, ...]:
    """The rules that some implementation claims and was not judged by, because the subset leaves them out."""
    return tuple(dict.fromkeys(rule for each in report.implementations for rule in each.left_out))


def limited(report: Report) -> str | None:
    """One sentence about what a run of a subset does not say; None after a whole run."""
    if report.subset is None:
        return None
    return f"The {report.subset} subset only: {len(left_out(report))} claimed rules are not in it, and were not judged."


def groups(report: Report) -> tuple[Group, ...]:
    """The rows by mechanism, in the order of the report."""
    members: dict[str, list[Row]] = {}
    for row in rows(report):
        members.setdefault(row.rule.rpartition("-")[0], []).append(row)
    return tuple(Group(name, tuple(each)) for name, each in members.items())


def count(report: ImplementationReport, verdict: Verdict) -> int:
    """How many rules got this verdict."""
    return sum(one.verdict is verdict for one in report.verdicts)


def unlike_kept(report: Report) -> Iterator[tuple[ImplementationReport, RuleVerdict]]:
    """Every verdict that is violated or unknown, violated ones first."""
    for wanted in NOT_GREEN:
        for each in report.implementations:
            for verdict in each.verdicts:
                if verdict.verdict is wanted:
                    yield each, verdict


def outcome(report: Report) -> str:
    """The run in one line, as a person asks for it: is it all kept?"""
    numbers = report.footer.verdicts
    shown = [kind for kind in ORDER if numbers[kind] or kind in NOT_GREEN]
    parts = [f"{numbers[kind]} {kind}" for kind in shown]
    parts += [f"{len(left_out(report))} not in the {report.subset} subset"] if report.subset else []
    known = sum(one.known_deviation is not None for each in report.implementations for one in each.verdicts)
    gone = sum(len(each.deviations_gone) for each in report.implementations)
    parts += [f"{known} of the violations known"] if known else []
    parts += [f"known deviations that no longer hold: {gone}"] if gone else []
    claimed = [
        one for each in report.implementations for one in each.verdicts if one.verdict is not Verdict.NOT_CLAIMED
    ]
    later = sum(not one.scored for one in claimed)
    parts += [f"{later} not scored by requirements {report.requirements}"] if later else []
    return f"{', '.join(parts)}; {report.footer.checks} checks; exit code {report.footer.exit_code}"
