"""Measures streams part by part, and carries the state to the next part; all measures are views of one fold."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field

import polars as pl

from tidegate.model.traces.general_causes import LIFTED, ORDERED
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.causes import OWN_RELEASE, UNKNOWN
from tidegate.pipeline.stops.changes import changed, stretches
from tidegate.pipeline.stops.frames import CARRIED, ReadEvents, nothing, of_kind
from tidegate.pipeline.stops.holding import GATES, INEXACT, PARTY, SENDERS, Standing, step
from tidegate.pipeline.stops.limits import PER_DESTINATION, with_limits
from tidegate.pipeline.stops.overshoot import overshoot, told, worst
from tidegate.pipeline.stops.tables import BatchTables
from tidegate.pipeline.stops.together import together
from tidegate.record.events import Kind

NEVER, UNTOLD = "never", "untold"
"""The ends of episodes without a release: in a log that tells of other releases, and in a log that tells of none."""
UNRELEASED = (NEVER, UNTOLD, "restarted")
"""The ends of episodes that somebody may have to look into."""
HOUR_MS = 3_600_000
OF_A_LOG = pl.col("source")
"""The stream of a row of a log; a log is the only source of its events."""


SPANS = pl.Schema({"source": pl.String, "last_ms": pl.Int64, "before_ms": pl.Int64})


@dataclass
class Remembered:
    """The state at the end of a part, and figures that are complete only at the end of their stream."""

    settings: pl.DataFrame = field(default_factory=nothing)
    """The last event that set each limit, ordered each destination, and brought it a message."""
    standing: Standing = field(default_factory=Standing)
    spans: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=SPANS))
    overshoot: pl.DataFrame = field(default_factory=pl.DataFrame)
    closings: pl.DataFrame = field(default_factory=pl.DataFrame)
    stretches: pl.DataFrame = field(default_factory=pl.DataFrame)


def measured(parts: Iterable[ReadEvents], found: BatchTables, ends: Mapping[str, int]) -> None:
    """Write the tables of streams from the parts of their events; the cuts between parts make no difference.

    `ends` has the time of the last line in ms, by source, where it is known.
    """
    carried = Remembered()
    for part, events in enumerate(parts, start=1):
        _measure_part(part, events, found, carried)
    _finish(found, carried, ends)


def _measure_part(part: int, events: ReadEvents, found: BatchTables, carried: Remembered) -> None:
    known, ended, unmatched = stepped(events, carried)
    found.write(_episodes(ended, unmatched), tables.EPISODES, part)
    found.write(_waits(ended), tables.WAITS, part)
    carried.overshoot = _joined(carried.overshoot, overshoot(known))
    carried.closings = _joined(carried.closings, _closings(ended))
    carried.stretches = stretches(carried.stretches, known)


def stepped(events: ReadEvents, carried: Remembered) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Take the next events of a stream; the result is these events with the limits in force, the ended holds, and
    other releases."""
    # an event without an earlier one of its source in these files may have one in earlier files
    earlier = carried.spans.select("source", earlier_ms="before_ms").with_columns(pl.col("source").cast(pl.Categorical))
    now = events.events.join(earlier, on="source", how="left", maintain_order="left")
    now = now.with_columns(pl.coalesce("before_ms", "earlier_ms").alias("before_ms")).drop("earlier_ms")
    known = with_limits(pl.concat([carried.settings, now]))
    ended, unmatched = step(carried.standing, known.filter(~pl.col(CARRIED)))
    spans = pl.concat([carried.spans, events.spans]).group_by("source", maintain_order=True)
    carried.spans = spans.agg(pl.col("last_ms").last(), pl.col("before_ms").drop_nulls().last())
    carried.settings = _settings(known)
    return known, ended, unmatched


def _joined(before: pl.DataFrame, more: pl.DataFrame) -> pl.DataFrame:
    return pl.concat([before, more]) if before.width else more


