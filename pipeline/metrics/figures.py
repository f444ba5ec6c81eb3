"""What a watch with metrics knows of its logs after a look, and which destinations have figures of their own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Stop(NamedTuple):
    """What stops of one kind have in common: the destination, the cause, and what is stopped (`of`).

    `destination` is empty where the whole broker stops its producers. `of` is a field that names a sender, or
    `destination` or `broker` where the log names no sender and all producers count as one.
    """

    destination: str
    cause: str
    of: str


@dataclass(frozen=True)
class StopFigures:
    """The stops of one kind.

    `blocked` are on now. `unreleased` are on, too, but the log is of a form that never tells of their release, so that
    nobody knows. `begun` counts all, and `blocked_ms` is the time of all together, in ms; neither ever falls.
    """

    blocked: int = 0
    unreleased: int = 0
    begun: int = 0
    blocked_ms: int = 0


@dataclass(frozen=True)
class LogFigures:
    """One log: whose it is, its stops, its lines, and whether it can be read."""

    host: str
    log: str
    form: str
    stops: Mapping[Stop, StopFigures]
    events: int
    ignored: int
    put_aside: int
    gaps: int
    """How often lines may have been lost."""
    readable: bool
    written: float | None
    """When the last line came, in s since the epoch by the clock of this machine; None before there was one."""
    last_ms: int | None
    """The time that the last line states, in ms since the epoch; None before there was one."""
    in_other: int
    """How many destinations are summed as `other`."""


@dataclass(frozen=True)
class Seen:
    """All logs that were looked at, and when that was last, in s since the epoch; None before the first look ended."""

    logs: tuple[LogFigures, ...] = ()
    looked: float | None = None


OTHER = "other"
"""What stands for all destinations beyond the bound; one that is called so is summed there, too."""


class Destinations:
    """The first `most` destinations, over all logs, have figures of their own; the others are summed as OTHER."""

    def __init__(self, most: int):
        self._left = most
        self._own: set[tuple[str, str]] = set()
        self._others: dict[str, set[int]] = {}

    def named(self, log: str, destination: str) -> str:
        """What a destination of a log is called in metrics. The whole broker, the empty text, is no destination."""
        if not destination or (log, destination) in self._own:
            return destination
        if self._left and destination != OTHER:
            self._left -= 1
            self._own.add((log, destination))
            return destination
        # a number takes less than a name, and that two share one hardly ever happens
        self._others.setdefault(log, set()).add(hash(destination))
        return OTHER

    def in_other(self, log: str) -> int:
        """How many destinations of a log are summed as OTHER."""
        return len(self._others.get(log, ()))
