"""The behaviours of the second series of faults: late releases, stale figures, wrong inheritance, and so on."""

import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from tidegate.adapters.base import Delivery, Limits, Outcome, Standing
from tidegate.conformance.strength.broker import Behaviour, BrokenBroker
from tidegate.conformance.strength.facts import SENDING, Facts
from tidegate.conformance.strength.mechanisms import Decision
from tidegate.conformance.strength.triggers import Trigger
from tidegate.conformance.strength.waiters import FREES

REMOVING = frozenset({"acknowledge", "purge", "move", "give_up"})
"""The verbs after which messages have left a destination."""
FREEING = FREES | REMOVING
"""The verbs that may release a waiting producer."""


class StopsAMessageLate(Behaviour):
    """A broker that compares a level before it adds the message: it stops a producer one message late."""

    def __init__(self, trigger: Trigger, decision: Decision):
        super().__init__(trigger)
        self._decision = decision
        self._filled_by: dict[str, str] = {}
        """For each destination that is full, the message that was the last one when it became full."""

    def puts(self, facts: Facts) -> Mapping[str, Callable[[Any], Any]]:
        def changed(original: Callable[..., Any]) -> Callable[..., Any]:
            def wrapped(*given: Any) -> Any:
                right = original(*given)
                destination = facts.destination
                if destination is None:
                    return right
                if right != self._decision.holds_back(*given):
                    self._filled_by.pop(destination.name, None)
                    return right
                by = self._filled_by.setdefault(destination.name, facts.message_id)
                is_last = by == facts.message_id and self.trigger.holds(facts)
                return self._decision.lets_pass(*given) if is_last else right

            return wrapped

        return {self._decision.place: changed}

    def forget(self) -> None:
        self._filled_by.clear()


class FreesAMessageLate(Behaviour):
    """A broker that gives the bytes of a message back only once the next message leaves."""

    def __init__(self, trigger: Trigger, place: tuple[str, str]):
        super().__init__(trigger)
        self._place, self._parameter = place
        self._owed: dict[str, int] = {}
        """For each destination, the bytes of the last message that left."""

    def puts(self, facts: Facts) -> Mapping[str, Callable[[Any], Any]]:
        def changed(original: Callable[..., Any]) -> Callable[..., Any]:
            signature = inspect.signature(original)

            def wrapped(*given: Any) -> Any:
                bound = signature.bind(*given)
                size = bound.arguments[self._parameter]
                if size > 0 and facts.destination is not None and self.trigger.holds(facts):
                    bound.arguments[self._parameter] = self._owed.get(facts.destination.name, 0)
                    self._owed[facts.destination.name] = size
                return original(*bound.args)

            return wrapped

        return {self._place: changed}

    def forget(self) -> None:
        self._owed.clear()


