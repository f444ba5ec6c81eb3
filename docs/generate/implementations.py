"""The matrix of the committed reports: rule by implementation and version."""

from functools import cache

from generate.markup import boxed, literal, paragraphs, table
from generate.report_pages import page_of, reports
from tidegate.conformance.report import view
from tidegate.conformance.report.matrix import Cell, Column, Matrix
from tidegate.conformance.report.matrix_building import Source, matrix_of
from tidegate.conformance.report.matrix_sections import Section, sections, silent
from tidegate.pages.signs import SIGNS
from tidegate.record.counts import counted
from tidegate.record.errors import ExitCode
from tidegate.record.version import VERSION


def rules_by_implementation() -> str:
    """The implementations with their counts, then a table for each mechanism."""
    matrix = committed()
    tables = (
        f"## {section.mechanism}\n\n{boxed('implementations', _section(section))}" for section in sections(matrix)
    )
    left = silent(matrix)
    return paragraphs(
        _columns(matrix),
        *tables,
        f"Left out: {counted(left, 'rules')} that no implementation claims." if left else "",
    )


@cache
def committed() -> Matrix:
    """The matrix of the committed reports; a column's source is the name of its report's folder."""
    sources = [Source(name, report) for name, report in reports().items()]
    codes = [ExitCode(source.report.footer.exit_code) for source in sources if source.report]
    return matrix_of(sources, VERSION, ExitCode.of_all(codes))


def _columns(matrix: Matrix) -> str:
    heads = ["implementation", *view.ORDER, "checks", "judged on"]
    rows = [
        (
            f"[{literal(column.label)}](/{page_of(column.source)}), {literal(column.protocol)}"
            f"<br><code>reports/{column.source}</code>",
            *(str(column.verdicts[kind]) for kind in view.ORDER),
            str(column.checks),
            ", ".join(filter(None, [column.started[:10], column.limited])),
        )
        for column in matrix.columns
    ]
    return table(heads, rows)


def _section(section: Section) -> str:
    heads = ["rule", "title", *map(_head, section.columns)]
    rows = [
        (line.rule, line.title, *(_cell(cell) for cell in line.cells))
        for line in section.lines
    ]  # fmt: skip
    return table(heads, rows)


def _head(column: Column) -> str:
    return literal(column.label)


def _cell(cell: Cell) -> str:
    if cell.verdict is None:
        return cell.words
    known = ", known" if cell.known_deviation is not None else ""
    words = f'<strong class="{cell.verdict.replace(" ", "-")}">{SIGNS[cell.verdict]} {cell.words}</strong>{known}'
    return "<br>".join([words, *(f"<small>{literal(each)}</small>" for each in cell.gist)])
