"""How long the check takes, as a ratio to Spark's own exchange and sort of the same events in the same session.

    python benchmarks/check_columns.py [--events 1000000] [--repeat 3] [--master local[*]]

The events are of brokers with many queues: limits, then rounds of a send, the level after it, where its channel
stands, a take and the level after that. A ratio says more than seconds do, because both figures are of one machine
under the same load.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import click
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.rules import every_rule, rules_of
from tidegate.pipeline.schema import EVENT_COLUMNS, STREAM_NAME, is_number
from tidegate.pipeline.session import spark_session
from tidegate.pipeline.windows.judging import judge
from tidegate.pipeline.windows.operators import STREAM

ROUND = ("send", "level", "standing", "channel", "take", "level")
"""The kinds of the events of one round."""
ROUNDS = 500
"""Rounds that one queue goes through in one stream."""
QUEUES = 20
"""Queues of one stream."""


def events(spark: SparkSession, count: int) -> DataFrame:
    """So many events: messages of 100 bytes, five sent for four taken, against a capacity of 5,000 bytes."""
    per_queue = len(ROUND) * ROUNDS
    numbered = spark.range(count).select(
        (sf.col("id") / (per_queue * QUEUES)).cast("long").alias("stream"),
        (sf.col("id") % (per_queue * QUEUES)).alias("n"),
    )
    placed = numbered.select(
        "*",
        (sf.col("n") % QUEUES).cast("string").alias("queue"),
        (sf.col("n") / QUEUES).cast("long").alias("step"),
    )
    kinds = sf.array(*(sf.lit(kind) for kind in ROUND))
    turn = (sf.col("step") % len(ROUND)).cast("int")
    rounds = (sf.col("step") / len(ROUND)).cast("long")
    held = 100 * (rounds + 1 - (4 * rounds / 5).cast("long"))
    is_first = sf.col("step") == 0
    columns = {
        "input": sf.lit("benchmark"),
        "stream": sf.lit("benchmark"),
        "line": sf.col("n") + 1,
        "source": sf.concat(sf.lit("stream "), "stream"),
        "seq": sf.col("n") + 1,
        "time": sf.col("n"),
        "kind": sf.when(is_first, "limits").otherwise(sf.get(kinds, turn)),
        "destination": sf.col("queue"),
        "channel": sf.concat("queue", sf.lit("/"), rounds % 5),
        "producer": sf.concat("queue", sf.lit("/"), rounds % 5),
        "message_id": sf.concat("queue", sf.lit("-"), rounds),
        "bytes": sf.when(turn == 0, 100).when(turn == 1, held).when(turn == 5, held - 100),
        "outcome": sf.when(turn == 0, "accepted").when(
            turn.isin(2, 3), sf.when(held > 5000, "stopped").otherwise("free")
        ),
        "limit": sf.when(is_first, 5000),
        "resume": sf.when(is_first, 4000),
        "cause": sf.when(is_first, "capacity").when(turn == 1, "send").when(turn == 5, "acknowledge"),
    }
    return placed.select(
        *(
            columns.get(name, sf.lit(None)).cast("long" if is_number(name) else "string").alias(name)
            for name in (*EVENT_COLUMNS, STREAM_NAME)
        )
    )


def seconds(work: Callable[[], object], repeat: int) -> float:
    """The shortest of so many runs."""
    taken = []
    for _ in range(repeat):
        begun = perf_counter()
        work()
        taken.append(perf_counter() - begun)
    return min(taken)


@click.command()
@click.option("--events", "count", default=1_000_000, show_default=True)
@click.option("--repeat", default=3, show_default=True)
@click.option("--master")
def main(count: int, repeat: int, master: str | None) -> None:
    """Print how long sorting and checking take, and their ratio."""
    with tempfile.TemporaryDirectory(prefix="tidegate-") as name:
        folder = Path(name)
        spark = spark_session(folder / "spark.txt", master)
        events(spark, count).write.parquet(str(folder / "events"))
        read = spark.read.parquet(str(folder / "events"))
        by_stream = read.repartition(*STREAM).sortWithinPartitions(*STREAM, "seq")
        sort = seconds(lambda: by_stream.write.format("noop").mode("overwrite").save(), repeat)
        click.echo(f"{count:,} events; exchange and sort {sort:.2f} s")
        for what, rules in (("rules over traces", rules_of(TRACE)), ("rules over traces and logs", every_rule())):
            check = seconds(lambda rules=rules: judge(read, rules, most=1), repeat)  # type: ignore[misc]
            click.echo(f"{what:<28}{len(rules):>3} rules  {check:6.2f} s  ratio {check / sort:.2f}")
        spark.stop()


if __name__ == "__main__":
    main()
