"""A matrix divided by mechanism, for every rendering."""

from collections.abc import Sequence
from dataclasses import dataclass

from tidegate.conformance.report.matrix import Column, Line, Matrix
from tidegate.record.verdict import Verdict


@dataclass(frozen=True)
class Section:
    """The rules of one mechanism, with the columns that were judged by them."""

    mechanism: str
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    """Each with the cells of these columns only."""


def sections(matrix: Matrix) -> tuple[Section, ...]:
    """The claimed rules by mechanism, with the columns that were judged by any of them.

    An unavailable column stands beside other versions of its implementation; if there are none, it stands in every
    section.
    """
    members: dict[str, list[Line]] = {}
    for line in matrix.lines:
        members.setdefault(line.mechanism, []).append(line)
    return tuple(
        _section(matrix, mechanism, lines)
        for mechanism, lines in members.items()
        if any(line.claimed for line in lines)
    )


def _section(matrix: Matrix, mechanism: str, lines: Sequence[Line]) -> Section:
    claimed = [line for line in lines if line.claimed]
    judged = {
        number
        for number in range(len(matrix.columns))
        if any(line.cells[number].verdict not in (None, Verdict.NOT_CLAIMED) for line in claimed)
    }
    elsewhere = {column.family for column in matrix.columns if column.unavailable is None}
    elsewhere -= {matrix.columns[number].family for number in judged}
    wanted = [
        number
        for number, column in enumerate(matrix.columns)
        if number in judged or (column.unavailable and column.family not in elsewhere)
    ]
    narrowed = (
        Line(
            line.rule, line.level, line.category, line.title, line.sentence,
            tuple(line.cells[number] for number in wanted),
        )
        for line in claimed
    )  # fmt: skip
    return Section(mechanism, tuple(matrix.columns[number] for number in wanted), tuple(narrowed))


def silent(matrix: Matrix) -> int:
    """The number of rules that no implementation here was judged by."""
    return sum(not line.claimed for line in matrix.lines)
