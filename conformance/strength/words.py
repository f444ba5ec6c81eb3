"""Faults in what a broker tells: log lines, clients' notices, and orders of management."""

import re
from typing import Any

from tidegate.conformance.strength.broker import LOOKS, Behaviour, BrokenBroker
from tidegate.conformance.strength.triggers import Trigger

LOG_RULES = {
    "QUE-1003": "QPID-LOG-1",
    "CHN-1005": "QPID-LOG-2",
    "QUE-1004": "QPID-LOG-3",
    "CHN-1006": "QPID-LOG-4",
    "MST-1008": "QPID-DISK-8",
    "MST-1009": "QPID-DISK-9",
}
"""For the code of each line of the Qpid log, the rule that says when the line is written."""
WITH_FIGURES = ("QUE-1003", "QUE-1004")
FIGURE = re.compile(r"\d+(?=\D*$)")


class WritesOtherLines(Behaviour):
    """A broker that writes each line with a code a number of times, or with a figure one higher."""

    def __init__(self, trigger: Trigger, code: str, times: int, *, other_figure: bool = False):
        super().__init__(trigger)
        self._code = code
        self._times = times
        self._other_figure = other_figure
        self._lines: list[str] = []

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "log_lines":
            self._lines += broker.right(verb)
            new, self._lines = self._lines, []
            return new
        answer = broker.right(verb, *arguments)
        if verb not in LOOKS and verb != "end_scenario":
            otherwise = broker.holds()
            for line in broker.right("log_lines"):
                self._lines += self._instead(line) if otherwise and self._code in line else [line]
        return answer

    def forget(self) -> None:
        self._lines = []

    def _instead(self, line: str) -> list[str]:
        if self._other_figure:
            return [FIGURE.sub(lambda found: str(int(found[0]) + 1), line)]
        return [line] * self._times


class SaysTwice(Behaviour):
    """A client that gives each notice twice."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        answer = broker.right(verb, *arguments)
        return [line for line in answer for _ in range(2)] if verb == "client_warnings" else answer


class IgnoresOrder(Behaviour):
    """A broker that ignores one of the two orders of management."""

    def __init__(self, trigger: Trigger, order: str):
        super().__init__(trigger)
        self._order = order

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        return None if verb == self._order and broker.holds() else broker.right(verb, *arguments)


class ForgetsOrder(Behaviour):
    """A broker that forgets an order to stop when another verb is called."""

    def __init__(self, trigger: Trigger, verb: str):
        super().__init__(trigger)
        self._verb = verb
        self._ordered: set[str] = set()
        """The destinations whose producers are ordered to stop."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        answer = broker.right(verb, *arguments)
        destination = broker.facts.destination
        if verb == "block":
            self._ordered.add(arguments[0])
        elif verb == "unblock":
            self._ordered.discard(arguments[0])
        elif verb == self._verb and destination is not None and destination.name in self._ordered and broker.holds():
            self._ordered.discard(destination.name)
            broker.right("unblock", destination.name)
        return answer

    def forget(self) -> None:
        self._ordered.clear()
