"""Limits with other figures than in earlier lines: a limit was changed in use, or a line is wrong."""

import polars as pl

from tidegate.pipeline.stops.frames import CARRIED, of_kind
from tidegate.pipeline.stops.limits import limit_in_line
from tidegate.pipeline.stops.tables import CHANGES, without
from tidegate.record.events import Kind

KEY = ("source", "destination", "name")
STRETCHES = without(CHANGES, "stream", "before", "after", "alone")
"""A stretch is a sequence of lines with the same limit of a destination: their number, and the place of the first."""
RESUME = "resume level"


def stretches(before: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """The stretches of all lines so far: the stretches `before`, continued by the lines of these events."""
    own = of_kind(Kind.OVERFULL, Kind.UNDERFULL, Kind.STOP, Kind.LEVEL) & (pl.col("destination") != "")
    lines = events.filter(own & ~pl.col(CARRIED))
    found = [_said(lines, "limit", limit_in_line()), _said(lines, "resume", pl.lit(RESUME))]
    return _joined(pl.concat([*([before] if before.width else []), *found]).sort("at_seq", maintain_order=True))


def changed(stretches: pl.DataFrame) -> pl.DataFrame:
    """Each stretch of a limit but the first, with the limit before it, and the limit after it if there are more lines.

    A stretch is `alone` if it is one line between lines that agree.
    """
    limit, rows = pl.col("limit"), stretches if stretches.width else pl.DataFrame(schema=STRETCHES)
    told = rows.with_columns(before=limit.shift(1).over(KEY), after=limit.shift(-1).over(KEY))
    alone = (pl.col("lines") == 1) & pl.col("before").eq_missing(pl.col("after"))
    return told.filter(pl.col("before").is_not_null()).with_columns(alone=alone)


def _said(lines: pl.DataFrame, figure: str, name: pl.Expr) -> pl.DataFrame:
    return lines.filter(pl.col(figure).is_not_null()).select(
        pl.col("source", "destination").cast(pl.String), name.cast(pl.String).alias("name"),
        limit=figure, lines=pl.lit(1, pl.Int64), at_seq="seq", at_ms="time",
    ).cast(STRETCHES)  # fmt: skip


def _joined(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with consecutive rows of the same limit joined."""
    begins = (pl.col("limit") != pl.col("limit").shift(1).over(KEY)).fill_null(value=True)
    numbered = rows.with_columns(number=begins.cum_sum().over(KEY))
    return numbered.group_by(*KEY, "number", maintain_order=True).agg(
        pl.col("limit").first(), pl.col("lines").sum(), pl.col("at_seq").first(), pl.col("at_ms").first()
    ).select(STRETCHES.names())  # fmt: skip
