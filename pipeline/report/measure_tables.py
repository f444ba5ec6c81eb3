"""Measures on a terminal: short tables of the worst rows; a table without rows is left out."""

from collections.abc import Callable, Sequence
from datetime import UTC, tzinfo
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.pages.lines import print_line
from tidegate.pages.tables import print_whole
from tidegate.pipeline.findings.measures import Episode, Measures
from tidegate.pipeline.report.words import (
    STATES,
    UNTIL,
    answer,
    back,
    cause,
    cycles_per_hour,
    duration,
    figure,
    headline,
    lasted,
    moment,
    overshot,
    party,
    per_cent,
    space_seen,
    spread,
)

ROWS = 5
"""The most rows of each table."""


class Shown(NamedTuple):
    """A table: its title, its columns, `l` or `r` for the alignment of each, its items, and the cells of an item."""

    title: str
    columns: tuple[str, ...]
    sides: str
    items: Sequence[Any]
    cells: Callable[[Any], tuple[str, ...]]


def show_measures(measures: Measures, console: Console, zone: tzinfo = UTC) -> None:
    """Print who was blocked first, then the measures: totals, causes, episodes, overshoot, changed limits."""
    print_line(Text(answer(measures, zone), style="bold"), console)
    worst, *tables = _tables(measures, zone)
    if measures.episodes:
        _show(worst, console)
        console.print()
        console.print(Text(headline(measures)))
        console.print(f"stopped for {spread(measures.lasted)}", highlight=False)
        if measures.waited.known or measures.waited.unknown:
            console.print(f"released once space was seen to be free after {spread(measures.waited)}", highlight=False)
    for each in tables:
        _show(each, console)
    console.print()


def _tables(measures: Measures, zone: tzinfo) -> list[Shown]:
    def at(ms: int | None) -> str:
        return moment(ms, zone)

    return [
        Shown("who was blocked", ("who", "blocked by", "since", "for", ""), "lllrl", measures.worst,
              lambda one: (party(one), cause(one), at(one.from_ms), lasted(one), STATES[one.end])),
        Shown("top causes", ("cause", "who", "episodes", "stopped", "longest", "no release"), "llrrrr", measures.causes,
              lambda one: (cause(one), f"{one.of}s", figure(one.episodes), duration(one.stopped_ms),
                           duration(one.longest_ms), figure(one.unreleased))),
        Shown("several causes at once", ("causes", "times", "together"), "lrr", measures.together,
              lambda one: (one.causes, figure(one.times), duration(one.lasted_ms))),
        Shown("longest episodes", ("who", "cause", "from", "lasted"), "lllr", _unseen(measures),
              lambda one: (party(one), cause(one), at(one.from_ms), duration(one.lasted_ms))),
        Shown("no release", ("who", "cause", "from", "at least", "up to", "space seen after"), "lllrlr",
              measures.unreleased,
              lambda one: (party(one), cause(one), at(one.from_ms), duration(one.at_least_ms), UNTIL[one.end],
                           space_seen(one))),
        Shown("worst overshoot", ("destination", "limit", "above it", "", "when"), "llrrl", measures.overshoot,
              lambda one: (one.destination, f"{one.name} {figure(one.limit)}", overshot(one), per_cent(one.percent),
                           at(one.at_ms))),
        Shown("oscillation", ("destination", "closed", "cycles an hour", "in the busiest hour"), "lrrr",
              [one for one in measures.oscillation if one.closings > 1],
              lambda one: (one.destination, figure(one.closings), cycles_per_hour(one), figure(one.in_busiest_hour))),
        Shown("limits that changed", ("destination", "limit", "before", "then", "", "when"), "llrrll", measures.changes,
              lambda one: (one.destination, one.name, figure(one.before), figure(one.limit), back(one),
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
