"""Which stops have become trouble: a view of the fold over a log that grows."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import polars as pl

from tidegate.pipeline.read.tables import event_table
from tidegate.pipeline.stops.causes import OWN_RELEASE
from tidegate.pipeline.stops.frames import of_table
from tidegate.pipeline.stops.holding import LIMIT, NAMED, ON, ROOMS, SENDERS, STATED, Standing
from tidegate.pipeline.stops.kept import Remembered
from tidegate.pipeline.stops.stream import stepped, still_standing
from tidegate.record.events import Event, Kind

EVERYBODY = "all producers"
"""Who is stopped where the log names nobody."""
Rows = list[list[str | int | bool | None]]


@dataclass(frozen=True)
class Patience:
    """How long, in ms, a stop may last, and how long one may last beside a destination that has room."""

    stopped_ms: int
    room_ms: int


class Trouble(StrEnum):
    """What is wrong with a stop."""

    TOO_LONG = "stopped-too-long"
    BESIDE_ROOM = "room-but-stopped"


@dataclass(frozen=True)
class Overdue:
    """A stop that has become trouble; `at` is the last moment at which it was none. Times are the log's, in ms."""

    trouble: Trouble
    who: str
    destination: str
    resource: str
    """Of which resource there is too little, where the log tells of each by itself."""
    since: int
    room_since: int | None
    at: int


@dataclass
class Stops:
    """Who stands stopped in one log, as a file can hold it, and which stops were told of, by event and trouble."""

    on: Rows = field(default_factory=list)
    rooms: Rows = field(default_factory=list)
    stated: Rows = field(default_factory=list)
    told: list[tuple[int, str]] = field(default_factory=list)


def take(
    stops: Stops, log: str, events: Iterable[Event], kinds: Iterable[Kind], now: int, patience: Patience
) -> list[Overdue]:
    """Take the next events of a log whose form tells of these kinds; what has become trouble by `now`, each once."""
    has = {*kinds}
    stated = [[log, {Kind.OVERFULL, Kind.UNDERFULL} <= has, Kind.RELEASE in has]]
    tables = ((stops.on, ON), (stops.rooms, ROOMS), (stated, STATED))
    on, rooms, known = (pl.DataFrame(rows, schema=schema, orient="row") for rows, schema in tables)
    carried = Remembered(standing=Standing(on, rooms, known))
    _, ended, _ = stepped(of_table(event_table(log, enumerate(events, start=1)).lazy()), carried)
    standing = carried.standing
    stops.on, stops.rooms = ([list(row) for row in table.rows()] for table in (standing.on, standing.rooms))
    spans = pl.DataFrame({"source": [log], "last_ms": [now]})
    still_on = still_standing(standing, spans, now).with_columns(to_ms="on_ms")
    found = [each for rows in (ended, still_on) for each in _runs_out(rows, patience, {*stops.told})]
    present = {*standing.on.get_column("from_seq").to_list()}
    stops.told = [key for key in (*stops.told, *(key for key, _ in found)) if key[0] in present]
    return sorted((overdue for _, overdue in found), key=lambda each: each.at)


def _runs_out(
    rows: pl.DataFrame, patience: Patience, told: set[tuple[int, str]]
) -> Iterator[tuple[tuple[int, str], Overdue]]:
    """The stops of these that lasted longer than they may."""
    own = rows.filter((pl.col("of") != LIMIT) & pl.col("to_ms").is_not_null())
    too_long = own.filter(pl.col("to_ms") > pl.col("from_ms") + patience.stopped_ms)
    beside = own.filter(pl.col("of").is_in(SENDERS) & (pl.col("to_ms") > pl.col("free_ms") + patience.room_ms))
    for trouble, found in ((Trouble.TOO_LONG, too_long), (Trouble.BESIDE_ROOM, beside)):
        for row in found.iter_rows(named=True):
            key = row["from_seq"], str(trouble)
            if key not in told:
                yield key, _overdue(trouble, row, patience)


def _overdue(trouble: Trouble, row: dict[str, Any], patience: Patience) -> Overdue:
    who = row["who"] if row["of"] in NAMED else EVERYBODY
    resource = row["cause"] if row["cause"] in OWN_RELEASE else ""
    until = row["from_ms"] + patience.stopped_ms if trouble is Trouble.TOO_LONG else row["free_ms"] + patience.room_ms
    return Overdue(trouble, who, row["destination"], resource, row["from_ms"], row["free_ms"], until)
