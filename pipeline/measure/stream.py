"""Measures one stream, file by file: what the next file needs to know is put in front of it as rows."""

from collections.abc import Iterable, Set
from pathlib import Path

import polars as pl

from tidegate.model.traces.general_causes import LIFTED, ORDERED
from tidegate.pipeline.measure import tables
from tidegate.pipeline.measure.carried import Carried
from tidegate.pipeline.measure.causes import OWN_RELEASE, UNKNOWN
from tidegate.pipeline.measure.frames import CARRIED, Read, nothing, of_kind
from tidegate.pipeline.measure.limits import PER_DESTINATION, with_limits
from tidegate.pipeline.measure.overshoot import overshoot, told, worst
from tidegate.pipeline.measure.steps import GATES, INEXACT, PARTY, RESTARTED, SENDERS, STEPS, Stepped, stepped
from tidegate.pipeline.measure.stretches import HOUR_MS, by_party, closings, paired, still_open, together, waits
from tidegate.record.events import MOST, Kind

NEVER, UNTOLD = "never", "untold"
"""How an episode ends of which there is no release: where releases are stated for others, and where none ever is."""
UNRELEASED = (NEVER, UNTOLD, RESTARTED)
"""How episodes end that somebody may have to look into."""


def measured(stream: str, parts: Iterable[Read], folder: Path, carried: Carried, after: int = 0) -> None:
    """Write the tables of a stream from the parts of its events that come `after` so many, and carry on what they say.

    Where a stream is cut makes no difference.
    """
    for part, events in enumerate(parts, start=after + 1):
        _measure_part(stream, part, events, carried, folder)
    _finish(stream, carried, folder)


def _measure_part(stream: str, part: int, events: Read, carried: Carried, folder: Path) -> None:
    known = with_limits(pl.concat([carried.settings, events.events]))
    found = stepped(known, _since_last_seen(events.starts, carried.spans), carried.steps, carried.told_of)
    tables.write(_episodes(found), tables.EPISODES, folder, stream, part)
    of_parties = by_party(found.steps)
    tables.write(waits(of_parties), tables.WAITS, folder, stream, part)
    tables.write(_lasting(together(of_parties)), tables.TOGETHER, folder, stream, part)
    carried.settings = _settings(known)
    carried.told_of = found.told_of
    carried.steps = still_open(of_parties)
    carried.spans = _joined(carried.spans, events.spans)
    carried.overshoot = _joined(carried.overshoot, overshoot(known))
    carried.closings = _joined(carried.closings, closings(found.steps))


def _since_last_seen(starts: pl.DataFrame, spans: pl.DataFrame) -> pl.DataFrame:
    """The starts; where nothing was in front of one in this file, with when its source was seen in an earlier one."""
    if not starts.height or not spans.width:
        return starts
    earlier = spans.drop_nulls("before_ms").unique("source", keep="last", maintain_order=True)
    seen = starts.join(earlier.select("source", earlier_ms="before_ms"), on="source", how="left", maintain_order="left")
    return seen.with_columns(pl.coalesce("before_ms", "earlier_ms").alias("before_ms")).drop("earlier_ms")


