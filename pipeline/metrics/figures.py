"""What a watch with metrics knows of its logs after a look: plain figures, which no thread changes any more."""

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
