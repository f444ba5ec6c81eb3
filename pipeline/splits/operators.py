"""The column forms of the past-time operators, beside the folds and parts that define them in the model.

What a part is, how parts are combined and how a state is carried is read from the model. By hand there are only two
forms of each operator, because a column cannot be folded row by row: its value at every row of a frame that is sorted
by key, and the part of each key as an aggregate.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

import polars as pl

from tidegate.model.language.past import OPERATORS, latest, total
from tidegate.model.language.reading import Reader
from tidegate.pipeline.lowering import ColumnWorld, Occurrence
from tidegate.pipeline.splits.expressions import Expressions
from tidegate.pipeline.terms import Sort, column, term

START = "start"
"""The column that says whether a row is the first of its key."""
Part = Any
"""A part as the model has it, made of terms: a term, or a dataclass of terms."""


class Form(NamedTuple):
    """The two forms of an operator; a part comes as its expressions by the names of its fields."""

    running: Callable[[Mapping[str, pl.Expr], pl.Expr], pl.Expr]
    """From the part of each event, and the state after the first event of the key, to the state after each event."""
    summed: Callable[[Mapping[str, pl.Expr]], Mapping[str, pl.Expr]]
    """From the part of each event to the fields of the part of them all."""


def running(name: str, occurrence: Occurrence, expressions: Expressions) -> pl.Expr:
    """The operator's value at every row of a frame that is sorted by key, with START and its column of states."""
    part = part_of(occurrence)
    state = column(state_column(name), Sort.NUMBER)
    first = term(_read(OPERATORS[occurrence.operator].carry, state, part))
    return FORMS[occurrence.operator].running(_expressions(part, expressions), expressions.of(first)).alias(name)


def summed(name: str, occurrence: Occurrence, expressions: Expressions) -> list[pl.Expr]:
    """The fields of the operator's part over all rows of a group in their order, as columns named by `field_column`."""
    found = FORMS[occurrence.operator].summed(_expressions(part_of(occurrence), expressions))
    return [expression.alias(field_column(name, field)) for field, expression in found.items()]


def part_of(occurrence: Occurrence) -> Part:
    """The part of one event."""
    return _read(OPERATORS[occurrence.operator].part_of, **occurrence.arguments)


def combined(name: str, operator: Callable[..., Any], suffix: str, expressions: Expressions) -> list[pl.Expr]:
    """The columns of the part of two stretches; those of the later one have the suffix."""
    fold = OPERATORS[operator]
    both = _read(fold.combine, stored(name, fold.unit), stored(name, fold.unit, suffix))
    return [each.alias(field_column(name, field)) for field, each in _expressions(both, expressions).items()]


def carried(name: str, operator: Callable[..., Any], expressions: Expressions) -> pl.Expr:
    """The column `name` with the state after a stretch, from the state before it there and the part beside it."""
    fold = OPERATORS[operator]
    after = term(_read(fold.carry, column(name, Sort.NUMBER), stored(name, fold.unit)))
    return expressions.of(after).alias(name)


def unit_of(name: str, operator: Callable[..., Any]) -> Mapping[str, Any]:
    """The columns of the part of no event, with their values."""
    return {field_column(name, field): value for field, value in _fields(OPERATORS[operator].unit).items()}


def stored(name: str, unit: Part, suffix: str = "") -> Part:
    """The part that stands in columns, of the same shape as the unit."""
    columns = {
        field: column(f"{field_column(name, field)}{suffix}", term(value).sort)
        for field, value in _fields(unit).items()
    }
    return columns[""] if isinstance(unit, int) else type(unit)(**columns)


def field_column(name: str, field: str) -> str:
    """The column of a field of an operator's part; a part without fields has one column."""
    return f"{name}.part.{field}" if field else f"{name}.part"


def state_column(name: str) -> str:
    """The column with the state that is carried in to an operator, where a row is the first of its key."""
    return f"{name}.state"


def _fields(part: Part) -> Mapping[str, Any]:
    if is_dataclass(part):
        return {each.name: getattr(part, each.name) for each in fields(part)}
    return {"": part}


def _expressions(part: Part, expressions: Expressions) -> Mapping[str, pl.Expr]:
    return {field: expressions.of(term(value)) for field, value in _fields(part).items()}


def _read(rule: Callable[..., Any], *values: object, **named: object) -> Part:
    return Reader(ColumnWorld()).call(rule, *values, **named)


def _running_latest(part: Mapping[str, pl.Expr], first: pl.Expr) -> pl.Expr:
    shown = pl.when(pl.col(START)).then(first).when(part["seen"]).then(part["value"])
    return shown.forward_fill()


def _running_total(part: Mapping[str, pl.Expr], first: pl.Expr) -> pl.Expr:
    value = pl.when(pl.col(START)).then(first).otherwise(part[""])
    over_all_keys = value.cum_sum()
    before_this_key = pl.when(pl.col(START)).then(over_all_keys - value).forward_fill()
    return over_all_keys - before_this_key


def _summed_latest(part: Mapping[str, pl.Expr]) -> Mapping[str, pl.Expr]:
    last = pl.when(part["seen"]).then(part["value"]).last(ignore_nulls=True)
    return {"seen": last.is_not_null(), "value": last.fill_null(0)}


def _summed_total(part: Mapping[str, pl.Expr]) -> Mapping[str, pl.Expr]:
    return {"": part[""].sum()}


FORMS: Mapping[Callable[..., Any], Form] = {
    latest: Form(_running_latest, _summed_latest),
    total: Form(_running_total, _summed_total),
}
"""Every operator has its forms."""
