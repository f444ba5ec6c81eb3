"""A difference on a terminal."""

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report import view
from tidegate.conformance.report.diff import Change, Difference, Direction, Kind
from tidegate.conformance.report.diff_words import TITLES, grouped, summary, unlike_parts
from tidegate.pages.lines import print_line
from tidegate.pages.tables import print_whole

STYLES = {Direction.WORSE: "bold red", Direction.BETTER: "green", Direction.OTHER: "cyan"}


def show(difference: Difference, console: Console, *, every_check: bool = True) -> None:
    """Print the difference; without `every_check`, only count checks that one of them ran, unless they are worse."""
    if sentence := unlike_parts(difference):
        console.print(Text(sentence, style="yellow"))
    _print_groups(difference.unpaired, console, every_check)
    for pair in difference.pairs:
        if pair.changes:
            heading = f"{view.full_label(pair.before)} → {view.full_label(pair.after)}"
            console.print(Text(heading, style="bold underline"))
            _print_groups(pair.changes, console, every_check)
    console.print(Text(summary(difference), style="bold red" if difference.worse else "green"))


def _print_groups(changes: Sequence[Change], console: Console, every_check: bool) -> None:
    for kind, of_kind in grouped(changes):
        console.print(Text(TITLES[kind], style="bold"))
        shown = [each for each in of_kind if every_check or kind is not Kind.CHECK or each.direction is Direction.WORSE]
        if left := len(of_kind) - len(shown):
            console.print(
                f"{left:,} {'checks' if left > 1 else 'check'}, none for the worse; -v names each", highlight=False
            )
        for change in shown:
            words = "" if change.direction is Direction.OTHER else f"{change.direction}: "
            style = STYLES[change.direction]
            # names of checks are longer than a terminal is wide, so they stand on a line of their own
            print_line(Text.assemble((words, style), change.subject, " ", (change.title, "dim")), console)
            _print_fields({"before": Text(change.before), "after": Text(change.after, style=style)}, console)
        console.print()


def _print_fields(fields: Mapping[str, Text], console: Console) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, value in fields.items():
        table.add_row(Text(f"  {name}", style="dim"), value)
    print_whole(table, console)
