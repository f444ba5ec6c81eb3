"""The report on a terminal: who was blocked and all measures, then verdicts other than kept, with their lines."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, tzinfo
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.pages.lines import print_line
from tidegate.pages.tables import print_whole
from tidegate.pipeline.findings.measures import Episode, Measures
from tidegate.pipeline.findings.reports import NO_LINES, Account, Evidence, InputReport, TraceReport, TraceVerdict
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.lines.careful import decoded, readable
from tidegate.pipeline.read.blocks import Damaged, opened
from tidegate.pipeline.read.log import offset_of
from tidegate.pipeline.report import words
from tidegate.pipeline.report.words import duration, figure
from tidegate.record.counts import counted
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
    listed = ", ".join(f"{count:,} {form}" for form, count in forms.items())
    console.print(Text(f"{counted(len(inputs), 'files')}: {listed}"))
    console.print(_counted(sum((each.account for each in inputs), NO_LINES)), highlight=False)
    if unjudged := sum(not each.verdicts for each in inputs):
        console.print(f"{unjudged:,} of them are judged by no rule; their events are in the table", highlight=False)


def _counted(account: Account) -> str:
    return (
        f"{counted(account.lines, 'lines')} = {counted(account.events, 'events')} + {account.ignored:,} ignored "
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
        print_line(Text(f"  {each.input}:{one.line}  {words.moment(_time(one), zone)}"), console)
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


ROWS = 5
"""The most rows of each table."""


class Shown(NamedTuple):
    """A table: its title, its columns, `l` or `r` for the alignment of each, its items, and the cells of an item."""

    title: str
    columns: tuple[str, ...]
    sides: str
    items: Sequence[Any]
    cells: Callable[[Any], tuple[str, ...]]


def show_measures(measures: Measures, console: Console, zone: tzinfo = UTC, *, put_aside: int = 0) -> None:
    """Print who was blocked first, then the measures: totals, causes, episodes, overshoot, changed limits.

    `put_aside` is the number of lines with a known code that could not be read.
    """
    print_line(Text(words.answer(measures, zone, put_aside=put_aside), style="bold"), console)
    worst, *tables = _tables(measures, zone)
    if measures.episodes:
        _show(worst, console)
        console.print()
        console.print(Text(words.headline(measures)))
        console.print(f"stopped for {words.spread(measures.lasted)}", highlight=False)
        if measures.waited.known or measures.waited.unknown:
            console.print(
                f"released once space was seen to be free after {words.spread(measures.waited)}", highlight=False
            )
    for each in tables:
        _show(each, console)
    console.print()


def _tables(measures: Measures, zone: tzinfo) -> list[Shown]:
    def at(ms: int | None) -> str:
        return words.moment(ms, zone)

    return [
        Shown("who was blocked", ("who", "blocked by", "since", "for", ""), "lllrl", measures.worst,
              lambda one: (words.party(one), words.cause(one), at(one.from_ms), words.lasted(one),
                           words.ENDS[one.end].state)),
        Shown("top causes", ("cause", "who", "episodes", "stopped", "longest", "no release"), "llrrrr",
              measures.causes,
              lambda one: (words.cause(one), f"{one.of}s", figure(one.episodes), duration(one.stopped_ms),
                           duration(one.longest_ms), figure(one.unreleased))),
        Shown("several causes at once", ("causes", "times", "together"), "lrr", measures.together,
              lambda one: (one.causes, figure(one.times), duration(one.lasted_ms))),
        Shown("longest episodes", ("who", "cause", "from", "lasted"), "lllr", _unseen(measures),
              lambda one: (words.party(one), words.cause(one), at(one.from_ms), duration(one.lasted_ms))),
        Shown("no release", ("who", "cause", "from", "at least", "up to", "space seen after"), "lllrlr",
              measures.unreleased,
              lambda one: (words.party(one), words.cause(one), at(one.from_ms), duration(one.at_least_ms),
                           words.ENDS[one.end].until, words.space_seen(one))),
        Shown("worst overshoot", ("destination", "limit", "above it", "", "when"), "llrrl", measures.overshoot,
              lambda one: (one.destination, f"{one.name} {figure(one.limit)}", words.overshot(one),
                           words.per_cent(one.percent), at(one.at_ms))),
        Shown("oscillation", ("destination", "closed", "cycles an hour", "in the busiest hour"), "lrrr",
              [one for one in measures.oscillation if one.closings > 1],
              lambda one: (one.destination, figure(one.closings), words.cycles_per_hour(one),
                           figure(one.in_busiest_hour))),
        Shown("limits that changed", ("destination", "limit", "before", "then", "", "when"), "llrrll",
              measures.changes,
              lambda one: (one.destination, one.name, figure(one.before), figure(one.limit), words.back(one),
                           at(one.at_ms))),
    ]  # fmt: skip


def _unseen(measures: Measures) -> Sequence[Episode]:
    """The longest episodes, unless the first table has all of them."""
    seen = measures.worst[:ROWS]
    return () if all(one in seen for one in measures.longest[:ROWS]) else measures.longest


def _show(shown: Shown, console: Console) -> None:
    """Print a table under its title, or nothing where it has no rows; rows of several sources get a column with the
    source.

    Texts are printed as they are.
    """
    items = shown.items[:ROWS]
    if not items:
        return
    table = Table(box=None, pad_edge=False, header_style="dim", title=shown.title, title_justify="left",
                  title_style="bold")  # fmt: skip
    sources = list(dict.fromkeys(one.source for one in items))
    several = len(sources) > 1
    for column, side in zip((*shown.columns, *(("source",) * several)), shown.sides + "l" * several, strict=True):
        table.add_column(column, justify="right" if side == "r" else "left", no_wrap=side == "r")
    for one in items:
        # names of sources are long and have no blanks, so on a terminal they are below the table
        whose = f"{sources.index(one.source) + 1}" if console.is_terminal else one.source
        table.add_row(*map(Text, (*shown.cells(one), *((whose,) * several))))
    console.print()
    print_whole(table, console)
    for number, source in enumerate(sources if several and console.is_terminal else (), 1):
        print_line(Text.assemble((f"source {number}  ", "dim"), source), console, len("source 1  "))