class HoldsReleased(Behaviour):
    """A broker that tells producers of their release at a later event than the one that makes room.

    `by` are the verbs whose release is told late. `until` are the verbs that tell it: all held producers, or with
    `one_by_one` the first that was held. With `when_empty` it is told once the destination holds no message.
    """

    def __init__(
        self, trigger: Trigger, by: frozenset[str], until: frozenset[str], *, one_by_one: bool = False,
        when_empty: bool = False,
    ):  # fmt: skip
        super().__init__(trigger)
        self._by, self._until = by, until
        self._one_by_one, self._when_empty = one_by_one, when_empty
        self._held: dict[str, tuple[str, Standing]] = {}
        """For each held producer its destination, and its standing until it is told."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        first = str(arguments[0]) if arguments else ""
        if verb in ("close_producer", "kill", "close_connection", "restart_broker"):
            gone = [name for name in self._held if name == first or name not in broker.facts.producers]
            gone += [name for name in self._held if _connection(broker, name) == first or verb == "restart_broker"]
            for name in gone:
                self._held.pop(name, None)
        if first in self._held:
            if verb == "standing":
                return self._held[first][1]
            if verb in SENDING and verb not in self._until:
                return Outcome.BLOCKED
            if verb == "settlements":
                return []
        before = self._before(broker, verb)
        if verb in self._until:
            self._tell(broker)
        answer = broker.right(verb, *arguments)
        if before:
            self._hold(broker, before)
        self._tell_of_empty(broker, verb)
        return answer

    def forget(self) -> None:
        self._held.clear()

    def _before(self, broker: BrokenBroker, verb: str) -> dict[str, Standing]:
        destination = broker.facts.destination
        if verb not in self._by or destination is None:
            return {}
        return {name: broker.right("standing", name) for name in destination.stopped if name not in self._held}

    def _hold(self, broker: BrokenBroker, before: Mapping[str, Standing]) -> None:
        facts = broker.facts
        destination, sender = facts.destination, facts.producer
        let_go = [
            name
            for name, standing in before.items()
            if standing.stopped and name in facts.producers and not broker.right("standing", name).stopped
        ]
        for name in let_go[1:] if self._one_by_one else let_go:
            facts.focus(name)
            if broker.holds() and destination is not None:
                self._held[name] = destination.name, before[name]
        facts.destination, facts.producer = destination, sender

    def _tell(self, broker: BrokenBroker) -> None:
        """Tell the held producers of the present destination, or the first of them."""
        destination = broker.facts.destination
        mine = [name for name, (where, _) in self._held.items() if destination is None or where == destination.name]
        for name in mine[:1] if self._one_by_one else mine:
            del self._held[name]

    def _tell_of_empty(self, broker: BrokenBroker, verb: str) -> None:
        if self._when_empty and verb in FREEING:
            for name, (where, _) in list(self._held.items()):
                if where not in broker.facts.destinations or broker.right("depth", where).messages == 0:
                    del self._held[name]


def _connection(broker: BrokenBroker, name: str) -> str | None:
    found = broker.facts.producers.get(name)
    return found.connection if found else None


class ForgetsOthersOfGone(Behaviour):
    """A broker that forgets the next waiting producer when a stopped one goes."""

    def __init__(self, trigger: Trigger, verb: str):
        super().__init__(trigger)
        self._verb = verb
        self._forgotten: dict[str, Standing] = {}

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        first = str(arguments[0]) if arguments else ""
        if first in self._forgotten and verb not in ("close_producer", "kill"):
            looks = {"standing": self._forgotten[first], "commit": Outcome.UNSETTLED}
            return looks.get(verb, Outcome.BLOCKED if verb in SENDING else [])
        if verb in ("close_producer", "kill", "close_connection"):
            gone = [name for name in self._forgotten if name == first or _connection(broker, name) == first]
            for name in gone:
                del self._forgotten[name]
            if verb == "close_producer" and gone:
                return None
            if verb == self._verb:
                self._forget_next(broker, first)
        return broker.right(verb, *arguments)

    def forget(self) -> None:
        self._forgotten.clear()

    def _forget_next(self, broker: BrokenBroker, gone: str) -> None:
        facts = broker.facts
        for one in facts.destinations.values():
            left = [name for name in one.stopped if gone not in (name, _connection(broker, name))]
            if len(left) < len(one.stopped) and left and left[0] not in self._forgotten:
                before = facts.destination, facts.producer
                facts.focus(left[0])
                if broker.holds():
                    self._forgotten[left[0]] = broker.right("standing", left[0])
                    broker.right("close_producer", left[0])
                facts.destination, facts.producer = before


class InheritsWrong(Behaviour):
    """A broker that mistakes default limits: `own` limits give way to them, none apply, or only the `first` do."""

    def __init__(self, trigger: Trigger, way: str):
        super().__init__(trigger)
        self._way = way
        self._defaults: list[Limits] = []

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "declare_defaults":
            self._defaults.append(arguments[0])
            if self._way == "none" and broker.holds():
                return None
        if verb in ("declare", "declare_topic") and self._way == "own" and self._defaults:
            has_own = arguments[1].limit_bytes is not None or arguments[1].limit_messages is not None
            if has_own and broker.holds():
                return broker.right(verb, arguments[0], Limits())
        return broker.right(verb, *arguments)

    def forget(self) -> None:
        self._defaults.clear()


class TakesChangesWrong(Behaviour):
    """A broker that takes over the first change of limits only, or each change only with the next send.

    It reports the limits that were configured.
    """

    def __init__(self, trigger: Trigger, *, first_only: bool):
        super().__init__(trigger)
        self._first_only = first_only
        self._changed: set[str] = set()
        self._due: dict[str, Limits] = {}
        self._configured: dict[str, Limits] = {}

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "change_limits" and broker.holds():
            name, limits = arguments
            self._configured[name] = limits
            if not self._first_only:
                self._due[name] = limits
                return None
            if name in self._changed:
                return None
            self._changed.add(name)
        if verb in SENDING:
            for name, limits in self._due.items():
                broker.right("change_limits", name, limits)
            self._due.clear()
        answer = broker.right(verb, *arguments)
        if verb == "limits_in_force" and arguments[0] in self._configured:
            said = self._configured[arguments[0]]
            set_ones = {one.name: getattr(said, one.name) for one in fields(said)}
            return replace(answer, **{name: value for name, value in set_ones.items() if value is not None})
        return answer

    def forget(self) -> None:
        for known in (self._changed, self._due, self._configured):
            known.clear()


class ShowsStale(Behaviour):
    """A management that shows an old answer: a look is renewed only once one of some verbs was called."""

    def __init__(self, trigger: Trigger, look: str, stale_by: frozenset[str]):
        super().__init__(trigger)
        self._look = look
        self._stale_by = stale_by
        self._shown: dict[tuple[Any, ...], Any] = {}
        """The old answer by the arguments of the look."""
        self._last: dict[tuple[Any, ...], Any] = {}

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == self._look:
            answer = broker.right(verb, *arguments)
            self._last[arguments] = answer
            return self._shown.get(arguments, answer)
        if verb in self._stale_by and broker.holds():
            self._keep(broker)
        elif verb in SENDING:
            self._shown.clear()
        return broker.right(verb, *arguments)

    def forget(self) -> None:
        self._shown.clear()
        self._last.clear()

    def _keep(self, broker: BrokenBroker) -> None:
        """Keep the answers of before the present verb."""
        everyone = broker.facts.producers if self._look == "shown_stopped" else broker.facts.destinations
        for name in everyone:
            if (name,) not in self._shown:
                self._shown[(name,)] = broker.right(self._look, name)


class ShowsOtherTraffic(Behaviour):
    """A management that shows a count of messages wrongly."""

    def __init__(self, trigger: Trigger, count: str, change: Callable[[int], int]):
        super().__init__(trigger)
        self._count = count
        self._change = change

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        answer = broker.right(verb, *arguments)
        if verb != "traffic" or getattr(answer, self._count) is None:
            return answer
        before = broker.facts.destination
        broker.facts.destination = broker.facts.destinations.get(arguments[0], before)
        holds = broker.holds()
        broker.facts.destination = before
        return replace(answer, **{self._count: self._change(getattr(answer, self._count))}) if holds else answer


class EndsTransactionsWrong(Behaviour):
    """A broker that commits at each send, rolls back at a commit, or does nothing at a rollback."""

    def __init__(self, trigger: Trigger, way: str):
        super().__init__(trigger)
        self._way = way

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "commit" and self._way == "rolls back" and broker.holds():
            outcome = broker.right("standing", arguments[0]).stopped
            if not outcome:
                broker.right("rollback", *arguments)
                return Outcome.ACCEPTED
        if verb == "rollback" and self._way == "forgets" and broker.holds():
            return None
        answer = broker.right(verb, *arguments)
        if verb == "send" and answer is Outcome.UNSETTLED and self._way == "at once":
            producer = broker.facts.producers[arguments[0]]
            if producer.options.transacted and broker.holds() and not broker.right("standing", arguments[0]).stopped:
                broker.right("commit", arguments[0])
        return answer


class DeliversOutOfOrder(Behaviour):
    """A broker that hands out the second message before the first."""

    def __init__(self, trigger: Trigger):
        super().__init__(trigger)
        self._kept: defaultdict[str, list[Delivery]] = defaultdict(list)
        """The messages that are handed out next, by their consumer."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb != "take":
            if verb in ("close_consumer", "kill", "give_back", "restart_broker"):
                self._kept.clear()
            return broker.right(verb, *arguments)
        kept = self._kept[arguments[0]]
        if kept:
            return kept.pop()
        one = broker.right(verb, *arguments)
        if one is None or not broker.holds() or (other := broker.right(verb, *arguments)) is None:
            return one
        kept.append(one)
        return other

    def forget(self) -> None:
        self._kept.clear()


class DeliversExpired(Behaviour):
    """A broker that treats a message that expires as one that does not."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "send_expiring" and broker.holds():
            return broker.right("send", *arguments[:3])
        return broker.right(verb, *arguments)


class LosesBy(Behaviour):
    """A broker that loses the messages of a destination when management moves, lists or browses them, or after a
    restart."""

    def __init__(self, trigger: Trigger, verb: str):
        super().__init__(trigger)
        self._verb = verb

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb != self._verb:
            return broker.right(verb, *arguments)
        holds = broker.holds()
        if verb == "move" and holds:
            return broker.right("purge", arguments[0])
        answer = broker.right(verb, *arguments)
        if holds:
            for name in broker.facts.destinations if verb == "restart_broker" else arguments[:1]:
                broker.right("purge", name)
        return answer


class KeepsGivenUp(Behaviour):
    """A broker that keeps what a consumer refused for good, as if the consumer still held it."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        return None if verb == "give_up" and broker.holds() else broker.right(verb, *arguments)
