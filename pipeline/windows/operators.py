"""The past-time operators as window columns: one form each, beside the folds that define them in the model.

A window runs over the events of one key of one stream in their order, up to and including the present event.
"""

from collections.abc import Callable, Mapping
from typing import Any

from headgate.model.past import OPERATORS, latest, total
from headgate.pipeline.schema import INPUT
from headgate.pipeline.windows.terms import Sort, Term, term

STREAM = (INPUT, "source")
"""The columns that name an independent, ordered stream of events."""


def windowed(operator: Callable[..., Any], *values: object, per: tuple[object, ...], **named: object) -> Term:
    """The window expression of one occurrence of an operator; TypeError for an argument of the wrong sort."""
    aggregate, parts = FORMS[operator](*values, **named)
    keys = [term(key) for key in per]
    partition = ", ".join(dict.fromkeys([*STREAM, *(key.sql for key in keys)]))
    over = f"PARTITION BY {partition} ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
    initial = term(OPERATORS[operator].initial).sql
    depth = 1 + max(part.depth for part in (*parts, *keys))
    return Term(f"coalesce({aggregate} OVER ({over}), {initial})", Sort.NUMBER, depth)


def _latest(value: object, *, when: object) -> tuple[str, tuple[Term, ...]]:
    shown, condition = _number(value), term(when)
    aggregate = f"last_value(CASE WHEN {condition.sql} THEN {shown.sql} END) IGNORE NULLS"
    return aggregate, (shown, condition)


def _total(value: object) -> tuple[str, tuple[Term, ...]]:
    summed = _number(value)
    return f"sum({summed.sql})", (summed,)


def _number(value: object) -> Term:
    """A past-time operator starts at 0, so a column of it can hold numbers only."""
    found = term(value)
    if found.sort is not Sort.NUMBER:
        raise TypeError(f"a past-time operator needs a number, {found.sql} is {found.sort.value}")
    return found


FORMS: Mapping[Callable[..., Any], Callable[..., tuple[str, tuple[Term, ...]]]] = {
    latest: _latest,
    total: _total,
}
"""Operator to its aggregate and the terms that it is made of."""