def _joined(before: pl.DataFrame, more: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([before, more]) if before.width else more


def _finish(stream: str, carried: Carried, folder: Path) -> None:
    spans = carried.spans.group_by("source", maintain_order=True).agg(
        pl.col("first_ms").first(), pl.col("last_ms").last()
    )  # fmt: skip
    unended = carried.steps.join(spans, on="source", maintain_order="left")
    still_on = _still_on(unended, {*carried.told_of.get_column("of")})
    tables.write(_unended_episodes(still_on), tables.EPISODES, folder, stream)
    tables.write(_lasting(_unended_together(unended, still_on)), tables.TOGETHER, folder, stream)
    tables.write(told(worst(carried.overshoot)), tables.OVERSHOOT, folder, stream)
    tables.write(_oscillation(carried.closings), tables.OSCILLATION, folder, stream)


def _settings(events: pl.DataFrame) -> pl.DataFrame:
    """The last event of each setting, in their order."""
    orders = of_kind(Kind.LEVEL) & pl.col("cause").is_in([ORDERED, LIFTED])
    setting = (
        pl.when(of_kind(Kind.LIMITS)).then(pl.concat_str(pl.lit("limit "), "cause"))
        .when(orders).then(pl.lit("order"))
        .when(of_kind(Kind.SEND)).then(pl.concat_str(pl.lit("send "), "outcome"))
    )  # fmt: skip
    set_by = events.with_columns(setting.alias("setting")).filter(pl.col("setting").is_not_null())
    last = set_by.unique([*PER_DESTINATION, "setting"], keep="last", maintain_order=True)
    return last.with_columns(pl.lit(value=True).alias(CARRIED)).select(nothing().columns)


def _episodes(found: Stepped) -> pl.DataFrame:
    """The episodes that end in this file."""
    ended = paired(found.steps).filter(pl.col("to_seq").is_not_null() & ~pl.col("end_carried"))
    stopped = pl.col("to_ms") - pl.col("time")
    at_least = pl.when(stopped >= 0).then(stopped)
    exact = ~pl.col("end").is_in(INEXACT)
    known = ended.select(
        *PARTY, "cause", "destination", "end", "free_ms", begin="how", from_seq="seq", from_ms="time",
        to_seq=pl.when(exact).then("to_seq"), to_ms=pl.when(exact).then("to_ms"),
        lasted_ms=pl.when(exact).then(at_least), at_least_ms=at_least,
    )  # fmt: skip
    unmatched = found.unmatched.select(
        *PARTY, "destination", end="how", to_seq="seq", to_ms="time", begin=pl.lit(UNKNOWN),
        cause=pl.when(pl.col("cause").is_in(OWN_RELEASE)).then("cause").otherwise(pl.lit(UNKNOWN)),
    )  # fmt: skip
    return pl.concat([known, unmatched], how="diagonal")


def _still_on(unended: pl.DataFrame, told_of: Set[str]) -> pl.DataFrame:
    """The holds that have no end, with the last time at which they are known to be on.

    Where releases are stated, or space would have been, that is the last event; else it is where the hold was last
    said to be on, or its destination was first seen to have space.
    """
    releases = [kinds for kinds in (SENDERS, GATES) if told_of & {*kinds}]
    told = pl.col("of").is_in([kind for kinds in releases for kind in kinds])
    watched = pl.lit(bool(told_of & {*GATES})) & pl.col("free_ms").is_null()
    last = pl.when(told | watched).then("last_ms").otherwise(pl.max_horizontal("again_ms", "free_ms"))
    open_still = paired(unended).filter(pl.col("to_seq").is_null())
    return open_still.with_columns(
        on_ms=last, end=pl.when(told).then(pl.lit(NEVER)).otherwise(pl.lit(UNTOLD))
    )  # fmt: skip


def _unended_episodes(still_on: pl.DataFrame) -> pl.DataFrame:
    stopped = pl.col("on_ms") - pl.col("time")
    return still_on.select(
        *PARTY, "cause", "destination", "free_ms", "end", begin="how", from_seq="seq", from_ms="time",
        to_seq=pl.lit(None, pl.Int64), to_ms=pl.lit(None, pl.Int64), lasted_ms=pl.lit(None, pl.Int64),
        at_least_ms=pl.when(stopped >= 0).then(stopped),
    )  # fmt: skip


def _unended_together(unended: pl.DataFrame, still_on: pl.DataFrame) -> pl.DataFrame:
    """What was on together until the last time at which it is known to be on."""
    ends = still_on.sort("on_ms", maintain_order=True).with_columns(
        pl.lit(MOST).alias("seq"), pl.lit(value=False).alias("opens"), pl.lit(value=False).alias(CARRIED),
        time="on_ms", how="end",
    )  # fmt: skip
    return together(by_party(pl.concat([unended.select(STEPS.names()), ends.select(STEPS.names())])))


def _lasting(segments: pl.DataFrame) -> pl.DataFrame:
    return segments.with_columns(lasted_ms=pl.col("to_ms") - pl.col("from_ms"))


def _oscillation(by_hour: pl.DataFrame) -> pl.DataFrame:
    """By what the broker says of the destination itself where it does so, else by what it orders its senders."""
    hours = by_hour.group_by("source", "destination", "gate", "hour").agg(
        pl.col("closings").sum(), pl.col("cycles").sum(), pl.col("first_ms").min(), pl.col("last_ms").max()
    )
    chosen = hours.filter(pl.col("gate") == pl.col("gate").any().over(PER_DESTINATION))
    busy = pl.col("closings") == pl.col("closings").max()
    whole = chosen.group_by("source", "destination", "gate").agg(
        pl.col("closings").sum(), pl.col("cycles").sum(), pl.col("first_ms").min(), pl.col("last_ms").max(),
        busiest_hour_ms=pl.col("hour").filter(busy).min() * HOUR_MS, in_busiest_hour=pl.col("closings").max(),
    )  # fmt: skip
    between = pl.col("last_ms") - pl.col("first_ms")
    return whole.sort("source", "destination").with_columns(
        shown_by=pl.when("gate").then(pl.lit("destination")).otherwise(pl.lit("senders")),
        per_hour=pl.when(between > 0).then((pl.col("closings") - 1) * HOUR_MS / between),
    )
