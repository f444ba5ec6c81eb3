"""Which messages a scenario sent, and where each of them should be."""

from collections.abc import Iterable, Sequence

from tidegate.adapters.base import AdapterError

HANDED_OUT_AT_LEAST = 100
HANDED_OUT_PER_MESSAGE = 10
"""More messages than these have no end: no scenario has so many destinations and second deliveries."""


class Messages:
    """The messages of a scenario by their ids; destinations are given by their full names."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._sent = 0
        self._handed_out = 0
        self._accepted: dict[str, list[str]] = {}
        """What a destination should hold, in the order of acceptance."""
        self._in_hand: dict[str, list[str]] = {}
        """What a consumer was handed before its turn."""
        self.held: dict[str, list[str]] = {}
        """What a consumer was handed and did not acknowledge."""
        self._expiring: set[str] = set()
        """What is delivered for a time only."""
        self._expired: set[str] = set()
        self._unanswered: dict[str, list[str]] = {}
        """What a producer sent without waiting for an answer."""
        self._in_doubt: set[str] = set()
        """What may have been lost with the connection of its producer."""

    def new(self) -> str:
        """The id of one more message that is sent."""
        self._sent += 1
        return f"{self._prefix}m{self._sent}"

    def expires(self, message_id: str) -> None:
        """Note that a message is delivered for a time only."""
        self._expiring.add(message_id)

    def accept(self, message_id: str, destinations: Sequence[str]) -> None:
        """The message should be on these destinations from now on, unless it has expired."""
        if message_id not in self._expired:
            for destination in destinations:
                self._accepted.setdefault(destination, []).append(message_id)

    def owed(self, destination: str) -> list[str]:
        """What a destination accepted and no consumer acknowledged, in the order of acceptance."""
        return list(self._accepted.get(destination, ()))

    def send_unanswered(self, producer: str, message_id: str) -> None:
        """Note that a producer went on without an answer to a message."""
        self._unanswered.setdefault(producer, []).append(message_id)

    def lose_connection(self, producer: str) -> None:
        """The connection of a producer broke, maybe before the broker had read all that was sent on it."""
        self._in_doubt.update(self._unanswered.pop(producer, ()))

    def surely_owed(self, destination: str) -> list[str]:
        """What a destination owes, without the messages whose connection broke before the broker answered them."""
        return [each for each in self.owed(destination) if each not in self._in_doubt]

    def in_turn(self, destination: str, message_ids: Iterable[str]) -> list[str]:
        """These messages in the order in which they were accepted, those that never were at the end."""
        accepted = self._accepted.get(destination, [])
        return sorted(message_ids, key=lambda each: accepted.index(each) if each in accepted else len(accepted))

    def hand_out(self, consumer: str, message_id: str) -> None:
        """Note that a consumer was handed a message; AdapterError where messages have no end."""
        self.held.setdefault(consumer, []).append(message_id)
        self._handed_out += 1
        if self._handed_out > HANDED_OUT_AT_LEAST + HANDED_OUT_PER_MESSAGE * self._sent:
            raise AdapterError(f"{self._handed_out} messages were handed out of {self._sent} that were sent")

    def in_hand(self, consumer: str) -> list[str]:
        """What a consumer was handed before its turn; a message is kept in hand by being added here."""
        return self._in_hand.setdefault(consumer, [])

    def acknowledge(self, consumer: str, destination: str, message_id: str) -> None:
        """Note that a consumer of a destination acknowledged a message."""
        for ids in (self._accepted.get(destination, []), self.in_hand(consumer), self.held.get(consumer, [])):
            if message_id in ids:
                ids.remove(message_id)

    def purge(self, destination: str, consumer: str) -> None:
        """Only what its consumer has in hand stays owed by a destination."""
        self._accepted[destination] = list(self.in_hand(consumer))

    def forget(self, destination: str) -> None:
        """A destination owes nothing any more, whoever has its messages in hand."""
        self._accepted[destination] = []

    def move(self, destination: str, to: str) -> None:
        """What a destination owes is owed by another one, but for what consumers hold."""
        owed, held = self.owed(destination), self._held_by_anybody()
        self._accepted[destination] = [each for each in owed if each in held]
        self._accepted.setdefault(to, []).extend(each for each in owed if each not in held)

    def expire(self, destination: str) -> set[str]:
        """What is delivered for a time only has expired, unless a consumer took it in time; what was owed of that."""
        expired = self._expiring - self._held_by_anybody()
        self._expired |= expired
        owed = self.owed(destination)
        self._accepted[destination] = [each for each in owed if each not in self._expired]
        return expired.intersection(owed)

    def give_back(self, consumer: str) -> None:
        """A consumer is no more, and holds nothing."""
        self.held.pop(consumer, None)

    def give_all_back(self) -> None:
        """No consumer is there any more."""
        self._in_hand.clear()
        self.held.clear()

    def _held_by_anybody(self) -> set[str]:
        return {message_id for ids in self.held.values() for message_id in ids}
