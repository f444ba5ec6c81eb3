"""Steps: the events at which somebody begins or ceases to be stopped by one cause, alternating for each.

A *hold* is one cause that stops one party: its key is HOLD. A stop while the hold is on and a release while it is off
change nothing and are no steps.
"""

from typing import NamedTuple

import polars as pl

from tidegate.pipeline.measure.causes import (
    OWN_RELEASE,
    SECOND_MS,
    cause_of_release,
    cause_of_stop,
    destination_of_stop,
    shows_space,
    stops_nobody,
    within,
)
from tidegate.pipeline.measure.frames import CARRIED, of_kind
from tidegate.pipeline.measure.limits import FREE
from tidegate.record.events import Kind

PARTY = ("source", "of", "who")
"""Who is stopped: one sender, named or not, the senders of a destination, or those of the whole broker."""
HOLD = (*PARTY, "destination", "cause")
NAMED = ("producer", "channel", "connection")
"""The fields that name a sender, the closest first."""
UNNAMED = "sender"
SENDERS = (*NAMED, UNNAMED)
"""What `of` says where the party is stopped itself and not through its destination."""
GATES = ("destination", "broker")

TOLD, CLOSED, INFERRED, RESTARTED = "told", "closed", "inferred", "restarted"
"""How a hold ends: a release is stated, the sender is closed, a later line shows that there must have been a release,
or whatever stopped the sender started anew."""
INEXACT = (INFERRED, RESTARTED)
"""Ends of which nobody knows when exactly they were; their steps stand where the hold was last known to be on."""
STEPS = pl.Schema({
    **dict.fromkeys(HOLD, pl.String), "seq": pl.Int64, "time": pl.Int64, "opens": pl.Boolean, "how": pl.String,
    CARRIED: pl.Boolean, "dated": pl.Boolean, "again_ms": pl.Int64, "free_seq": pl.Int64, "free_ms": pl.Int64,
})  # fmt: skip
"""`how` a hold ended, or `told` where it begins. Of one that begins, `dated` is whether it is
said since when it is on, `again_ms` when it was last said to be on, and `free_*` where its destination was first seen
to have space."""
TOLD_OF = pl.Schema({"source": pl.String, "of": pl.String})


class Stepped(NamedTuple):
    """The steps of a file after those carried to it, and its releases that end no hold.

    `told_of` are the kinds of parties whose releases are stated, in each source.
    """

    steps: pl.DataFrame
    unmatched: pl.DataFrame
    told_of: pl.DataFrame


def stepped(events: pl.DataFrame, starts: pl.DataFrame, carried: pl.DataFrame, told_of: pl.DataFrame) -> Stepped:
    """The steps that these events make, with `carried` steps of the files before in front.

    `starts` are the new starts among them, as `Read` has them, and `told_of` those of the files before.
    """
    parties = events.filter(~pl.col(CARRIED) & ~stops_nobody()).with_columns(_of().alias("of"), _who().alias("who"))
    begins = parties.filter(of_kind(Kind.STOP, Kind.OVERFULL)).with_columns(
        cause_of_stop().alias("cause"), destination_of_stop().alias("destination")
    )
    ends = parties.filter(of_kind(Kind.RELEASE, Kind.UNDERFULL, Kind.CLOSE)).with_columns(
        _how().alias("how"), cause_of_release().alias("cause")
    )
    holds = pl.concat([begins.select(HOLD), carried.select(HOLD)]).unique()
    told = ends.filter(pl.col("how") == TOLD)
    # whoever says that a destination is full says when it is so no more
    telling = [each.select("source", "of", "seq") for each in (begins.filter(of_kind(Kind.OVERFULL)), told)]
    releases = pl.concat([told_of.with_columns(seq=pl.lit(0, pl.Int64)), *telling])
    opens, closes = pl.lit(value=True).alias("opens"), pl.lit(value=False).alias("opens")
    rows = [
        carried,
        _as_steps(begins.with_columns(opens, *_since(), how=pl.lit(TOLD))),
        _as_steps(_ending(ends, holds).with_columns(closes, *NO_BEGIN)),
    ]
    if starts.height:
        rows.append(_as_steps(_restarting(starts, holds, releases).with_columns(closes, *NO_BEGIN)))
    steps = _alternating(_with_lapses(pl.concat(rows).sort("seq", maintain_order=True)))
    closers = steps.filter(~pl.col("opens")).select("source", "seq")
    unmatched = told.join(closers, on=["source", "seq"], how="anti")
    steps = with_space_seen(steps, events)
    return Stepped(_timed(steps) if starts.height else steps, unmatched, releases.select(TOLD_OF.names()).unique())


NO_BEGIN = (pl.lit(value=False).alias("dated"), pl.lit(None, pl.Int64).alias("again_ms"))
"""What a step that ends a hold has instead of the columns of one that begins it."""


def _since() -> tuple[pl.Expr, ...]:
    """A line may say for how many seconds somebody has been stopped already."""
    seconds = pl.col("credit")
    began = (pl.col("time") - seconds.fill_null(0) * SECOND_MS).alias("time")
    return began, seconds.is_not_null().alias("dated"), pl.col("time").alias("again_ms")


