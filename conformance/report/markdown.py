"""The report as Markdown: a summary for the page of a CI job."""

import re
from collections.abc import Iterable

from tidegate.conformance.report import by_condition, known, trust
from tidegate.conformance.report.by_condition import State, sentences
from tidegate.conformance.report.verdicts import wording
from tidegate.conformance.report.view import (
    caused,
    count,
    counted,
    deciding,
    full_label,
    label,
    limits,
    outcome,
    rows,
    unlike_kept,
)
from tidegate.pages.signs import SIGNS
from tidegate.record.report import ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

_TITLES = {Verdict.VIOLATED: "Violated", Verdict.UNKNOWN: "Unknown"}


def render(report: Report) -> str:
    """The whole report as Markdown; quoted texts are escaped, so that a broker's text never becomes markup."""
    names = ", ".join(full_label(each) for each in report.implementations)
    parts = [f"# tidegate: {escaped(names)}", escaped(outcome(report)), _counts(report), _rules(report)]
    parts[2:2] = [f"**{escaped(sentence)}**" for sentence in limits(report)]
    parts += [_findings(report)] if any(each.findings for each in report.implementations) else []
    parts += [_declared(report)] if known.sentences(report) or _gone(report) else []
    title = None
    for each, verdict in unlike_kept(report):
        if verdict.rule in trust.doubtful(each):
            continue
        if verdict.verdict is not title:
            title = verdict.verdict
            parts.append(f"## {_TITLES[title]}")
        parts.append(_evidence(each, verdict))
    parts += [_following(each) for each in report.implementations if count(each, Verdict.FOLLOWS)]
    parts += [_by_condition(each) for each in report.implementations if by_condition.of_implementation(each)]
    parts.append(f"Specification {escaped(report.spec)}, tidegate {escaped(report.tidegate)}, run with:")
    parts.append(fenced(report.command))
    return "\n\n".join(parts) + "\n"


def _counts(report: Report) -> str:
    kinds = counted(report)
    header = ["implementation", *kinds, "seconds"]
    lines = [
        [escaped(full_label(each)), *(str(count(each, kind)) for kind in kinds), f"{each.seconds:.1f}"]
        for each in report.implementations
    ]
    return table(header, lines, right_from=1)


def _rules(report: Report) -> str:
    header = ["rule", "", *(escaped(label(each)) for each in report.implementations)]
    every = rows(report)
    claimed = [row for row in every if row.claimed]
    lines = [[row.rule, prose(row.title), *(_cell(cell.verdict) for cell in row.cells)] for row in claimed]
    claimed_only = table(header, lines)
    silent = len(every) - len(claimed)
    return claimed_only + f"\n\n{silent} rules that no implementation here claims are left out." * bool(silent)


def _cell(verdict: RuleVerdict | None) -> str:
    if verdict is None:
        return "not judged"
    words = f"{SIGNS[verdict.verdict]} {wording(verdict)}"
    words = f"**{words}**" if verdict.verdict in _TITLES else words
    return f"{words}, known" if verdict.known_deviation is not None else words


def _following(report: ImplementationReport) -> str:
    """The rules that fail because of others, a line each."""
    lines = [
        [one.rule, ", ".join(one.follows_from), escaped(one.reason)]
        for one in report.verdicts
        if one.verdict is Verdict.FOLLOWS
    ]
    heading = f"## Not kept because of other rules: {escaped(full_label(report))}"
    return f"{heading}\n\n{table(['rule', 'follows from', 'seen'], lines)}"


def _by_condition(report: ImplementationReport) -> str:
    """Under each value the number of rules that were kept, and the rules in any other state."""
    lines = [
        [escaped(line.value), escaped(line.condition), str(len(line.rules[State.KEPT])), "; ".join(sentences(line))]
        for line in by_condition.of_implementation(report)
    ]
    heading = f"## By condition: {escaped(full_label(report))}"
    return f"{heading}\n\n{table(['value', 'condition', 'kept', 'otherwise'], lines)}"


def _findings(report: Report) -> str:
    lines = [
        f"- {escaped(label(each))}: {escaped(trust.sentence(finding))}"
        for each in report.implementations
        for finding in each.findings
    ]
    return "## The adapter\n\n" + "\n".join(lines)


def _declared(report: Report) -> str:
    """Every known deviation with its state, below the declarations that fail the run."""
    parts = ["## Known deviations", *map(escaped, known.sentences(report))]
    if gone := _gone(report):
        parts.append("\n".join(f"- no longer as declared: {escaped(sentence)}" for sentence in gone))
    lines = [
        [one.rule, one.state, escaped(one.reason), escaped(one.link), one.expires or ""]
        for each in report.implementations
        for one in each.declared
    ]
    parts += [table(["rule", "", "reason", "link", "expires"], lines)] if lines else []
    return "\n\n".join(parts)


def _gone(report: Report) -> list[str]:
    return [f"{label(each)}: {gone}" for each in report.implementations for gone in each.deviations_gone]


def _evidence(report: ImplementationReport, verdict: RuleVerdict) -> str:
    heading = f"### {verdict.rule} · {prose(verdict.title)}"
    parts = [heading, f"{escaped(full_label(report))}: **{wording(verdict)}**, {escaped(verdict.reason)}"]
    parts.append(f"> {prose(verdict.sentence)}")
    if verdict.known_deviation is not None:
        parts.append(f"Known: {escaped(verdict.known_deviation)}")
    parts += map(escaped, caused(report, verdict))
    for finding in deciding(verdict):
        check = finding.check
        lines = [
            f"- check: {escaped(check.check)} ({check.kind}, {check.result})",
            "- done:",
            *(f"  {number}. {escaped(step)}" for number, step in enumerate(check.done, start=1)),
            f"- expected: {escaped(check.expected)}",
            f"- seen: {escaped(finding.seen)}",
        ]
        lines += [f"- script, needs no tidegate: {escaped(check.script)}"] if check.script is not None else []
        parts += ["\n".join(lines), fenced(check.replay)]
    return "\n\n".join(parts)


def table(
    header: Iterable[str], lines: Iterable[Iterable[str]], right_from: int | None = None, right_to: int | None = None
) -> str:
    """A table whose cells are already Markdown; the columns of the range are aligned right."""
    names = list(header)
    right = range(len(names))[right_from:right_to] if right_from is not None else ()
    rule = ["---:" if column in right else "---" for column in range(len(names))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (names, rule, *lines))


def escaped(text: str) -> str:
    """The text on one line, with every character escaped that Markdown reads as markup."""
    return _escaped(" ".join(text.split()))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#~&])", r"\\\1", text)


def prose(text: str) -> str:
    """A sentence of the specification: text in backticks stays code, the rest is escaped."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") and len(part) > 2 else _escaped(part) for part in parts)


def fenced(text: str) -> str:
    """The text as a block of code, between fences longer than any run of backticks in it."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"
