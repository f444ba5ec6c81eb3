"""Who stands stopped, since when, and whether there is room: what a log says of it so far.

Where a log names those that it stops and releases, they are who is stopped; where it names none, a destination that is
full stops all of its producers. A log that says only who was stopped, and of nobody that he goes on, tells of those
stops of which it says for how long they have lasted, and only up to then.
"""

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from enum import StrEnum

from tidegate.pipeline.measure.causes import NOT_STOPPING, SECOND_MS, is_within, own_release
from tidegate.record.events import Event, Kind

EVERYBODY = "all producers"
"""Who is stopped by a destination of a log that names nobody."""


@dataclass(frozen=True)
class Patience:
    """How long, in ms, a stop may last, and how long one may last beside a destination that has room."""

    stopped_ms: int
    room_ms: int


class Trouble(StrEnum):
    """What is wrong with a stop."""

    TOO_LONG = "stopped-too-long"
    BESIDE_ROOM = "room-but-stopped"


@dataclass
class Stop:
    """Somebody stopped by a destination. Times are the log's, in ms."""

    who: str
    destination: str
    since: int
    resource: str = ""
    """Of which resource there is too little, where the log tells of each by itself."""
    room_since: int | None = None
    said: int | None = None
    """When it was last said to last, where the log tells that and not when it ends: later nothing is known of it."""
    told: list[Trouble] = field(default_factory=list)

    def runs_out(self, patience: Patience) -> Iterator[tuple[int, Trouble]]:
        """Up to when it may last without being trouble, for each trouble that was not told yet."""
        too_long = self.since + patience.stopped_ms
        if Trouble.TOO_LONG not in self.told and (self.said is None or self.said > too_long):
            yield too_long, Trouble.TOO_LONG
        if self.room_since is not None and Trouble.BESIDE_ROOM not in self.told:
            yield self.room_since + patience.room_ms, Trouble.BESIDE_ROOM


@dataclass(frozen=True)
class Overdue:
    """A stop that has become trouble, and the last moment, in ms, at which it was none."""

    trouble: Trouble
    stop: Stop
    at: int


class Standing:
    """Everybody who stands stopped in one log, which tells of events of these kinds."""

    def __init__(self, patience: Patience, told: Set[Kind], stops: Iterable[Stop] = ()):
        self._patience = patience
        self._names_whom = {Kind.STOP, Kind.RELEASE} <= told
        self._stops_all = Kind.STOP not in told and {Kind.OVERFULL, Kind.UNDERFULL} <= told
        self._stops = {_key(stop): stop for stop in stops}
        self._quiet_until: int | None = None
        self._heed(*self._stops.values())

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Those that last, in the order in which they began."""
        return tuple(self._stops.values())

    def overdue(self, now: int) -> list[Overdue]:
        """What has become trouble by now; each is told once."""
        if self._quiet_until is None or now <= self._quiet_until:
            return []
        found = [
            Overdue(trouble, stop, until)
            for stop in self._stops.values()
            for until, trouble in stop.runs_out(self._patience)
            if now > until
        ]
        for each in found:
            each.stop.told.append(each.trouble)
        self._quiet_until = None
        self._heed(*self._stops.values())
        return sorted(found, key=lambda each: each.at)

    def take(self, event: Event) -> None:
        """What the next event changes."""
        who = event.channel or event.producer or event.connection or EVERYBODY
        destination = event.destination or ""
        all_by_this = Stop(EVERYBODY, destination, event.time, own_release(event.cause))
        match event.kind:
            case Kind.OVERFULL | Kind.UNDERFULL if event.cause in NOT_STOPPING:
                pass
            case Kind.STOP if self._names_whom:
                self._begin(Stop(who, destination, event.time))
            case Kind.STOP if event.credit is not None:
                since = event.time - event.credit * SECOND_MS
                self._dated(Stop(who, destination, since, event.cause or "", said=event.time))
            case Kind.RELEASE if event.destination is not None:
                self._end(Stop(who, destination, event.time))
            case Kind.RELEASE | Kind.CLOSE:
                # one that names no destination is a release from all of them
                self._keep(lambda stop: stop.who != who)
            case Kind.START:
                self._keep(lambda stop: not is_within(stop.destination, destination))
            case Kind.OVERFULL:
                self._has_room(destination, None)
                if self._stops_all:
                    self._begin(all_by_this)
            case Kind.UNDERFULL:
                self._end(all_by_this)
                self._has_room(destination, event.time)

    def _begin(self, stop: Stop) -> None:
        self._heed(self._stops.setdefault(_key(stop), stop))

    def _dated(self, stop: Stop) -> None:
        """What is said for how long it has lasted; if that began after it was last said, it ended in between."""
        known = self._stops.get(_key(stop))
        if known is not None and known.said is not None and stop.since <= known.said:
            stop = replace(known, said=stop.said)
        self._stops[_key(stop)] = stop
        self._heed(stop)

    def _keep(self, which: Callable[[Stop], bool]) -> None:
        self._stops = {key: stop for key, stop in self._stops.items() if which(stop)}

    def _end(self, stop: Stop) -> None:
        self._stops.pop(_key(stop), None)

    def _has_room(self, destination: str, since: int | None) -> None:
        """What a destination says of its room concerns those that it named; all others it lets go by saying so."""
        for stop in self._stops.values():
            named = stop.who != EVERYBODY and stop.destination == destination
            if named and (since is None or stop.room_since is None):
                stop.room_since = since
                self._heed(stop)

    def _heed(self, *stops: Stop) -> None:
        """Until when none of all stops runs out, so that nobody has to look at them before."""
        known = () if self._quiet_until is None else (self._quiet_until,)
        ends = (until for stop in stops for until, _ in stop.runs_out(self._patience))
        self._quiet_until = min((*known, *ends), default=None)


def _key(stop: Stop) -> tuple[str, str, str]:
    return stop.who, stop.destination, stop.resource
