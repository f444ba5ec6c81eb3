"""The report on a terminal: all rules as a table, a block a verdict that is not green, and a last line."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report.verdicts import wording
from tidegate.conformance.report.view import deciding, full_label, label, limited, outcome, rows, unlike_kept
from tidegate.pages.signs import SIGNS
from tidegate.record.report import ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

STYLES = {
    Verdict.KEPT: "green",
    Verdict.VIOLATED: "bold red",
    Verdict.ALLOWED: "cyan",
    Verdict.NOT_CLAIMED: "dim",
    Verdict.UNKNOWN: "bold yellow",
}


def show(report: Report, console: Console) -> None:
    """Print the report. Texts of checks are printed as they are, brackets of log lines included."""
    console.print(_table(report))
    for each, verdict in unlike_kept(report):
        console.print()
        show_verdict(each, verdict, console)
    for each in report.implementations:
        for gone in each.deviations_gone:
            console.print(Text.assemble(("known deviation gone  ", "bold red"), f"{label(each)}: {gone}"))
    console.print()
    if sentence := limited(report):
        console.print(Text(sentence, style="yellow"))
    style = "green" if report.footer.exit_code == 0 else "bold red"
    console.print(Text(outcome(report), style=style))


def show_verdict(report: ImplementationReport, verdict: RuleVerdict, console: Console) -> None:
    """Print one verdict with the evidence of the check that decided it."""
    words = Text(wording(verdict), style=STYLES[verdict.verdict])
    console.print(Text.assemble((verdict.rule, "bold"), "  ", words, "   ", full_label(report)))
    console.print(_indented(verdict.sentence))
    evidence = deciding(verdict)
    if evidence:
        check = evidence[0].check
        done = "; ".join(check.done)
        console.print(_fields({"done": done, "expected": check.expected, "seen": evidence[0].seen}))
        # a command is printed in one piece, however long, so that it can be copied
        console.print(_line("replay", check.replay), soft_wrap=True)
        if check.script is not None:
            console.print(_line("script", f"{check.script}   (needs no tidegate)"), soft_wrap=True)
    for other in evidence[1:]:
        console.print(_line("also", other.check.check), soft_wrap=True)
    if not evidence or evidence[0].check.seen != verdict.reason:
        console.print(_fields({"because": verdict.reason}))
    if verdict.known_deviation is not None:
        console.print(_fields({"known": verdict.known_deviation}))


def _table(report: Report) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", no_wrap=True)
    table.add_column("")
    for each in report.implementations:
        table.add_column(label(each), no_wrap=True)
    silent = 0
    for row in rows(report):
        if not row.claimed:
            silent += 1
            continue
        table.add_row(row.rule, Text(row.title), *(_cell(cell.verdict) for cell in row.cells))
    if silent:
        table.caption = f"{silent} rules that nothing here claims are left out"
        table.caption_justify = "left"
    return table


def _cell(verdict: RuleVerdict | None) -> Text:
    if verdict is None:
        return Text("not judged", style="dim")
    known = ", known" if verdict.known_deviation is not None else ""
    return Text(f"{SIGNS[verdict.verdict]} {wording(verdict)}{known}", style=STYLES[verdict.verdict])


def _fields(fields: dict[str, str]) -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(width=8, no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields.items():
        grid.add_row(Text(name, style="dim"), Text(value))
    return _under(grid)


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
    return Text.assemble("  ", (f"{name:<10}", "dim"), value)
