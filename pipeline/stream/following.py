"""The new lines of a log since the last look, piece by piece, also where its file was rotated or truncated."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, marked_lines
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.read.blocks import Block, blocks
from tidegate.pipeline.read.log import NO_BLOCK, Marked, marked, seq_of
from tidegate.pipeline.stream.growth import Part, look, new_since, opened
from tidegate.record.counts import counted
from tidegate.record.events import Event
from tidegate.record.hints import in_words

PIECE = 1 << 20
"""The most bytes of a log that are held at once, if no record is longer."""
TRUNCATED = "the log was truncated, or its rotated file is damaged or not found"
GONE = "the log is gone; it is read again once it is there"


@dataclass
class Clock:
    """The clock of a log: the latest time in it, and the time of this machine when that was read, both in ms."""

    log: int = 0
    wall: int = 0

    def now(self, wall: int) -> int:
        """The present time of the log: it advances from the log's latest time at the pace of this machine."""
        return self.log + max(wall - self.wall, 0)

    def reads(self, log: int, wall: int) -> None:
        """Note the time of a line, `log`; the clock never goes back, even if the log's clock was set back."""
        self.log, self.wall = max(self.log, log), wall


@dataclass
class ReadUpTo:
    """How far a log was read: the file that was the log then, and the number of its last line that was read."""

    part: Part | None = None
    line: int = 0


@dataclass
class FollowedLog:
    """The state of following a log, in a form that a file can hold."""

    form: str
    events: int = 0
    ignored: int = 0
    put_aside: int = 0
    gaps: int = 0
    """How often lines may have been lost."""
    clock: Clock = field(default_factory=Clock)
    record: str = ""
    """The first line of the record with which the log ends."""
    unreadable: str | None = None
    """Why the log could not be read at the last look."""
    reached: ReadUpTo = field(default_factory=ReadUpTo)


class Lines(NamedTuple):
    """New lines of one file of a log that is followed."""

    path: str
    said: Sequence[Marked]
    """The events and the lines put aside, in their order, each with the number of its line from 1."""
    total: int
    """The number of new lines, with and without events."""
    last_ms: int | None = None
    """The last time in the lines, in ms; None if no line has a time."""

    @property
    def events(self) -> list[tuple[int, Event]]:
        """The events, with the numbers of their lines."""
        return [(each.line, each.what) for each in self.said if isinstance(each.what, Event)]

    @property
    def put_aside(self) -> list[tuple[int, Unparsed]]:
        """The lines put aside, with their numbers."""
        return [(each.line, each.what) for each in self.said if isinstance(each.what, Unparsed)]


class LineReader:
    """Reads the blocks of one log in their order. `source` is the source of its events."""

    def __init__(self, form: str, source: str, record: str = ""):
        self.form, self._source = LOG_FORMS[form], source
        self._reader = CarefulReader(self.form)
        self.record = record
        """The first line of the record in which the last block ended; empty after lost lines."""

    def read(self, block: Block, part: Part, before: int) -> Lines:
        """Read every line of a block of a part once; `before` lines of its file precede the block."""
        text = block.text
        if block.too_long:
            aside = Marked(before + 1, block.offset, seq_of(part.ordinal, block.offset), "", NO_BLOCK)
            return Lines(part.path, [aside], 1)
        lines = marked_lines(self.form, text)
        found = marked(block, lines, self._reader, self._source, part.ordinal, self.record)
        said = [each._replace(line=before + each.line + 1) for each in found if each.what is not None]
        times = [each.what.time for each in said if isinstance(each.what, Event)]
        last = block.record_at(len(text) - text.endswith(b"\n"), self.form.begins)
        if last is not None:
            self.record = last
            time = self.form.time(last, UTC)
            times += [time] if isinstance(time, int) else []
        total = text.count(b"\n") + (not text.endswith(b"\n"))
        return Lines(part.path, said, total, times[-1] if times else None)


class Lost(NamedTuple):
    """Lines are lost: the state before them does not hold after them."""

    why: str


class Follower:
    """Reads on in a log, look by look, and keeps its state up to date."""

    def __init__(self, name: str, known: FollowedLog):
        self.known = known
        self._reader = LineReader(known.form, name, known.record)

    def look(self, path: Path, wall: int, is_over: Callable[[], bool] = lambda: False) -> Iterator[Lines | Lost]:
        """The new lines at `wall`, in ms by the clock of this machine; each piece is counted once the caller asks for
        the next.

        Ends early, between two pieces, once it `is_over`; the next look continues from there.
        """
        known = self.known
        known.unreadable = None
        try:
            for found in self._new(path):
                yield found
                self._count(found, wall)
                if is_over():
                    return
        except OSError as error:
            known.unreadable = f"the log cannot be read now: {in_words(error)}"
        else:
            known.unreadable = None if path.exists() else GONE

    def _new(self, log: Path) -> Iterator[Lines | Lost]:
        """Read on. The position is up to date after each piece, so a caller may stop after any piece. Raises OSError.

        A file that was truncated while it was read ends the look, since its copy has the rest.
        """
        reached = self.known.reached
        last = reached.part
        now = look(log, last)
        for part, start in new_since(last, now):
            if reached.part is None or part.ordinal != reached.part.ordinal:
                reached.line = 0
                if part.after_gap:
                    yield Lost(TRUNCATED)
            with opened(log, part, start) as file:
                if file is None:
                    reached.part = part
                    yield Lost(f"{counted(part.seen - start, 'bytes')} went with their file")
                    continue
                for block in blocks(file, start, part.seen, self._reader.form.begins, PIECE):
                    found = self._reader.read(block, part, reached.line)
                    reached.part, reached.line = replace(part, seen=block.end), reached.line + found.total
                    yield found
            if reached.part is None or (reached.part.ordinal, reached.part.seen) != (part.ordinal, part.seen):
                return
        reached.part = now[-1] if now else reached.part

    def _count(self, found: Lines | Lost, wall: int) -> None:
        known = self.known
        if isinstance(found, Lost):
            # after lost lines the state is that at the begin of a log
            known.gaps += 1
            known.clock, self._reader.record = Clock(), ""
        else:
            events = found.events
            known.events += len(events)
            known.put_aside += len(found.said) - len(events)
            known.ignored += found.total - len(found.said)
            for time in (*(event.time for _, event in events), found.last_ms):
                if time is not None:
                    known.clock.reads(time, wall)
        known.record = self._reader.record


def looks(over: threading.Event, every: float, most: int | None) -> Iterator[int]:
    """The time of each look, in ms by the clock of this machine: one every `every` seconds, until it is `over`."""
    taken = 0
    while not over.is_set():
        begun = time.monotonic()
        yield wall_ms()
        taken += 1
        if taken == most:
            return
        over.wait(max(every - (time.monotonic() - begun), 0))


def wall_ms() -> int:
    """The clock of this machine, in ms since the epoch."""
    return time.time_ns() // 1_000_000
