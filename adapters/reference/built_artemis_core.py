"""The reference of a released Artemis for Core clients, with features that its document lacks.

Limits may be changed, connections may break, and producers may send in transactions: a transacted message takes its
credit and its space when it is sent.
"""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference, CoreProducer
from tidegate.adapters.reference.overflow import overflowing
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis_producer, general_transactions


class BuiltArtemisCoreClients(ArtemisCoreReference):
    """A broker of addresses whose Core producers may send in transactions."""

    capabilities = ArtemisCoreReference.capabilities | {"changed-limits", "kill-clients", "transactions"}

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._transactions: dict[str, list[StoredMessage]] = {}
        """For each transacted producer, the messages of its open transaction."""
        self._refused: set[str] = set()
        """The producers that had a message of their open transaction refused."""

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
            self._transactions[producer] = []

    def close_producer(self, producer: str) -> None:
        """Roll back the open transaction, without a send that waits, and detach the producer."""
        if producer in self._transactions:
            self._producers[producer].waiting = None
            self.rollback(producer)
            del self._transactions[producer]
        super().close_producer(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """As without a transaction, but UNSETTLED for ACCEPTED: the end of the transaction decides."""
        outcome = super().send(producer, message_id, size_bytes)
        if producer in self._transactions and outcome is Outcome.REJECTED:
            self._refused.add(producer)
        return Outcome.UNSETTLED if producer in self._transactions and outcome is Outcome.ACCEPTED else outcome

    def settlements(self, producer: str) -> Sequence[Settlement]:
        told = super().settlements(producer)
        if producer not in self._transactions:
            return told
        return [each for each in told if each.outcome is not Outcome.ACCEPTED]

    def commit(self, producer: str) -> Outcome:
        if self._producers[producer].waiting is not None:
            return Outcome.BLOCKED
        if producer in self._refused:
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
        self._refused.clear()

    def _overflow(self, destination: str) -> str:
        return overflowing(self._in_force[destination], self.depth(destination))

    def _store(self, client: CoreProducer, message: StoredMessage, after: artemis_producer.CoreAddress) -> None:
        producer = next(name for name, each in self._producers.items() if each is client)
        if producer not in self._transactions:
            super()._store(client, message, after)
            return
        self._transactions[producer].append(message)
        self._addresses[client.target] = after

    def _ended(self, producer: str) -> list[StoredMessage]:
        """The messages of the open transaction, which ends. Unsupported while a send waits."""
        if self._producers[producer].waiting is not None:
            raise Unsupported(f"a send of {producer!r} still waits: no other call can be made in its session")
        self._refused.discard(producer)
        messages, self._transactions[producer] = self._transactions[producer], []
        return messages
