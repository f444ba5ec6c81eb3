"""Keeps account of the messages that a scenario sent, and of where each should be."""

from collections.abc import Iterable, Sequence

from tidegate.adapters.base import AdapterError

HANDED_OUT_AT_LEAST = 100
HANDED_OUT_PER_MESSAGE = 10
"""More deliveries than these are taken as endless: no scenario has so many destinations and redeliveries."""


class Messages:
    """The messages of a scenario by their ids; destinations are given by their full names."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._sent = 0
        self._handed_out = 0
        self._accepted: dict[str, list[str]] = {}
        """The messages that each destination should hold, in the order of acceptance."""
        self._in_hand: dict[str, list[str]] = {}
        """The messages that each consumer was handed before their turn."""
        self.held: dict[str, list[str]] = {}
        """The messages that each consumer was handed and did not acknowledge."""
        self._expiring: set[str] = set()
        """The messages that expire."""
        self._lives_until: dict[str, int] = {}
        """The moment, in ms, at which each of them expires, until the scenario has let that moment pass."""
        self._expired: set[str] = set()
        self._unanswered: dict[str, list[str]] = {}
        """The messages that each producer sent without waiting for an answer."""
        self._in_doubt: set[str] = set()
        """The messages that may have been lost with the connection of their producer."""

    def new(self) -> str:
        """The id of a new message to send."""
        self._sent += 1
        return f"{self._prefix}m{self._sent}"

    def expires(self, message_id: str, at_ms: int) -> None:
        """Note that a message expires at a moment, in ms."""
        self._expiring.add(message_id)
        self._lives_until[message_id] = at_ms

    def expired_early(self, now_ms: int) -> bool:
        """Whether an owed message has expired by now although the scenario did not let its time pass."""
        expired = {each for each, at_ms in self._lives_until.items() if at_ms <= now_ms}
        return any(not expired.isdisjoint(owed) for owed in self._accepted.values())

    def let_pass(self, now_ms: int) -> None:
        """Note that the scenario let time pass up to this moment, so that messages expired as it meant them to."""
        self._lives_until = {each: at_ms for each, at_ms in self._lives_until.items() if at_ms > now_ms}

    def accept(self, message_id: str, destinations: Sequence[str]) -> None:
        """Note that a message should be on these destinations from now on, unless it has expired."""
        if message_id not in self._expired:
            for destination in destinations:
                self._accepted.setdefault(destination, []).append(message_id)

    def owed(self, destination: str) -> list[str]:
        """The messages that a destination accepted and no consumer acknowledged, in the order of acceptance."""
        return list(self._accepted.get(destination, ()))

    def send_unanswered(self, producer: str, message_id: str) -> None:
        """Note that a producer did not wait for the answer to a message."""
        self._unanswered.setdefault(producer, []).append(message_id)

    def lose_connection(self, producer: str) -> None:
        """Note that the connection of a producer broke, maybe before the broker had read all messages sent on it."""
        self._in_doubt.update(self._unanswered.pop(producer, ()))

    def surely_owed(self, destination: str) -> list[str]:
        """The owed messages of a destination, without any whose connection broke before the broker answered it."""
        return [each for each in self.owed(destination) if each not in self._in_doubt]

    def in_turn(self, destination: str, message_ids: Iterable[str]) -> list[str]:
        """These messages in the order of their acceptance, never accepted ones at the end."""
        accepted = self._accepted.get(destination, [])
        return sorted(message_ids, key=lambda each: accepted.index(each) if each in accepted else len(accepted))

    def hand_out(self, consumer: str, message_id: str) -> None:
        """Note that a consumer was handed a message; AdapterError if deliveries do not end."""
        self.held.setdefault(consumer, []).append(message_id)
        self._handed_out += 1
        if self._handed_out > HANDED_OUT_AT_LEAST + HANDED_OUT_PER_MESSAGE * self._sent:
            raise AdapterError(f"{self._handed_out} messages were handed out of {self._sent} that were sent")

    def in_hand(self, consumer: str) -> list[str]:
        """The messages that a consumer was handed before their turn, as a list to which callers add."""
        return self._in_hand.setdefault(consumer, [])

    def acknowledge(self, consumer: str, destination: str, message_id: str) -> None:
        """Note that a consumer of a destination acknowledged a message."""
        for ids in (self._accepted.get(destination, []), self.in_hand(consumer), self.held.get(consumer, [])):
            if message_id in ids:
                ids.remove(message_id)

    def purge(self, destination: str, consumer: str) -> None:
        """Note that a destination was purged: it owes only the messages that its consumer has in hand."""
        self._accepted[destination] = list(self.in_hand(consumer))

    def forget(self, destination: str) -> None:
        """Note that a destination owes nothing any more, even if consumers have its messages in hand."""
        self._accepted[destination] = []

    def move(self, destination: str, to: str) -> None:
        """Note that the owed messages of a destination moved to another, except messages that consumers hold."""
        owed, held = self.owed(destination), self._held_by_anybody()
        self._accepted[destination] = [each for each in owed if each in held]
        self._accepted.setdefault(to, []).extend(each for each in owed if each not in held)

    def expire(self, destination: str) -> set[str]:
        """Note that expiring messages have expired, unless a consumer holds them; the ids of the owed ones."""
        expired = self._expiring - self._held_by_anybody()
        self._expired |= expired
        owed = self.owed(destination)
        self._accepted[destination] = [each for each in owed if each not in self._expired]
        return expired.intersection(owed)

    def give_back(self, consumer: str) -> None:
        """Note that a consumer holds nothing any more: it has ended, or gave all messages back."""
        self.held.pop(consumer, None)
        self._in_hand.pop(consumer, None)

    def give_all_back(self) -> None:
        """Note that all consumers have ended."""
        self._in_hand.clear()
        self.held.clear()

    def _held_by_anybody(self) -> set[str]:
        return {message_id for ids in self.held.values() for message_id in ids}
