"""The matrix on a terminal: the implementations with their counts, then a table for each mechanism."""

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report.counts_terminal import Counted, counts_table
from tidegate.conformance.report.matrix import NOT_AVAILABLE, Cell, Column, Matrix
from tidegate.conformance.report.matrix_sections import Section, sections, silent
from tidegate.conformance.report.styles import STYLES
from tidegate.conformance.report.view import ORDER
from tidegate.pages.lines import print_line
from tidegate.pages.signs import SIGNS
from tidegate.pages.tables import print_whole

WIDTH_OF_RULES = 26
WIDTH_OF_COLUMN = 16
"""The approximate widths of the rules and of a column, in characters; they decide how many columns fit."""
MOST_OF_COLUMN = 40
GAP = 2


def show(matrix: Matrix, console: Console) -> None:
    """Print the matrix."""
    print_whole(_overview(matrix.columns), console)
    for column in matrix.columns:
        if column.unavailable:
            console.print(Text.assemble((f"{column.label} {NOT_AVAILABLE}: ", "bold yellow"), column.unavailable))
    for section in sections(matrix):
        for table in _parts(section, console):
            console.print()
            print_whole(table, console)
    if left := silent(matrix):
        console.print(Text(f"{left} rules that no implementation here claims are left out", style="dim"))
    for column in matrix.columns:
        for gone in column.not_as_declared:
            print_line(Text.assemble(("not as declared  ", "bold red"), gone), console)
    console.print(Text(f"exit code {matrix.exit_code}", style="green" if matrix.exit_code == 0 else "bold red"))


def _overview(columns: tuple[Column, ...]) -> Table:
    lines = [
        Counted(
            Text.assemble(column.label, (_remark(column), "yellow")),
            None if column.unavailable else {kind: column.verdicts[kind] for kind in ORDER},
            (Text("·", style="dim") if column.unavailable else Text(str(column.checks)),),
        )
        for column in columns
    ]
    return counts_table(lines, ["checks"])


def _remark(column: Column) -> str:
    remark = NOT_AVAILABLE if column.unavailable else column.limited
    return f"\n  {remark}" if remark else ""


def _parts(section: Section, console: Console) -> Iterator[Table]:
    """The section as one table, or on a narrow terminal as several tables, each with as many columns as fit."""
    room = (console.width - WIDTH_OF_RULES) // (WIDTH_OF_COLUMN + GAP) if console.is_terminal else len(section.columns)
    for first in range(0, len(section.columns), max(room, 1)):
        yield _table(section, slice(first, first + max(room, 1)))


def _table(section: Section, wanted: slice) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    table.add_column(section.mechanism, max_width=WIDTH_OF_RULES)
    for column in section.columns[wanted]:
        table.add_column(Text(column.label), max_width=MOST_OF_COLUMN)
    for line in section.lines:
        name = Text.assemble(line.rule, (f"\n{line.title}", "dim"))
        table.add_row(name, *map(_cell, line.cells[wanted]))
    return table


def _cell(cell: Cell) -> Text:
    if cell.verdict is None:
        return Text(cell.words, style="dim")
    known = ", known" if cell.known_deviation is not None else ""
    text = Text(f"{SIGNS[cell.verdict]} {cell.words}{known}", style=STYLES[cell.verdict])
    for words in cell.gist:
        text.append(f"\n  {words}", style="not bold")
    return text
