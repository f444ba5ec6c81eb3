"""Judges events by trace rules over sorted windows: how many each rule judges, of how many it fails, and which."""

from collections.abc import Collection, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from tidegate.model.language.rule import Definition
from tidegate.pipeline.findings import Evidence, evidence
from tidegate.pipeline.schema import FIELDS, INPUT, LINE
from tidegate.pipeline.tallies import Place, Tallies, Tally, Witnesses
from tidegate.pipeline.windows.columns import lower

PLACE = (INPUT, LINE, "source", "seq")
"""The columns that tell one event from another."""


def judge(
    events: DataFrame, rules: Sequence[Definition], *, most: int, asked: Collection[Place] | None = None
) -> tuple[Tallies, Witnesses]:
    """What the rules say of each input, and the first `most` events, at least one, for which one does not hold.

    With `asked`, only of these inputs and rules. An input without any event does not appear.
    """
    found = _tallies(events, rules)
    tallies = {place: tally for place, tally in found.items() if asked is None or place in asked}
    return tallies, _witnesses(events, [place for place, tally in tallies.items() if tally.violated], most)


def _tallies(events: DataFrame, rules: Sequence[Definition]) -> Tallies:
    if not rules:
        return {}
    judged = lower(rules).over(events)
    counts = [
        count
        for n in range(len(rules))
        for count in (
            sf.count_if(sf.col(f"judged_{n}")).alias(f"judged_{n}"),
            sf.count_if(_fails(n)).alias(f"violated_{n}"),
        )
    ]
    return {
        (row[INPUT], rule): Tally(row[f"judged_{n}"], row[f"violated_{n}"])
        for row in judged.groupBy(INPUT).agg(*counts).collect()
        for n, rule in enumerate(rules)
    }


def _witnesses(events: DataFrame, violated: Collection[Place], most: int) -> Witnesses:
    # the windows again, for these rules alone: to keep what came of them for every event takes Spark as long
    rules = list(dict.fromkeys(rule for _, rule in violated))
    if not rules:
        return {}
    failing = sf.array_compact(sf.array(*(sf.when(_fails(n), n) for n in range(len(rules)))))
    shown = lower(rules).over(events).select(*PLACE, sf.explode(failing).alias("rule"))
    place = sf.row_number().over(Window.partitionBy(INPUT, "rule").orderBy("source", "seq"))
    first = shown.withColumn("place", place).where(sf.col("place") <= most)
    # the few that are shown are looked for among the events, for the windows do without most of what an event tells
    told = events.select(*PLACE, sf.struct(*FIELDS).alias("event")).join(sf.broadcast(first), [*PLACE])
    found: dict[Place, list[Evidence]] = {}
    for row in told.orderBy(INPUT, "rule", "place").collect():
        key = (row[INPUT], rules[row["rule"]])
        found.setdefault(key, []).append(evidence(row[LINE], row["source"], row["seq"], row["event"].asDict()))
    return {key: tuple(found[key]) for key in violated}


def _fails(n: int) -> Column:
    return sf.expr(f"judged_{n} AND NOT holds_{n}")
