"""The report on a terminal: evidence of violated and unknown rules, a row for each, a line for each implementation."""

from enum import Enum, auto
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report import known, trust
from tidegate.conformance.report.counts_terminal import Counted, counts_table
from tidegate.conformance.report.following import followers
from tidegate.conformance.report.styles import STYLES
from tidegate.conformance.report.verdicts import ending, wording
from tidegate.conformance.report.view import (
    NOT_GREEN,
    ORDER,
    count,
    deciding,
    full_label,
    known_deviations,
    label,
    left_out,
    not_tried,
    outcome,
    unlike_kept,
    untried,
)
from tidegate.pages.lines import print_line
from tidegate.pages.signs import SIGNS
from tidegate.pages.tables import WithoutPadding, print_whole
from tidegate.record.errors import ExitCode
from tidegate.record.report import ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

MOST_WHOLE = 5
"""The most verdicts that are printed with their steps: one fault breaks many rules, and the first verdicts show it."""
FIELD = 10
"""The width of a field's name, in characters, without the indentation."""
MOST_OTHERS = 3
"""The most further checks of a rule that are named."""


class Detail(Enum):
    """How much of a report the terminal shows."""

    ONE_LINE = auto()
    NOT_KEPT = auto()
    """The rules that are not kept, with their evidence."""
    EVERY_RULE = auto()


def show(report: Report, console: Console, page: Path | None = None, detail: Detail = Detail.NOT_KEPT) -> None:
    """Print the report, and last the path of its page. Texts of checks are printed as they are, brackets included."""
    if detail is not Detail.ONE_LINE:
        told = [(each, one) for each, one in unlike_kept(report) if one.rule not in trust.doubtful(each)]
        whole = told if detail is Detail.EVERY_RULE else told[:MOST_WHOLE]
        for each, verdict in whole:
            show_verdict(each, verdict, console, page.parent if page is not None else Path())
            console.print()
        for each, verdict in told[len(whole) :]:
            show_in_short(each, verdict, console)
            console.print()
        _show_rules(report, console, every=detail is Detail.EVERY_RULE)
        _show_implementations(report, console)
        for each in report.implementations:
            for finding in each.findings:
                words = Text(f"{label(each)}, its adapter: {trust.sentence(finding)}", style="bold yellow")
                print_line(words, console)
        # the last line says which part of the suite ran
        for sentence in (*known.sentences(report), *filter(None, map(untried, report.implementations))):
            print_line(Text(sentence, style="yellow"), console)
        for sentence in filter(None, map(not_tried, report.implementations)) if detail is Detail.EVERY_RULE else ():
            print_line(Text(sentence), console)
        if detail is Detail.EVERY_RULE and left_out(report):
            print_line(Text(f"Not judged: {', '.join(left_out(report))}"), console)
    style = "green" if report.footer.exit_code == ExitCode.OK else "bold red"
    console.print(Text(outcome(report), style=style), soft_wrap=not console.is_terminal)
    if page is not None and detail is not Detail.ONE_LINE:
        console.print(Text(f"report: {page}"), soft_wrap=True)


def _show_rules(report: Report, console: Console, *, every: bool) -> None:
    """Print a row for each rule that is not kept, or for every rule, and the known deviations that are gone."""
    wanted = frozenset(Verdict) if every else frozenset((*NOT_GREEN, Verdict.FOLLOWS))
    for each in report.implementations:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column()
        for verdict in each.verdicts:
            if verdict.verdict in wanted and (every or verdict.rule not in trust.doubtful(each)):
                table.add_row(verdict.rule, _words(verdict), Text(verdict.title))
        if not table.row_count and not each.deviations_gone:
            continue
        print_line(Text(full_label(each), style="bold"), console)
        if table.row_count:
            print_whole(table, console)
        for gone in each.deviations_gone:
            rule, _, deviations = gone.partition(": ")
            # a screen has a line for each; a file keeps each rule on one line
            parts = [rule, *deviations.split("; ")] if console.is_terminal else [gone]
            print_line(Text.assemble(("not as declared  ", "bold red"), parts[0]), console)
            for part in parts[1:]:
                print_line(Text(f"  {part}"), console)
        console.print()


