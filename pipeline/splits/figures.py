"""How large figures may become, so that sums of 64 bit are added up only where none can pass 64 bit."""

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

from tidegate.model.language.past import total
from tidegate.pipeline.schema import LARGEST
from tidegate.pipeline.splits.plan import Group
from tidegate.pipeline.terms import Sign, Sort, Term
from tidegate.record.errors import TidegateError

WIDE = pl.Int128
"""Numbers that no sum of 64 bit figures of one split passes."""


class TooLarge(TidegateError):
    """A sum over events passes 64 bit, which is as wide as figures of events and of columns are."""


def fits(frame: pl.DataFrame, groups: Iterable[Group], terms: Iterable[Term], states: Iterable[pl.DataFrame]) -> bool:
    """Whether nothing that these groups and terms compute over the events can pass 64 bit, by the largest figures."""
    sizes = Sizes(_largest_of(frame, states), frame.height)
    for group in groups:
        sizes.add(group)
    for term in terms:
        sizes.of(term)
    return sizes.largest <= LARGEST


def narrow(frame: pl.DataFrame) -> pl.DataFrame:
    """The same figures, 64 bit wide. Raises TooLarge where one does not fit."""
    wide = [name for name, kind in frame.schema.items() if kind == WIDE]
    try:
        return frame.with_columns(pl.col(name).cast(pl.Int64) for name in wide)
    except pl.exceptions.InvalidOperationError as error:
        raise TooLarge("expected sums over events that fit into 64 bit") from error


class Sizes:
    """The largest size that a term may have over so many events, whose columns have these largest sizes."""

    def __init__(self, columns: Mapping[str, int], events: int):
        self.largest = max(columns.values(), default=0)
        self._columns = dict(columns)
        self._events = events

    def add(self, group: Group) -> None:
        """Take the operators of a group for columns from now on."""
        for name, found in group.operators.items():
            value = self.of(found.arguments["value"])
            before = self._columns.get(name, 0)
            size = before + self._events * value if found.operator is total else max(before, value)
            self._columns[name] = self._noted(size)

    def of(self, term: Term) -> int:
        """The largest size of a number; 0 for anything else, whose numbers are noted all the same."""
        operands: Any = term.operands
        match term.sign:
            case Sign.COLUMN:
                return self._columns.get(operands[0], 0) if term.sort is Sort.NUMBER else 0
            case Sign.LITERAL:
                return self._noted(abs(operands[0])) if term.sort is Sort.NUMBER else 0
            case Sign.CASE:
                self.of(operands[0])
                return max(map(self.of, operands[1:]))
        sizes = [self.of(operand) for operand in operands]
        if term.sort is not Sort.NUMBER:
            return 0
        return self._noted(sizes[0] * sizes[1] if term.sign is Sign.TIMES else sum(sizes))

    def _noted(self, size: int) -> int:
        self.largest = max(self.largest, size)
        return size


def _largest_of(frame: pl.DataFrame, states: Iterable[pl.DataFrame]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for each in (frame, *states):
        numbers = [name for name, kind in each.schema.items() if kind.is_integer()]
        ends = each.select(
            *(pl.col(name).min().alias(f"least {name}") for name in numbers),
            *(pl.col(name).max().alias(f"most {name}") for name in numbers),
        )
        for name in numbers:
            least, most = ends[f"least {name}"].item(), ends[f"most {name}"].item()
            found[name] = max(found.get(name, 0), abs(least or 0), abs(most or 0))
    return found
