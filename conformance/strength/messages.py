"""Faults of messages: delivered twice, lost, stored although refused, refused although there is room, and so on."""

from collections import defaultdict, deque
from typing import Any

from tidegate.adapters.base import Delivery, Depth, Outcome
from tidegate.conformance.strength.broker import Behaviour, BrokenBroker
from tidegate.conformance.strength.facts import SENDING
from tidegate.conformance.strength.triggers import Trigger


class _Ghosts(Behaviour):
    """Messages that a broker hands out beside the right ones."""

    def __init__(self, trigger: Trigger):
        super().__init__(trigger)
        self.ghosts: defaultdict[str, deque[str]] = defaultdict(deque)
        """For each destination, the ids of the waiting messages."""
        self._handed_out: set[tuple[str, str]] = set()

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "acknowledge" and (arguments[0], arguments[1]) in self._handed_out:
            self._handed_out.discard((arguments[0], arguments[1]))
            return None
        answer = broker.right(verb, *arguments)
        if verb == "take" and answer is None and broker.facts.destination is not None:
            name = broker.facts.destination.name
            if self.ghosts[name]:
                answer = Delivery(self.ghosts[name].popleft(), name)
                self._handed_out.add((arguments[0], answer.message_id))
        return answer

    def forget(self) -> None:
        self.ghosts.clear()
        self._handed_out.clear()


class DeliversTwice(_Ghosts):
    """A broker that delivers messages once more after they were acknowledged."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        is_ghost = verb == "acknowledge" and (arguments[0], arguments[1]) in self._handed_out
        again = verb == "acknowledge" and not is_ghost and broker.holds()
        answer = super().call(broker, verb, arguments)
        if again and broker.facts.destination is not None:
            self.ghosts[broker.facts.destination.name].append(arguments[1])
        return answer


class StoresWhatItRefuses(_Ghosts):
    """A broker that finally delivers messages that it rejected or did not take."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        answer = super().call(broker, verb, arguments)
        destination = broker.facts.destination
        if destination is None or not broker.holds():
            return answer
        if verb in SENDING and answer in (Outcome.REJECTED, Outcome.BLOCKED):
            self.ghosts[destination.name].append(broker.facts.message_id)
        elif verb == "settlements":
            refused = [one.message_id for one in answer if one.outcome is Outcome.REJECTED]
            self.ghosts[destination.name].extend(refused)
        elif verb == "depth":
            return Depth(answer.bytes, answer.messages + len(self.ghosts[arguments[0]]))
        return answer


class Loses(Behaviour):
    """A broker that accepts messages, charges them, and skips them when consumers take."""

    def __init__(self, trigger: Trigger):
        super().__init__(trigger)
        self._lost: set[str] = set()

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb in SENDING and broker.holds():
            self._lost.add(broker.facts.message_id)
        answer = broker.right(verb, *arguments)
        while verb == "take" and answer is not None and answer.message_id in self._lost:
            broker.right("acknowledge", arguments[0], answer.message_id)
            answer = broker.right(verb, *arguments)
        return answer

    def forget(self) -> None:
        self._lost.clear()


class Drops(Behaviour):
    """A broker that accepts messages and does not store them."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb in SENDING and broker.holds() and _goes(broker, verb, arguments):
            return Outcome.ACCEPTED
        return broker.right(verb, *arguments)


class Refuses(Behaviour):
    """A broker that rejects messages although there is room for them."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb in SENDING and broker.holds() and _goes(broker, verb, arguments):
            return Outcome.REJECTED
        return broker.right(verb, *arguments)


def _goes(broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> bool:
    """Whether this is a plain send of a producer that waits for answers and is not stopped."""
    producer = broker.facts.producers[arguments[0]]
    answered = not (producer.options.asynchronous or producer.options.unconfigured or producer.options.transacted)
    return answered and verb == "send" and not broker.right("standing", arguments[0]).stopped


class SaysRefusedOfStored(Behaviour):
    """A broker that reports stored messages as rejected."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        answer = broker.right(verb, *arguments)
        return Outcome.REJECTED if verb in SENDING and answer is Outcome.ACCEPTED and broker.holds() else answer


class CommitsRollbacks(Behaviour):
    """A broker that commits a transaction when its client rolls it back."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == "rollback" and broker.holds():
            broker.right("commit", *arguments)
            return None
        return broker.right(verb, *arguments)


class _Holding(Behaviour):
    """The ids of the messages that each consumer was handed and did not acknowledge."""

    def __init__(self, trigger: Trigger):
        super().__init__(trigger)
        self.held: defaultdict[str, list[str]] = defaultdict(list)

    def note(self, verb: str, arguments: tuple[Any, ...], answer: Any) -> None:
        """Note the effect of a verb on the held messages."""
        if verb == "take" and answer is not None:
            self.held[arguments[0]].append(answer.message_id)
        elif verb == "acknowledge" and arguments[1] in self.held[arguments[0]]:
            self.held[arguments[0]].remove(arguments[1])

    def forget(self) -> None:
        self.held.clear()


class LosesWhatIsGivenBack(_Holding):
    """A broker that counts messages as acknowledged when the consumer that held them goes."""

    def __init__(self, trigger: Trigger, verb: str):
        super().__init__(trigger)
        self._verb = verb

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        if verb == self._verb and broker.holds():
            for consumer in _consumers(broker, verb, arguments[0]):
                for message_id in self.held.pop(consumer, []):
                    broker.right("acknowledge", consumer, message_id)
        answer = broker.right(verb, *arguments)
        self.note(verb, arguments, answer)
        return answer


def _consumers(broker: BrokenBroker, verb: str, name: str) -> list[str]:
    if verb == "close_consumer":
        return [name]
    return [one.name for one in broker.facts.consumers.values() if one.connection == name]


class KeepsWhatIsGivenBack(Behaviour):
    """A broker that never hands out again the messages of a consumer that was closed."""

    def call(self, broker: BrokenBroker, verb: str, arguments: tuple[Any, ...]) -> Any:
        return None if verb == "close_consumer" and broker.holds() else broker.right(verb, *arguments)
