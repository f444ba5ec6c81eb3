"""The figures of watched logs, and every metric of them: its name, type, labels, description, and samples."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Stop(NamedTuple):
    """A kind of stops: the destination, the cause, and the stopped party (`of`).

    `destination` is empty where the whole broker stops its producers. `of` is a field that names a sender, or
    `destination` or `broker` where the log names no sender and all producers count as one.
    """

    destination: str
    cause: str
    of: str


@dataclass(frozen=True)
class StopFigures:
    """The stops of one kind.

    `blocked` counts the stops that last now. `unreleased` counts stops that may have ended, since this form of log
    never tells of a release. `begun` counts all stops, and `blocked_ms` is their total time in ms; neither ever falls.
    """

    blocked: int = 0
    unreleased: int = 0
    begun: int = 0
    blocked_ms: int = 0


@dataclass(frozen=True)
class LogFigures:
    """One log: its host and form, its stops, its lines, and whether it can be read."""

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
    """The time in the last line, in ms since the epoch; None before there was one."""
    in_other: int
    """How many destinations are summed as `other`."""


@dataclass(frozen=True)
class Seen:
    """The figures of all watched logs, and the time of the last finished look, in s since the epoch, if any."""

    logs: tuple[LogFigures, ...] = ()
    looked: float | None = None


OTHER = "other"
"""The label of all destinations beyond the bound; a destination of this name is summed there too."""


class Destinations:
    """The first `most` destinations, over all logs, have figures of their own; the others are summed as OTHER."""

    def __init__(self, most: int):
        self._left = most
        self._own: set[tuple[str, str]] = set()
        self._others: dict[str, set[int]] = {}

    def named(self, log: str, destination: str) -> str:
        """The label of a log's destination in metrics. The empty text means the whole broker, and is no destination."""
        if not destination or (log, destination) in self._own:
            return destination
        if self._left and destination != OTHER:
            self._left -= 1
            self._own.add((log, destination))
            return destination
        # a hash takes less memory than a name, and two names hardly ever share one
        self._others.setdefault(log, set()).add(hash(destination))
        return OTHER

    def in_other(self, log: str) -> int:
        """How many destinations of a log are summed as OTHER."""
        return len(self._others.get(log, ()))


OF_LOG = ("host", "log", "form")
OF_STOP = (*OF_LOG, "destination", "cause", "of")
Sample = tuple[tuple[str, ...], float]
"""The values of the labels, in their order, and of the metric."""


class Type(StrEnum):
    """The type of a metric."""

    GAUGE = "gauge"
    COUNTER = "counter"


@dataclass(frozen=True)
class Metric:
    """A metric. The `name` of a counter has no `_total`, which Prometheus appends.

    `samples` computes the samples from the figures last seen and the time now, in s since the epoch.
    """

    name: str
    type: Type
    words: str
    labels: tuple[str, ...]
    samples: Callable[[Seen, float], Iterable[Sample]]

    @property
    def unit(self) -> str:
        """The unit of the value; empty for a number of things."""
        return "s" if self.name.endswith("_seconds") else ""


def _of_stops(value: Callable[[StopFigures], float]) -> Callable[[Seen, float], Iterable[Sample]]:
    def samples(seen: Seen, now: float) -> Iterator[Sample]:
        for log in seen.logs:
            for stop, figures in log.stops.items():
                yield (log.host, log.log, log.form, *stop), value(figures)

    return samples


def _of_logs(value: Callable[[LogFigures, float], float | None]) -> Callable[[Seen, float], Iterable[Sample]]:
    def samples(seen: Seen, now: float) -> Iterator[Sample]:
        for log in seen.logs:
            found = value(log, now)
            if found is not None:
                yield (log.host, log.log, log.form), found

    return samples


def _lines(seen: Seen, now: float) -> Iterator[Sample]:
    for log in seen.logs:
        for outcome, count in (("event", log.events), ("ignored", log.ignored), ("put-aside", log.put_aside)):
            yield (log.host, log.log, log.form, outcome), count


def _looked(seen: Seen, now: float) -> Iterator[Sample]:
    if seen.looked is not None:
        yield (), seen.looked


METRICS = (
    Metric(
        "tidegate_blocked_producers", Type.GAUGE,
        "Producers that are blocked now. Where the log names no producer, all of a destination or broker count as one.",
        OF_STOP, _of_stops(lambda stop: stop.blocked),
    ),
    Metric(
        "tidegate_blocked_seconds", Type.COUNTER,
        "How long producers were blocked, all stops together; it grows while somebody is blocked.",
        OF_STOP, _of_stops(lambda stop: stop.blocked_ms / 1000),
    ),
    Metric("tidegate_stops_begun", Type.COUNTER, "Stops of producers that began.", OF_STOP,
           _of_stops(lambda stop: stop.begun)),
    Metric(
        "tidegate_stops_without_release", Type.GAUGE,
        "Stops that began and did not end, in a log that never tells of a release: nobody knows whether they are on.",
        OF_STOP, _of_stops(lambda stop: stop.unreleased),
    ),
    Metric("tidegate_lines", Type.COUNTER,
           "Lines read: lines that make an event, lines about something else, and lines that cannot be read.",
           (*OF_LOG, "outcome"), _lines),
    Metric("tidegate_gaps", Type.COUNTER, "How often lines may have been lost, by rotation or truncation.",
           OF_LOG, _of_logs(lambda log, now: log.gaps)),
    Metric("tidegate_log_readable", Type.GAUGE, "1 where the log could be read at the last look, 0 where not.",
           OF_LOG, _of_logs(lambda log, now: int(log.readable))),
    Metric("tidegate_last_line_age_seconds", Type.GAUGE,
           "How long ago the last line came to the log, by the clock of this machine.", OF_LOG,
           _of_logs(lambda log, now: None if log.written is None else max(now - log.written, 0))),
    Metric("tidegate_last_line_timestamp_seconds", Type.GAUGE,
           "The time that the last line states, since the epoch; one without a zone is taken to be in UTC.", OF_LOG,
           _of_logs(lambda log, now: None if log.last_ms is None else log.last_ms / 1000)),
    Metric("tidegate_destinations_in_other", Type.GAUGE,
           "Destinations that have no figures of their own and are summed as destination other.", OF_LOG,
           _of_logs(lambda log, now: log.in_other)),
    Metric("tidegate_last_look_timestamp_seconds", Type.GAUGE,
           "When all logs had last been looked at, since the epoch by the clock of this machine.", (), _looked),
)  # fmt: skip
