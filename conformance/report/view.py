"""The data that every rendering of a report shows: rules against implementations, and the evidence of a verdict."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.conformance.report import order
from tidegate.conformance.report.following import followers
from tidegate.record.counts import counted as in_numbers
from tidegate.record.report import Check, CheckResult, ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

ORDER = (
    Verdict.KEPT,
    Verdict.USED,
    Verdict.NOT_USED,
    Verdict.VIOLATED,
    Verdict.FOLLOWS,
    Verdict.UNKNOWN,
    Verdict.NOT_CLAIMED,
)
"""The order in which verdicts are counted."""

GREEN = (Verdict.KEPT, Verdict.USED, Verdict.NOT_USED)
NOT_GREEN = order.NOT_GREEN
AS_STATED = (CheckResult.KEPT, CheckResult.USED)
"""Results of checks that found what their rule says."""
MOST_REASONS = 2
"""The most reasons that a report tells for checks that were not tried; checks with other reasons are counted."""
_SCALED = re.compile(r" \(really [^)]*\)")


@dataclass(frozen=True)
class Finding:
    """All runs of one check of a rule: the first run with the worst result, and the number of runs with that result."""

    check: Check
    times: int
    runs: int

    @property
    def seen(self) -> str:
        """What was seen, with the number of runs if there were several."""
        return self.check.seen if self.runs == 1 else f"{self.check.seen}, {self.times} of {self.runs} runs"


def in_order(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The checks behind a verdict in their order, with the repetitions of each folded into one finding."""
    runs: dict[str, list[Check]] = {}
    for check in verdict.checks:
        runs.setdefault(check.check, []).append(check)
    return tuple(_folded(same) for same in runs.values())


