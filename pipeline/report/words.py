"""Durations, times, figures and parties in words; an unknown value is `unknown`, never 0."""

import re
from datetime import UTC, datetime, tzinfo
from itertools import pairwise
from typing import NamedTuple

from tidegate.pipeline.findings.measures import (
    CauseTotal,
    Change,
    Distribution,
    Episode,
    Measures,
    Oscillation,
    Overshoot,
)
from tidegate.record.counts import counted

UNKNOWN = "unknown"
SINCE_EPOCH_AT_LEAST_MS = 946_684_800_000
"""The year 2000 in ms since the epoch; earlier times come from a virtual clock."""


class Ending(NamedTuple):
    """The end of an episode in words: for many episodes, as the state of one, and for one without a release until when
    it may have lasted."""

    said: str
    state: str
    until: str = ""


ENDS = {
    "told": Ending("released", "released"),
    "inferred": Ending("released at some time, as a later line shows", "released, at an unknown time"),
    "closed": Ending("ended by closing the sender", "until it was closed"),
    "restarted": Ending("ended by a new start of the broker", "until a new start", "new start"),
    "shutdown": Ending("ended by the shutdown of the broker", "until the broker shut down", "shutdown"),
    "never": Ending("without a release to the end", "still on", "end of log"),
    "untold": Ending("whose end no line tells", "no line tells the end", "not told"),
}
UNITS = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))


def duration(ms: int | None) -> str:
    """A duration in its two largest units, as `250 ms`, `3.2 s` or `2 h 5 min`."""
    if ms is None:
        return UNKNOWN
    if ms < 1_000:
        return f"{ms} ms"
    if ms < 60_000:
        return f"{ms // 100 / 10:.1f} s"
    for (large, name), (small, below) in pairwise(UNITS):
        if ms >= large:
            rest = ms % large // small
            return f"{ms // large} {name} {rest} {below}" if rest else f"{ms // large} {name}"
    raise AssertionError(f"no unit for {ms} ms")


def moment(ms: int | None, zone: tzinfo = UTC) -> str:
    """A time in a zone; a time of a virtual clock as its ms."""
    if ms is None:
        return UNKNOWN
    if ms < SINCE_EPOCH_AT_LEAST_MS:
        return f"{ms:,} ms"
    return datetime.fromtimestamp(ms / 1000, zone).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def figure(value: int | None) -> str:
    """A count with groups of three digits."""
    return UNKNOWN if value is None else f"{value:,}"


def per_cent(value: float | None) -> str:
    """A share of a limit in per cent."""
    return UNKNOWN if value is None else f"{value:,.1f} %"


def party(episode: Episode) -> str:
    """The stopped party."""
    if episode.of == "destination":
        return f"senders to {episode.who}"
    if episode.of == "broker":
        return "all senders of the broker"
    if episode.who is None:
        return "a sender without a name"
    return f"{episode.of} {episode.who}"


def cause(found: Episode | CauseTotal) -> str:
    """The cause, with its destination unless the party names it already."""
    itself = isinstance(found, Episode) and found.of == "destination"
    return f"{found.cause} of {found.destination}" if found.destination and not itself else found.cause


def lasted(episode: Episode) -> str:
    """How long an episode lasted, or lasted at least."""
    if episode.lasted_ms is not None:
        return duration(episode.lasted_ms)
    return duration(None) if episode.at_least_ms is None else f"at least {duration(episode.at_least_ms)}"


def answer(measures: Measures, zone: tzinfo = UTC, *, put_aside: int = 0) -> str:
    """One sentence on the longest stop: who, by what, since when, for how long, and whether it still lasts.

    Lines with a known code that were put aside may be about a stop, so without another stop nothing can be told.
    """
    if not measures.episodes and put_aside:
        lines = counted(put_aside, "lines")
        return f"Whether anybody was blocked cannot be told: {lines} with a known code could not be read"
    closed, over = measures.oscillation, measures.overshoot
    full = [*dict.fromkeys([*(each.destination for each in closed), *(each.destination for each in over)])]
    if not measures.episodes and full:
        more = f" and {len(full) - 1:,} more" if len(full) > 1 else ""
        return f"No line names a blocked producer, although {full[0]}{more} reached a limit"
    if not measures.episodes:
        return "Nobody was blocked"
    if not measures.worst:
        return "A producer was blocked, for an unknown time"
    one = measures.worst[0]
    return (
        f"Blocked for longest: {party(one)}, by {_named(cause(one))}, since {_zoned(one.from_ms, zone)}, "
        f"for {lasted(one)}, {ENDS[one.end].state}"
    )


def _zoned(ms: int | None, zone: tzinfo) -> str:
    """A time with its zone, because the log may have another; a time of a virtual clock has none."""
    return moment(ms, zone) + (f" {zone}" if ms is not None and ms >= SINCE_EPOCH_AT_LEAST_MS else "")


def _named(causes: str) -> str:
    """Causes in a sentence; an unknown cause is called an unknown limit."""
    return " + ".join(re.sub(f"^{UNKNOWN}\\b", "an unknown limit", each) for each in causes.split(" + "))


def space_seen(episode: Episode) -> str:
    """How long after its begin the destination was first seen to have space, which the end of a gate itself shows."""
    if episode.of == "destination" and episode.end == "told":
        return "at its end"
    if episode.free_ms is None or episode.from_ms is None:
        return "not seen"
    return duration(max(0, episode.free_ms - episode.from_ms))


def overshot(found: Overshoot) -> str:
    """The excess; for a log a lower bound, since the levels between two lines are unknown."""
    at_least = "at least " if found.shown_by == "lines" else ""
    return f"{at_least}{figure(found.over)} {found.unit}"


def back(change: Change) -> str:
    """Whether a limit later went back to its old figure; a single line with another figure may be wrong."""
    if change.after != change.before:
        return ""
    return "in one line alone" if change.alone else "and back"


def cycles_per_hour(found: Oscillation) -> str:
    """The cycles of a destination per hour."""
    return UNKNOWN if found.per_hour is None else f"{found.per_hour:,.1f}"


def headline(measures: Measures) -> str:
    """The number of stop episodes, and how many of them begin and end in each way."""
    ends = ", ".join(f"{count:,} {ENDS[end].said}" for end, count in measures.by_end.items())
    unknown = measures.by_begin.get("unknown", 0)
    begins = f"; begin unknown of {unknown:,}" if unknown else ""
    stops = "stop episode" if measures.episodes == 1 else "stop episodes"
    return f"{measures.episodes:,} {stops}" + (f": {ends}{begins}" if measures.episodes else "")


def spread(distribution: Distribution) -> str:
    """A distribution in one line."""
    if not distribution.known:
        return f"an unknown time ({distribution.unknown:,})"
    unknown = f", {distribution.unknown:,} of unknown length" if distribution.unknown else ""
    return (
        f"median {duration(distribution.median_ms)}, 95 % within {duration(distribution.p95_ms)}, "
        f"longest {duration(distribution.longest_ms)}{unknown}"
    )
