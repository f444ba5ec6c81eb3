"""A difference on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report import view
from tidegate.conformance.report.diff import Change, Difference, Direction
from tidegate.conformance.report.diff_words import TITLES, grouped, subsets, summary

STYLES = {Direction.WORSE: "bold red", Direction.BETTER: "green", Direction.OTHER: "cyan"}


def show(difference: Difference, console: Console) -> None:
    """Print the difference."""
    if sentence := subsets(difference):
        console.print(Text(sentence, style="yellow"))
    _print_groups(difference.unpaired, console)
    for pair in difference.pairs:
        if pair.changes:
            heading = f"{view.full_label(pair.before)} → {view.full_label(pair.after)}"
            console.print(Text(heading, style="bold underline"))
            _print_groups(pair.changes, console)
    console.print(Text(summary(difference), style="bold red" if difference.worse else "green"))


def _print_groups(changes: Sequence[Change], console: Console) -> None:
    for kind, of_kind in grouped(changes):
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", expand=False)
        table.add_column(TITLES[kind], overflow="fold", ratio=3)
        table.add_column("before", overflow="fold", ratio=2)
        table.add_column("after", overflow="fold", ratio=2)
        table.add_column("", no_wrap=True)
        for change in of_kind:
            subject = Text.assemble(change.subject, " ", (change.title, "dim"))
            words = "" if change.direction is Direction.OTHER else str(change.direction)
            style = STYLES[change.direction]
            table.add_row(subject, Text(change.before), Text(change.after, style=style), Text(words, style=style))
        console.print(table)
        console.print()
