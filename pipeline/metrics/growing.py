"""Growing logs, watched for their metrics: their new lines, their stops by the one fold, and the figures of both."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.metrics.named import Destinations, LogFigures, Seen, Stop, StopFigures
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.read.tables import event_table
from tidegate.pipeline.stops.frames import read
from tidegate.pipeline.stops.meanings import LIMIT, TOLD
from tidegate.pipeline.stops.stream import Remembered, stepped, still_standing
from tidegate.pipeline.stream.following import FollowedLog, Follower, Lines, Lost, wall_ms
from tidegate.record.errors import BadInput
from tidegate.record.events import Event


class On(NamedTuple):
    """A stop since `from_ms`; it is known to last until `until_ms`, or until now if that is None."""

    stop: Stop
    from_ms: int
    until_ms: int | None


class StopsOfLog:
    """The stops of one log, whose form `may_release` senders; `log` is the source of its events."""

    def __init__(self, log: str, destinations: Destinations, *, may_release: bool):
        self._log, self._may_release, self._destinations = log, may_release, destinations
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
        _, ended = stepped(read(event_table(self._log, events).lazy()), self._carried)
        for key, from_ms, to_ms in _times(ended.filter(pl.col("begin") == TOLD), "to_ms"):
            self._end(self._named(key), to_ms - from_ms)
        still_on = still_standing(self._carried.standing, {self._log: 0}, may_release=self._may_release)
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


MOST_EVENTS = 10_000
"""The most events that wait for the fold, which is faster with many events at once."""


class GrowingLog:
    """A log and everything known of it so far. Each look continues where the last one ended, never from the begin."""

    def __init__(self, log: Input, destinations: Destinations):
        self._log, self._path, self._destinations = log, Path(log.path), destinations
        self._stops = StopsOfLog(log.name, destinations, may_release=LOG_FORMS[log.form].may_release)
        self._new: list[tuple[int, Event]] = []
        """Events that wait for the fold."""
        self._known = FollowedLog(log.form)
        self._follower = Follower(log.name, self._known)
        self._written: float | None = None

    def look(self, wall: int, is_over: Callable[[], bool]) -> Iterator[str]:
        """Read the new lines at `wall`, in ms by the clock of this machine; yield sentences for the user.

        Ends early, between two pieces, once it `is_over`; the next look continues from there.
        """
        before, written = self._known.unreadable, _written(self._path, wall)
        for found in self._follower.look(self._path, wall, is_over):
            if isinstance(found, Lost):
                yield self._forget(wall, found.why)
            else:
                yield from self._read(found)
                self._written = written
        # a trouble is reported when it begins, not at each look
        if (trouble := self._known.unreadable) != before:
            yield f"{self._log.name}: {trouble or 'the log can be read again'}"

    def figures(self, wall: int) -> LogFigures:
        """The figures of the log, at `wall` ms by the clock of this machine."""
        self._take()
        known = self._known
        return LogFigures(
            self._log.host, self._log.name, self._log.form, self._stops.figures(known.clock.now(wall)),
            known.events, known.ignored, known.put_aside, known.gaps, known.unreadable is None, self._written,
            known.clock.log or None, self._destinations.in_other(self._log.name),
        )  # fmt: skip

    def _read(self, new: Lines) -> Iterator[str]:
        put_aside = new.put_aside
        self._new += new.events
        if len(self._new) > MOST_EVENTS:
            self._take()
        if put_aside and not self._known.put_aside:
            number, problem = put_aside[0]
            yield _first_put_aside(new.path, number, problem)

    def _take(self) -> None:
        if self._new:
            self._stops.take(self._new)
        self._new = []

    def _forget(self, wall: int, why: str) -> str:
        self._take()
        self._stops.forget(self._known.clock.now(wall))
        return f"{self._log.name}: lines may be lost: {why}"


def _written(path: Path, wall: int) -> float:
    """When a log was last written, in s since the epoch, at most `wall` (ms); `wall` for one just rotated away."""
    try:
        return min(path.stat().st_mtime, wall / 1000)
    except OSError:
        return wall / 1000


def _first_put_aside(path: str, line: int, problem: Unparsed) -> str:
    said = BadInput(problem.expected, field=problem.field, file=path, line=line)
    return f"{said}; further lines that cannot be read are only counted"


class MetricsWatch:
    """A watch over logs; the first `most` destinations have figures of their own."""

    def __init__(self, logs: Sequence[Input], most: int):
        destinations = Destinations(most)
        self._logs = [GrowingLog(log, destinations) for log in logs]
        self._seen = Seen()

    def seen(self) -> Seen:
        """The figures of the last finished look; no logs before it, since half a log gives half a count."""
        return self._seen

    def look(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[str]:
        """Read the new lines of all logs; yield sentences for the user. Ends early once it `is_over`."""
        for log in self._logs:
            yield from log.look(wall_ms(), is_over)
            if is_over():
                return
        wall = wall_ms()
        self._seen = Seen(tuple(log.figures(wall) for log in self._logs), wall / 1000)
