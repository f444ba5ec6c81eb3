"""What measuring finds, as far as it fits a page: the first of each table, totals, and distributions."""

from collections.abc import Mapping
from dataclasses import dataclass

SHOWN = 20
"""Rows of each list."""


@dataclass(frozen=True)
class Episode:
    """Somebody was stopped by one cause. Times are in ms since the epoch, null where they are unknown.

    `lasted_ms` is null where begin or end is unknown; `at_least_ms` counts to the last event of the source.
    """

    stream: str
    source: str
    of: str
    who: str | None
    cause: str
    destination: str | None
    begin: str
    end: str
    from_ms: int | None
    to_ms: int | None
    lasted_ms: int | None
    at_least_ms: int | None
    free_ms: int | None
    """When its destination was first seen to have space after it began."""


@dataclass(frozen=True)
class CauseTotal:
    """All episodes of one party's kind (`of`) by one cause of one destination."""

    source: str
    of: str
    cause: str
    destination: str | None
    episodes: int
    stopped_ms: int
    """The time stopped of all episodes together, those without a release as long as they lasted at least."""
    longest_ms: int | None
    unreleased: int
    """How many ended without a release, or not at all."""
    unknown: int
    """How many are of unknown length, which is not in the time stopped."""


@dataclass(frozen=True)
class Together:
    """A set of causes that stopped somebody at once: how often, and for how long altogether, in ms."""

    source: str
    of: str
    causes: str
    count: int
    times: int
    lasted_ms: int


@dataclass(frozen=True)
class Overshoot:
    """The most that a destination was seen to hold above a limit; figures in `unit`, null where nothing is known."""

    source: str
    destination: str
    name: str
    unit: str
    shown_by: str
    limit: int
    level: int
    over: int | None
    percent: float | None
    at_ms: int
    after: str | None
    message_bytes: int | None


@dataclass(frozen=True)
class Oscillation:
    """How often a destination began to stop its senders, and how often it let them go again."""

    source: str
    destination: str
    shown_by: str
    closings: int
    cycles: int
    per_hour: float | None
    busiest_hour_ms: int
    in_busiest_hour: int


@dataclass(frozen=True)
class Change:
    """A limit that `lines` lines in a row give, between lines that give `before` and `after` (null at the end)."""

    source: str
    destination: str
    name: str
    before: int
    limit: int
    after: int | None
    lines: int
    alone: bool
    """Whether it is one line between lines that agree."""
    at_ms: int


@dataclass(frozen=True)
class Distribution:
    """How a duration in ms is distributed: counts below each of BOUNDS_MS and above the last, and three of its values.

    `unknown` are those whose length is not known; they are in no other figure.
    """

    counts: tuple[int, ...]
    known: int
    unknown: int
    median_ms: int | None
    p95_ms: int | None
    longest_ms: int | None


BOUNDS_MS = (1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000)
BOUND_NAMES = ("1 ms", "10 ms", "100 ms", "1 s", "10 s", "1 min", "10 min", "1 h", "10 h")


@dataclass(frozen=True)
class Point:
    """A destination's level at a time, with the thresholds that were in force."""

    at_ms: int
    level: int
    high: int | None
    low: int | None


@dataclass(frozen=True)
class Band:
    """A time in which a destination stopped somebody; `ended` is false where no release of it is seen.

    Where there are too many to show, a band is a slice of time, and `share` the part of it with a stop.
    """

    from_ms: int
    to_ms: int
    ended: bool
    share: float = 1.0


@dataclass(frozen=True)
class Timeline:
    """A destination's level over time and the stops it caused; of `events` levels and `stops` fewer may be shown."""

    source: str
    destination: str
    unit: str
    points: tuple[Point, ...]
    bands: tuple[Band, ...]
    events: int
    stops: int
    from_ms: int
    to_ms: int

    @property
    def downsampled(self) -> bool:
        """Whether only the extremes of each slice of time are shown."""
        return len(self.points) < self.events


@dataclass(frozen=True)
class Measures:
    """All measures of one check; every list holds the worst and is cut, the tables hold all."""

    episodes: int
    by_begin: Mapping[str, int]
    by_end: Mapping[str, int]
    longest: tuple[Episode, ...]
    unreleased: tuple[Episode, ...]
    worst: tuple[Episode, ...]
    """The longest episodes, ended or not; an episode that is still on comes first."""
    causes: tuple[CauseTotal, ...]
    together: tuple[Together, ...]
    overshoot: tuple[Overshoot, ...]
    limits_seen: int
    """How many limits of destinations there are, overshot or not."""
    oscillation: tuple[Oscillation, ...]
    changes: tuple[Change, ...]
    """The changes of a limit: those that one line alone gives first, then the latest."""
    lasted: Distribution
    waited: Distribution
    timelines: tuple[Timeline, ...] = ()
