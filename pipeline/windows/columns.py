"""Trace rules as columns of Spark, two for each rule, by window columns for their past-time operators.

Spark does not nest window functions, so the operators of each depth of nesting are computed in a select of their own.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headgate.model.language import Definition
from headgate.pipeline.lowering import Lowered, Lowering, Stages
from headgate.pipeline.schema import FIELDS, INPUT, LINE, STREAM_NAME
from headgate.pipeline.terms import term
from headgate.pipeline.windows.operators import STREAM, windowed
from headgate.record.events import EMPTY

EVENT = "event"
"""The column that keeps the event as it came, with its nulls."""


@dataclass(frozen=True)
class Plan:
    """The columns of several rules, and the operators that they are made of."""

    stages: Stages
    rules: tuple[Lowered, ...]

    def over(self, events: DataFrame) -> DataFrame:
        """The events with the columns `judged_N` and `holds_N` for the N-th rule, neither ever null."""
        frame = filled(events)
        for stage in self.stages:
            frame = frame.select("*", *(sf.expr(windowed(found)).alias(name) for name, found in stage.items()))
        return frame.select(
            *(*STREAM, INPUT, "seq", LINE, EVENT),
            *(sf.expr(lowered.judged.sql).alias(f"judged_{n}") for n, lowered in enumerate(self.rules)),
            *(sf.expr(lowered.holds.sql).alias(f"holds_{n}") for n, lowered in enumerate(self.rules)),
        )


def lower(rules: Iterable[Definition]) -> Plan:
    """The plan that judges these rules together."""
    lowering = Lowering()
    lowered = tuple(lowering.lower(rule) for rule in rules)
    return Plan(lowering.stages(), lowered)


def filled(events: DataFrame) -> DataFrame:
    """Events without nulls, 0 or the empty text instead; each as it came in the column `event`."""
    raw = sf.struct(*FIELDS).alias(EVENT)
    values = (sf.expr(f"coalesce(`{name}`, {term(empty).sql})").alias(name) for name, empty in EMPTY.items())
    return events.select(STREAM_NAME, INPUT, LINE, raw, *values)
