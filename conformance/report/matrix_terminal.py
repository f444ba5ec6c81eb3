"""The matrix on a terminal: the implementations with their counts, then a table for each mechanism."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tidegate.conformance.report.matrix import NOT_AVAILABLE, Cell, Column, Matrix
from tidegate.conformance.report.matrix_sections import Section, sections, silent
from tidegate.conformance.report.terminal import STYLES
from tidegate.conformance.report.view import ORDER
from tidegate.pages.signs import SIGNS


def show(matrix: Matrix, console: Console) -> None:
    """Print the matrix."""
    console.print(_overview(matrix.columns))
    for column in matrix.columns:
        if column.unavailable:
            console.print(Text.assemble((f"{column.label} {NOT_AVAILABLE}: ", "bold yellow"), column.unavailable))
    for section in sections(matrix):
        console.print()
        console.print(_section(section))
    if left := silent(matrix):
        console.print(Text(f"{left} rules that nothing here claims are left out", style="dim"))
    console.print(Text(f"exit code {matrix.exit_code}", style="green" if matrix.exit_code == 0 else "bold red"))


def _overview(columns: tuple[Column, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("implementation", min_width=24)
    for name in (*ORDER, "checks"):
        table.add_column(name, justify="right")
    for column in columns:
        if column.unavailable:
            counts = [Text("·", style="dim")] * (len(ORDER) + 1)
        else:
            numbers = [(column.verdicts[kind], STYLES[kind]) for kind in ORDER]
            counts = [Text(str(number), style=style if number else "dim") for number, style in numbers]
            counts.append(Text(str(column.checks)))
        table.add_row(Text.assemble(column.label, (_remark(column), "yellow")), *counts)
    return table


def _remark(column: Column) -> str:
    remark = NOT_AVAILABLE if column.unavailable else column.limited
    return f"\n  {remark}" if remark else ""


def _section(section: Section) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column(section.mechanism, overflow="fold")
    for column in section.columns:
        table.add_column(Text(column.label), overflow="fold")
    for line in section.lines:
        name = Text.assemble(line.rule.removeprefix(f"{line.mechanism}-"), " ", (line.title, "dim"))
        table.add_row(name, *map(_cell, line.cells))
    return table


def _cell(cell: Cell) -> Text:
    if cell.verdict is None:
        return Text(cell.words, style="dim")
    known = ", known" if cell.known_deviation is not None else ""
    text = Text(f"{SIGNS[cell.verdict]} {cell.words}{known}", style=STYLES[cell.verdict])
    for words in cell.gist:
        text.append(f"\n  {words}", style="not bold")
    return text
