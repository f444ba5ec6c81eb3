"""Whether events stand in their order: counted and compared, never assumed."""

from collections.abc import Mapping, Sequence

import polars as pl

from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.splits.plan import SOURCE
from tidegate.record.errors import TidegateError

SEQ = "seq"
COUNT, FIRST, LAST, RISES = "events", "first", "last", "rises"


class OrderNotProved(TidegateError):
    """The events of a stream cannot be shown to stand in their order, so they cannot be judged split by split."""


def seen_in(events: pl.DataFrame) -> pl.DataFrame:
    """For each source of a split how many events it has, their least and largest seq, and whether seq rises."""
    rises = (pl.col(SEQ).diff() > 0).all()
    if events.select(rises).item():
        rises = pl.lit(True)
    counted = events.group_by(SOURCE).agg(
        pl.len().cast(pl.Int64).alias(COUNT),
        pl.col(SEQ).min().alias(FIRST),
        pl.col(SEQ).max().alias(LAST),
        rises.alias(RISES),
    )
    return counted.with_columns(pl.col(SOURCE).cast(pl.String))


def require_order(
    files: Sequence[EventsFile], seen: Sequence[pl.DataFrame], before: int, ends: pl.DataFrame | None
) -> None:
    """Raises OrderNotProved unless the files of a stream follow split `before` and one another, complete and in order.

    `seen` is what is in each of them, by `seen_in`; `ends` says up to which seq each source went before.
    """
    last: Mapping[str, int] = {} if ends is None else dict(ends.select(SOURCE, LAST).iter_rows())
    reached = dict(last)
    for number, (file, sources) in enumerate(zip(files, seen, strict=True), start=before + 1):
        if file.ordinal != number:
            raise OrderNotProved(f"{file.stream}: expected split {number}, got split {file.ordinal} ({file.path})")
        counted = int(sources[COUNT].sum())
        if counted != file.events:
            raise OrderNotProved(f"{file.path}: expected {file.events} events, got {counted}")
        for source, _, first, end, rises in sources.select(SOURCE, COUNT, FIRST, LAST, RISES).iter_rows():
            if not rises:
                raise OrderNotProved(f"{file.path}: expected seq to rise within {source!r}")
            if first <= reached.get(source, 0):
                after = reached[source]
                raise OrderNotProved(f"{file.path}: expected {source!r} to go on after seq {after}, got {first}")
            reached[source] = end


def ends_of(seen: Sequence[pl.DataFrame], before: pl.DataFrame | None) -> pl.DataFrame:
    """Up to which seq each source went."""
    found = [each.select(SOURCE, LAST) for each in (*seen, *([] if before is None else [before]))]
    return pl.concat(found).group_by(SOURCE).agg(pl.col(LAST).max()).sort(SOURCE)


def going_on(seen: Sequence[pl.DataFrame], before: pl.DataFrame | None) -> pl.Series:
    """The sources that more than one split has events of, or that had some before."""
    found = [each[SOURCE] for each in (*seen, *([] if before is None else [before]))]
    counted = pl.concat(found).to_frame().group_by(SOURCE).len()
    return counted.filter(pl.col("len") > 1)[SOURCE]
