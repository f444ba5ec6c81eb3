"""Levels and limits that events show: overshoot, the highest level above each limit, and limits that changed.

A limit with another figure than in earlier lines was changed in use, or a line is wrong.
"""

import polars as pl

from tidegate.pipeline.stops.frames import CARRIED, of_kind
from tidegate.pipeline.stops.limits import IN_MESSAGES, PER_DESTINATION, level_for, limit_in_line, limit_of, own_limits
from tidegate.pipeline.stops.tables import CHANGES, OVERSHOOT, without
from tidegate.record.events import Kind

LEVELS, LINES = "levels", "lines"
"""How a level is known: it was read after each step, or a log line states it, and levels between lines are unknown."""
KEY = ("source", "destination", "name", "unit", "shown_by")
ACCEPTED = "accepted"
SEND = "send"
UNTOLD_SIZE = -(2**63)
"""The value of an unknown size while sizes are carried forward; no message has it."""
SHOWN = without(OVERSHOOT, "stream", "percent")


def overshoot(events: pl.DataFrame) -> pl.DataFrame:
    """For each destination and limit of these events: the level that is most above the limit, or least below it."""
    sized = events.filter(of_kind(Kind.LEVEL, Kind.SEND)).with_columns(size=_last_size())
    levels = sized.filter(of_kind(Kind.LEVEL) & ~pl.col(CARRIED)).with_columns(seen=pl.lit(1, pl.Int64))
    shown = [_against(levels, name) for name in own_limits(events) if name != "credit"]
    return worst(pl.concat([*shown, _in_lines(events.filter(~pl.col(CARRIED)))]))


def worst(shown: pl.DataFrame) -> pl.DataFrame:
    """The worst row of each destination and limit, the first of equal ones, with all levels seen counted."""
    by_excess = shown.sort("over", descending=True, maintain_order=True)
    return by_excess.group_by(KEY, maintain_order=True).agg(
        pl.col("seen").sum(), pl.all().exclude(*KEY, "seen").first()
    ).select(SHOWN.names())  # fmt: skip


def told(worst_shown: pl.DataFrame) -> pl.DataFrame:
    """The rows with the excess in per cent. Without a level above the limit, it is 0 by levels and unknown by lines."""
    hidden = (pl.col("over") <= 0) & (pl.col("shown_by") == LINES)
    over = pl.when(~hidden).then(pl.max_horizontal("over", pl.lit(0, pl.Int64)))
    return worst_shown.with_columns(over=over, percent=over * 100 / pl.col("limit"))


def _against(levels: pl.DataFrame, name: str) -> pl.DataFrame:
    level = level_for(name)
    return _rows(
        levels.filter(pl.col(limit_of(name)).is_not_null() & level.is_not_null()),
        level=level, limit=pl.col(limit_of(name)), name=pl.lit(name), shown_by=LEVELS,
        unit="messages" if name in IN_MESSAGES else "bytes",
    )  # fmt: skip


def _in_lines(events: pl.DataFrame) -> pl.DataFrame:
    figures = (pl.col("limit") > 0) & pl.col("bytes").is_not_null() & (pl.col("destination") != "")
    lines = events.filter(of_kind(Kind.OVERFULL, Kind.UNDERFULL, Kind.STOP, Kind.LEVEL) & figures)
    # the worst row of each combination of texts, so that few lines become rows
    over = pl.col("bytes") - pl.col("limit")
    of_each = lines.group_by("source", "destination", "kind", "cause", maintain_order=True)
    first = of_each.agg(
        pl.all().sort_by(over, descending=True, maintain_order=True).first(), seen=pl.len().cast(pl.Int64)
    )
    return _rows(
        first.with_columns(pl.col("cause").cast(pl.String), size=pl.lit(None, pl.Int64)).sort("seq"),
        level=pl.col("bytes"), limit=pl.col("limit"), name=limit_in_line(), shown_by=LINES, unit="bytes",
    )  # fmt: skip


def _rows(
    levels: pl.DataFrame, *, level: pl.Expr, limit: pl.Expr, name: pl.Expr, shown_by: str, unit: str
) -> pl.DataFrame:
    return levels.select(
        "source", "destination", name.alias("name"), pl.lit(unit).alias("unit"), pl.lit(shown_by).alias("shown_by"),
        "seen", limit=limit, level=level, over=level - limit, at_seq="seq", at_ms="time",
        after=pl.when(of_kind(Kind.LEVEL)).then(_text("cause")).otherwise(_text("kind")),
        message_bytes=pl.when(of_kind(Kind.LEVEL) & (pl.col("cause") == SEND)).then("size"),
    ).select(SHOWN.names()).cast(SHOWN)  # fmt: skip


def _last_size() -> pl.Expr:
    """The size of the last accepted message; null if the size is unknown."""
    sent = of_kind(Kind.SEND) & (pl.col("outcome") == ACCEPTED)
    last = pl.when(sent).then(pl.col("bytes").fill_null(UNTOLD_SIZE)).forward_fill().over(PER_DESTINATION)
    return pl.when(last != UNTOLD_SIZE).then(last)


def _text(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.String)


LIMIT_KEY = ("source", "destination", "name")
STRETCHES = without(CHANGES, "stream", "before", "after", "alone")
"""A stretch is a sequence of lines with the same limit of a destination: their number, and the place of the first."""
RESUME = "resume level"


def stretches(before: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """The stretches of all lines so far: the stretches `before`, continued by the lines of these events."""
    own = of_kind(Kind.OVERFULL, Kind.UNDERFULL, Kind.STOP, Kind.LEVEL) & (pl.col("destination") != "")
    lines = events.filter(own & ~pl.col(CARRIED))
    found = [_said(lines, "limit", limit_in_line()), _said(lines, "resume", pl.lit(RESUME))]
    return _joined(pl.concat([before, *found]).sort("at_seq", maintain_order=True))


def changed(stretches: pl.DataFrame) -> pl.DataFrame:
    """Each stretch of a limit but the first, with the limit before it, and the limit after it if there are more lines.

    A stretch is `alone` if it is one line between lines that agree.
    """
    limit = pl.col("limit")
    told = stretches.with_columns(before=limit.shift(1).over(LIMIT_KEY), after=limit.shift(-1).over(LIMIT_KEY))
    alone = (pl.col("lines") == 1) & pl.col("before").eq_missing(pl.col("after"))
    return told.filter(pl.col("before").is_not_null()).with_columns(alone=alone)


def _said(lines: pl.DataFrame, figure: str, name: pl.Expr) -> pl.DataFrame:
    return lines.filter(pl.col(figure).is_not_null()).select(
        pl.col("source", "destination").cast(pl.String), name.cast(pl.String).alias("name"),
        limit=figure, lines=pl.lit(1, pl.Int64), at_seq="seq", at_ms="time",
    ).cast(STRETCHES)  # fmt: skip


def _joined(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with consecutive rows of the same limit joined."""
    begins = (pl.col("limit") != pl.col("limit").shift(1).over(LIMIT_KEY)).fill_null(value=True)
    numbered = rows.with_columns(number=begins.cum_sum().over(LIMIT_KEY))
    return numbered.group_by(*LIMIT_KEY, "number", maintain_order=True).agg(
        pl.col("limit").first(), pl.col("lines").sum(), pl.col("at_seq").first(), pl.col("at_ms").first()
    ).select(STRETCHES.names())  # fmt: skip
