"""The truth about producers at instants, by a trace: blocked since when and by which limits, free, never blocked,
refused.

Nothing of `tidegate.why` is used here. An instant is the time of an event at which the state was seen, and after which
no action that may change it was taken yet, so nothing that the broker does in the meantime can falsify it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

CHANGES = {"take", "acknowledge", "purge", "return", "limits", "close", "release", "settled", "start", "credit"}
"""Kinds of events after which a stop counts only once it is seen again, since they may have ended it."""
SHARED = {"disk-quota", "shared-limits"}
"""Causes of limits that destinations share."""
RESTS = 5
"""ms."""
LEAST = {"capacity": 1}
"""The least figure of a limit, by cause: a capacity of 0 is no limit."""
OF_SENDS = {"credit"}
"""Causes that limit a client and not a destination."""


class State(StrEnum):
    """The truth about a destination at an instant."""

    BLOCKED = "blocked now"
    SEVERAL = "several blocked at once"
    FREE = "was blocked, is free"
    NEVER = "never blocked"
    REFUSED = "refused"


@dataclass(frozen=True)
class Limit:
    """A limit in force: its cause in the trace, its figure, and the level of release, both in bytes or messages."""

    cause: str
    figure: int
    resume: int | None
    outcome: str


@dataclass(frozen=True)
class Instant:
    """The truth about a destination at a time, in ms since the epoch.

    Its state began between `began_after` and `began_before`. `levels` are all pairs of bytes and messages that were
    seen since it was last free. `blocked` names every destination that is blocked at that time, `perhaps` the ones that
    were blocked, but for which an action since then may have ended the block.
    """

    state: State
    time: int
    source: str
    destination: str
    limits: tuple[Limit, ...]
    began_after: int = 0
    began_before: int = 0
    levels: tuple[tuple[int, int], ...] = ()
    blocked: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()

    @property
    def reached(self) -> tuple[Limit, ...]:
        """The limits that some seen level since then had reached."""
        return tuple(
            limit
            for limit in self.limits
            if limit.cause in SHARED or any(_figure(limit, level) >= limit.figure for level in self.levels)
        )


def _figure(limit: Limit, level: tuple[int, int]) -> int:
    return level[1] if limit.cause == "messages" else level[0]


@dataclass
class _Destination:
    limits: dict[str, Limit] = field(default_factory=dict)
    earlier: list[tuple[int, Limit]] = field(default_factory=list)
    """Replaced limits, each with the time of its replacement."""
    ordered: bool = False
    """Whether management blocked it: a producer with credit goes on, so none need be stopped despite the order."""
    levels: list[tuple[int, int]] = field(default_factory=list)
    below_at: int = 0
    """The last time at which it was seen below every limit and level of release."""
    stopped: dict[str, int] = field(default_factory=dict)
    """By producer, the time at which it was first seen stopped."""
    sure: bool = False
    """Whether no action since the last seen stop may have ended it."""
    began_after: int = 0
    ever: bool = False

    def low(self, bytes_: int, messages: int) -> bool:
        return all(
            _figure(limit, (bytes_, messages)) < (limit.resume or limit.figure)
            for limit in self.limits.values()
            if limit.figure >= 0
        )


@dataclass(frozen=True)
class Run:
    """All instants of a trace, and whether it shows that producers are released exactly at the level of release."""

    instants: tuple[Instant, ...]
    at_resume: bool


def run(trace: Path) -> Run:
    """Read a trace of a run."""
    by_source: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in trace.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if "source" in event:
            by_source[event["source"]].append(event)
    found, at_resume = [], False
    for source, events in by_source.items():
        scenario = _Scenario(source)
        found += [_seen_through(at, events) for at in scenario.instants(events) if _rests(at, events)]
        at_resume = at_resume or scenario.at_resume
    return Run(tuple(found), at_resume)


def _rests(at: Instant, events: list[dict[str, Any]]) -> bool:
    """Whether nothing changes within the next `RESTS` ms, so that the log cannot be ahead of what was seen."""
    return not any(event["kind"] in CHANGES and 0 <= event["time"] - at.time < RESTS for event in events)


def _seen_through(at: Instant, events: list[dict[str, Any]]) -> Instant:
    """The instant, with the next seen level if no action came before it: a stop may be seen before its level."""
    for event in events:
        if event["time"] < at.time or event.get("destination") != at.destination:
            continue
        if event["kind"] in CHANGES:
            break
        if event["kind"] == "level" and at.levels:
            return replace(at, levels=(*at.levels, (event.get("bytes", 0), event.get("messages", 0))))
    return at


class _Scenario:
    def __init__(self, source: str):
        self._source = source
        self._there: dict[str, _Destination] = defaultdict(_Destination)
        self._shared: dict[str, Limit] = {}
        self._ever = False
        self.at_resume = False

    def instants(self, events: list[dict[str, Any]]) -> Iterator[Instant]:
        began = events[0]["time"]
        for event in events:
            name = event.get("destination")
            one = self._there[name] if name else None
            if one is not None and not one.below_at:
                one.below_at = began
            if event["kind"] == "limits":
                self._limit(event, one)
            if event["kind"] in CHANGES:
                for each in self._there.values():
                    each.sure = False
            if one is not None:
                yield from self._seen(event, name, one)

    def _limit(self, event: dict[str, Any], one: _Destination | None) -> None:
        cause = event["cause"]
        if cause in OF_SENDS:
            return
        limit = Limit(cause, event.get("limit", -1), event.get("resume"), event.get("outcome", ""))
        if cause in SHARED or one is None:
            self._shared[cause] = limit
        else:
            if cause in one.limits:
                one.earlier.append((event["time"], one.limits[cause]))
            one.limits[cause] = limit

    def _seen(self, event: dict[str, Any], name: str, one: _Destination) -> Iterator[Instant]:
        kind, who, time = event["kind"], event.get("producer", ""), event["time"]
        outcome = event.get("outcome", "")
        if kind == "level":
            level = event.get("bytes", 0), event.get("messages", 0)
            if event.get("cause") in {"block", "unblock"}:
                one.ordered = event["cause"] == "block"
            if one.levels and level[0] < one.levels[-1][0]:
                one.sure = False
            one.levels.append(level)
            if one.low(*level) and not one.stopped:
                one.below_at, one.levels = time, [level]
        elif kind == "stop" or (kind == "standing" and outcome == "stopped"):
            if not one.stopped:
                one.began_after = one.below_at
            one.stopped.setdefault(who, time)
            one.sure = one.ever = self._ever = True
        elif kind in {"release", "credit", "settled", "close"} or (kind == "standing" and outcome == "free"):
            if who in one.stopped and kind == "release" and any(
                limit.resume is not None and one.levels and _figure(limit, one.levels[-1]) == limit.resume
                for limit in one.limits.values()
            ):  # fmt: skip
                self.at_resume = True
            one.stopped.pop(who, None)
        elif kind == "start":
            for each in self._there.values():
                each.stopped.clear()
        yield from self._instants(kind, outcome, name, one, time)

    def _instants(self, kind: str, outcome: str, name: str, one: _Destination, time: int) -> Iterator[Instant]:
        held = tuple(each for each, there in self._there.items() if there.stopped and there.sure)
        if kind in {"send", "settled"} and outcome == "rejected" and not held:
            yield self._instant(State.REFUSED, time, name, one, ())
        elif name in held and kind in {"stop", "standing", "level", "send", "open"}:
            yield self._instant(State.SEVERAL if len(held) > 1 else State.BLOCKED, time, name, one, held)
        elif any(there.ordered for there in self._there.values()):
            return
        elif kind == "standing" and outcome == "free" and not any(there.stopped for there in self._there.values()):
            low = all(there.levels and self._under(there) for there in self._there.values() if there.limits)
            if low and one.ever:
                yield self._instant(State.FREE, time, name, one, ())
            elif low and not self._ever:
                yield self._instant(State.NEVER, time, name, one, ())

    def _under(self, there: _Destination) -> bool:
        return there.low(*there.levels[-1])

    def _instant(self, state: State, time: int, name: str, one: _Destination, held: tuple[str, ...]) -> Instant:
        earlier = [limit for replaced, limit in one.earlier if one.stopped and replaced >= one.began_after]
        told = (*one.limits.values(), *earlier, *self._shared.values())
        limits = tuple(each for each in told if each.figure >= LEAST.get(each.cause, 0))
        perhaps = tuple(each for each, there in self._there.items() if there.stopped and not there.sure)
        first = min(one.stopped.values()) if one.stopped else 0
        return Instant(
            state, time, self._source, name, limits, one.began_after, first, tuple(one.levels), held, perhaps
        )
