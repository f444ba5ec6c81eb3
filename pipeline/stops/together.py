"""Causes that stop one party at the same time: a view of its episodes."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from tidegate.pipeline.stops.fold import PARTY
from tidegate.pipeline.stops.tables import TOGETHER, without

SEGMENTS = without(TOGETHER, "stream")


def together(episodes: pl.LazyFrame) -> pl.DataFrame:
    """The times in which two or more causes stopped a party at once, each with its set of causes."""
    named = pl.when(pl.col("destination").is_null()).then("cause").otherwise(
        pl.concat_str("cause", pl.lit(" of "), "destination")
    )  # fmt: skip
    until = pl.coalesce("to_ms", pl.col("from_ms") + pl.col("at_least_ms"))
    shared = episodes.filter("shared").select(*PARTY, "from_ms", until.alias("until"), named.alias("name")).drop_nulls(
        ["from_ms", "until"]
    )  # fmt: skip
    found: list[tuple[Any, ...]] = []
    for party, theirs in shared.collect().group_by(*PARTY, maintain_order=True):
        found += ((*party, *segment) for segment in _segments(theirs.select("from_ms", "until", "name").rows()))
    return pl.DataFrame(found, schema=SEGMENTS, orient="row")


def _segments(episodes: list[tuple[int, int, str]]) -> Iterator[tuple[str, int, int, int, int]]:
    """The times between two changes of the causes that stop a party, from the episodes of the party."""
    changes = [(at, opens, name) for begin, end, name in episodes for at, opens, name in
               ((begin, True, name), (end, False, name)) if end >= begin]  # fmt: skip
    on: list[str] = []
    since = 0
    # at equal times, a begin comes before an end
    for at, opens, name in sorted(changes, key=lambda each: (each[0], not each[1])):
        if len(on) > 1 and at > since:
            yield " + ".join(sorted(on)), len(on), since, at, at - since
        (on.append if opens else on.remove)(name)
        since = at
