"""Judges events by trace rules over sorted windows: how many each rule judges, of how many it fails, and which."""

from collections.abc import Iterable, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as sf

from headgate.model.language import Definition
from headgate.pipeline.findings import Evidence, evidence
from headgate.pipeline.schema import INPUT, LINE
from headgate.pipeline.tallies import Place, Tallies, Tally, Witnesses
from headgate.pipeline.windows.columns import EVENT, lower


def tally(events: DataFrame, rules: Sequence[Definition]) -> Tallies:
    """One pass over all events by all rules. An input without any event does not appear."""
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


def witnesses(events: DataFrame, violated: Iterable[Place], *, most: int) -> Witnesses:
    """For each input and definition that is violated there, the first `most` events that show it."""
    pairs = set(violated)
    rules = list(dict.fromkeys(rule for _, rule in pairs))
    if not rules:
        return {}
    failing = sf.array_compact(sf.array(*(sf.when(_fails(n), n) for n in range(len(rules)))))
    judged = lower(rules).over(events)
    shown = judged.select(INPUT, "source", "seq", LINE, EVENT, sf.explode(failing).alias("rule"))
    place = sf.row_number().over(Window.partitionBy(INPUT, "rule").orderBy("source", "seq"))
    first = shown.withColumn("place", place).where(sf.col("place") <= most).orderBy(INPUT, "rule", "place")
    found: dict[Place, list[Evidence]] = {}
    for row in first.collect():
        key = (row[INPUT], rules[row["rule"]])
        event = row[EVENT].asDict()
        found.setdefault(key, []).append(evidence(row[LINE], row["source"], row["seq"], event))
    return {key: tuple(events_shown) for key, events_shown in found.items() if key in pairs}


def _fails(n: int) -> Column:
    return sf.expr(f"judged_{n} AND NOT holds_{n}")
