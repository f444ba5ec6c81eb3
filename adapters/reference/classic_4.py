"""The profile of ActiveMQ Classic 4 by document 002: a full destination suspends its sender's whole connection."""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import replace

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.embedded import Embedded
from tidegate.adapters.reference.storage import VIRTUAL, StoredMessage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic_connection
from tidegate.model.mechanisms.classic import NO_LIMIT, Destination


class Classic4Reference(Embedded):
    """A broker of destinations that reads nothing from a connection on which a message waits for space."""

    identity = Identity("reference", "classic-4", "virtual", "reference:classic-4")
    capabilities = frozenset({"suspended-connections", "late-answers", "asynchronous-sends", "ordered-messages"})
    parameters = VIRTUAL

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._brokers: dict[str, classic_connection.Broker] = {}
        self._targets: dict[str, str] = {}
        self._lines: dict[str, str] = {}
        """The connection of each producer and consumer."""
        self._unread: defaultdict[str, deque[Callable[[], None]]] = defaultdict(deque)
        """For each connection, the commands that the broker has not read yet."""
        self._held: dict[str, StoredMessage] = {}
        """For each producer, the message that the broker has read and that waits for space; the oldest first."""
        self._asynchronous: set[str] = set()
        """Producers that do not wait for answers."""
        self._unanswered: set[str] = set()
        """Producers whose send waits for its answer."""
        self._settlements: defaultdict[str, list[Settlement]] = defaultdict(list)

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)
        limit = NO_LIMIT if limits.limit_bytes is None else limits.limit_bytes
        self._brokers[destination] = classic_connection.Broker(Destination(limit, limits.policy != "NONE", 0), {})

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._targets[producer] = destination
        self._lines[producer] = connection
        if options.asynchronous:
            self._asynchronous.add(producer)
        stalls = self._rule(classic_connection.stalls_connection)(
            suspends=True, answered=not options.asynchronous, windowed=False
        )
        broker = self._brokers[destination]
        attached = classic_connection.Producer(classic_connection.ConnectionName(connection), stalls, 0)
        self._brokers[destination] = replace(
            broker, producers={**broker.producers, classic_connection.ProducerName(producer): attached}
        )

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._storage.attach(consumer, destination)
        self._lines[consumer] = connection

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if producer in self._unanswered:
            return Outcome.BLOCKED
        answered = producer not in self._asynchronous
        if answered:
            self._unanswered.add(producer)
        message = StoredMessage(message_id, size_bytes)
        self._unread[self._lines[producer]].append(lambda: self._read_message(producer, message))
        self._go_on()
        if not answered:
            return Outcome.SENT
        if producer in self._unanswered:
            return Outcome.UNSETTLED
        del self._settlements[producer][-1]  # the answer is what this call returns
        return Outcome.ACCEPTED

    def settlements(self, producer: str) -> Sequence[Settlement]:
        return self._settlements.pop(producer, [])

    def take(self, consumer: str) -> Delivery | None:
        return self._storage.take(consumer)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._unread[self._lines[consumer]].append(lambda: self._read_acknowledgement(consumer, message_id))
        self._go_on()

    def depth(self, destination: str) -> Depth:
        return self._storage.queues[destination].depth()

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=producer in self._unanswered)

    def advance(self, ms: int) -> None:
        self._storage.now_ms += ms

    def end_scenario(self) -> None:
        self._storage.clear()
        for table in (self._brokers, self._targets, self._lines, self._unread, self._held, self._settlements):
            table.clear()
        self._asynchronous.clear()
        self._unanswered.clear()

    def _go_on(self) -> None:
        """Store waiting messages and read commands, until nothing moves."""
        while self._admits() or self._reads():
            pass

    def _admits(self) -> bool:
        """Store the oldest waiting message with room at its destination; whether there was such a message."""
        for producer in self._held:
            name, destination = classic_connection.ProducerName(producer), self._targets[producer]
            broker = self._brokers[destination]
            after = self._rule(classic_connection.after_admission)(broker, name)
            if broker.producers[name].held > 0 == after.producers[name].held:
                self._brokers[destination] = after
                self._store(producer, self._held.pop(producer))
                return True
        return False

    def _reads(self) -> bool:
        """Read one command from a connection that is not suspended. Whether there was one."""
        for connection, commands in self._unread.items():
            name = classic_connection.ConnectionName(connection)
            if commands and not any(
                self._rule(classic_connection.stalled)(broker, name) for broker in self._brokers.values()
            ):
                commands.popleft()()
                return True
        return False

    def _read_message(self, producer: str, message: StoredMessage) -> None:
        name, destination = classic_connection.ProducerName(producer), self._targets[producer]
        after = self._rule(classic_connection.after_send)(self._brokers[destination], name, message.size_bytes)
        self._brokers[destination] = after
        if after.producers[name].held > 0:
            self._held[producer] = message
        else:
            self._store(producer, message)

    def _read_acknowledgement(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        connection = classic_connection.ConnectionName(self._lines[consumer])
        after = self._rule(classic_connection.after_acknowledgement)(self._brokers[destination], connection, size_bytes)
        self._brokers[destination] = after

    def _store(self, producer: str, message: StoredMessage) -> None:
        self._storage.store(self._targets[producer], message.message_id, message.size_bytes)
        if producer in self._unanswered:
            self._unanswered.remove(producer)
            self._settlements[producer].append(Settlement(message.message_id, Outcome.ACCEPTED))
