"""From the tables of measures to the figures of a page: the worst rows of each table, and totals."""

from typing import Any, TypeVar

import polars as pl

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import (
    BOUNDS_MS,
    SHOWN,
    CauseTotal,
    Change,
    Distribution,
    Episode,
    Measures,
    Oscillation,
    Overshoot,
    Together,
)
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.limits import UNKNOWN
from tidegate.pipeline.stops.stream import NEVER, UNRELEASED

Found = TypeVar("Found")


def summarised(folder: Place, *, most: int = SHOWN) -> Measures:
    """The first `most` rows of each measure, and the totals over all rows."""
    episodes = tables.stops(folder)
    overshoot = tables.table(tables.OVERSHOOT, folder)
    by_length = ["at_least_ms", "source", "from_seq", "who", "destination", "stream"]
    return Measures(
        episodes=_count(episodes),
        by_begin=_counted(episodes, "begin"),
        by_end=_counted(episodes, "end"),
        longest=_first(episodes.filter(pl.col("lasted_ms").is_not_null()), Episode, by_length, 1, most),
        unreleased=_first(episodes.filter(_unreleased()), Episode, by_length, 1, most),
        worst=_first(
            episodes.filter(pl.col("at_least_ms").is_not_null()).with_columns(still_on=pl.col("end") == NEVER),
            Episode, ["still_on", *by_length], 2, most,
        ),
        causes=_first(_causes(episodes), CauseTotal,
                      ["stopped_ms", "episodes", "source", "cause", "destination", "of"], 2, most),
        together=_first(_together(folder), Together, ["lasted_ms", "times", "source", "causes", "of"], 2, most),
        overshoot=_first(overshoot.filter(pl.col("over") > 0), Overshoot,
                         ["percent", "over", "source", "destination", "name", "stream"], 2, most),
        limits_seen=_count(overshoot),
        oscillation=_first(tables.table(tables.OSCILLATION, folder), Oscillation,
                           ["closings", "source", "destination", "stream"], 1, most),
        changes=_first(tables.table(tables.CHANGES, folder), Change,
                       ["alone", "at_ms", "source", "destination", "name"], 2, most),
        lasted=_distribution(episodes.select(ms="lasted_ms")),
        waited=_distribution(tables.table(tables.WAITS, folder).select(ms="waited_ms")),
    )  # fmt: skip


def _causes(episodes: pl.LazyFrame) -> pl.LazyFrame:
    return episodes.group_by("source", "of", "cause", "destination").agg(
        episodes=pl.len().cast(pl.Int64),
        stopped_ms=pl.col("at_least_ms").sum(),
        longest_ms=pl.col("at_least_ms").max(),
        unreleased=_unreleased().sum().cast(pl.Int64),
        unknown=pl.col("at_least_ms").is_null().sum().cast(pl.Int64),
    )


def _unreleased() -> pl.Expr:
    return pl.col("end").is_in(UNRELEASED)


def _together(folder: Place) -> pl.LazyFrame:
    return tables.table(tables.TOGETHER, folder).group_by("source", "of", "causes").agg(
        pl.col("count").first(), times=pl.len().cast(pl.Int64), lasted_ms=pl.col("lasted_ms").sum()
    )  # fmt: skip


def _first(rows: pl.LazyFrame, kind: type[Found], by: list[str], figures: int, most: int) -> tuple[Found, ...]:
    """The first `most` rows, sorted by these columns: by the first `figures` columns descending, then ascending."""
    descending = [place < figures for place in range(len(by))]
    fields = [*kind.__dataclass_fields__]  # type: ignore[attr-defined]
    first = rows.sort(by, descending=descending, nulls_last=True).head(most).select(fields).collect()
    return tuple(kind(**row) for row in first.iter_rows(named=True))


def _count(rows: pl.LazyFrame) -> int:
    return int(rows.select(pl.len()).collect().item())


def _counted(rows: pl.LazyFrame, name: str) -> dict[str, int]:
    counts = rows.group_by(name).len().sort(name).collect()
    return dict(counts.iter_rows())


def _distribution(durations: pl.LazyFrame) -> Distribution:
    edges = (-1, *BOUNDS_MS)
    ms = pl.col("ms")
    between = [
        ((ms >= low) & (ms < high)).sum().alias(f"below {high}") for low, high in zip(edges, BOUNDS_MS, strict=False)
    ]
    found: dict[str, Any] = durations.select(
        *between,
        (ms >= BOUNDS_MS[-1]).sum().alias("above"),
        ms.count().alias("known"),
        ms.null_count().alias(UNKNOWN),
        ms.quantile(0.5, "lower").cast(pl.Int64).alias("median"),
        ms.quantile(0.95, "lower").cast(pl.Int64).alias("p95"),
        ms.max().alias("longest"),
    ).collect().row(0, named=True)  # fmt: skip
    counts = tuple(found[f"below {high}"] for high in BOUNDS_MS)
    return Distribution(
        (*counts, found["above"]), found["known"], found[UNKNOWN], found["median"], found["p95"], found["longest"]
    )