def _finish(found: BatchTables, carried: Remembered, ends: Mapping[str, int]) -> None:
    ended = pl.DataFrame([*ends.items()], {"source": pl.String, "last_ms": pl.Int64}, orient="row")
    spans = pl.concat([carried.spans.select(ended.columns), ended]).group_by("source").agg(pl.col("last_ms").max())
    still_on = still_standing(carried.standing, spans, found.stream)
    stopped = pl.col("on_ms") - pl.col("from_ms")
    unended = still_on.with_columns(
        at_least_ms=pl.when(stopped >= 0).then(stopped), begin=pl.lit("told"),
        **{name: pl.lit(None, pl.Int64) for name in ("to_seq", "to_ms", "lasted_ms")},
    )  # fmt: skip
    found.write(unended, tables.EPISODES)
    found.write(together(found.stops()), tables.TOGETHER)
    found.write(told(worst(carried.overshoot)), tables.OVERSHOOT)
    found.write(changed(carried.stretches), tables.CHANGES)
    both = _joined(carried.closings, _closings(still_on.with_columns(last=pl.lit(value=False), to_ms="from_ms")))
    found.write(_oscillation(both), tables.OSCILLATION)


def on_now(standing: Standing, log: str, kinds: Container[Kind], now: int) -> pl.DataFrame:
    """The holds without an end in a growing log whose form has events of these kinds; holds that go on last until
    `now`.

    A log without a release so far may still tell of one, if its form has lines for it.
    """
    spans = pl.DataFrame({"source": [log], "last_ms": [now]})
    return still_standing(standing, spans, may_release=Kind.RELEASE in kinds)


def still_standing(
    standing: Standing, spans: pl.DataFrame, stream: pl.Expr = OF_A_LOG, *, may_release: bool = False
) -> pl.DataFrame:
    """The holds without an end, with the last time at which they are known to be on.

    Where the source states releases or would have shown room, that is the time of the last line, and the hold
    `goes_on`; else it is the time when a line last said that the hold is on, or when its destination was first seen to
    have room. If one source of a `stream` states releases, all do. With `may_release`, a sender is stopped until there
    is room.
    """
    stated = (
        standing.stated.with_columns(stream.alias("stream")).group_by("stream").agg(pl.col("gates", "senders").any())
    )
    room = standing.on.join(standing.rooms, on=["source", "destination"], how="left", maintain_order="left")
    has_room = pl.col("room_seq") > pl.col("from_seq")
    is_told = (pl.col("gates") & pl.col("of").is_in(GATES)) | (pl.col("senders") & pl.col("of").is_in(SENDERS))
    whose = room.with_columns(stream.alias("stream")).join(stated, on="stream", how="left", maintain_order="left")
    on = whose.join(spans, on="source", how="left", maintain_order="left").with_columns(
        pl.col("gates", "senders").fill_null(value=False),
        free_seq=pl.when(has_room).then("room_seq"), free_ms=pl.when(has_room).then("room_ms"),
    )  # fmt: skip
    may_end = pl.col("gates") | (pl.col("of").is_in(SENDERS) & may_release)
    goes_on = is_told | (may_end & pl.col("free_ms").is_null())
    return on.with_columns(
        pl.col("first", "shared").cast(pl.Boolean),
        goes_on=goes_on,
        on_ms=pl.when(goes_on).then("last_ms").otherwise(pl.max_horizontal("again_ms", "free_ms")),
        end=pl.when(is_told).then(pl.lit(NEVER)).otherwise(pl.lit(UNTOLD)),
    )  # fmt: skip


def _settings(events: pl.DataFrame) -> pl.DataFrame:
    """The last event of each setting, in their order."""
    orders = of_kind(Kind.LEVEL) & pl.col("cause").is_in([ORDERED, LIFTED])
    setting = (
        pl.when(of_kind(Kind.LIMITS)).then(pl.concat_str(pl.lit("limit "), "cause"))
        .when(orders).then(pl.lit("order"))
        .when(of_kind(Kind.SEND)).then(pl.concat_str(pl.lit("send "), "outcome"))
    )  # fmt: skip
    setting_kinds = of_kind(Kind.LIMITS, Kind.LEVEL, Kind.SEND)
    set_by = events.filter(setting_kinds).with_columns(setting.alias("setting")).filter(pl.col("setting").is_not_null())
    last = set_by.unique([*PER_DESTINATION, "setting"], keep="last", maintain_order=True)
    return last.with_columns(pl.lit(value=True).alias(CARRIED)).select(nothing().columns)


