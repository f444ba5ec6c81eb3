"""Folds a stream: the rules judge its events in order, and go on from one file to the next with what they remember."""

from collections import namedtuple
from dataclasses import dataclass
from typing import Any

from tidegate.model.language.judge import Judge, Remembered
from tidegate.pipeline.judge.rules import RuleNames, rules_named
from tidegate.pipeline.read.tables import FIELDS, LINE
from tidegate.record.events import Kind

Row = namedtuple("Row", [LINE, *FIELDS])  # type: ignore[misc]  # mypy knows no fields that are computed
"""An event with the number of its line; `_make` makes one of its values."""
START, STOP = str(Kind.START), str(Kind.STOP)
OF_STOPS = (STOP, str(Kind.RELEASE), str(Kind.CLOSE))
"""The kinds of events that begin or end the stop of a channel."""


@dataclass(frozen=True)
class States:
    """The values of operators, and each stopped channel: its source, itself, and the destination that stopped it."""

    past: Remembered
    stopped: tuple[tuple[str, str, str], ...]


class Folding:
    """Folds the events of a stream, from the final states of a folding by rules of the same digest."""

    def __init__(self, rules: RuleNames, states: States | None = None):
        self._judge = Judge(rules_named(rules), states.past if states else ())
        self.verdicts = self._judge.verdicts
        """Whether each rule holds for the next event; None where it does not judge it."""
        self._stopped: dict[str, dict[str, str]] = {}
        """The stopped channels of each source, and the destinations that stopped them."""
        for source, channel, destination in states.stopped if states else ():
            self._stopped.setdefault(source, {})[channel] = destination

    def completed(self, event: Any) -> Any:
        """The next event of a log, before it is judged: the end of a stop gets the destination of the stop.

        A start of the broker ends all stops of the log, since the broker uses the names of its connections again.
        """
        if event.kind == START:
            self._stopped.pop(event.source, None)
        elif event.channel and event.kind in OF_STOPS:
            on = self._stopped.setdefault(event.source, {})
            if event.kind == STOP:
                on[event.channel] = event.destination or ""
            elif (was := on.pop(event.channel, "")) and not event.destination:
                return event._replace(destination=was)
        return event

    def states(self) -> States:
        """The states of the operators and of the stopped channels after the events so far."""
        stopped = ((source, *each) for source, on in self._stopped.items() for each in on.items())
        return States(self._judge.remembered(), tuple(stopped))
