"""Who is stopped, by what and since when: one fold over events, from which all measures of stops follow.

A *hold* is one cause of one destination that stops one party. The step takes one event and the remembered holds that it
concerns:

- a stop begins a hold. Where the hold is on already, it was off in between, unless the log repeats these lines while it
lasts; a line that says for how long it has lasted is a repetition only if it gives the same begin;
- a release ends the holds that it names, and so does closing the sender;
- a new start ends all holds at and below the place that started anew, and a shutdown ends all holds;
- a destination has *room* from the first event that shows space there until the next stop by it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import polars as pl

from tidegate.pipeline.stops.limits import OWN_RELEASE, UNKNOWN, is_within
from tidegate.pipeline.stops.meanings import (
    GATES,
    HOLD,
    INFERRED,
    OF_BROKER,
    RESTARTED,
    SHUT_DOWN,
    TOLD,
    By,
    Party,
    Place,
    Said,
    Told,
    meanings,
)

INEXACT = (INFERRED, RESTARTED)
"""Ends whose exact time is unknown. That of a shutdown is known only of a hold that was on until then."""
SECOND_MS = 1000
"""The unit, in ms, of the duration of a stop in a line."""


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
    """The holds that are on, by party; after each step, a party without holds is not there."""
    stopping: dict[Place, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """How many senders and how many gates each destination stops; the fold changes these figures."""
    rooms: dict[Place, tuple[int, int]] = field(default_factory=dict)
    """The number and the time, in ms, of the event that showed room."""
    gates_told: set[str] = field(default_factory=set)
    """The sources that stated a level of a gate."""
    gates_freed: set[str] = field(default_factory=set)
    """The sources that stated the release of a gate."""
    gates_silent: set[str] = field(default_factory=set)
    """The sources that stated a second stop of a gate, and not the release before it."""
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
        self.stopping[party[0], by[0]][party[1] in GATES] += 1

    def room_since(self, place: Place, held: Held) -> int | None:
        """When the destination of a hold was first seen to have room after the hold began, in ms; None if never."""
        room = self.rooms.get(place)
        return room[1] if room is not None and room[0] > held.from_seq else None

    def tells_levels(self) -> set[str]:
        """The sources that state when gates are full and when they have room again, as far as they show."""
        return self.gates_told - (self.gates_silent - self.gates_freed)

    def tells_releases(self, party: Party) -> bool:
        """Whether the party's source states releases of such a party."""
        return party[0] in (self.tells_levels() if party[1] in GATES else self.senders_told)

    def lapsed(self, party: Party, free_ms: int | None) -> bool:
        """Whether a hold may have ended without a line, since its source stated no release and showed no full place."""
        return not self.tells_releases(party) and not (free_ms is None and party[0] in self.tells_levels())


ENDED = pl.Schema({
    **dict.fromkeys(HOLD, pl.String), "begin": pl.String, "end": pl.String, "from_seq": pl.Int64, "from_ms": pl.Int64,
    "to_seq": pl.Int64, "to_ms": pl.Int64, "free_ms": pl.Int64, "first": pl.Boolean, "last": pl.Boolean,
    "frees": pl.Boolean, "shared": pl.Boolean,
})  # fmt: skip
"""Holds that ended, and releases of holds whose `begin` is unknown. `to_seq` is null where a hold ended at an unknown
time, and was on until `to_ms` at least. `first` and `last` say whether the destination
stopped nobody before the hold began, and after it ended; `frees` whether its party was free then, and `shared` whether
another cause stopped the party at the same time."""
Row = tuple[str | int | bool | None, ...]


def step(standing: Standing, events: pl.DataFrame) -> pl.DataFrame:
    """Take the events of a file; the result has the columns ENDED.

    Events have the columns of `frames.read` and `limits.with_limits`. The `before_ms` of a start is the last time when
    its source was seen before it in the file.
    """
    told = meanings(events)
    rows = fold(standing, told.parties, told.said, told.events.iter_rows())
    columns = zip(*rows, strict=True) if rows else ([] for _ in ENDED)
    return pl.DataFrame(dict(zip(ENDED, columns, strict=True)), ENDED)


