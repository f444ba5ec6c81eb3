"""Growing logs, watched for their metrics: the lines since the last look, and the figures of all lines so far."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.metrics.named import Destinations, LogFigures, Seen
from tidegate.pipeline.metrics.stops import StopsOfLog
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.stream.following import FollowedLog, Follower, Lost, New, wall_ms
from tidegate.record.errors import BadInput
from tidegate.record.events import Event

MOST_EVENTS = 10_000
"""The most events that wait for the fold, which is faster with many events at once."""


class GrowingLog:
    """A log and everything known of it so far. Each look continues where the last one ended, never from the begin."""

    def __init__(self, log: Input, destinations: Destinations):
        self._log, self._path, self._destinations = log, Path(log.path), destinations
        self._stops = StopsOfLog(log.name, LOG_FORMS[log.form].kinds, destinations)
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

    def _read(self, new: New) -> Iterator[str]:
        put_aside = new.lines.put_aside
        self._new += new.lines.events
        if len(self._new) > MOST_EVENTS:
            self._take()
        if put_aside and not self._known.put_aside:
            number, problem = put_aside[0]
            yield _first_put_aside(new.path, new.before + number, problem)

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
