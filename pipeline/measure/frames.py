"""The events of a file as the measures need them: few columns, no nulls in texts, in the order of `seq`."""

from pathlib import Path
from typing import NamedTuple

import polars as pl

from headgate.pipeline.parquet import scanned
from headgate.record.events import Kind

TEXTS = ("source", "kind", "destination", "connection", "channel", "producer", "outcome", "cause")
NUMBERS = ("seq", "time", "bytes", "messages", "credit", "limit", "resume")
SCHEMA = pl.Schema(dict.fromkeys(TEXTS, pl.String) | dict.fromkeys(NUMBERS, pl.Int64))
TELLING = (
    Kind.STOP, Kind.RELEASE, Kind.OVERFULL, Kind.UNDERFULL, Kind.CLOSE, Kind.LIMITS, Kind.LEVEL, Kind.SEND,
)  # fmt: skip
"""The kinds of events that a measure looks at."""
CARRIED = "carried"
"""Whether a row comes from an earlier file of the stream and was measured there."""


class Read(NamedTuple):
    """The telling events of a file, and from when to when (ms) each of its sources was seen, by any event."""

    events: pl.DataFrame
    spans: pl.DataFrame


def read(path: Path) -> Read:
    """Read one file of events; a missing text is the empty text."""
    all_events = scanned(path).select(SCHEMA.names())
    telling = all_events.filter(pl.col("kind").is_in([str(kind) for kind in TELLING]))
    texts = [pl.col(name).cast(pl.String).fill_null("") for name in TEXTS]
    spans = all_events.group_by("source", maintain_order=True).agg(
        first_ms=pl.col("time").first(), last_ms=pl.col("time").last()
    )
    events, seen = pl.collect_all([telling.with_columns(*texts), spans.with_columns(pl.col("source").cast(pl.String))])
    return Read(events.with_columns(pl.lit(False).alias(CARRIED)), seen)


def nothing() -> pl.DataFrame:
    """No events."""
    return pl.DataFrame(schema=SCHEMA | {CARRIED: pl.Boolean})


def of_kind(*kinds: Kind) -> pl.Expr:
    """Whether an event is of one of these kinds."""
    return pl.col("kind").is_in([str(kind) for kind in kinds])
