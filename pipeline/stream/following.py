"""What came to a log since the last look, piece by piece, whatever became of its file in between."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import NamedTuple

from tidegate.pipeline.stream.growth import Part, look, opened, ranges
from tidegate.pipeline.stream.pieces import LineReader, Lines, pieces

TRUNCATED = "the log was truncated, or rotated away to where it is not found"


@dataclass
class ReadUpTo:
    """How far a log was read: the file that was the log then, and the number of the last line that was read of it."""

    part: Part | None = None
    line: int = 0


class New(NamedTuple):
    """Lines of a file that was or is the log: where that file is, how many of its lines stand before, and the lines."""

    path: str
    before: int
    lines: Lines


class Lost(NamedTuple):
    """Lines are lost: nothing of what stood before them says anything of what comes after them."""

    why: str


def new_lines(log: Path, reached: ReadUpTo, reader: LineReader) -> Iterator[New | Lost]:
    """Read a log on; `reached` goes along, so that a caller may stop behind any piece. Raises OSError.

    A file that was truncated while it was read ends the look, for its copy has the rest.
    """
    last = reached.part
    now = {part.ordinal: part for part in look(log, last)}
    for new in ranges({} if last is None else {last.ordinal: last}, now):
        part = new.part
        if reached.part is None or part.ordinal != reached.part.ordinal:
            reached.line = 0
            if part.after_gap:
                yield Lost(TRUNCATED)
        file = opened(log, part)
        if file is None:
            reached.part = part
            yield Lost(f"{new.end - new.start:,} bytes went with their file")
            continue
        with file:
            for piece in pieces(file, new.start, new.end):
                found, before = reader.read(piece, part.ordinal), reached.line
                reached.part, reached.line = replace(part, seen=piece.end), before + found.count
                yield New(part.path, before, found)
        if reached.part is None or (reached.part.ordinal, reached.part.seen) != (part.ordinal, new.end):
            return
    reached.part = now[max(now)] if now else reached.part


def looks(over: Event, every: float, most: int | None) -> Iterator[int]:
    """The time of each look, in ms by the clock of this machine: every so many seconds, until it is over."""
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