def findings(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The checks behind a verdict, the worst first and then the clearest, with repetitions folded into one finding."""
    return tuple(sorted(in_order(verdict), key=lambda finding: order.of_check(finding.check, verdict.rule)))


def _folded(runs: list[Check]) -> Finding:
    worst = min(runs, key=lambda check: order.WORST_FIRST.index(check.result))
    return Finding(worst, sum(check.result is worst.result for check in runs), len(runs))


def deciding(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The findings that made the verdict: all whose check did not find what the rule says."""
    return tuple(one for one in findings(verdict) if one.check.result not in AS_STATED)


def as_stated(verdict: RuleVerdict) -> tuple[Finding, ...]:
    """The findings of the checks that found what the rule says."""
    return tuple(one for one in findings(verdict) if one.check.result in AS_STATED)


def in_own_figures(seen: str) -> str:
    """What was seen in the figures of the check, without the figures of the run's scale."""
    return _SCALED.sub("", seen)


def label(report: ImplementationReport) -> str:
    """An implementation's name in columns and headings."""
    return f"{report.implementation.name} {report.implementation.version}".strip()


def full_label(report: ImplementationReport) -> str:
    """An implementation's name with the protocol through which it was tested."""
    protocol = report.implementation.protocol
    return f"{label(report)} ({protocol})" if protocol else label(report)


@dataclass(frozen=True)
class Cell:
    """One implementation's verdict on a rule; None if the implementation was not judged by it."""

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


@dataclass(frozen=True)
class Mechanism:
    """The verdicts on the rules of one mechanism; their ids differ in the number only."""

    name: str
    verdicts: tuple[RuleVerdict, ...]


def rows(report: Report) -> tuple[Row, ...]:
    """Every rule that any implementation was judged by, in the order of the report.

    A rule has no row if it is claimed but judged nowhere, because the part that ran leaves it out.
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
    """The claimed rules that were not judged, because the part that ran leaves them out."""
    return tuple(dict.fromkeys(rule for each in report.implementations for rule in each.left_out))


def limited(report: Report) -> str | None:
    """One sentence about the part that ran and the rules it leaves out; None after a whole run."""
    if report.part is None:
        return None
    return f"Only {report.part} ran: {rules_in_words(len(left_out(report)))} not judged."


def unscored(report: Report) -> str | None:
    """One sentence about claimed rules that are not scored, and how many are violated or unknown; None without any."""
    claimed = [one for each in report.implementations for one in each.verdicts
               if one.verdict is not Verdict.NOT_CLAIMED and not one.scored]  # fmt: skip
    if not claimed:
        return None
    numbers = {kind: sum(one.verdict is kind for one in claimed) for kind in NOT_GREEN}
    not_green = "".join(f", {number} of them {kind}" for kind, number in numbers.items() if number)
    return f"{rules_in_words(len(claimed))} not scored by {report.requirements}{not_green}."


def rules_in_words(number: int) -> str:
    """The number of claimed rules in words, as the subject of a sentence with its verb."""
    return "1 claimed rule is" if number == 1 else f"{number} claimed rules are"


def limits(report: Report) -> tuple[str, ...]:
    """The limits of what the run says, a sentence each; none after a whole run that counts all."""
    return tuple(filter(None, (limited(report), unscored(report), *map(untried, report.implementations))))


def untried(report: ImplementationReport) -> str | None:
    """One sentence about checks of an implementation that were not tried, with the commonest reasons; often None."""
    if not report.not_tried:
        return None
    reasons = Counter(each.partition(": ")[2] for each in report.not_tried)
    commonest = reasons.most_common(MOST_REASONS)
    told = [f"{number} because {reason}" for reason, number in commonest]
    if left := reasons.total() - sum(number for _, number in commonest):
        told.append(f"{left} for other reasons (in report.json)")
    number = checks_in_words(len(report.not_tried))
    if len(reasons) == 1:
        return f"{label(report)}: {number} not tried because {commonest[0][0]}."
    return f"{label(report)}: {number} not tried: {', '.join(told)}."


def checks_in_words(number: int) -> str:
    """The number of checks as words."""
    return "1 check" if number == 1 else f"{number} checks"


def not_tried(report: ImplementationReport) -> str:
    """One sentence about the capabilities that are not claimed although the verbs exist; empty without any."""
    if not report.not_claimed:
        return ""
    names = ", ".join(report.not_claimed)
    return f"{label(report)}: no check ran under {names}: the adapter has the verbs and does not claim the capability."


def not_kept(report: ImplementationReport) -> tuple[RuleVerdict, ...]:
    """The violated and unknown verdicts, violated ones first, and among these the one that explains the others."""
    return tuple(order.in_telling_order(report.verdicts))


def caused(report: ImplementationReport, verdict: RuleVerdict) -> tuple[str, ...]:
    """One sentence about the rules that fail because of a violated one, or that a rule fails because of; often none."""
    if verdict.follows_from:
        return (f"Every failing check follows from {', '.join(verdict.follows_from)}, as this version is built.",)
    others = followers(report.verdicts, verdict.rule)
    return (f"These rules are not kept for this reason alone: {', '.join(others)}.",) if others else ()


def by_mechanism(report: ImplementationReport, *wanted: Verdict) -> tuple[Mechanism, ...]:
    """The verdicts of the given kinds on an implementation, by mechanism, in the order of the report."""
    members: dict[str, list[RuleVerdict]] = {}
    for one in report.verdicts:
        if one.verdict in wanted:
            members.setdefault(one.rule.rpartition("-")[0], []).append(one)
    return tuple(Mechanism(name, tuple(verdicts)) for name, verdicts in members.items())


def anchor(profile: str, rule: str) -> str:
    """The anchor of a rule on a report's page, for the implementation with this profile."""
    return re.sub(r"[^A-Za-z0-9-]+", "-", f"{profile}-{rule}")


def count(report: ImplementationReport, verdict: Verdict) -> int:
    """The number of rules with this verdict."""
    return sum(one.verdict is verdict for one in report.verdicts)


def counted(report: Report) -> tuple[Verdict, ...]:
    """The verdicts that a table of counts shows: all, but `follows` only if a rule has it."""
    return tuple(kind for kind in ORDER if kind is not Verdict.FOLLOWS or report.footer.verdicts.get(kind))


def known_deviations(report: ImplementationReport) -> int:
    """The number of violations that are declared as known."""
    return sum(one.known_deviation is not None for one in report.verdicts)


def unlike_kept(report: Report) -> Iterator[tuple[ImplementationReport, RuleVerdict]]:
    """Every violated or unknown verdict, violated ones first, and within a kind by implementation."""
    for wanted in NOT_GREEN:
        for each in report.implementations:
            for verdict in not_kept(each):
                if verdict.verdict is wanted:
                    yield each, verdict


def outcome(report: Report) -> str:
    """The run in one line: the counts of verdicts and checks, the limits of the run, and the exit code."""
    numbers = report.footer.verdicts
    shown = [kind for kind in ORDER if numbers.get(kind) or kind in NOT_GREEN]
    parts = [f"{numbers.get(kind, 0)} {kind}" for kind in shown]
    known = sum(map(known_deviations, report.implementations))
    gone = sum(len(each.deviations_gone) for each in report.implementations)
    parts += [in_numbers(known, "known deviations")] if known else []
    parts += [f"{gone} not as declared"] if gone else []
    findings = sum(len(each.findings) for each in report.implementations)
    parts += [f"findings about the adapter: {findings}"] if findings else []
    ran = f"{report.footer.checks} checks"
    untried_checks = sum(len(each.not_tried) for each in report.implementations)
    ran += f", {untried_checks} more not tried" if untried_checks else ""
    sentences = filter(None, (limited(report), unscored(report)))
    without = [sentence[0].lower() + sentence[1:].rstrip(".") for sentence in sentences]
    return "; ".join([", ".join(parts), ran, *without, f"exit code {report.footer.exit_code}"])
