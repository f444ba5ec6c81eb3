"""Timelines: a destination's level and its thresholds over time, thinned out so that a page can show them.

Only the lowest and the highest level of each slice of time are kept, so no peak and no low level is lost.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import Rows, rows_of
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import Band, Point, Timeline
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.frames import SCHEMA, of_kind
from tidegate.pipeline.stops.limits import IN_MESSAGES, NOT_A_GATE
from tidegate.pipeline.stops.stream import UNRELEASED
from tidegate.record.events import Kind

WHOSE = ["stream", "source", "destination"]
"""The columns that identify a destination in the tables."""
NO_LEVELS = pl.DataFrame(schema={"time": pl.Int64, "bytes": pl.Int64, "high": pl.Int64, "low": pl.Int64})
NO_STOPS = pl.DataFrame(schema={"from_ms": pl.Int64, "until": pl.Int64, "episodes": pl.UInt32})
SLICES = 360
MOST_BANDS = 240


class Wanted(NamedTuple):
    """A destination of a stream whose timeline is wanted."""

    stream: str
    source: str
    destination: str


def most_stopping(folder: Place, most: int) -> list[Wanted]:
    """The destinations that stopped senders for the longest total time."""
    stopped = tables.stops(folder).filter(pl.col("destination").is_not_null())
    worst = stopped.group_by(WHOSE).agg(ms=pl.col("at_least_ms").sum(), times=pl.len()).sort(
        "ms", "times", *WHOSE, descending=[True, True, False, False, False]
    )  # fmt: skip
    return [Wanted(*row) for row in worst.head(most).select(WHOSE).collect().iter_rows()]


def timelines(stream: tuple[Sequence[Wanted], Sequence[Rows]], folder: Place) -> list[Timeline]:
    """The timelines of destinations of one stream, in this order; the stream's files are read once for all."""
    wanted, files = stream
    levels, stops = _apart(_levels(wanted, files), WHOSE), _apart(_stops(wanted, folder), [*WHOSE, "ended"])
    return [
        _timeline(
            each,
            levels.get(each, NO_LEVELS),
            {ended: stops.get((*each, ended), NO_STOPS) for ended in (True, False)},
        )
        for each in wanted
    ]


def _timeline(wanted: Wanted, levels: pl.DataFrame, stops: Mapping[bool, pl.DataFrame]) -> Timeline:
    """The timeline of a destination, from its levels, and its stops by whether they ended."""
    borders = [each.get_column(name) for each in stops.values() for name in ("from_ms", "until")]
    times = pl.concat([levels.get_column("time"), *borders])
    first, last = int(times.min() or 0), int(times.max() or 0)  # type: ignore[arg-type]
    episodes = sum(int(each.get_column("episodes").sum()) for each in stops.values())
    return Timeline(
        wanted.source, wanted.destination, "bytes", _points(levels, first, last), _bands(stops, first, last),
        levels.height, episodes, first, last,
    )  # fmt: skip


def _apart(rows: pl.DataFrame, keys: list[str]) -> dict[tuple[Any, ...], pl.DataFrame]:
    """The rows of each key, in their order, without the key columns."""
    return rows.partition_by(keys, as_dict=True, include_key=False)


def _of(wanted: Sequence[Wanted]) -> pl.LazyFrame:
    """The destinations as rows."""
    return pl.LazyFrame(wanted, schema=dict.fromkeys(WHOSE, pl.String), orient="row")


def _stops(wanted: Sequence[Wanted], folder: Place) -> pl.DataFrame:
    """The times in which these destinations stopped a party, times without a release apart.

    They are the episodes with a known begin, until the last time when each is known to last; overlapping ones are
    joined.
    """
    known = tables.stops(folder).filter(pl.col("from_ms").is_not_null())
    until = pl.coalesce("to_ms", pl.col("from_ms") + pl.col("at_least_ms"), "from_ms").alias("until")
    ended = ~pl.col("end").is_in(UNRELEASED)
    theirs = known.join(_of(wanted), on=WHOSE, how="semi").select(*WHOSE, "from_ms", until, ended.alias("ended"))
    begins = (pl.col("from_ms") > pl.col("until").cum_max().shift(1)).fill_null(value=True)
    numbered = theirs.sort("from_ms").with_columns(stop=begins.cum_sum().over(*WHOSE, "ended"))
    stops = numbered.group_by(*WHOSE, "ended", "stop", maintain_order=True).agg(
        pl.col("from_ms").min(), pl.col("until").max(), episodes=pl.len()
    )
    return stops.drop("stop").collect()


