"""Trace rules as columns of Spark, two for each rule, by window columns for their past-time operators.

Spark does not nest window functions, so operators that are made of each other are computed in selects of their own.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from tidegate.model.language.rule import Definition
from tidegate.pipeline.lowering import Lowered, Lowering, Occurrence, Stages
from tidegate.pipeline.schema import INPUT, LINE, STREAM_NAME
from tidegate.pipeline.terms import columns_of, term
from tidegate.pipeline.windows.operators import STREAM, windowed
from tidegate.record.events import EMPTY


@dataclass(frozen=True)
class Plan:
    """The columns of several rules, and the operators that they are made of."""

    stages: Stages
    rules: tuple[Lowered, ...]

    def over(self, events: DataFrame) -> DataFrame:
        """Where each event is, with the columns `judged_N` and `holds_N` for the N-th rule, neither ever null."""
        frame = filled(events)
        for turn in turns(self.stages):
            frame = frame.select("*", *(sf.expr(windowed(found)).alias(name) for name, found in turn.items()))
        return frame.select(
            *(*STREAM, INPUT, "seq", LINE),
            *(sf.expr(lowered.judged.sql).alias(f"judged_{n}") for n, lowered in enumerate(self.rules)),
            *(sf.expr(lowered.holds.sql).alias(f"holds_{n}") for n, lowered in enumerate(self.rules)),
        )


def lower(rules: Iterable[Definition]) -> Plan:
    """The plan that judges these rules together."""
    lowering = Lowering()
    lowered = tuple(lowering.lower(rule) for rule in rules)
    return Plan(lowering.stages(), lowered)


def turns(stages: Stages) -> Iterator[Mapping[str, Occurrence]]:
    """All operators, each after those that it is made of, and those of equal keys one after the other if they can be.

    For Spark exchanges and sorts all events wherever the keys change.
    """
    waiting = {name: found for stage in stages for name, found in stage.items()}
    keys = ""
    while waiting:
        ready = {name: found for name, found in waiting.items() if not waiting.keys() & _made_of(found)}
        if keys not in {found.keyed for found in ready.values()}:
            keys = next(iter(ready.values())).keyed
        turn = {name: found for name, found in ready.items() if found.keyed == keys}
        yield turn
        for name in turn:
            del waiting[name]


def filled(events: DataFrame) -> DataFrame:
    """Events without nulls, 0 or the empty text instead."""
    values = (sf.expr(f"coalesce(`{name}`, {term(empty).sql})").alias(name) for name, empty in EMPTY.items())
    return events.select(STREAM_NAME, INPUT, LINE, *values)


def _made_of(found: Occurrence) -> frozenset[str]:
    return columns_of(*found.arguments.values(), *found.keys)