def fold(standing: Standing, parties: Sequence[Party], meanings: Sequence[Said], events: Iterable[Told]) -> list[Row]:
    """Take events in their order and update the memory; the result has a row of ENDED for each hold that ends."""
    ended = _Ended(standing)
    # looked up once, since most events repeat the party and the meaning of earlier ones
    known = [(party, party[1] in GATES, standing.on.setdefault(party, {})) for party in parties]
    rooms, stopping = standing.rooms, standing.stopping
    for of, text, seq, time, credit, before_ms, room in events:
        party, gate, holds = known[of]
        said = meanings[text]
        place, by, opens, how, _, _, repeats, own_release, states = said
        if how is not None:
            ended.by_event(said, how, party, holds, seq, time, before_ms)
        if room:
            rooms.setdefault(place, (seq, time))
        if opens:
            since = time if credit is None else time - credit * SECOND_MS
            held = holds.get(by)
            if held and (not repeats if credit is None else since > held.again_ms):
                ended.end(party, holds, [by], INFERRED, seq, time, None)
                held = None
                if gate:
                    standing.gates_silent.add(party[0])
            if not own_release:
                rooms.pop(place, None)
            if held:
                held.again_ms = time
            else:
                for other in holds.values():
                    other.shared = True
                stopped = stopping[place]
                holds[by] = Held(seq, since, time, bool(holds), not stopped[gate])
                stopped[gate] += 1
        if states:
            (standing.gates_told if gate else standing.senders_told).add(party[0])
            if gate and how is not None:
                standing.gates_freed.add(party[0])
    standing.on = {party: holds for party, holds in standing.on.items() if holds}
    return ended.rows


class _Ended:
    """Ends holds of a memory, and keeps their rows."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        self.rows: list[Row] = []

    def by_event(
        self, said: Said, how: str, party: Party, holds: dict[By, Held], seq: int, time: int, before_ms: int | None
    ) -> None:
        """End the holds that an event about a party ends; `holds` are the holds of this party.

        If a release ends no hold, its row has no begin: the hold began before the log.
        """
        destination, cause = said.by
        before = len(self.rows)
        if said.wide:
            for other, theirs in self.standing.on.items():
                if other[0] == party[0]:
                    ending = [by for by in theirs if _ends_widely(other, by, destination, cause, how)]
                    self.end(other, theirs, ending, how, seq, time, before_ms)
        elif holds:
            ending = [
                by
                for by in holds
                if (not destination or destination == by[0])
                and (by[1] == cause if cause else said.of_sender or by[1] not in OWN_RELEASE)
            ]
            self.end(party, holds, ending, how, seq, time, before_ms)
        if how == TOLD and len(self.rows) == before:
            whose = cause if cause in OWN_RELEASE else UNKNOWN
            self.rows.append((
                *party, destination, whose, UNKNOWN, TOLD, None, None, seq, time, None, False, False, False, None,
            ))  # fmt: skip

    def end(
        self, party: Party, holds: dict[By, Held], ending: Sequence[By], how: str, seq: int, time: int,
        before_ms: int | None,
    ) -> None:  # fmt: skip
        """End these holds of a party by one event, and add their rows."""
        standing, gate = self.standing, party[1] in GATES
        for by, held in [(by, holds.pop(by)) for by in ending]:
            place = party[0], by[0]
            stopped = standing.stopping[place]
            stopped[gate] -= 1
            free_ms, until = standing.room_since(place, held), time
            exact = not standing.lapsed(party, free_ms) if how == SHUT_DOWN else how not in INEXACT
            if not exact:
                # the end of the hold is unknown; the hold was on when a line last said so
                until = held.again_ms if free_ms is None else max(held.again_ms, free_ms)
                if how == RESTARTED and standing.tells_releases(party):
                    until = standing.seen_ms.get(party[0], until) if before_ms is None else before_ms
            self.rows.append(party + by + (
                TOLD, how, held.from_seq, held.from_ms, seq if exact else None, until, free_ms, held.first,
                not stopped[gate], not holds, held.shared,
            ))  # fmt: skip


def _ends_widely(party: Party, by: By, destination: str, cause: str, how: str) -> bool:
    """Whether a new start of a place, a shutdown, or a release of the whole broker ends a hold."""
    return is_within(by[0], destination) if how in OF_BROKER else party[1] in GATES and by[1] == cause
