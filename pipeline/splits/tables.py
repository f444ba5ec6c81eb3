"""Tables of parts and of states, a row for each key: what splits hand to one another.

How parts are combined and states carried is read from the model's definitions of the operators.
"""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from tidegate.model.language.past import OPERATORS
from tidegate.pipeline.splits.expressions import Expressions
from tidegate.pipeline.splits.figures import WIDE, narrow
from tidegate.pipeline.splits.operators import carried, combined, unit_of
from tidegate.pipeline.splits.plan import SOURCE, Group, Plan

Parts = Mapping[str, pl.DataFrame]
"""Group to the parts of its operators, for each key of a stretch of events."""
States = Mapping[str, pl.DataFrame]
"""Group to the states of its operators, for each key that was seen so far."""

THEN = " then"


def combine(group: Group, first: pl.DataFrame | None, then: pl.DataFrame) -> pl.DataFrame:
    """The parts of two stretches, of which `then` is the later one. Raises TooLarge."""
    if first is None:
        return then
    keys = group.key_columns
    both = _wide(first.join(then, on=keys, how="full", coalesce=True, suffix=THEN), keys)
    units = _units(group)
    both = both.with_columns(
        *(pl.col(column).fill_null(value) for column, value in units.items()),
        *(pl.col(f"{column}{THEN}").fill_null(value) for column, value in units.items()),
    )
    expressions = Expressions()
    made = [
        each for name, found in group.operators.items() for each in combined(name, found.operator, THEN, expressions)
    ]
    return narrow(both.select(*keys, *made))


def carry(group: Group, states: pl.DataFrame | None, parts: pl.DataFrame | None, keys: pl.DataFrame) -> pl.DataFrame:
    """The states of these keys after a stretch; one that it says nothing of keeps its state. Raises TooLarge."""
    before = keys.hstack(at(group, states, keys))
    if parts is None:
        return before
    met = _wide(before.join(parts, on=group.key_columns, how="left"), group.key_columns)
    met = met.with_columns(pl.col(column).fill_null(value) for column, value in _units(group).items())
    expressions = Expressions()
    carried_on = [carried(name, found.operator, expressions) for name, found in group.operators.items()]
    return narrow(met.select(*group.key_columns, *carried_on))


def at(group: Group, states: pl.DataFrame | None, keys: pl.DataFrame) -> pl.DataFrame:
    """The states of these keys, in their order; a key that was never seen has the initial state."""
    initial = {name: OPERATORS[found.operator].initial for name, found in group.operators.items()}
    if states is None:
        begun = (pl.lit(value, dtype=pl.Int64).alias(name) for name, value in initial.items())
        return keys.with_columns(begun).select(list(initial))
    met = keys.join(states, on=group.key_columns, how="left", maintain_order="left")
    return met.select(pl.col(name).fill_null(value) for name, value in initial.items())


def keys_of(group: Group, *tables: pl.DataFrame | None) -> pl.DataFrame:
    """Every key of these tables, once."""
    found = [table.select(group.key_columns) for table in tables if table is not None]
    if not found:
        return pl.DataFrame(schema=dict.fromkeys(group.key_columns, pl.String))
    return pl.concat(found).unique(maintain_order=True)


def after(plan: Plan, states: States, newer: States, sources: frozenset[str] | None) -> States:
    """The states with those of some keys replaced by newer ones, as far as they are of these sources; None is all."""
    found = {}
    for group in plan.groups:
        old, new = states.get(group.id), newer.get(group.id)
        if new is not None and old is not None:
            new = pl.concat([old.join(new, on=group.key_columns, how="anti"), new])
        kept = old if new is None else new
        if kept is not None:
            found[group.id] = kept if sources is None else of_sources(kept, sources)
    return found


def of_sources(table: pl.DataFrame, sources: Collection[str]) -> pl.DataFrame:
    """The rows of a table whose source is among these."""
    return table.filter(pl.col(SOURCE).is_in(list(sources)))


def _units(group: Group) -> dict[str, Any]:
    return {
        column: value
        for name, found in group.operators.items()
        for column, value in unit_of(name, found.operator).items()
    }


def _wide(frame: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    figures = (name for name, kind in frame.schema.items() if kind == pl.Int64 and name not in keys)
    return frame.with_columns(pl.col(name).cast(WIDE) for name in figures)
