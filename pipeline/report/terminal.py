"""The verdicts on a terminal: one table of verdicts other than kept, over all files, with the lines that show them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.pages.lines import print_line
from tidegate.pages.tables import print_whole
from tidegate.pipeline.findings.reports import NO_LINES, Account, Evidence, InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.lines.careful import decoded, readable
from tidegate.pipeline.read.log import offset_of
from tidegate.pipeline.read.opening import Damaged, opened
from tidegate.pipeline.report.words import moment
from tidegate.record.verdict import Verdict

STYLES = {Verdict.KEPT: "green", Verdict.VIOLATED: "bold red", Verdict.UNKNOWN: "bold yellow"}
NOT_JUDGED = "no rule judges this log: no document here says what stands in it; its events are in the table"
FEW = 5
"""The most files, and the most sentences of a kind, that are listed; a count tells of further ones."""
MOST_SHOWN = 100
"""The most verdicts whose lines are shown."""
FIGURE = re.compile(r"\d[\d,]*")
Found = tuple[InputReport, TraceVerdict]


def show(report: TraceReport, console: Console, zone: tzinfo = UTC) -> None:
    """Print the report. Texts are printed literally, brackets of log lines included; times are in `zone`."""
    _show_files(report.inputs, console)
    found = [(each, verdict) for each in report.inputs for verdict in each.verdicts]
    not_kept = [pair for pair in found if pair[1].verdict is not Verdict.KEPT]
    if not_kept:
        console.print()
        print_whole(_table(not_kept, several=len(report.inputs) > 1), console)
    if kept := len(found) - len(not_kept):
        console.print(f"kept: {kept:,} of {len(found):,} verdicts", highlight=False)
    shown = [(each, verdict) for each, verdict in not_kept if verdict.evidence]
    for each, verdict in shown[:MOST_SHOWN]:
        _show_evidence(each, verdict, console, zone)
    if len(shown) > MOST_SHOWN:
        console.print(f"lines of {len(shown) - MOST_SHOWN:,} more verdicts are in the report", highlight=False)
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


def _show_files(inputs: Sequence[InputReport], console: Console) -> None:
    """Print each file, or the number of files of each form, and the account of all lines."""
    if len(inputs) <= FEW:
        for each in inputs:
            who = f"{each.name} {each.version}".strip() or each.form
            print_line(Text.assemble((each.input, "bold"), f"  {who}"), console)
            console.print(_counted(each.account), highlight=False)
            if not each.verdicts:
                console.print(NOT_JUDGED)
        return
    forms = Counter(each.form for each in inputs)
    console.print(Text(f"{len(inputs):,} files: " + ", ".join(f"{count:,} {form}" for form, count in forms.items())))
    console.print(_counted(sum((each.account for each in inputs), NO_LINES)), highlight=False)
    if unjudged := sum(not each.verdicts for each in inputs):
        console.print(f"{unjudged:,} of them are judged by no rule; their events are in the table", highlight=False)


def _counted(account: Account) -> str:
    return (
        f"{account.lines:,} lines = {account.events:,} events + {account.ignored:,} ignored "
        f"+ {account.quarantined:,} put aside"
    )


def _table(found: Sequence[Found], *, several: bool) -> Table:
    """A row for each rule and verdict, over all files with this verdict, violations first."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, side in (("rule", "l"), ("verdict", "l"), *((("files", "r"),) if several else ()), ("judged", "r"),
                       ("violated", "r")):  # fmt: skip
        table.add_column(name, no_wrap=True, justify="right" if side == "r" else "left")
    table.add_column("")
    for (rule, said, _), rows in _grouped(found):
        judged, violated = sum(each.judged for each in rows), sum(each.violated for each in rows)
        files = (f"{len(rows):,}",) if several else ()
        remark = Text(_why(rows) if said is Verdict.UNKNOWN else "")
        table.add_row(rule, Text(said, style=STYLES[said]), *files, f"{judged:,}", f"{violated:,}", remark)
    return table


def _why(rows: Sequence[TraceVerdict]) -> str:
    """One reason for verdicts whose reasons differ only in figures: the first reason, and the number of the others."""
    first, *others = dict.fromkeys(each.reason for each in rows)
    return f"{first}; {len(others):,} more reasons have other figures" if others else first


def _grouped(found: Sequence[Found]) -> Iterator[tuple[tuple[str, Verdict, str], list[TraceVerdict]]]:
    """The equal verdicts of each rule, violations first; reasons of unknown ones may differ in figures."""
    alike: dict[tuple[str, Verdict, str], list[TraceVerdict]] = {}
    for _, each in found:
        reason = FIGURE.sub("", each.reason) if each.verdict is Verdict.UNKNOWN else ""
        alike.setdefault((each.rule, each.verdict, reason), []).append(each)
    yield from sorted(alike.items(), key=lambda pair: pair[0][1] is not Verdict.VIOLATED)


def _show_evidence(each: InputReport, verdict: TraceVerdict, console: Console, zone: tzinfo) -> None:
    console.print()
    console.print(Text.assemble((verdict.rule, "bold"), "  ", (verdict.verdict, STYLES[verdict.verdict])))
    print_line(Text(f"  {verdict.sentence}"), console, 0)
    if verdict.verdict is Verdict.VIOLATED:
        print_line(Text(f"  The rule {verdict.reason}."), console, 0)
    for one in verdict.evidence:
        print_line(Text(f"  {each.input}:{one.line}  {moment(_time(one), zone)}"), console)
        # a line of JSON cannot be broken at blanks, and its time is already shown above
        as_fields = console.is_terminal and each.form == TRACE
        text = f"{_fields(one, without='time')}, source {one.source}" if as_fields else line_of(each, one)
        print_line(Text(f"    {text}"), console)


def line_of(each: InputReport, one: Evidence) -> str:
    """The line itself, or the fields of the event where the line is gone."""
    offset = None if each.form == TRACE else offset_of(one.seq)
    return raw_line(each.input, one.line, offset) or _fields(one)


def _fields(one: Evidence, without: str = "") -> str:
    return ", ".join(f"{name} {value}" for name, value in one.event.items() if name != without)


def _time(one: Evidence) -> int | None:
    time = one.event.get("time")
    return time if isinstance(time, int) else None


def _show_list(what: str, sentences: tuple[str, ...], console: Console) -> None:
    shown = sentences if len(sentences) <= 2 * FEW else sentences[:FEW]
    for sentence in shown:
        print_line(Text.assemble((what, "bold yellow"), f"  {sentence}"), console, len(what) + 2)
    if len(shown) < len(sentences):
        console.print(f"{len(sentences) - len(shown):,} more are in the report", highlight=False)


LONGEST = 400
"""The most characters that are shown of a line."""
FARTHEST = 64 << 20
"""A line more than so many bytes into a file is shown only where its offset is known."""


def raw_line(name: str, line: int, offset: int | None = None) -> str:
    """A line of a file, counted from 1, at its byte `offset` where that is known; empty where it is gone."""
    path = Path(name)
    try:
        with opened(path) as (file, packed):
            if offset is not None and not packed:
                file.seek(offset)
                found = file.readline(4 * LONGEST)
            elif path.stat().st_size > FARTHEST:
                return ""
            else:
                found = next(islice(file, line - 1, line), b"")
    except (OSError, Damaged):
        return ""
    text = readable(decoded(found)).rstrip()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
