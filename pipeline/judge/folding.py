"""Folds a stream: the rules judge its events in order, and go on from one file to the next with what they remember."""

from collections import namedtuple
from dataclasses import dataclass, field
from typing import Any

from tidegate.model.language.judge import Judge, Remembered
from tidegate.pipeline.forms import CAUSES
from tidegate.pipeline.judge.rules import RuleNames, rules_named
from tidegate.pipeline.read.tables import FIELDS, LINE
from tidegate.record.events import Kind

Row = namedtuple("Row", [LINE, *FIELDS])  # type: ignore[misc]  # mypy knows no fields that are computed
"""An event with the number of its line; `_make` makes one of its values."""
START, STOP, UNDERFULL = str(Kind.START), str(Kind.STOP), str(Kind.UNDERFULL)
OF_STOPS = (STOP, str(Kind.RELEASE), str(Kind.CLOSE))
"""The kinds of events that begin or end the stop of a channel."""


LONGEST_STEP_MS = 3_600_000
"""The longest step back of a clock, in ms, that a change to winter time explains.

Behind a longer one stand lines of another time, as if files were strung together in the wrong order.
"""


@dataclass(frozen=True)
class StoppedBy:
    """A channel of a source, and a destination that stopped it; `full` until that has room again."""

    source: str
    channel: str
    destination: str
    full: bool


@dataclass(frozen=True)
class LastTime:
    """The time of the last event of a source in ms, and how often its time stepped back far."""

    source: str
    ms: int
    steps: int


@dataclass(frozen=True)
class States:
    """The values of operators, the stopped channels with the destinations that stopped them, and the clocks."""

    past: Remembered
    stopped: tuple[StoppedBy, ...]
    clocks: tuple[LastTime, ...] = ()


@dataclass(slots=True)
class _Stops:
    """The stops of a source that are on, and when each destination last had room; a moment is a count of stops."""

    on: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each channel the destinations that stopped it, the last one last, with the moments of the stops."""
    rooms: dict[str, int] = field(default_factory=dict)
    now: int = 0

    def add(self, channel: str, destination: str, full: bool = True) -> None:
        """Note that a destination stopped a channel; where it is not full, its room is not asked for."""
        self.now += 1
        holds = self.on.setdefault(channel, {})
        holds.pop(destination, None)
        holds[destination] = self.now if full else 0

    def end(self, channel: str) -> str:
        """End the stop of a channel; the result is the last destination of it that is still full, or else the last."""
        holds = self.on.pop(channel, {})
        for destination in reversed(holds):
            if self.is_full(destination, holds[destination]):
                return destination
        return next(reversed(holds), "")

    def has_room(self, destination: str) -> None:
        """Note that a destination has room again."""
        self.rooms[destination] = self.now

    def is_full(self, destination: str, since: int) -> bool:
        """Whether a destination that stopped somebody at a moment has had no room after it."""
        return since > self.rooms.get(destination, 0)


class Folding:
    """Folds the events of a stream, from the final states of a folding by rules of the same digest."""

    def __init__(self, rules: RuleNames, states: States | None = None):
        self._judge = Judge(rules_named(rules), states.past if states else ())
        self.verdicts = self._judge.verdicts
        """Whether each rule holds for the next event; None where it does not judge it."""
        self._stops: dict[str, _Stops] = {}
        for each in states.stopped if states else ():
            self._stops.setdefault(each.source, _Stops()).add(each.channel, each.destination, each.full)
        self._clocks = {each.source: (each.ms, each.steps) for each in states.clocks} if states else {}

    def completed(self, event: Any) -> Any:
        """The next event of a log, before it is judged: the end of a stop gets the destination of the stop.

        If several destinations stopped the channel, this is one that is still full: the stop must not end before it has
        room. A start of the broker ends all stops of the log, since the broker uses the names of its connections again.
        Behind a far step back of the time, nothing is known of what came before, as in a log that begins there.
        """
        source, kind = event.source, event.kind
        before, steps = self._clocks.get(source, (0, 0))
        is_far = event.time < before - LONGEST_STEP_MS
        self._clocks[source] = event.time, steps + is_far
        if is_far or kind == START:
            self._stops.pop(source, None)
        elif kind == UNDERFULL and source in self._stops:
            self._stops[source].has_room(event.destination or "")
        if event.channel and kind in OF_STOPS:
            stops = self._stops.setdefault(source, _Stops())
            if kind == STOP:
                cause = CAUSES.get(event.cause)
                # a full store is not followed here: its line about room comes behind the releases
                stops.add(event.channel, event.destination or "", full=cause is None or not cause.alone)
            elif (was := stops.end(event.channel)) and not event.destination:
                event = event._replace(destination=was)
        steps += is_far
        return event._replace(source=f"{source} (part {steps + 1})") if steps else event

    def states(self) -> States:
        """The states of the operators, of the stopped channels and of the clocks after the events so far."""
        stopped = (
            StoppedBy(source, channel, destination, stops.is_full(destination, since))
            for source, stops in self._stops.items()
            for channel, holds in stops.on.items()
            for destination, since in holds.items()
        )
        clocks = (LastTime(source, *clock) for source, clock in self._clocks.items())
        return States(self._judge.remembered(), tuple(stopped), tuple(clocks))
