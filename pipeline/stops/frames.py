"""The events of files as the measures need them: few columns, no nulls in texts, in the order of `seq`."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import Rows, rows_of
from tidegate.record.events import Kind

TEXTS = ("source", "kind", "destination", "connection", "channel", "producer", "outcome", "cause")
NUMBERS = ("seq", "time", "bytes", "messages", "credit", "limit", "resume")
SCHEMA = pl.Schema(dict.fromkeys(TEXTS, pl.Categorical()) | dict.fromkeys(NUMBERS, pl.Int64()))
TELLING = (
    Kind.STOP, Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL, Kind.CLOSE, Kind.START, Kind.LIMITS, Kind.LEVEL, Kind.SEND,
)  # fmt: skip
"""The kinds of events that a measure looks at."""
STARTS = pl.Schema({"source": pl.String, "destination": pl.String, "seq": pl.Int64, "before_ms": pl.Int64})
CARRIED = "carried"
"""Whether a row comes from an earlier file of the stream and was measured there."""


class ReadEvents(NamedTuple):
    """The telling events of files, and from when to when (ms) each of its sources was seen, by any event.

    `starts` are the events that say that something started anew, with when (`before_ms`) their source was last seen by
    any other event in front of each, null where it was in none of these files. So is `before_ms` of the whole span.
    """

    events: pl.DataFrame
    spans: pl.DataFrame
    starts: pl.DataFrame


def read(parts: Sequence[Rows]) -> ReadEvents:
    """The events of these rows of files; a missing text is the empty text."""
    return of_table(rows_of(parts))


def of_table(events: pl.LazyFrame) -> ReadEvents:
    """The events of a table, ready for the fold."""
    all_events = events.select(SCHEMA.names())
    telling = all_events.filter(pl.col("kind").is_in([str(kind) for kind in TELLING]))
    texts = [pl.col(name).cast(pl.Categorical).fill_null("") for name in TEXTS]
    spans = all_events.group_by("source", maintain_order=True).agg(
        first_ms=pl.col("time").first(), last_ms=pl.col("time").last()
    )
    told, seen = pl.collect_all([telling.with_columns(*texts), spans.with_columns(pl.col("source").cast(pl.String))])
    is_start = of_kind(Kind.START)
    if not told.select(is_start.any()).item():
        return ReadEvents(_measured_here(told), seen.with_columns(before_ms="last_ms"), pl.DataFrame(schema=STARTS))
    # they are rare, and what was in front of each takes another look at all events
    starts, before = _starts(all_events)
    spans_of_all = seen.join(before, on="source", how="left", maintain_order="left")
    return ReadEvents(_measured_here(told.filter(~is_start)), spans_of_all, starts)


def _starts(events: pl.LazyFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The starts, and when each source was last seen by anything else."""
    is_start = pl.col("kind") == str(Kind.START)
    texts = [pl.col(name).cast(pl.String).fill_null("") for name in ("source", "destination")]
    seen = events.select(*texts, "seq", is_start.alias("starts"), pl.when(~is_start).then("time").alias("before_ms"))
    in_front = pl.col("before_ms").forward_fill().shift(1).over("source")
    starts = seen.with_columns(in_front).filter("starts").select(STARTS.names())
    last = seen.group_by("source").agg(pl.col("before_ms").drop_nulls().last())
    found, before = pl.collect_all([starts, last])
    return found, before


def _measured_here(events: pl.DataFrame) -> pl.DataFrame:
    return events.with_columns(pl.lit(False).alias(CARRIED))


def nothing() -> pl.DataFrame:
    """No events."""
    return pl.DataFrame(schema=SCHEMA | {CARRIED: pl.Boolean})


def of_kind(*kinds: Kind) -> pl.Expr:
    """Whether an event is of one of these kinds."""
    return pl.col("kind").is_in([str(kind) for kind in kinds])
