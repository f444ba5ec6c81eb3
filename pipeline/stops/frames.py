"""The events of files as the measures need them: few columns, no null texts, in the order of `seq`."""

from typing import NamedTuple

import polars as pl

from tidegate.record.events import Kind

TEXTS = ("source", "kind", "destination", "connection", "channel", "producer", "outcome", "cause")
NUMBERS = ("seq", "time", "bytes", "messages", "credit", "limit", "resume")
SCHEMA = pl.Schema(dict.fromkeys(TEXTS, pl.Categorical()) | dict.fromkeys(NUMBERS, pl.Int64()))
TELLING = (
    Kind.STOP, Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL, Kind.CLOSE, Kind.START, Kind.SHUTDOWN, Kind.LIMITS,
    Kind.LEVEL, Kind.SEND,
)  # fmt: skip
"""The kinds of events that a measure uses."""
CARRIED = "carried"
"""Whether a row comes from an earlier file of the stream and was measured there."""


class ReadEvents(NamedTuple):
    """The telling events of files, and the time in ms of the last event of each source, of any kind and other than a
    start.

    `before_ms` of an event is the time of the last earlier event of its source other than a start, null where these
    files have none. In the spans it is the last of these times.
    """

    events: pl.DataFrame
    spans: pl.DataFrame


def read(events: pl.LazyFrame) -> ReadEvents:
    """The events of a table, ready for the fold; a missing text is the empty text."""
    told = (pl.col("kind") != str(Kind.START)).fill_null(value=True)
    seen = pl.when(told).then("time").forward_fill()
    all_events = events.select(SCHEMA.names()).with_columns(before_ms=seen.shift(1).over("source"))
    texts = [pl.col(name).cast(pl.Categorical).fill_null("") for name in TEXTS]
    telling = all_events.filter(of_kind(*TELLING)).with_columns(*texts, pl.lit(False).alias(CARRIED))
    spans = all_events.group_by(pl.col("source").cast(pl.String), maintain_order=True).agg(
        last_ms=pl.col("time").last(), before_ms=pl.col("time").filter(told).last()
    )
    return ReadEvents(*pl.collect_all([telling, spans]))


def nothing() -> pl.DataFrame:
    """An empty table of events."""
    return pl.DataFrame(schema=SCHEMA | {"before_ms": pl.Int64, CARRIED: pl.Boolean})


def of_kind(*kinds: Kind) -> pl.Expr:
    """Whether an event is of one of these kinds."""
    return pl.col("kind").is_in([str(kind) for kind in kinds])
