"""Who is stopped, by what and since when: one fold over events, from which all measures of stops follow.

A *hold* is one cause of one destination that stops one party. A party is one sender, all senders of a destination, or
all senders of a broker; the last two are *gates*. The step takes one event and the remembered holds that it concerns:

- a stop begins a hold. Where the hold is on already, it was off in between, unless the log repeats these lines while it
lasts; a line that says for how long it has lasted is a repetition only if it gives the same begin;
- a release ends the holds that it names, and so does closing the sender;
- a new start ends all holds at and below the place that started anew;
- a destination has *room* from the first event that shows space there until the next stop by it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.stops.frames import of_kind
from tidegate.pipeline.stops.limits import (
    FREE,
    NAMING,
    ORDERED_NOW,
    ORDERS,
    OWN_RELEASE,
    POSSIBLE,
    REPEATED,
    UNKNOWN,
    cause_of_release,
    cause_of_stop,
    is_within,
    stops_nobody,
)
from tidegate.record.events import Kind

PARTY = ("source", "of", "who")
"""The stopped party: one sender, named or not, the senders of a destination, or the senders of the whole broker."""
HOLD = (*PARTY, "destination", "cause")
NAMED = ("producer", "channel", "connection")
"""The fields that name a sender, the most specific first."""
UNNAMED = "sender"
SENDERS = (*NAMED, UNNAMED)
"""The values of `of` for a party that is stopped itself and not through its destination."""
LIMIT = "limit"
"""The party of a full destination whose log names each stopped sender: it stops nobody by itself."""
DESTINATION, BROKER = "destination", "broker"
GATES = (DESTINATION, BROKER, LIMIT)
TOLD, CLOSED, INFERRED, RESTARTED = "told", "closed", "inferred", "restarted"
"""The ways in which a hold ends: a release is stated, the sender is closed, a later line shows that there must have
been a release, or the party that stopped the sender started anew."""
INEXACT = (INFERRED, RESTARTED)
"""Ends whose exact time is unknown."""
SECOND_MS = 1000
"""The unit, in ms, of the duration of a stop in a line."""

Party = tuple[str, str, str]
By = tuple[str, str]
"""The destination and the cause that stop a party."""
Place = tuple[str, str]
"""A source and a destination."""


@dataclass(slots=True)
class Held:
    """A hold that is on: its begin, and the time of the last line that says so, in ms."""

    from_seq: int
    from_ms: int
    again_ms: int
    shared: bool
    """Whether another cause stopped the party at the same time."""
    first: bool
    """Whether its destination stopped nobody before."""


@dataclass
class Standing:
    """The memory of a stream: holds that are on, destinations with room, and sources that stated releases."""

    on: dict[Party, dict[By, Held]] = field(default_factory=dict)
    """The holds that are on, by party; a party without holds is not there."""
    stopping: Counter[tuple[Place, bool]] = field(default_factory=Counter)
    """How many senders (False) and gates (True) each destination stops."""
    rooms: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """The number and the time, in ms, of the event that showed room."""
    gates_told: set[str] = field(default_factory=set)
    """The sources that stated the release of a gate."""
    senders_told: set[str] = field(default_factory=set)
    """The sources that stated the release of a sender."""
    seen_ms: dict[str, int] = field(default_factory=dict)
    """When each source was last seen in earlier files, by another event than a start."""

    def holds(self) -> Iterator[tuple[Party, By, Held]]:
        """All holds that are on."""
        for party, holds in self.on.items():
            for by, held in holds.items():
                yield party, by, held

    def put(self, party: Party, by: By, held: Held) -> None:
        """Add a hold."""
        self.on.setdefault(party, {})[by] = held
        self.stopping[(party[0], by[0]), party[1] in GATES] += 1

    def ended_by(self, said: "Said") -> list[tuple[Party, By]]:
        """The holds that an event ends."""
        party, destination, cause = said.party, said.destination, said.cause
        if said.kind is Kind.START or (said.kind is Kind.UNDERFULL and not destination):
            starts = said.kind is Kind.START
            return [
                (other, by)
                for other, by, _ in self.holds()
                if other[0] == party[0]
                and (is_within(by[0], destination) if starts else other[1] in GATES and by[1] == cause)
            ]
        return [
            (party, by)
            for by in self.on.get(party, ())
            if destination in ("", by[0]) and (by[1] == cause if cause else said.of_sender or by[1] not in OWN_RELEASE)
        ]

    def end(self, party: Party, by: By) -> tuple[Held, bool]:
        """Remove a hold; the result is the hold, and whether its destination stops nobody any more."""
        holds, place = self.on[party], ((party[0], by[0]), party[1] in GATES)
        held = holds.pop(by)
        if not holds:
            del self.on[party]
        self.stopping[place] = left = self.stopping[place] - 1
        return held, not left

    def room_since(self, party: Party, by: By, held: Held) -> int | None:
        """When the destination of a hold was first seen to have room after the hold began, in ms; None if never."""
        room = self.rooms.get((party[0], by[0]))
        return room[1] if room is not None and room[0] > held.from_seq else None


class Said(NamedTuple):
    """The meaning of an event, apart from its figures.

    `cause` is the cause of a stop, or the only cause that a release ends, empty if it may end several. `how` says how
    the event ends a hold. `of_sender` says whether it is about a sender, and not about the level of its destination.
    `repeats` says whether the log repeats the line while the stop lasts.
    """

    kind: Kind
    party: Party
    destination: str
    cause: str
    how: str
    of_sender: bool
    repeats: bool


OPENING = (Kind.STOP, Kind.OVERFULL)
ENDING = (Kind.RELEASE, Kind.UNDERFULL, Kind.CLOSE, Kind.START)
OF_LEVEL = (Kind.OVERFULL, Kind.UNDERFULL)
KEYS = ("source", "kind", "destination", "connection", "channel", "producer", "cause", ORDERED_NOW, POSSIBLE)
"""The columns that decide what an event does, apart from its figures."""
ENDED = pl.Schema({
    **dict.fromkeys(HOLD, pl.String), "begin": pl.String, "end": pl.String, "from_seq": pl.Int64, "from_ms": pl.Int64,
    "to_seq": pl.Int64, "to_ms": pl.Int64, "free_ms": pl.Int64, "first": pl.Boolean, "last": pl.Boolean,
    "frees": pl.Boolean, "shared": pl.Boolean,
})  # fmt: skip
"""Holds that ended, and releases of holds whose `begin` is unknown. `first` and `last` say whether the destination
stopped nobody before the hold began, and after it ended; `frees` whether its party was free then, and `shared` whether
another cause stopped the party at the same time."""
Row = tuple[str | int | bool | None, ...]


def step(standing: Standing, events: pl.DataFrame) -> pl.DataFrame:
    """Take the events of a file; the result has the columns ENDED.

    Events have the columns of `frames.read` and `limits.with_limits`. The `before_ms` of a start is the last time when
    its source was seen before it in the file.
    """
    has_space, named = pl.col(FREE).fill_null(value=False), pl.col("destination") != ""
    relevant = events.filter((of_kind(*OPENING, *ENDING) | (has_space & named)) & ~stops_nobody())
    keys = relevant.select(KEYS).unique(maintain_order=True).with_row_index("text")
    room = (has_space | (of_kind(Kind.UNDERFULL) & ~pl.col("cause").is_in(ORDERS))) & named
    told = relevant.join(keys, on=KEYS, how="left", nulls_equal=True, maintain_order="left").select(
        "text", "seq", "time", "credit", "before_ms", room=room
    )
    rows = fold(standing, [meaning(*key) for key in keys.select(KEYS).iter_rows()], told.iter_rows())
    columns = zip(*rows, strict=True) if rows else ([] for _ in ENDED)
    return pl.DataFrame(dict(zip(ENDED, columns, strict=True)), ENDED)


def meaning(
    source: str, kind: str, destination: str, connection: str, channel: str, producer: str, cause: str,
    ordered: bool | None, possible: str,
) -> Said:  # fmt: skip
    """The meaning of all events with these KEYS."""
    what, of_sender = Kind(kind), kind not in OF_LEVEL
    names = zip(NAMED, (producer, channel, connection), strict=True)
    party = next(((of, who) for of, who in names if who and of_sender), None)
    if party is None:
        unnamed = UNNAMED if of_sender else BROKER
        of = LIMIT if not of_sender and cause in NAMING else DESTINATION if destination else unnamed
        party = of, destination
    opens = what in OPENING
    about = cause_of_stop(what, cause, ordered, possible) if opens else cause_of_release(what, cause, destination)
    how = CLOSED if what is Kind.CLOSE else RESTARTED if what is Kind.START else TOLD
    return Said(
        what, (source, *party), destination, about, how, of_sender, what is Kind.STOP and cause in REPEATED
    )  # fmt: skip


def fold(
    standing: Standing, texts: Sequence[Said], events: Iterable[tuple[int, int, int, int | None, int | None, bool]]
) -> list[Row]:
    """Take events in their order and update the memory; the result has a row of ENDED for each hold that ends.

    An event is the place of its meaning in `texts`, its number, its time in ms, for how many seconds the stop has
    lasted, when its source was seen before in ms, and whether it shows room.
    """
    rows: list[Row] = []
    for text, seq, time, credit, before_ms, room in events:
        said = texts[text]
        kind, party, destination, cause, how, _, _ = said
        if kind in ENDING:
            if ending := standing.ended_by(said):
                _end(standing, ending, how, seq, time, before_ms, rows)
            elif how == TOLD:
                whose = cause if cause in OWN_RELEASE else UNKNOWN
                rows.append((
                    *party, destination, whose, UNKNOWN, TOLD, None, None, seq, time, None, False, False, False, None,
                ))  # fmt: skip
        place = party[0], destination
        if room:
            standing.rooms.setdefault(place, (seq, time))
        if kind in OPENING:
            by, since = (destination, cause), time - (credit or 0) * SECOND_MS
            others = standing.on.get(party, {})
            held = others.get(by)
            if held and (not said.repeats if credit is None else since > held.again_ms):
                _end(standing, [(party, by)], INFERRED, seq, time, None, rows)
                held = None
            if cause not in OWN_RELEASE:
                standing.rooms.pop(place, None)
            if held:
                held.again_ms = time
            else:
                for other in others.values():
                    other.shared = True
                first = not standing.stopping[place, party[1] in GATES]
                standing.put(party, by, Held(seq, since, time, bool(others), first))
        if kind in OF_LEVEL:
            standing.gates_told.add(party[0])
        elif kind is Kind.RELEASE:
            (standing.gates_told if party[1] in GATES else standing.senders_told).add(party[0])
    return rows


def _end(
    standing: Standing, ending: Sequence[tuple[Party, By]], how: str, seq: int, time: int, before_ms: int | None,
    rows: list[Row],
) -> None:  # fmt: skip
    """End these holds by one event, and add their rows."""
    gone = [(party, by, *standing.end(party, by)) for party, by in ending]
    for party, by, held, last in gone:
        free_ms, until = standing.room_since(party, by, held), time
        if how in INEXACT:
            # the end of the hold is unknown; the hold was on when a line last said so
            until = held.again_ms if free_ms is None else max(held.again_ms, free_ms)
            told = standing.gates_told if party[1] in GATES else standing.senders_told
            if how == RESTARTED and party[0] in told:
                until = standing.seen_ms.get(party[0], until) if before_ms is None else before_ms
        rows.append((
            *party, *by, TOLD, how, held.from_seq, held.from_ms, seq, until, free_ms, held.first, last,
            party not in standing.on, held.shared,
        ))  # fmt: skip
