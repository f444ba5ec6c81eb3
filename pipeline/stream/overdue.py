"""Alerts of a watch, and stops that last too long: a view of the fold over a growing log."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import polars as pl

from tidegate.pipeline.read.tables import event_table
from tidegate.pipeline.stops.fold import Held, Standing
from tidegate.pipeline.stops.frames import read
from tidegate.pipeline.stops.limits import OWN_RELEASE
from tidegate.pipeline.stops.meanings import LIMIT, NAMED, SENDERS, By, Party, Place
from tidegate.pipeline.stops.stream import Remembered, stepped, still_standing
from tidegate.record.events import Event


class About(StrEnum):
    """The subject of an alert."""

    TOO_LONG = "stopped-too-long"
    BESIDE_ROOM = "room-but-stopped"
    VIOLATION = "violation"
    PUT_ASIDE = "put-aside"
    """A line has a mark and could not be read."""
    GAP = "gap"
    """Lines of the log may be lost, and with them the state of its stops."""
    UNREADABLE = "unreadable"
    """The log cannot be read now."""


@dataclass(frozen=True)
class Alert:
    """One alert about a log; fields without a value are null. Times are the log's, in ms since the epoch."""

    alert: About
    log: str
    words: str
    time: int | None = None
    who: str | None = None
    destination: str | None = None
    since: int | None = None
    rule: str | None = None
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = self.log if self.line is None else f"{self.file}:{self.line}"
        return " ".join(part for part in (stamp(self.time), f"{self.alert}:", self.words, f"({place})") if part)

    def as_json(self) -> dict[str, object]:
        """The fields that are not null."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def stamp(time: int | None) -> str:
    """A time as logs write it, in UTC; empty for None."""
    if time is None:
        return ""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=time)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{time % 1000:03d}Z"


EVERYBODY = "all producers"
"""The stopped party where the log names nobody."""


@dataclass(frozen=True)
class Patience:
    """How long, in ms, a stop may last, and how long it may last while its destination has room."""

    stopped_ms: int
    room_ms: int


TOLD_OF = ("gates_told", "gates_freed", "gates_silent", "senders_told")
"""The sources that a `Standing` remembers for what they stated."""


@dataclass
class Stops:
    """The `Standing` of one log, as a file holds it; and which stops had an alert, by event and subject."""

    on: list[tuple[Party, By, Held]] = field(default_factory=list)
    rooms: list[tuple[Place, tuple[int, int]]] = field(default_factory=list)
    gates_told: list[str] = field(default_factory=list)
    gates_freed: list[str] = field(default_factory=list)
    gates_silent: list[str] = field(default_factory=list)
    senders_told: list[str] = field(default_factory=list)
    told: list[tuple[int, str]] = field(default_factory=list)

    def standing(self) -> Standing:
        """The memory of the fold."""
        found = Standing(rooms=dict(self.rooms))
        for name in TOLD_OF:
            setattr(found, name, {*getattr(self, name)})
        for hold in self.on:
            found.put(*hold)
        return found

    def keep(self, standing: Standing) -> None:
        """Take over the memory of the fold."""
        self.on, self.rooms = [*standing.holds()], [*standing.rooms.items()]
        for name in TOLD_OF:
            setattr(self, name, sorted(getattr(standing, name)))


def take(
    stops: Stops, log: str, events: Iterable[Event], now: int, patience: Patience, *, may_release: bool
) -> list[Alert]:
    """Take the next events of a log, whose form `may_release` senders. The result is the new alerts by `now`."""
    standing = stops.standing()
    carried = Remembered(standing=standing)
    _, ended = stepped(read(event_table(log, enumerate(events, start=1)).lazy()), carried)
    stops.keep(standing)
    still_on = still_standing(standing, {log: now}, may_release=may_release).with_columns(to_ms="on_ms")
    found = [each for rows in (ended, still_on) for each in _runs_out(rows, log, patience, {*stops.told})]
    present = {held.from_seq for *_, held in stops.on}
    stops.told = [key for key in (*stops.told, *(key for key, _ in found)) if key[0] in present]
    return sorted((alert for _, alert in found), key=lambda each: each.time or 0)


def _runs_out(
    rows: pl.DataFrame, log: str, patience: Patience, told: set[tuple[int, str]]
) -> Iterator[tuple[tuple[int, str], Alert]]:
    """An alert for each of these stops that lasted too long; its time is the last moment when it had not."""
    own = rows.filter((pl.col("of") != LIMIT) & pl.col("to_ms").is_not_null())
    too_long = own.filter(pl.col("to_ms") > pl.col("from_ms") + patience.stopped_ms)
    beside = own.filter(pl.col("of").is_in(SENDERS) & (pl.col("to_ms") > pl.col("free_ms") + patience.room_ms))
    for about, found in ((About.TOO_LONG, too_long), (About.BESIDE_ROOM, beside)):
        for row in found.iter_rows(named=True):
            key = row["from_seq"], str(about)
            if key not in told:
                yield key, _alert(about, row, log, patience)


def _alert(about: About, row: dict[str, Any], log: str, patience: Patience) -> Alert:
    named, destination = row["of"] in NAMED, row["destination"]
    who = row["who"] if named else EVERYBODY
    subject = who if named or not destination else f"{who} of {destination}"
    by = f" by {destination}" if named and destination else ""
    # the log has separate lines for each resource
    why = f" for {row['cause']}" if row["cause"] in OWN_RELEASE else ""
    since, limit = row["from_ms"], patience.stopped_ms
    words = f"{subject} stopped{by}{why} since {stamp(since)}, longer than {limit:,} ms"
    if about is About.BESIDE_ROOM:
        since, limit = row["free_ms"], patience.room_ms
        room = "which has room" if by else f"although {destination} has room"
        words = f"{subject} still stopped{by}{why}, {room} since {stamp(since)}, more than {limit:,} ms"
    return Alert(about, log, words, since + limit, who, destination or None, row["from_ms"])
