"""Rules over the events of a split, event by event in a compiled loop."""

from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from tidegate.model.language.past import OPERATORS
from tidegate.pipeline.schema import INPUT
from tidegate.pipeline.splits import tables
from tidegate.pipeline.splits.compiled import compiled
from tidegate.pipeline.splits.evaluation import Evaluation
from tidegate.pipeline.splits.keyed import Keyed, key_columns_of, named
from tidegate.pipeline.splits.loop import Loop
from tidegate.pipeline.splits.plan import Group, Plan
from tidegate.pipeline.splits.tables import States

Codes = npt.NDArray[np.uint32]
Numbers = npt.NDArray[np.int64]
CODES_PER_ROW = 8
"""Codes of keys are counted through where none passes so many times the number of rows, else they are sorted."""


def by_loop(plan: Plan, loop: Loop, events: pl.DataFrame, states: States) -> Evaluation:
    """What the rules say, from the states with which the split begins, of figures whose sums fit into 64 bit."""
    rows, rules = events.height, len(plan.rules)
    inputs, names = _inputs(events[INPUT])
    counts = np.zeros((len(names), rules, 2), dtype=np.int64)
    fails = np.zeros((rules, rows), dtype=np.bool_)
    by_key = {group.keyed: group for group in plan.groups}
    keyed = {name: _Keys(Keyed(key_columns_of(plan, group, events))) for name, group in by_key.items()}
    memory = {name: np.zeros((keys.size, len(loop.operators[name])), dtype=np.int64) for name, keys in keyed.items()}
    for group in plan.groups:
        keys, places = keyed[group.keyed], loop.operators[group.keyed]
        begun = tables.at(group, states[group.id], keys.names) if group.id in states else None
        for name, found in group.operators.items():
            column = memory[group.keyed][:, places.index(name)]
            if begun is None:
                column[:] = OPERATORS[found.operator].initial
            else:
                column[:] = begun[name].to_numpy()
    literals = np.array([_code_of(events[field], text) for field, text in loop.literals], dtype=np.int64)
    fields = [_array(events[name]) for name in loop.fields]
    codes = [keyed[name].code for name in loop.operators]
    compiled(loop)(rows, literals, inputs, counts, fails, *fields, *codes, *(memory[name] for name in loop.operators))

    def ended(group: Group) -> pl.DataFrame:
        keys, places = keyed[group.keyed], loop.operators[group.keyed]
        found = memory[group.keyed]
        return keys.names.hstack([pl.Series(name, found[:, places.index(name)]) for name in group.operators])

    return Evaluation(
        {
            (name, rule): (int(counts[number, rule, 0]), int(counts[number, rule, 1]))
            for number, name in enumerate(names)
            for rule in range(rules)
        },
        lambda rule: pl.Series(fails[rule]),
        ended,
    )


class _Keys:
    """The keys of events as places in a memory, without gaps."""

    def __init__(self, keyed: Keyed):
        self._keyed = keyed
        code = keyed.code
        most = int(code.max())  # type: ignore[arg-type]
        if most >= CODES_PER_ROW * code.len():
            code, most = code.rank("dense"), code.len()
        codes = code.to_numpy()
        met = np.zeros(most + 1, dtype=np.bool_)
        met[codes] = True
        places = np.cumsum(met, dtype=np.uint32)
        self.code: Codes = (places - 1)[codes]
        self.size = int(places[-1])

    @cached_property
    def names(self) -> pl.DataFrame:
        """The key of each place, texts as texts."""
        first = np.empty(self.size, dtype=np.int64)
        # of the values for one place the last one stays
        first[self.code[::-1]] = np.arange(self.code.size - 1, -1, -1)
        return named(self._keyed.keys[first])


def _inputs(column: pl.Series) -> tuple[Codes, list[str]]:
    """Of each event the number of its input, and the names of these."""
    code = column.to_physical()
    if code.min() == code.max():
        return np.zeros(code.len(), np.uint32), [column[0]]
    names = column.unique()
    numbers = pl.DataFrame({INPUT: names, "number": pl.int_range(names.len(), dtype=pl.UInt32, eager=True)})
    found = column.to_frame().join(numbers, on=INPUT, how="left", maintain_order="left")
    return found["number"].rechunk().to_numpy(), names.cast(pl.String).to_list()


def _array(column: pl.Series) -> Codes | Numbers:
    found: Codes | Numbers = column.to_physical().rechunk().to_numpy()
    return found


def _code_of(column: pl.Series, text: str) -> int:
    """The code of a text in a column."""
    return int(pl.Series([text]).cast(column.dtype).to_physical().item())
