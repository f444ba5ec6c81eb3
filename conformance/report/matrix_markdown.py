"""The matrix as Markdown: a table over all mechanisms, and one for each."""

from collections.abc import Sequence

from tidegate.conformance.report import view
from tidegate.conformance.report.markdown import escaped, prose, table
from tidegate.conformance.report.matrix import NOT_AVAILABLE, Cell, Column, Matrix
from tidegate.conformance.report.matrix_sections import Section, sections, silent
from tidegate.pages.signs import SIGNS


def render(matrix: Matrix) -> str:
    """The whole matrix; quoted texts are escaped, so that a broker's text never becomes markup."""
    parts = ["# tidegate: rules by implementation and version", columns_table(matrix.columns)]
    if gone := [f"- {escaped(each)}" for column in matrix.columns for each in column.not_as_declared]:
        parts += ["Not as declared:", "\n".join(gone)]
    parts += [part for section in sections(matrix) for part in (f"## {section.mechanism}", section_table(section))]
    parts += [f"{left} rules that no implementation here claims are left out."] if (left := silent(matrix)) else []
    return "\n\n".join(parts) + "\n"


def columns_table(columns: Sequence[Column]) -> str:
    """Each implementation with its counts, or the reason why it is not available."""
    header = ["implementation", "protocol", *view.ORDER, "checks", "seconds", ""]
    lines = [[_name(column), escaped(column.protocol), *_counts(column), _remark(column)] for column in columns]
    return table(header, lines, right_from=2, right_to=len(header) - 1)


def section_table(section: Section) -> str:
    """The rules of one mechanism."""
    header = ["rule", "", *(escaped(column.label) for column in section.columns)]
    lines = [[line.rule, prose(line.title), *map(_cell, line.cells)] for line in section.lines]
    return table(header, lines)


def _name(column: Column) -> str:
    name = escaped(column.label)
    return f"[{name}]({column.page})" if column.page else name


def _counts(column: Column) -> list[str]:
    if column.unavailable:
        return [NOT_AVAILABLE, *[""] * (len(view.ORDER) + 1)]
    return [*(str(column.verdicts[kind]) for kind in view.ORDER), str(column.checks), f"{column.seconds:.1f}"]


def _remark(column: Column) -> str:
    return escaped(column.unavailable or column.limited)


def _cell(cell: Cell) -> str:
    if cell.verdict is None:
        return cell.words
    words = f"{SIGNS[cell.verdict]} {cell.words}"
    words = f"**{words}**" if cell.verdict in view.NOT_GREEN else words
    words += ", known" if cell.known_deviation is not None else ""
    gist = "; ".join(map(escaped, cell.gist))
    return f"{words}: {gist}" if gist else words
