"""The reference of a released Artemis for Core clients, with features that its document lacks.

Limits may be changed, connections may break, and producers may send in transactions: a transacted message takes its
credit and its space when it is sent.
"""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.overflow import overflowing
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.adapters.reference.transactions import OpenTransactions
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis_producer, general_transactions


class BuiltArtemisCoreClients(ArtemisCoreReference):
    """A broker of addresses whose Core producers may send in transactions."""

    capabilities = ArtemisCoreReference.capabilities | {"changed-limits", "kill-clients", "transactions"}

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._transactions = OpenTransactions()

    def change_limits(self, destination: str, limits: Limits) -> None:
        self._in_force[destination] = limits
        self._addresses[destination] = replace(self._addresses[destination], limits=self._limits(limits))
        self._let_go()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if options.transacted:
            self._transactions.begin(producer)

    def close_producer(self, producer: str) -> None:
        """Roll back the open transaction, without a send that waits, and detach the producer."""
        if producer in self._transactions:
            self._producers[producer].waiting = None
            self.rollback(producer)
            self._transactions.forget(producer)
        super().close_producer(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """As without a transaction, but UNSETTLED for ACCEPTED: the end of the transaction decides."""
        return self._transactions.told(producer, super().send(producer, message_id, size_bytes))

    def settlements(self, producer: str) -> Sequence[Settlement]:
        told = super().settlements(producer)
        if producer not in self._transactions:
            return told
        return [each for each in told if each.outcome is not Outcome.ACCEPTED]

    def commit(self, producer: str) -> Outcome:
        if self._producers[producer].waiting is not None:
            return Outcome.BLOCKED
        if self._transactions.is_refused(producer):
            self.rollback(producer)
            return Outcome.REJECTED
        destination = self._producers[producer].target
        for message in self._ended(producer):
            self._storage.store(destination, message.message_id, message.size_bytes)
            self._send_ahead(destination)
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        freed = self._rule(general_transactions.freed_by_rollback)
        gone = sum(freed(message.size_bytes) for message in self._ended(producer))
        self._free(self._producers[producer].target, gone)

    def depth(self, destination: str) -> Depth:
        """The bytes that the address is charged, and the messages of the queue."""
        return Depth(self._addresses[destination].bytes, super().depth(destination).messages)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._transactions.clear()

    def _overflow(self, destination: str) -> str:
        return overflowing(self._in_force[destination], self.depth(destination))

    def _store(self, producer: str, message: StoredMessage, after: artemis_producer.CoreAddress) -> None:
        if producer not in self._transactions:
            super()._store(producer, message, after)
            return
        self._transactions.add(producer, message)
        self._addresses[self._producers[producer].target] = after

    def _ended(self, producer: str) -> list[StoredMessage]:
        """The messages of the open transaction, which ends. Unsupported while a send waits."""
        if self._producers[producer].waiting is not None:
            raise Unsupported(f"a send of {producer!r} still waits: no other call can be made in its session")
        return self._transactions.end(producer)
