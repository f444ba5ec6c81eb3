"""A table with a line for each implementation: the number of rules with each verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from tidegate.conformance.report.styles import STYLES
from tidegate.conformance.report.view import ORDER
from tidegate.record.verdict import Verdict

ALWAYS = (Verdict.KEPT, Verdict.VIOLATED, Verdict.UNKNOWN, Verdict.NOT_CLAIMED)
"""Verdicts that have a column even if no rule got them."""


@dataclass(frozen=True)
class Counted:
    """One implementation with its number of rules for each verdict; None if the implementation is not available."""

    name: Text
    verdicts: Mapping[Verdict, int] | None
    further: tuple[Text, ...] = ()
    """The cells of the further columns, behind the counts."""


def counts_table(lines: Sequence[Counted], heads: Sequence[str], *, left: str = "") -> Table:
    """The table. `heads` are the heads of the further columns; the column named `left` is aligned left."""
    kinds = [kind for kind in ORDER if kind in ALWAYS or any(line.verdicts and line.verdicts[kind] for line in lines)]
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("\nimplementation")
    for name in (*kinds, *heads):
        # a head of two words stands on two lines, so that the table fits on a narrow terminal
        head = name.replace(" ", "\n") if " " in name else f"\n{name}"
        table.add_column(head, justify="left" if name == left else "right", no_wrap=True)
    for line in lines:
        counts = (
            [_number(line.verdicts[kind], STYLES[kind]) for kind in kinds]
            if line.verdicts is not None
            else [Text("·", style="dim") for _ in kinds]
        )
        table.add_row(line.name, *counts, *line.further)
    return table


def _number(number: int, style: str) -> Text:
    return Text(str(number), style=style if number else "dim")
