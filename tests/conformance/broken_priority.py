"""Brokers that each break a promise on queues by priority only."""

from collections.abc import Sequence

from tests.conformance.broken_later import Leaking
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.storage import StoredMessage

HIGHEST = 9


class ChargesWhatWasUrgent(Leaking):
    """The acknowledgement of a message of the highest priority gives nothing back."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        message = self._storage.queues[destination].handed_out[message_id]
        if message.priority == HIGHEST:
            self._leak(self._bound.get(destination, destination), message.size_bytes)
        super().acknowledge(consumer, message_id)


class FreesTheLastOneOnly(ClassicReference):
    """The acknowledgement of a message gives nothing back as long as others wait for their turn."""

    _others_wait = False

    def acknowledge(self, consumer: str, message_id: str) -> None:
        queue = self._storage.queues[self._storage.destination_of(consumer)]
        self._others_wait = self._storage.priorities.in_use and bool(queue.waiting)
        super().acknowledge(consumer, message_id)
        self._others_wait = False

    def _let_go(self, destination: str, gone: Sequence[StoredMessage]) -> None:
        super()._let_go(destination, () if self._others_wait else gone)


UNDER: dict[type, str] = {
    ChargesWhatWasUrgent: "by priority",
    FreesTheLastOneOnly: "by priority",
}
"""The condition under which each of these brokers is found."""
