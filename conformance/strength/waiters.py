"""Faults about waiting producers: some of them are forgotten, or are told too late."""

from collections.abc import Callable, Sequence
from typing import Any

from tidegate.adapters.base import Outcome, Standing
from tidegate.conformance.strength.broker import Behaviour, BrokenBroker
from tidegate.conformance.strength.facts import SENDING
from tidegate.conformance.strength.triggers import Trigger

FREES = frozenset({"acknowledge", "purge", "change_limits", "unblock", "close_consumer", "rollback"})
"""The verbs that may release a waiting producer."""
Chosen = Callable[[Sequence[str]], Sequence[str]]


class Starves(Behaviour):
    """A broker that forgets some of the waiting producers of a destination when space is freed there."""

    def __init__(self, trigger: Trigger, chosen: Chosen):
        super().__init__(trigger)
        self._chosen = chosen
        self._starved: dict[str, dict[str, Any]] = {}
        """For each forgotten producer, the answers to the verbs that look at it."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        first = str(arguments[0]) if arguments else ""
        if first in self._starved:
            return self._answer_for(first, verb)
        if verb in ("kill", "close_connection"):
            for name in [name for name in self._starved if name not in broker.facts.producers]:
                del self._starved[name]
        if verb in FREES:
            self._starve(broker)
        return broker.right(verb, *arguments)

    def forget(self) -> None:
        self._starved.clear()

    def _starve(self, broker: BrokenBroker) -> None:
        facts = broker.facts
        destination, sender = facts.destination, facts.producer
        if destination is None:
            return
        line = [name for name in destination.stopped if name not in self._starved]
        for name in self._chosen(line):
            facts.focus(name)
            if broker.holds():
                looks = {verb: broker.right(verb, name) for verb in ("standing", "client_state") if _has(broker, verb)}
                self._starved[name] = looks
                broker.right("close_producer", name)
        facts.destination, facts.producer = destination, sender

    def _answer_for(self, name: str, verb: str) -> Any:
        if verb in self._starved[name]:
            return self._starved[name][verb]
        if verb in ("close_producer", "kill", "close_connection"):
            del self._starved[name]
            return None
        if verb in SENDING:
            return Outcome.BLOCKED
        return Outcome.UNSETTLED if verb == "commit" else []


def _has(broker: BrokenBroker, verb: str) -> bool:
    return hasattr(broker.inner, verb)


class ReleasesLate(Behaviour):
    """A broker whose producers hear of their release `late_ms` ms late."""

    def __init__(self, trigger: Trigger, late_ms: int):
        super().__init__(trigger)
        self._late_ms = late_ms
        self._until: dict[str, tuple[int, Standing]] = {}
        """For each producer, the time at which it hears of its release, and its standing until then."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        first = str(arguments[0]) if arguments else ""
        now_ms = broker.facts.now_ms
        if first in self._until and now_ms < self._until[first][0]:
            if verb == "standing":
                return self._until[first][1]
            if verb in SENDING:
                return Outcome.BLOCKED
            if verb == "settlements":
                return []
        if verb not in FREES or broker.facts.destination is None:
            return broker.right(verb, *arguments)
        before = {name: broker.right("standing", name) for name in broker.facts.destination.stopped}
        answer = broker.right(verb, *arguments)
        for name, standing in before.items():
            if standing.stopped and self._is_let_go(broker, name):
                self._until[name] = now_ms + self._late_ms, standing
        return answer

    def forget(self) -> None:
        self._until.clear()

    def _is_let_go(self, broker: BrokenBroker, name: str) -> bool:
        sender = broker.facts.producer
        broker.facts.focus(name)
        found = name in broker.facts.producers and broker.holds() and not broker.right("standing", name).stopped
        broker.facts.producer = sender
        return found


def third(line: Sequence[str]) -> Sequence[str]:
    """The third waiting producer."""
    return line[2:3]


def second(line: Sequence[str]) -> Sequence[str]:
    """The second waiting producer."""
    return line[1:2]


def last(line: Sequence[str]) -> Sequence[str]:
    """The last of several waiting producers."""
    return line[-1:] if len(line) > 1 else ()


def all_but_first(line: Sequence[str]) -> Sequence[str]:
    """All waiting producers but the first."""
    return line[1:]


def everyone(line: Sequence[str]) -> Sequence[str]:
    """All waiting producers."""
    return line


STARVED: tuple[tuple[str, str, Chosen], ...] = (
    ("starves-second", "forgets the second waiting producer", second),
    ("starves-third", "forgets the third waiting producer", third),
    ("starves-last", "forgets the last of several who wait", last),
    ("releases-one", "releases only the first waiting producer", all_but_first),
    ("releases-nobody", "releases nobody who waits", everyone),
)