def _with_lapses(rows: pl.DataFrame) -> pl.DataFrame:
    """With an end in front of each hold that began after it was last said to be on: it was off in between.

    When it ended is unknown; the step stands where it was last said to be on.
    """
    # null where the step in front ends the hold, or there is none
    last_on = pl.col("again_ms").shift(1).over(HOLD)
    lapsed = pl.col("opens") & pl.col("dated") & (pl.col("time") > last_on)
    again = rows.with_columns(last_on.alias("last_on"), lapsed.alias("lapsed")).filter("lapsed")
    ends = again.with_columns(*NO_BEGIN, time="last_on", opens=pl.lit(value=False), how=pl.lit(INFERRED))
    return pl.concat([rows, ends.select(STEPS.names())]).sort("seq", "opens", maintain_order=True)


def _alternating(rows: pl.DataFrame) -> pl.DataFrame:
    """Of orders that repeat each other the first, which keeps the time of the last."""
    before = pl.col("opens").shift(1).over(HOLD).fill_null(value=False)
    run = (pl.col("opens") != before).cum_sum().over(HOLD)
    ran = rows.with_columns(run.alias("run"), (pl.col("opens") != before).alias("changes"))
    return ran.with_columns(pl.col("again_ms").max().over(*HOLD, "run")).filter("changes").select(STEPS.names())


def _timed(steps: pl.DataFrame) -> pl.DataFrame:
    """With a time for each step: an end without one stands where its hold is last known to have been on."""
    known_on = (pl.col(name).shift(1).over(HOLD) for name in ("free_ms", "again_ms"))
    return steps.with_columns(pl.coalesce("time", *known_on))


def with_space_seen(steps: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """Steps that begin a hold, with where its destination was first seen to have space after that."""
    space = events.filter((pl.col(FREE) | shows_space()) & ~pl.col(CARRIED) & (pl.col("destination") != ""))
    seen = space.select("source", "destination", pl.col("seq").alias("seen_seq"), pl.col("time").alias("seen_ms"))
    found = steps.sort("seq", maintain_order=True).join_asof(
        seen.sort("seen_seq"), left_on="seq", right_on="seen_seq", by=["source", "destination"], strategy="forward",
        check_sortedness=False,
    )  # fmt: skip
    ended = pl.col("seq").shift(-1).over(HOLD)
    new = pl.col("opens") & pl.col("free_seq").is_null() & (ended.is_null() | (pl.col("seen_seq") < ended))
    return found.with_columns(
        free_ms=pl.when(new).then("seen_ms").otherwise("free_ms"),
        free_seq=pl.when(new).then("seen_seq").otherwise("free_seq"),
    ).select(STEPS.names())


def _ending(ends: pl.DataFrame, holds: pl.DataFrame) -> pl.DataFrame:
    """For each end, the holds that it may end; one without a destination is about all of its party's.

    What is gone for the whole broker is gone for each destination.
    """
    told = ends.rename({"cause": "only"}).with_columns(_is_order().alias("ordered"))
    unplaced = told.drop("destination")
    of_broker = (pl.col("of") == GATES[-1], pl.col("of").is_in(GATES))
    matched = [
        told.filter(pl.col("destination") != "").join(holds, on=[*PARTY, "destination"]),
        unplaced.filter((told["destination"] == "") & ~of_broker[0]).join(holds, on=PARTY),
        unplaced.filter(of_broker[0]).drop("of", "who").join(holds.filter(of_broker[1]), on="source"),
    ]
    of_all = (pl.col("only") == "") & (pl.col("ordered") | ~pl.col("cause").is_in(OWN_RELEASE))
    named = of_all | (pl.col("only") == pl.col("cause"))
    return pl.concat([each.select(*HOLD, "only", "ordered", "seq", "time", "how") for each in matched]).filter(named)


def _restarting(starts: pl.DataFrame, holds: pl.DataFrame, releases: pl.DataFrame) -> pl.DataFrame:
    """For each new start, the holds that it ends, by when their source was last seen to go on as before.

    Where nothing until then shows that its release would be stated, it may have gone unnoticed: that end has no time.
    """
    of_gate = pl.col("of").is_in(GATES).alias("of_gate")
    first_told = releases.group_by("source", of_gate).agg(told_from=pl.col("seq").min())
    ended = starts.rename({"destination": "started"}).join(holds, on="source").filter(within("started"))
    known = ended.with_columns(of_gate).join(first_told, on=["source", "of_gate"], how="left")
    before = pl.when(pl.col("told_from") < pl.col("seq")).then("before_ms")
    return known.with_columns(before.alias("time"), how=pl.lit(RESTARTED))


def _as_steps(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(
        pl.lit(value=False).alias(CARRIED),
        free_seq=pl.lit(None, pl.Int64),
        free_ms=pl.lit(None, pl.Int64),
    ).select(STEPS.names())


def _of() -> pl.Expr:
    itself = pl.coalesce(pl.when(_is_order() & (pl.col(name) != "")).then(pl.lit(name)) for name in NAMED)
    return itself.fill_null(
        pl.when(pl.col("destination") != "").then(pl.lit(GATES[0]))
        .when(_is_order()).then(pl.lit(UNNAMED))
        .otherwise(pl.lit(GATES[1]))
    )  # fmt: skip


def _who() -> pl.Expr:
    itself = pl.coalesce(pl.when(_is_order() & (pl.col(name) != "")).then(pl.col(name)) for name in NAMED)
    return itself.fill_null(pl.col("destination"))


def _is_order() -> pl.Expr:
    """Whether the event is about a sender, and not about what its destination holds."""
    return ~of_kind(Kind.OVERFULL, Kind.UNDERFULL)


def _how() -> pl.Expr:
    return pl.when(of_kind(Kind.CLOSE)).then(pl.lit(CLOSED)).otherwise(pl.lit(TOLD))
