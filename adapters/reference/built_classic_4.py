"""The reference of a released ActiveMQ 4, with features that its document lacks: closed clients, purges, changed
limits, transactions.

A transacted message takes its space when it is sent. A rule says how much of it a rollback frees.
"""

from collections.abc import Sequence
from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.classic_4 import Classic4Reference
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.adapters.reference.transactions import OpenTransactions
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic, general_transactions


class BuiltClassic4(Classic4Reference):
    """A broker of destinations whose clients may close, and may send in transactions."""

    capabilities = Classic4Reference.capabilities | {
        *("changed-limits", "purge", "close-clients", "kill-clients", "transactions")
    }

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._transactions = OpenTransactions()

    def change_limits(self, destination: str, limits: Limits) -> None:
        limit = classic.NO_LIMIT if limits.limit_bytes is None else limits.limit_bytes
        broker = self._brokers[destination]
        changed = replace(broker.destination, limit=limit, controlled=limits.policy != "NONE")
        self._brokers[destination] = replace(broker, destination=changed)
        self._go_on()

    def purge(self, destination: str) -> None:
        self._free(destination, self._storage.purge(destination))

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

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """As without a transaction, but UNSETTLED for ACCEPTED: the answer does not decide on a transacted message."""
        return self._transactions.told(producer, super().send(producer, message_id, size_bytes))

    def settlements(self, producer: str) -> Sequence[Settlement]:
        told = super().settlements(producer)
        return [each for each in told if each.outcome is not Outcome.UNSETTLED]

    def _ends_transaction(self, producer: str) -> list[StoredMessage]:
        """End the open transaction, and return its messages. Unsupported while a send waits, as in a JMS session."""
        if producer in self._unanswered:
            raise Unsupported(f"a send of {producer!r} still waits: no other call can be made in its session")
        return self._transactions.end(producer)

    def commit(self, producer: str) -> Outcome:
        if producer in self._unanswered:
            return Outcome.BLOCKED
        for message in self._ends_transaction(producer):
            self._storage.store(self._targets[producer], message.message_id, message.size_bytes)
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        self._give_back(producer, self._ends_transaction(producer))

    def _give_back(self, producer: str, gone: Sequence[StoredMessage]) -> None:
        freed = self._rule(general_transactions.freed_by_rollback)(sum(each.size_bytes for each in gone))
        self._free(self._targets[producer], freed)

    def close_producer(self, producer: str) -> None:
        if producer in self._transactions:
            self._give_back(producer, self._transactions.end(producer))
            self._transactions.forget(producer)
        self._unanswered.discard(producer)
        self._held.pop(producer, None)
        del self._lines[producer]
        destination = self._targets.pop(producer)
        broker = self._brokers[destination]
        others = {name: each for name, each in broker.producers.items() if name != producer}
        self._brokers[destination] = replace(broker, producers=others)
        self._go_on()

    def close_consumer(self, consumer: str) -> None:
        self._storage.detach(consumer)
        del self._lines[consumer]

    def kill(self, connection: str) -> None:
        self._unread.pop(connection, None)
        for client in [each for each, its in self._lines.items() if its == connection]:
            (self.close_consumer if self._storage.is_consumer(client) else self.close_producer)(client)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._transactions.clear()

    def _free(self, destination: str, size_bytes: int) -> None:
        """Free bytes and go on. The broker does so even if connections are suspended."""
        broker = self._brokers[destination]
        freed = self._rule(classic.after_removal)(broker.destination, size_bytes)
        self._brokers[destination] = replace(broker, destination=freed)
        self._go_on()

    def _store(self, producer: str, message: StoredMessage) -> None:
        """Store a message. A transacted message takes its space now, and is on its destination after the commit."""
        if producer not in self._transactions:
            super()._store(producer, message)
            return
        self._transactions.add(producer, message)
        if producer in self._unanswered:
            self._unanswered.remove(producer)
            self._settlements[producer].append(Settlement(message.message_id, Outcome.UNSETTLED))

    def depth(self, destination: str) -> Depth:
        """The bytes that the broker counts, and the messages on the destination."""
        counted = self._brokers[destination].destination.bytes
        return Depth(counted, super().depth(destination).messages)
