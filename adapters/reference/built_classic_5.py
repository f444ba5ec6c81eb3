"""The reference of a released ActiveMQ 5 or 6, with features that its document lacks: broken connections, and
transactions.

A transacted message takes its space when it is sent. A rule says how much of it stays charged after a rollback.
"""

from tidegate.adapters.base import Outcome
from tidegate.adapters.reference.classic import ClassicReference, Producer
from tidegate.model.mechanisms import classic, classic_usage, general_transactions


class BuiltClassic5(ClassicReference):
    """A broker of destinations whose clients may close, and may send in transactions."""

    capabilities = (ClassicReference.capabilities | {"kill-clients", "transactions"}) - {"counts-bytes"}

    def commit(self, producer: str) -> Outcome:
        self._give_back(self._producers[producer])
        return super().commit(producer)

    def rollback(self, producer: str) -> None:
        self._give_back(self._producers[producer])
        super().rollback(producer)
        self._work_off()

    def close_producer(self, producer: str) -> None:
        """Roll back the open transaction: a session with a waiting send can only end so."""
        sender = self._producers[producer]
        self._give_back(sender)
        if sender.options.transacted:
            waiting = sum(pending.size_bytes for pending in self._of(sender))
            room = self._rule(classic.stored)(self._level(sender, 0))
            self._charge(sender, self._rule(general_transactions.charged_after_rollback)(waiting, room))
        super().close_producer(producer)
        self._work_off()

    def _admit(self, sender: Producer, message_id: str, size_bytes: int) -> Outcome:
        if sender.options.transacted:
            self._charge(sender, size_bytes)
        return super()._admit(sender, message_id, size_bytes)

    def _give_back(self, sender: Producer) -> None:
        """Free the memory of the messages in an open transaction."""
        if sender.transaction and self._takes_memory(sender):
            self._free_memory(sender.destination, sum(size_bytes for _, size_bytes in sender.transaction))

    def _charge(self, sender: Producer, size_bytes: int) -> None:
        if self._takes_memory(sender):
            self._take_memory(sender.destination, size_bytes)

    def _takes_memory(self, sender: Producer) -> bool:
        return self._rule(classic_usage.takes_memory)(self._placement(sender))
