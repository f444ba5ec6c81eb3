"""The reference of a released Artemis for AMQP producers, with a feature that its document lacks: transactions.

A transacted message takes its credit and its space when it is sent. A transaction cannot be committed if one of its
messages was refused.
"""

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Outcome, ProducerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.adapters.reference.transactions import OpenTransactions
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import general_transactions


class BuiltArtemisAmqp(ArtemisReference):
    """A broker of addresses whose producers may send in transactions."""

    capabilities = ArtemisReference.capabilities | {"transactions"}

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._transactions = OpenTransactions()

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
        """Roll back the open transaction, and detach the producer."""
        if producer in self._transactions:
            self.rollback(producer)
            self._transactions.forget(producer)
        super().close_producer(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """As without a transaction, but UNSETTLED for ACCEPTED: the end of the transaction decides."""
        return self._transactions.told(producer, super().send(producer, message_id, size_bytes))

    def commit(self, producer: str) -> Outcome:
        if self._transactions.is_refused(producer):
            self.rollback(producer)
            return Outcome.REJECTED
        for message in self._transactions.end(producer):
            super()._enqueue(producer, message)
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        freed = self._rule(general_transactions.freed_by_rollback)
        gone = [StoredMessage(each.message_id, freed(each.size_bytes)) for each in self._transactions.end(producer)]
        self._free(self._target[producer], gone)

    def depth(self, destination: str) -> Depth:
        """The bytes that the address is charged, and the messages of the queue."""
        address = self._bound.get(destination, destination)
        return Depth(self._addresses[address].bytes, super().depth(destination).messages)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._transactions.clear()

    def _enqueue(self, producer: str, message: StoredMessage) -> None:
        """Store a message, or keep it until its transaction is committed."""
        if producer in self._transactions:
            self._transactions.add(producer, message)
        else:
            super()._enqueue(producer, message)

    def _held_at(self, destination: str) -> Depth:
        """The bytes and messages that count towards the limits of an address."""
        stored, open_ = super()._held_at(destination), self._open_at(destination)
        return Depth(stored.bytes + open_.bytes, stored.messages + open_.messages)

    def _open_at(self, destination: str) -> Depth:
        """The bytes and messages of open transactions to an address."""
        found = [
            message.size_bytes for producer, message in self._transactions if self._target[producer] == destination
        ]
        return Depth(sum(found), len(found))
