"""Draws at random which part of a log is kept at an instant."""

import random
from bisect import bisect_right
from dataclasses import dataclass, replace

import marks
from layouts import Record
from truth import Instant, State

MOST = 3000
"""The most records kept before an instant, beside those of the broker's start."""
OF_THE_START = 40
MINUTES = 3 * 60_000
NOISE = 100
LAST = 50
CUTS = ("at once", "minutes after", "within a record", "last 50 lines", "rotated", "two brokers")


@dataclass(frozen=True)
class Kept:
    """The records of each file, the oldest file first; `packed` says whether the first one is compressed."""

    name: str
    files: tuple[tuple[Record, ...], ...]
    packed: bool = False

    @property
    def records(self) -> list[Record]:
        return [record for file in self.files for record in file]


class Log:
    """The records of a run, with their times."""

    def __init__(self, of: str, found: list[Record]):
        self.of, self.records = of, found
        last = 0
        self._times = [last := max(last, record.time) for record in found]

    def until(self, time: int) -> list[Record]:
        """The records in the log up to a time."""
        end = bisect_right(self._times, time)
        begin = max(0, end - MOST)
        start = self.records[: min(OF_THE_START, begin)]
        return start + self.records[begin:end]

    def noise(self, time: int, count: int) -> list[Record]:
        """The latest records before a time that have no meaning."""
        end = bisect_right(self._times, time)
        found = [
            each
            for each in self.records[max(0, end - 5000) : end]
            if each.time and not marks.telling(self.of, each.line)
        ]
        return found[-count:]


def cut(log: Log, at: Instant, other: Log, draw: random.Random) -> Kept:
    """The part of a log at an instant that a person may have kept."""
    kept = log.until(at.time)
    name = draw.choice(CUTS)
    if name == "minutes after":
        quiet = log.noise(at.time, NOISE)
        shift = at.time + MINUTES - quiet[0].time if quiet else 0
        kept = kept + [each.shifted(shift) for each in quiet]
    elif name == "within a record":
        telling = [place for place, each in enumerate(kept) if marks.stops(log.of, each.line, at.destination)]
        if telling and at.state in (State.BLOCKED, State.SEVERAL) and draw.random() < 0.5:
            kept = [*kept[: telling[-1]], _shortened(kept[telling[-1]], draw)]
        else:  # no meaningful line is cut: the truth of this instant would not fit a log that ends before it
            kept = [*kept, *(_shortened(each, draw) for each in log.noise(at.time, 1))]
    elif name == "last 50 lines":
        kept = kept[-LAST:]
    elif name == "rotated":
        where = draw.randrange(1, len(kept))
        return Kept(name, (tuple(kept[:where]), tuple(kept[where:])), packed=True)
    elif name == "two brokers":
        theirs = other.noise(other.records[-1].time or 2**62, NOISE)
        shift = at.time - theirs[-1].time
        shifted = tuple(each.shifted(shift) for each in theirs)
        if draw.random() < 0.5:
            return Kept(name, (shifted, tuple(kept)))
        last = 0
        timed = [(last := max(last, each.time), each) for each in kept] + [(each.time, each) for each in shifted]
        return Kept(name, (tuple(each for _, each in sorted(timed, key=lambda one: one[0])),))
    return Kept(name, (tuple(kept),))


def _shortened(record: Record, draw: random.Random) -> Record:
    """The record, cut off somewhere after its time."""
    front = len(record.line) - len(record.message)
    length = draw.randrange(min(max(front, 1), len(record.line) - 1), len(record.line)) if len(record.line) > 1 else 1
    return replace(record, line=record.line[:length], message=record.message[: max(0, length - front)])
