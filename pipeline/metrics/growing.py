"""Logs that grow, watched for their metrics: what came since the last look, and the figures of all so far."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.metrics.figures import Destinations, LogFigures, Seen
from tidegate.pipeline.metrics.stops import StopsOfLog
from tidegate.pipeline.read.split import Input
from tidegate.pipeline.stream.following import LineReader, Lost, New, ReadUpTo, new_lines, wall_ms
from tidegate.pipeline.stream.state import Clock
from tidegate.record.errors import BadInput
from tidegate.record.events import Event

MOST_EVENTS = 10_000
"""Events that are held before the fold takes them: it is sooner done with many at once."""


class GrowingLog:
    """A log and all that is known of it so far. It is read on from where the last look ended, never from its begin."""

    def __init__(self, log: Input, destinations: Destinations):
        self._log, self._path, self._destinations = log, Path(log.path), destinations
        self._stops = StopsOfLog(log.name, LOG_FORMS[log.form].kinds, destinations)
        self._new: list[tuple[int, Event]] = []
        """Events that the fold has not taken yet."""
        self._reader, self._reached, self._clock = LineReader(log.form, log.name), ReadUpTo(), Clock()
        self._events = self._ignored = self._put_aside = self._gaps = 0
        self._trouble: str | None = None
        self._written: float | None = None

    def look(self, wall: int, is_over: Callable[[], bool]) -> Iterator[str]:
        """Read what is new at `wall`, in ms by the clock of this machine; gives sentences that somebody has to know.

        Ends early, between two pieces, once it `is_over`; the next look goes on from there.
        """
        try:
            written = self._path.stat().st_mtime
            for found in new_lines(self._path, self._reached, self._reader):
                if isinstance(found, Lost):
                    yield self._forget(wall, found.why)
                else:
                    yield from self._read(found, wall)
                    self._written = min(written, wall / 1000)
                if is_over():
                    return
        except FileNotFoundError:
            yield from self._told("the log is gone; it is read again once it is there")
        except OSError as error:
            yield from self._told(f"the log cannot be read now: {error.strerror}")
        else:
            if self._trouble is not None:
                yield f"{self._log.name}: the log can be read again"
            self._trouble = None

    def figures(self, wall: int) -> LogFigures:
        """What is known of the log, at `wall` ms by the clock of this machine."""
        self._take()
        return LogFigures(
            self._log.host, self._log.name, self._log.form, self._stops.figures(self._clock.now(wall)),
            self._events, self._ignored, self._put_aside, self._gaps, self._trouble is None, self._written,
            self._clock.log or None, self._destinations.in_other(self._log.name),
        )  # fmt: skip

    def _told(self, trouble: str) -> Iterator[str]:
        """A trouble is told when it begins and not at each look."""
        if trouble != self._trouble:
            yield f"{self._log.name}: {trouble}"
        self._trouble = trouble

    def _read(self, new: New, wall: int) -> Iterator[str]:
        events, put_aside = new.lines.events, new.lines.put_aside
        self._new += events
        if len(self._new) > MOST_EVENTS:
            self._take()
        if new.lines.last_ms is not None:
            self._clock.reads(new.lines.last_ms, wall)
        if put_aside and not self._put_aside:
            number, problem = put_aside[0]
            yield _first_put_aside(new.path, new.before + number, problem)
        self._events += len(events)
        self._ignored += new.lines.total - len(new.lines.said)
        self._put_aside += len(put_aside)

    def _take(self) -> None:
        if self._new:
            self._stops.take(self._new)
        self._new = []

    def _forget(self, wall: int, why: str) -> str:
        self._take()
        self._gaps += 1
        self._stops.forget(self._clock.now(wall))
        self._reader.record, self._clock = "", Clock()
        return f"{self._log.name}: lines may be lost: {why}"


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
        """What was seen at the last look that ended; no logs before the first has, for half a log has half a count."""
        return self._seen

    def look(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[str]:
        """Read what is new of all logs; gives what somebody has to know, as sentences. Ends early once it `is_over`."""
        for log in self._logs:
            yield from log.look(wall_ms(), is_over)
            if is_over():
                return
        wall = wall_ms()
        self._seen = Seen(tuple(log.figures(wall) for log in self._logs), wall / 1000)
