"""The stops of a growing log, from the one fold over its events: counted and added up, each stop once."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.metrics.named import Destinations, Stop, StopFigures
from tidegate.pipeline.read.tables import event_table
from tidegate.pipeline.stops.fold import LIMIT, TOLD
from tidegate.pipeline.stops.frames import of_table
from tidegate.pipeline.stops.stream import Remembered, on_now, stepped
from tidegate.record.events import Event, Kind


class On(NamedTuple):
    """A stop since `from_ms`; it is known to last until `until_ms`, or until now if that is None."""

    stop: Stop
    from_ms: int
    until_ms: int | None


class StopsOfLog:
    """The stops of one log whose form has events of these kinds; `log` is the source of its events."""

    def __init__(self, log: str, kinds: Container[Kind], destinations: Destinations):
        self._log, self._kinds, self._destinations = log, kinds, destinations
        self._ended: Counter[Stop] = Counter()
        self._ended_ms: Counter[Stop] = Counter()
        self._most_ms: Counter[Stop] = Counter()
        """The highest time reported for each kind of stop, since a monitor's counter must not fall."""
        self._begin()

    def _begin(self) -> None:
        self._carried = Remembered()
        self._on: Sequence[On] = ()

    def take(self, events: Iterable[tuple[int, Event]]) -> None:
        """Take the next events of the log."""
        _, ended = stepped(of_table(event_table(self._log, events).lazy()), self._carried)
        for key, from_ms, to_ms in _times(ended.filter(pl.col("begin") == TOLD), "to_ms"):
            self._end(self._named(key), to_ms - from_ms)
        still_on = on_now(self._carried.standing, self._log, self._kinds, now=0)
        known = still_on.with_columns(until_ms=pl.when(~pl.col("goes_on")).then("on_ms"))
        self._on = [On(self._named(key), from_ms, until_ms) for key, from_ms, until_ms in _times(known, "until_ms")]

    def forget(self, now: int) -> None:
        """Lines are lost: end all stops at `now`, in ms by the clock of the log, as their length is unknown."""
        for each in self._on:
            self._end(each.stop, _lasted(each, now))
        self._begin()

    def figures(self, now: int) -> Mapping[Stop, StopFigures]:
        """All stops so far, at `now`, in ms by the clock of the log."""
        blocked, unreleased, on_ms = Counter[Stop](), Counter[Stop](), Counter[Stop]()
        for each in self._on:
            (blocked if each.until_ms is None else unreleased)[each.stop] += 1
            on_ms[each.stop] += _lasted(each, now)
        found = {}
        for stop in sorted({*self._ended, *on_ms}):
            self._most_ms[stop] = max(self._most_ms[stop], self._ended_ms[stop] + on_ms[stop])
            begun = self._ended[stop] + blocked[stop] + unreleased[stop]
            found[stop] = StopFigures(blocked[stop], unreleased[stop], begun, self._most_ms[stop])
        return found

    def _end(self, stop: Stop, lasted_ms: int) -> None:
        self._ended[stop] += 1
        self._ended_ms[stop] += max(lasted_ms, 0)

    def _named(self, stop: Stop) -> Stop:
        return stop._replace(destination=self._destinations.named(self._log, stop.destination))


def _lasted(stop: On, now: int) -> int:
    return max((now if stop.until_ms is None else stop.until_ms) - stop.from_ms, 0)


def _times(holds: pl.DataFrame, until: str) -> Iterator[tuple[Stop, int, Any]]:
    """The stop of each hold that stops a party, its begin, and the time in the column `until`, both in ms."""
    stops = holds.filter(pl.col("of") != LIMIT)
    for destination, cause, of, from_ms, until_ms in stops.select(*Stop._fields, "from_ms", until).iter_rows():
        yield Stop(destination, cause, of), from_ms, until_ms
