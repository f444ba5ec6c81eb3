"""The findings of measuring, cut to fit a page: the first rows of each table, totals, and distributions."""

from collections.abc import Mapping
from dataclasses import dataclass

SHOWN = 20
"""The most rows of each list."""


@dataclass(frozen=True)
class Episode:
    """A time in which one cause stopped a party. Times are in ms since the epoch, null where they are unknown.

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
    """When the destination was first seen to have space after the episode began."""


@dataclass(frozen=True)
class CauseTotal:
    """All episodes of one party's kind (`of`) by one cause of one destination."""

    source: str
    of: str
    cause: str
    destination: str | None
    episodes: int
    stopped_ms: int
    """The time stopped in all episodes together; an episode without a release counts its shortest possible length."""
    longest_ms: int | None
    unreleased: int
    """How many episodes ended without a release, or not at all."""
    unknown: int
    """How many episodes are of unknown length, which the time stopped leaves out."""


@dataclass(frozen=True)
class Together:
    """A set of causes that stopped one party at the same time: how often, and for how long altogether, in ms."""

    source: str
    of: str
    causes: str
    count: int
    times: int
    lasted_ms: int


@dataclass(frozen=True)
class Overshoot:
    """The highest seen level of a destination above a limit; figures in `unit`, null if unknown."""

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
    """How often a destination began to stop its senders, and how often it released them again."""

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
    """Whether the limit stands in one line alone, between lines that agree."""
    at_ms: int


@dataclass(frozen=True)
class Distribution:
    """The distribution of a duration in ms: counts below each of BOUNDS_MS and above the last, the median, the 95th
    percentile and the longest.

    `unknown` counts the durations of unknown length, which no other figure includes.
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
    """A time in which a destination stopped a party; `ended` is false if the log shows no release.

    Where there are too many stops to show, a band is a slice of time, and `share` the part of the slice with a stop.
    """

    from_ms: int
    to_ms: int
    ended: bool
    share: float = 1.0


@dataclass(frozen=True)
class Timeline:
    """A destination's level over time and the stops that it caused, perhaps thinned; `events` and `stops` count all."""

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
    """All measures of one check; each list holds its worst rows only, the tables hold all."""

    episodes: int
    by_begin: Mapping[str, int]
    by_end: Mapping[str, int]
    longest: tuple[Episode, ...]
    unreleased: tuple[Episode, ...]
    worst: tuple[Episode, ...]
    """The longest episodes, ended or not; an unended episode comes first."""
    causes: tuple[CauseTotal, ...]
    together: tuple[Together, ...]
    overshoot: tuple[Overshoot, ...]
    limits_seen: int
    """How many limits of destinations were seen, overshot or not."""
    oscillation: tuple[Oscillation, ...]
    changes: tuple[Change, ...]
    """The changes of a limit: changes that one line alone shows come first, then the latest."""
    lasted: Distribution
    waited: Distribution
    timelines: tuple[Timeline, ...] = ()
