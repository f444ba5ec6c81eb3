"""The findings on a terminal: a table for each input, events that violate a rule, and lines put aside."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.pages.tables import print_whole
from tidegate.pipeline.findings import InputReport, TraceReport, TraceVerdict
from tidegate.record.verdict import Verdict

STYLES = {Verdict.KEPT: "green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
NOT_JUDGED = "no rule judges this log: no document here says what stands in it; its events are in the table"


def show(report: TraceReport, console: Console) -> None:
    """Print the report. Texts are printed as they are, brackets of log lines included."""
    for each in report.inputs:
        console.print(_heading(each), soft_wrap=True)
        if each.verdicts:
            print_whole(_table(each), console)
        else:
            console.print(NOT_JUDGED)
        for verdict in each.verdicts:
            if verdict.evidence:
                _show_evidence(each, verdict, console)
        console.print()
    _show_list("note", report.notes, console)
    _show_list("put aside", report.quarantined, console)
    _show_list("disagrees", report.disagreements, console)
    if report.compared is not None:
        agreed = report.compared - len(report.disagreements)
        console.print(f"agrees with the run in {agreed} of {report.compared} verdicts")
    if sum(each.account.quarantined for each in report.inputs) > len(report.quarantined):
        console.print("more lines were put aside than are shown; all are in the table quarantine")
    console.print(f"engine: {report.engine} ({report.engine_because})", highlight=False)


def _heading(each: InputReport) -> Text:
    account = each.account
    who = f"{each.name} {each.version}".strip() or each.form
    counts = (
        f"{account.lines:,} lines = {account.events:,} events + {account.ignored:,} ignored "
        f"+ {account.quarantined:,} put aside"
    )
    return Text.assemble((each.input, "bold"), f"  {who}\n{counts}")


def _table(each: InputReport) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("rule", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("judged", justify="right", no_wrap=True)
    table.add_column("violated", justify="right", no_wrap=True)
    table.add_column("")
    for verdict in each.verdicts:
        said = Text(verdict.verdict, style=STYLES[verdict.verdict])
        table.add_row(verdict.rule, said, f"{verdict.judged:,}", f"{verdict.violated:,}", Text(_remark(verdict)))
    return table


def _remark(verdict: TraceVerdict) -> str:
    """Why nothing is known; the counts beside it say the rest."""
    return verdict.reason if verdict.verdict is Verdict.UNKNOWN else ""


def _show_evidence(each: InputReport, verdict: TraceVerdict, console: Console) -> None:
    console.print()
    console.print(Text.assemble((verdict.rule, "bold"), "  ", (verdict.verdict, STYLES[verdict.verdict])))
    console.print(Text(f"  {verdict.sentence}"))
    for one in verdict.evidence:
        fields = ", ".join(f"{name} {value}" for name, value in one.event.items())
        # in one piece, however long, so that the place can be copied
        console.print(Text(f"  {each.input}:{one.line}  {fields}"), soft_wrap=True)


def _show_list(what: str, sentences: tuple[str, ...], console: Console) -> None:
    for sentence in sentences:
        console.print(Text.assemble((what, "bold yellow"), f"  {sentence}"), soft_wrap=True)
