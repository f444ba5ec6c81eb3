"""One log that grows: what came to it since the last look, whatever became of its file in between."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.metrics.destinations import Destinations
from tidegate.pipeline.metrics.figures import LogFigures
from tidegate.pipeline.metrics.lines import LineReader, Piece, pieces
from tidegate.pipeline.metrics.stops import StopsOfLog
from tidegate.pipeline.read.inputs import Input
from tidegate.pipeline.read.line_form import Unparsed
from tidegate.pipeline.stream.growth import Part, Range, look, opened, ranges
from tidegate.pipeline.stream.state import Clock
from tidegate.record.errors import BadInput
from tidegate.record.events import Event

MOST_EVENTS = 10_000
"""Events that are held before the fold takes them: it is sooner done with many at once."""


class GrowingLog:
    """A log and all that is known of it so far. It is read on from where the last look ended, never from its begin."""

    def __init__(self, log: Input, destinations: Destinations):
        self._log, self._path, self._destinations = log, Path(log.path), destinations
        kinds = {each.kind for each in LOG_FORMS[log.form].statements}
        self._stops = StopsOfLog(log.name, kinds, destinations)
        self._new: list[tuple[int, Event]] = []
        """Events that the fold has not taken yet."""
        self._reader = LineReader(log.form, log.name)
        self._clock = Clock()
        self._last: Part | None = None
        """The file that was the log when it was last looked at, as far as it was read."""
        self._line = 0
        """The last line that was read of that file."""
        self._events = self._ignored = self._put_aside = self._gaps = 0
        self._trouble: str | None = None
        self._written: float | None = None

    def look(self, wall: int, is_over: Callable[[], bool]) -> Iterator[str]:
        """Read what is new at `wall`, in ms by the clock of this machine; gives sentences that somebody has to know.

        Ends early, between two pieces, once it `is_over`; the next look goes on from there.
        """
        try:
            now = {part.ordinal: part for part in look(self._path, self._last)}
            written = self._path.stat().st_mtime
            before = {} if self._last is None else {self._last.ordinal: self._last}
            for new in ranges(before, now):
                yield from self._read(new, wall, is_over)
                self._written = min(written, wall / 1000)
                if self._last is None or (self._last.ordinal, self._last.seen) != (new.part.ordinal, new.end):
                    # the end is near, or the file was truncated while it was read: its copy has the rest
                    return
        except FileNotFoundError:
            yield from self._told("the log is gone; it is read again once it is there")
        except OSError as error:
            yield from self._told(f"the log cannot be read now: {error.strerror}")
        else:
            self._last = now[max(now)] if now else self._last
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

    def _read(self, new: Range, wall: int, is_over: Callable[[], bool]) -> Iterator[str]:
        part, known = new.part, self._last
        if known is None or part.ordinal != known.ordinal:
            self._line = 0
            if part.after_gap:
                yield self._forget(wall, "the log was truncated, or rotated away to where it is not found")
        file = opened(self._path, part)
        if file is None:
            yield self._forget(wall, f"{new.end - new.start:,} bytes went with their file")
            self._last = part
            return
        with file:
            for piece in pieces(file, new.start, new.end):
                yield from self._read_piece(piece, part, wall)
                if is_over():
                    return

    def _read_piece(self, piece: Piece, part: Part, wall: int) -> Iterator[str]:
        found = self._reader.read(piece, part.ordinal)
        self._new += found.events
        if len(self._new) > MOST_EVENTS:
            self._take()
        if found.last_ms is not None:
            self._clock.reads(found.last_ms, wall)
        if found.put_aside and not self._put_aside:
            yield self._first_put_aside(part.path, *found.put_aside[0])
        self._events += len(found.events)
        self._ignored += found.ignored
        self._put_aside += len(found.put_aside)
        self._line += found.count
        self._last = replace(part, seen=piece.end)

    def _take(self) -> None:
        if self._new:
            self._stops.take(self._new)
        self._new = []

    def _first_put_aside(self, path: str, number: int, problem: Unparsed) -> str:
        said = BadInput(problem.expected, field=problem.field, file=path, line=self._line + number)
        return f"{said}; further lines that cannot be read are only counted"

    def _forget(self, wall: int, why: str) -> str:
        self._take()
        self._gaps += 1
        self._stops.forget(self._clock.now(wall))
        self._reader.forget()
        self._clock = Clock()
        return f"{self._log.name}: lines may be lost: {why}"
