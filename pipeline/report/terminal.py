"""Measures on a terminal: short tables of the worst, and one line for what there is none of."""

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.pages.tables import print_whole
from tidegate.pipeline.report.words import (
    UNTIL,
    cause,
    cycles_per_hour,
    duration,
    figure,
    headline,
    moment,
    overshot,
    party,
    per_cent,
    space_seen,
    spread,
)
from tidegate.pipeline.stops.findings import Measures

ROWS = 5
"""Rows of each table."""


def show_measures(measures: Measures, console: Console) -> None:
    """Print what was measured: totals, causes, longest and unended episodes, overshoot, oscillation."""
    console.print(Text(headline(measures), style="bold"))
    if not measures.episodes:
        return
    _show_causes(measures, console)
    _show_episodes(measures, console)
    _show_levels(measures, console)
    console.print()


def _show_causes(measures: Measures, console: Console) -> None:
    _show(
        console, "top causes", ("cause", "who", "episodes", "stopped", "longest", "no release"), "llrrrr",
        (
            (cause(one), f"{one.of}s", figure(one.episodes), duration(one.stopped_ms), duration(one.longest_ms),
             figure(one.unreleased))
            for one in measures.causes[:ROWS]
        ),
    )  # fmt: skip
    _show(
        console, "several causes at once", ("causes", "times", "together"), "lrr",
        ((one.causes, figure(one.times), duration(one.lasted_ms)) for one in measures.together[:ROWS]),
    )  # fmt: skip


def _show_episodes(measures: Measures, console: Console) -> None:
    console.print(f"stopped for {spread(measures.lasted)}", highlight=False)
    if measures.waited.known or measures.waited.unknown:
        console.print(f"let go once space was seen to be free after {spread(measures.waited)}", highlight=False)
    columns = ("who", "cause", "from", "lasted")
    _show(
        console, "longest episodes", columns, "lllr",
        ((party(one), cause(one), moment(one.from_ms), duration(one.lasted_ms)) for one in measures.longest[:ROWS]),
    )  # fmt: skip
    _show(
        console, "no release", (*columns[:3], "at least", "up to", "space seen after"), "lllrlr",
        (
            (party(one), cause(one), moment(one.from_ms), duration(one.at_least_ms), UNTIL[one.end], space_seen(one))
            for one in measures.unreleased[:ROWS]
        ),
    )  # fmt: skip


def _show_levels(measures: Measures, console: Console) -> None:
    _show(
        console, "worst overshoot", ("destination", "limit", "above it", "", "when"), "llrrl",
        (
            (one.destination, f"{one.name} {figure(one.limit)}", overshot(one), per_cent(one.percent),
             moment(one.at_ms))
            for one in measures.overshoot[:ROWS]
        ),
    )  # fmt: skip
    _show(
        console, "oscillation", ("destination", "closed", "cycles an hour", "in the busiest hour"), "lrrr",
        (
            (one.destination, figure(one.closings), cycles_per_hour(one), figure(one.in_busiest_hour))
            for one in measures.oscillation[:ROWS] if one.closings > 1
        ),
    )  # fmt: skip


def _show(console: Console, title: str, columns: tuple[str, ...], sides: str, rows: Iterable[tuple[str, ...]]) -> None:
    """A table under its title, or nothing where it has no rows. Texts are printed as they are."""
    table = Table(box=None, pad_edge=False, header_style="dim", title=title, title_justify="left", title_style="bold")
    for column, side in zip(columns, sides, strict=True):
        table.add_column(column, justify="right" if side == "r" else "left", no_wrap=side == "r")
    for row in rows:
        table.add_row(*map(Text, row))
    if table.row_count:
        console.print()
        print_whole(table, console)