def _episodes(ended: pl.DataFrame, unmatched: pl.DataFrame) -> pl.DataFrame:
    """The episodes that end in this part, and the releases of stops whose begin is unknown."""
    stopped = pl.col("to_ms") - pl.col("from_ms")
    at_least = pl.when(stopped >= 0).then(stopped)
    exact = ~pl.col("end").is_in(INEXACT)
    known = ended.with_columns(
        begin=pl.lit("told"), to_seq=pl.when(exact).then("to_seq"), to_ms=pl.when(exact).then("to_ms"),
        lasted_ms=pl.when(exact).then(at_least), at_least_ms=at_least,
    )  # fmt: skip
    if not unmatched.height:
        return known
    begun_before = unmatched.select(
        *PARTY, "destination", end=pl.lit("told"), to_seq="seq", to_ms="time", begin=pl.lit(UNKNOWN),
        cause=pl.when(pl.col("cause").is_in(OWN_RELEASE)).then("cause").otherwise(pl.lit(UNKNOWN)),
    )  # fmt: skip
    return pl.concat([known, begun_before], how="diagonal")


def _waits(ended: pl.DataFrame) -> pl.DataFrame:
    """For each released sender, when it was released, and since when all destinations that stopped it had room."""
    gone = ended.filter(pl.col("frees") & pl.col("of").is_in(SENDERS) & (pl.col("end") == "told"))
    # holds that one event ended are in consecutive rows, and hardly ever more than one
    several = (pl.col("to_seq") == pl.col("to_seq").shift(1)) | (pl.col("to_seq") == pl.col("to_seq").shift(-1))
    apart = gone.with_columns(several=several.fill_null(value=False))
    one = apart.filter(~pl.col("several")).select(
        *PARTY, destinations="destination", released_ms="to_ms", seen=pl.col("free_ms").is_not_null(), free_ms="free_ms"
    )
    more = apart.filter("several").group_by(*PARTY, "to_seq", maintain_order=True).agg(
        destinations=pl.col("destination").unique().sort().str.join(" + "), released_ms=pl.col("to_ms").first(),
        seen=pl.col("free_ms").is_not_null().all(), free_ms=pl.col("free_ms").max(),
    )  # fmt: skip
    free = pl.concat([one, more.drop("to_seq")])
    waited = pl.col("released_ms") - pl.col("free_ms")
    return free.with_columns(free_ms=pl.when("seen").then("free_ms")).with_columns(
        waited_ms=pl.when(waited >= 0).then(waited)
    )


def _closings(ended: pl.DataFrame) -> pl.DataFrame:
    """For each destination and hour: how often it began to stop senders, and how often it released them all.

    Events about the destination itself (`gate`) and orders to single senders are counted separately.
    """
    own = ended.filter(pl.col("destination") != "").with_columns(gate=pl.col("of").is_in(GATES))
    hours = {"closings": ("first", "from_ms"), "cycles": ("last", "to_ms")}
    found = [
        own.filter(which).select("source", "destination", "gate", hour=pl.col(at) // HOUR_MS, at=at, what=pl.lit(what))
        for what, (which, at) in hours.items()
    ]
    closes = pl.col("what") == "closings"
    return pl.concat(found).group_by("source", "destination", "gate", "hour").agg(
        closings=closes.sum().cast(pl.Int64), cycles=(~closes).sum().cast(pl.Int64),
        first_ms=pl.col("at").filter(closes).min(), last_ms=pl.col("at").filter(closes).max(),
    )  # fmt: skip


def _oscillation(by_hour: pl.DataFrame) -> pl.DataFrame:
    """The oscillation of destinations, by events about the destination, or else by orders to its senders."""
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