def _levels(wanted: Sequence[Wanted], files: Sequence[Rows]) -> pl.DataFrame:
    """Every level of the destinations in bytes, with the thresholds in force."""
    showing = of_kind(Kind.LEVEL, Kind.LIMITS, Kind.OVERFULL, Kind.UNDERFULL)
    events = (
        rows_of(files).filter(showing).select(SCHEMA.names()).cast(SCHEMA)
        .with_columns(pl.col(pl.Categorical).cast(pl.String), stream=pl.lit(wanted[0].stream))
        .join(_of(wanted), on=WHOSE, how="semi", maintain_order="left")
        .select(*WHOSE, "time", "kind", "cause", "bytes", "limit", "resume")
    )  # fmt: skip
    apart = ~pl.col("cause").fill_null("").is_in([*NOT_A_GATE, *IN_MESSAGES])
    limit = pl.when(apart & (pl.col("limit") > 0)).then("limit").forward_fill().over(WHOSE)
    states = of_kind(Kind.LIMITS) & apart
    in_line = pl.when(~of_kind(Kind.LIMITS)).then("resume")
    resume = pl.when(states).then(pl.coalesce("resume", "limit")).otherwise(in_line).forward_fill().over(WHOSE)
    shown = events.with_columns(high=limit, low=resume).filter(~of_kind(Kind.LIMITS) & pl.col("bytes").is_not_null())
    return shown.select(*WHOSE, "time", "bytes", "high", low=pl.when(pl.col("low") > 0).then("low")).collect()


def _points(levels: pl.DataFrame, first: int, last: int) -> tuple[Point, ...]:
    if levels.height > 2 * SLICES:
        width = _width(first, last)
        rows = levels.with_row_index("row").with_columns(piece=(pl.col("time") - first) // width)
        extreme = [
            rows.group_by("piece").agg(pl.col("row").sort_by("bytes", "row", descending=[falling, False]).first())
            for falling in (False, True)
        ]
        kept = pl.concat(extreme).select("row").unique()
        levels = rows.join(kept, on="row", how="semi").sort("row").drop("row", "piece")
    return tuple(Point(*row) for row in levels.iter_rows())


def _bands(stops: Mapping[bool, pl.DataFrame], first: int, last: int) -> tuple[Band, ...]:
    """The times with at least one stop, as bands."""
    return tuple(
        Band(begin, until, ended, share)
        for ended, those in stops.items()
        for begin, until, share in _shaded(those.select("from_ms", "until", share=1.0), first, last).iter_rows()
    )


def _shaded(stopped: pl.DataFrame, first: int, last: int) -> pl.DataFrame:
    """The times as they are, if they are few; else, for each slice, the share of the slice with a stop."""
    if stopped.height <= MOST_BANDS:
        return stopped
    width = _width(first, last)
    reach = pl.int_ranges((pl.col("from_ms") - first) // width, (pl.col("until") - first) // width + 1)
    pieces = stopped.with_columns(piece=reach).explode("piece").with_columns(begins=first + pl.col("piece") * width)
    within = pl.min_horizontal("until", pl.col("begins") + width) - pl.max_horizontal("from_ms", "begins")
    slices = pieces.group_by("begins").agg(share=within.sum() / width).filter(pl.col("share") > 0).sort("begins")
    return slices.select("begins", pl.min_horizontal(pl.col("begins") + width, pl.lit(last)).alias("ends"), "share")


def _width(first: int, last: int) -> int:
    """The length of a slice in ms."""
    return max(1, -(-(last - first + 1) // SLICES))
