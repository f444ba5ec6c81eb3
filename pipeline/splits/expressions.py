"""Terms as expressions of Polars."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

import polars as pl

from tidegate.pipeline.terms import Sign, Sort, Term

JOINING: Mapping[Sign, Callable[[pl.Expr, pl.Expr], pl.Expr]] = {
    Sign.AND: operator.and_,
    Sign.OR: operator.or_,
    Sign.EQUAL: operator.eq,
    Sign.BELOW: operator.lt,
    Sign.AT_MOST: operator.le,
    Sign.ABOVE: operator.gt,
    Sign.AT_LEAST: operator.ge,
    Sign.PLUS: operator.add,
    Sign.LESS: operator.sub,
    Sign.TIMES: operator.mul,
}


class Expressions:
    """Gives each term its expression, once for terms of the same text."""

    def __init__(self) -> None:
        self._known: dict[str, pl.Expr] = {}

    def of(self, term: Term) -> pl.Expr:
        """The expression of a term over a frame of filled events and of operator columns."""
        if term.sql not in self._known:
            self._known[term.sql] = self._made(term)
        return self._known[term.sql]

    def _made(self, term: Term) -> pl.Expr:
        operands: Any = term.operands
        match term.sign:
            case Sign.COLUMN:
                return pl.col(operands[0])
            case Sign.LITERAL:
                return literal(operands[0])
            case Sign.CASE:
                test, then, otherwise = map(self.of, operands)
                return pl.when(test).then(then).otherwise(otherwise)
            case Sign.NOT:
                return ~self.of(operands[0])
            case Sign.MINUS:
                return -self.of(operands[0])
        left, right = map(self.of, operands)
        if operands[0].sort is Sort.TEXT and Sign.LITERAL not in {each.sign for each in operands}:
            # columns of texts may be coded apart from each other
            left, right = left.cast(pl.String), right.cast(pl.String)
        return JOINING[term.sign](left, right)


def literal(value: bool | int | str) -> pl.Expr:
    """A literal as wide as columns are."""
    if isinstance(value, int) and not isinstance(value, bool):
        return pl.lit(value, dtype=pl.Int64)
    return pl.lit(value)
