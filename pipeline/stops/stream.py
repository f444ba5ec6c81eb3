"""Measures streams part by part, and carries the state to the next part; all measures are views of one fold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import polars as pl

from tidegate.model.traces.general_causes import LIFTED, ORDERED
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.fold import Standing, step
from tidegate.pipeline.stops.frames import CARRIED, ReadEvents, nothing, of_kind
from tidegate.pipeline.stops.limits import PER_DESTINATION, with_limits
from tidegate.pipeline.stops.meanings import GATES, HOLD, OF_BROKER, PARTY, SENDERS, TOLD, Party
from tidegate.pipeline.stops.overshoot import STRETCHES, changed, overshoot, stretches, told, worst
from tidegate.pipeline.stops.tables import TOGETHER, BatchTables, without
from tidegate.record.events import Kind

NEVER, UNTOLD = "never", "untold"
"""The ends of episodes without a release: in a log that tells of other releases, and in a log that tells of none."""
UNRELEASED = (NEVER, UNTOLD, *OF_BROKER)
"""The ends of episodes that somebody may have to look into."""
HOUR_MS = 3_600_000


@dataclass
class Remembered:
    """The state at the end of a part, and figures that are complete only at the end of their stream."""

    settings: pl.DataFrame = field(default_factory=nothing)
    """The last event that set each limit, ordered each destination, and brought it a message."""
    standing: Standing = field(default_factory=Standing)
    last_ms: dict[str, int] = field(default_factory=dict)
    """The time of the last event of each source."""
    overshoot: list[pl.DataFrame] = field(default_factory=list)
    closings: list[pl.DataFrame] = field(default_factory=list)
    stretches: pl.DataFrame = field(default_factory=STRETCHES.to_frame)


def measured(parts: Iterable[ReadEvents], found: BatchTables, ends: Mapping[str, int]) -> None:
    """Write the tables of streams from the parts of their events; the cuts between parts make no difference.

    `ends` has the time of the last line in ms, by source, where it is known.
    """
    carried = Remembered()
    for part, events in enumerate(parts, start=1):
        _measure_part(part, events, found, carried)
    _finish(found, carried, ends)


def _measure_part(part: int, events: ReadEvents, found: BatchTables, carried: Remembered) -> None:
    known, ended = stepped(events, carried)
    found.write(_episodes(ended), tables.EPISODES, part)
    found.write(_waits(ended), tables.WAITS, part)
    carried.overshoot.append(overshoot(known))
    carried.closings.append(_closings(ended))
    carried.stretches = stretches(carried.stretches, known)


def stepped(events: ReadEvents, carried: Remembered) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Take the next events of a stream; the result is these events with the limits in force, and the ended holds."""
    known = with_limits(pl.concat([carried.settings, events.events]))
    ended = step(carried.standing, known.filter(~pl.col(CARRIED)))
    for source, last_ms, before_ms in events.spans.iter_rows():
        carried.last_ms[source] = last_ms
        if before_ms is not None:
            carried.standing.seen_ms[source] = before_ms
    carried.settings = _settings(known)
    return known, ended


def _finish(found: BatchTables, carried: Remembered, ends: Mapping[str, int]) -> None:
    last_ms = {source: max(last, ends.get(source, last)) for source, last in carried.last_ms.items()}
    still_on = still_standing(carried.standing, last_ms, one_stream=found.one_stream)
    stopped = pl.col("on_ms") - pl.col("from_ms")
    unended = still_on.with_columns(
        at_least_ms=pl.when(stopped >= 0).then(stopped), begin=pl.lit(TOLD),
        **{name: pl.lit(None, pl.Int64) for name in ("to_seq", "to_ms", "lasted_ms")},
    )  # fmt: skip
    found.write(unended, tables.EPISODES)
    found.write(together(found.stops()), tables.TOGETHER)
    found.write(told(worst(pl.concat(carried.overshoot))), tables.OVERSHOOT)
    found.write(changed(carried.stretches), tables.CHANGES)
    closings = _closings(still_on.with_columns(last=pl.lit(value=False), to_ms="from_ms"))
    found.write(_oscillation(pl.concat([*carried.closings, closings])), tables.OSCILLATION)


STILL_ON = pl.Schema({
    **dict.fromkeys(HOLD, pl.String), "end": pl.String, "from_seq": pl.Int64, "from_ms": pl.Int64, "on_ms": pl.Int64,
    "free_ms": pl.Int64, "goes_on": pl.Boolean, "first": pl.Boolean, "shared": pl.Boolean,
})  # fmt: skip
"""Holds without an end; `on_ms` is the last time at which a hold is known to be on."""


def still_standing(
    standing: Standing, last_ms: Mapping[str, int], *, one_stream: bool = False, may_release: bool = False
) -> pl.DataFrame:
    """The holds without an end; `last_ms` is the time of the last line of each source.

    Where the source states releases or would have shown room, a hold `goes_on` to the last line; else it is known to be
    on at the time when a line last said so, or when its destination was first seen to have room. If one source of
    `one_stream` states releases, all do. A growing log without a release so far `may_release` if its form has lines for
    it: then a sender is stopped until there is room.
    """
    gates, senders = (
        {*last_ms} if one_stream and told else told for told in (standing.tells_levels(), standing.senders_told)
    )
    rows = []
    for party, by, held in standing.holds():
        source, of, _ = party
        free_ms = standing.room_since((source, by[0]), held)
        is_told = source in (gates if of in GATES else senders)
        goes_on = is_told or (free_ms is None and (source in gates or (may_release and of in SENDERS)))
        seen_ms = held.again_ms if free_ms is None else max(held.again_ms, free_ms)
        rows.append((
            *party, *by, NEVER if is_told else UNTOLD, held.from_seq, held.from_ms,
            last_ms.get(source) if goes_on else seen_ms, free_ms, goes_on, held.first, held.shared,
        ))  # fmt: skip
    return pl.DataFrame(rows, STILL_ON, orient="row")


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


def _episodes(ended: pl.DataFrame) -> pl.DataFrame:
    """The episodes that end in this part, and the releases of stops whose begin is unknown."""
    stopped = pl.col("to_ms") - pl.col("from_ms")
    at_least = pl.when(stopped >= 0).then(stopped)
    exact = pl.col("to_seq").is_not_null()
    return ended.with_columns(
        to_ms=pl.when(exact).then("to_ms"),
        lasted_ms=pl.when(exact).then(at_least), at_least_ms=at_least,
    )  # fmt: skip


def _waits(ended: pl.DataFrame) -> pl.DataFrame:
    """For each released sender, when it was released, and since when all destinations that stopped it had room."""
    gone = ended.filter(pl.col("frees") & pl.col("of").is_in(SENDERS) & (pl.col("end") == TOLD))
    free = gone.group_by(*PARTY, "to_seq", maintain_order=True).agg(
        destinations=pl.col("destination").unique().sort().str.join(" + "), released_ms=pl.col("to_ms").first(),
        seen=pl.col("free_ms").is_not_null().all(), free_ms=pl.col("free_ms").max(),
    )  # fmt: skip
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
    # a table for each of many parties would cost more than all else here
    of_parties: dict[Party, list[tuple[int, int, str]]] = {}
    for *party, begin, end, name in shared.collect().iter_rows():
        of_parties.setdefault((party[0], party[1], party[2]), []).append((begin, end, name))
    found = [(*party, *segment) for party, theirs in of_parties.items() for segment in _segments(theirs)]
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
