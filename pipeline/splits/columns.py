"""The events of one split, with the operators of the rules at each of them."""

from collections.abc import Iterable

import polars as pl

from tidegate.model.language.past import OPERATORS
from tidegate.pipeline.splits import tables
from tidegate.pipeline.splits.figures import WIDE, fits, narrow
from tidegate.pipeline.splits.keyed import CODE, Keyed, key_columns_of, named
from tidegate.pipeline.splits.operators import state_column
from tidegate.pipeline.splits.plan import SOURCE, Group, Plan
from tidegate.pipeline.splits.tables import States
from tidegate.pipeline.terms import Term, columns_of


class SplitColumns:
    """The columns of a split, each in the orders in which it is needed: that of the events, or sorted by a key.

    `groups` are the operators to compute, inner ones first, from the states with which the split begins, and `terms`
    what else is to be computed then, `summed` of which groups the parts are asked for. Where a figure could pass 64 bit
    all are held in 128 bit instead.
    """

    def __init__(
        self,
        plan: Plan,
        events: pl.DataFrame,
        states: States,
        groups: Iterable[Group],
        *,
        terms: Iterable[Term] = (),
        summed: Iterable[Group] = (),
    ):
        self._plan = plan
        self._states = states
        self._groups = tuple(groups)
        self._width = pl.Int64 if fits(events, (*self._groups, *summed), terms, states.values()) else WIDE
        figures = (name for name, kind in events.schema.items() if kind == pl.Int64)
        frame = events.with_columns(pl.col(name).cast(self._width) for name in figures)
        self._events = {column.name: column for column in frame}
        self._sorted: dict[str, dict[str, pl.Series]] = {}
        self._sorted_by: dict[str, str] = {}
        self._keyed: dict[str, Keyed] = {}

    def run(self) -> None:
        """Compute the operators at each event. Raises TooLarge where one passes 64 bit."""
        for group in self._groups:
            keyed = self._by(group)
            inner = [self._in_order(group, name) for name in group.looks_at]
            frame = pl.DataFrame([*inner, keyed.start, *self._begun(group, keyed)])
            now = frame.lazy().select(group.running).collect()
            narrow(now)
            self._sorted[group.keyed] |= {column.name: column for column in now}
            self._sorted_by |= dict.fromkeys(group.operators, group.keyed)

    def parts(self, group: Group) -> pl.DataFrame:
        """What the events say of each key of a group whose inner operators were computed. Raises TooLarge."""
        keyed = self._by(group)
        inner = [self._in_events(name) for name in group.looks_at if name != SOURCE]
        frame = keyed.keys.hstack([keyed.code, *inner])
        firsts = [pl.col(name).first() for name in group.key_columns]
        return narrow(named(frame.lazy().group_by(CODE).agg(*firsts, *group.summed).drop(CODE).collect()))

    def states(self, group: Group) -> pl.DataFrame:
        """The states of a group that was computed, after the split, for each key in it."""
        keyed = self._by(group)
        last = [self._sorted[group.keyed][name].gather(keyed.last) for name in group.operators]
        return narrow(keyed.names.hstack(last))

    def frame(self, names: Iterable[str]) -> pl.DataFrame:
        """Columns in the order of the events."""
        return pl.DataFrame([self._in_events(name) for name in names])

    def _begun(self, group: Group, keyed: Keyed) -> list[pl.Series]:
        """For each operator the states with which its keys begin, at the rows at which they do."""
        rows = keyed.order.len()
        if group.id not in self._states:
            (initial,) = {OPERATORS[found.operator].initial for found in group.operators.values()}
            begun = pl.repeat(initial, rows, dtype=self._width, eager=True)
            return [begun.alias(state_column(name)) for name in group.operators]
        states = tables.at(group, self._states[group.id], keyed.names)
        nothing = pl.repeat(0, rows, dtype=self._width, eager=True)
        return [
            nothing.clone().scatter(keyed.first, states[name].cast(self._width)).alias(state_column(name))
            for name in group.operators
        ]

    def _by(self, group: Group) -> Keyed:
        if group.keyed not in self._keyed:
            frame = self.frame(columns_of(*group.keys) | {SOURCE})
            self._keyed[group.keyed] = Keyed(key_columns_of(self._plan, group, frame))
            self._sorted[group.keyed] = {}
        return self._keyed[group.keyed]

    def _in_events(self, name: str) -> pl.Series:
        if name not in self._events:
            keyed = self._sorted_by[name]
            self._events[name] = self._sorted[keyed][name].gather(self._keyed[keyed].back)
        return self._events[name]

    def _in_order(self, group: Group, name: str) -> pl.Series:
        found = self._sorted[group.keyed]
        if name not in found:
            found[name] = self._in_events(name).gather(self._keyed[group.keyed].order)
        return found[name]