def _show_implementations(report: Report, console: Console) -> None:
    declared = any(map(known_deviations, report.implementations))
    lines = [
        Counted(
            Text(label(each)),
            {kind: count(each, kind) for kind in ORDER},
            (*([Text(str(known_deviations(each)))] if declared else []), _ending(each)),
        )
        for each in report.implementations
    ]
    print_whole(counts_table(lines, [*(["known"] if declared else []), "exit code"], left="exit code"), console)
    console.print()


def _ending(each: ImplementationReport) -> Text:
    code, word = ending(each)
    return Text(f"{int(code)} {word}", style="green" if code is ExitCode.OK else "bold red")


def show_verdict(report: ImplementationReport, verdict: RuleVerdict, console: Console, folder: Path = Path()) -> None:
    """Print one verdict with the evidence of the check that decided it; `folder` is the folder of the report."""
    console.print(_heading(report, verdict))
    console.print(WithoutPadding(_indented(verdict.sentence)))
    evidence = deciding(verdict)
    if evidence:
        check = evidence[0].check
        told = {"done": "\n".join(check.done), "expected": check.expected, "seen": evidence[0].seen}
        _print_fields({name: text for name, text in told.items() if text}, console)
        # a command is printed in one piece, however long, so that it can be copied
        console.print(_line("replay", check.replay), soft_wrap=True)
        if check.script is not None:
            console.print(_line("script", f"{folder / check.script}   (needs no tidegate)"), soft_wrap=True)
    for other in evidence[1 : 1 + MOST_OTHERS]:
        print_line(_line("also", other.check.check), console, FIELD)
    if len(evidence) > 1 + MOST_OTHERS:
        console.print(_line("", f"and {len(evidence) - 1 - MOST_OTHERS} more, in the report"))
    if not evidence or evidence[0].check.seen != verdict.reason:
        _print_fields({"because": verdict.reason}, console)
    if verdict.known_deviation is not None:
        _print_fields({"known": verdict.known_deviation}, console)
    _show_followers(report, verdict, console)


def show_in_short(report: ImplementationReport, verdict: RuleVerdict, console: Console) -> None:
    """Print one verdict with what was seen; the steps, and the command that repeats them, are in the report."""
    console.print(_heading(report, verdict))
    evidence = deciding(verdict)
    if evidence and evidence[0].check.expected:
        _print_fields({"expected": evidence[0].check.expected}, console)
    _print_fields({"seen": evidence[0].seen} if evidence else {"because": verdict.reason}, console)
    _show_followers(report, verdict, console)


def _show_followers(report: ImplementationReport, verdict: RuleVerdict, console: Console) -> None:
    """Print the rules that fail because of this one and for no other reason."""
    if others := followers(report.verdicts, verdict.rule):
        _print_fields({"so also": ", ".join(others)}, console)


def _heading(report: ImplementationReport, verdict: RuleVerdict) -> Text:
    known = ", known" if verdict.known_deviation is not None else ""
    words = Text(f"{wording(verdict)}{known}", style=STYLES[verdict.verdict])
    return Text.assemble((verdict.rule, "bold"), "  ", words, "   ", full_label(report))


def _words(verdict: RuleVerdict) -> Text:
    declared = ", known" if verdict.known_deviation is not None else ""
    return Text(f"{SIGNS[verdict.verdict]} {wording(verdict)}{declared}", style=STYLES[verdict.verdict])


def _print_fields(fields: dict[str, str], console: Console) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=8, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields.items():
        grid.add_row(Text(name, style="dim"), Text(value))
    console.print(WithoutPadding(_under(grid)))


def _indented(text: str) -> Table:
    grid = Table.grid()
    grid.add_column(overflow="fold")
    grid.add_row(Text(text))
    return _under(grid)


def _under(content: Table) -> Table:
    grid = Table.grid()
    grid.add_column(width=2)
    grid.add_column()
    grid.add_row("", content)
    return grid


def _line(name: str, value: str) -> Text:
    return Text.assemble("  ", (f"{name:<{FIELD}}", "dim"), value)
