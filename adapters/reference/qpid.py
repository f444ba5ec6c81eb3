"""The profile of the Qpid Java broker 0.18: the queue gate of documents 000 and 001."""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Depth,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
)
from tidegate.adapters.groups import ClientState, Settlement, Usage
from tidegate.adapters.reference.clients import Clients
from tidegate.adapters.reference.overflow import DROP, FAIL, is_passed
from tidegate.adapters.reference.qpid_client import QpidClients
from tidegate.adapters.reference.qpid_disk import KIND, MessageStore
from tidegate.adapters.reference.storage import VIRTUAL
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.language.message_text import Field, Message
from tidegate.model.mechanisms import general_queue_gate, general_shown, qpid, qpid_log
from tidegate.model.mechanisms.qpid_disk import STORE_CLEARED, STORE_OVERFULL
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED, CHANNEL_STOPPED

VIRTUAL_HOST = "test"
NO_MESSAGE_LIMIT = -1
AMQP_1_0 = "AMQP 1.0"
Leaving = Callable[[qpid.Broker, Mapping[qpid.QueueName, bool], int], qpid.Broker]
"""A rule for a broker's state after a number of bytes has left the named queues."""
CHANNEL_CLOSED = Message("CHN-1003", "Close")
"""The log line of released brokers for a channel that ends; no document shows it."""


class QpidReference(Clients):
    """A broker of queues with a gate each. Each producer is a channel of its own on its connection.

    A transacted message is stored when its transaction is committed. A stopped producer without a configured wait does
    not try to send.
    """

    identity = Identity("reference", "qpid-0.18", "virtual", "reference:qpid-0.18")
    capabilities = frozenset(
        {
            *("queue-gate", "several-queues", "default-limits", "limits-readable", "qpid-log"),
            *("changed-limits", "purge", "topics", "anonymous-producers", "transactions"),
            *("close-clients", "kill-clients", "several-protocols"),
            *("client-wait", "late-answers", "ignored-orders", "disk-quota", "usage-limits", "persistent-messages"),
            *("exact-disk-use", "refusing-policy", "dropping-policy", "several-bindings"),
            *("restarts-broker", "pauses-broker", "cuts-connections", "management-close"),
            *("moves-messages", "lists-messages", "expiring-messages", "ordered-messages"),
            *("browsed-messages", "dead-letters", "returned-messages", "recreated-destinations", "filtering-consumers"),
            *("acknowledges-together", "priority-queues"),
            *("settled-sends", "expiring-transacted"),
            *("traffic-readable", "counts-expired", "counts-bytes", "stops-shown"),
        }
    )
    parameters = replace(VIRTUAL, protocols=("AMQP 0-9-1", AMQP_1_0), notes={"message store": KIND})

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._clients = QpidClients(model)
        self._store = MessageStore(model)
        self._stores = 0
        """The number of stores with a quota so far: each belongs to a virtual host of its own."""
        self._uncommitted: dict[str, list[tuple[str, int]]] = {}
        """The ids and sizes in bytes of the messages in the open transaction of each transacted producer."""
        self._state = qpid.Broker(queues={}, holds={})
        self._said_overfull: dict[qpid.QueueName, bool] = {}
        """For each queue, whether its last line in the log says that it is overfull."""
        self._defaults = qpid.Limits()
        self._default_policy = Limits()
        self._overflowing: dict[str, Limits] = {}
        """The limits beyond which a queue refuses or drops messages instead of stopping producers, by queue."""
        self._routes: dict[str, tuple[str, ...]] = {}
        self._topics: set[str] = set()
        self._bound: dict[str, tuple[str, ...]] = {}
        """For each destination, all queues that are bound to its exchange, in the order of their bindings."""
        self._actors: dict[str, str] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.log_path = Path()
        self._log_read = 0
        """The bytes of the log already read: reading the whole log each time would take most of a long run."""

    def start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tidegate-")
        self.log_path = Path(self._folder.name) / "qpid.log"
        self.log_path.touch()
        self._log_read = 0

    def stop(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def declare_usage(self, usage: Usage) -> None:
        self._store.declare(usage)
        self._stores += 1

    def declare_defaults(self, limits: Limits) -> None:
        self._defaults = self._limits(limits)
        self._default_policy = limits

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)
        in_force = self._gate_of(destination, limits)
        name = qpid.QueueName(destination)
        self._state = with_queue(self._state, name, in_force)
        self._said_overfull[name] = False

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, limits)
        self._topics.add(destination)

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        none = Limits(limit_bytes=self._model.default(qpid, "NO_LIMIT"))
        for queue, its in {**before, destination: limits, after: none}.items():
            self.declare(queue, its)
        self._bound[destination] = (*before, destination, after)

    def unbind(self, destination: str, queue: str) -> None:
        self._bound[destination] = tuple(each for each in self._bound[destination] if each != queue)
        held = self._storage.queues[queue].messages()
        self._delete([(message.message_id, message.size_bytes) for message in held])
        size = sum(message.size_bytes for message in held)
        self._leave(general_queue_gate.after_purge, queue, Depth(size, len(held)))
        name = qpid.QueueName(self._storage.remove(queue))
        self._state = without_queue(self._state, name)
        del self._said_overfull[name]
        self._let_go()

    def change_limits(self, destination: str, limits: Limits) -> None:
        self._become(self._changed(self._state, destination, limits))
        self._let_go()

    def limits_in_force(self, destination: str) -> Limits:
        queue = self._state.queues[qpid.QueueName(destination)]
        return Limits(limit_bytes=queue.capacity, resume_bytes=self._resume_level(queue))

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._routes[producer] = destinations
        self._storage.connect(producer, connection)
        self._clients.open(producer, options)
        if options.transacted:
            self._uncommitted[producer] = []
        number = len(self._actors) + 1
        self._actors[producer] = f"con:{number}(guest@{connection}/{VIRTUAL_HOST})/ch:1"
        held = dict.fromkeys(self._state.queues, False)
        self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): held})

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        self.open_producer(producer, connection, ())

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        channel = qpid.ChannelName(producer)
        after = self._rule(general_queue_gate.after_closing)(self._state, channel)
        others = {other: held for other, held in after.holds.items() if other != channel}
        # a channel that ends is not released, and has a log line of its own
        self._log(self._actors[producer], CHANNEL_CLOSED)
        self._become(replace(after, holds=others))
        self._uncommitted.pop(producer, None)
        self._clients.close(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client = self._clients[producer]
        if client.waiting.send is not None or client.held_back(self.standing(producer).stopped):
            return client.hold_back(message_id, size_bytes)
        return self._go_on(producer, message_id, size_bytes)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        self._routes[producer] = (destination,)
        return self.send(producer, message_id, size_bytes)

    def commit(self, producer: str) -> Outcome:
        if self._clients[producer].waiting.send is not None:
            return Outcome.BLOCKED
        sizes = [size_bytes for _, size_bytes in self._uncommitted[producer]]
        if any(self._refuses(each, sum(sizes), len(sizes)) for each in self._queues_of(producer)):
            self._uncommitted[producer] = []
            return Outcome.REJECTED
        for message_id, size_bytes in self._uncommitted[producer]:
            self._enqueue(producer, message_id, size_bytes)
        self._uncommitted[producer] = []
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        self._uncommitted[producer] = []

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        self._delete([(message_id, size_bytes)])
        self._leave(general_queue_gate.after_consuming, destination, Depth(size_bytes, 1))
        self._let_go()

    def purge(self, destination: str) -> None:
        gone = [(message.message_id, message.size_bytes) for message in self._storage.queues[destination].waiting]
        removed = self._storage.purge(destination)
        self._delete(gone)
        self._leave(general_queue_gate.after_purge, destination, Depth(removed, len(gone)))
        self._let_go()

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=self._store.stops(self._state, producer))

    def shown_stopped(self, producer: str) -> bool:
        """Whether the channel is shown as stopped; a send that fails waits in the client, which no channel sees."""
        topic = any(name in self._topics for name in self._routes[producer])
        return self._rule(general_shown.shown_stopped)(self.standing(producer).stopped, topic, send_failed=False)

    def settlements(self, producer: str) -> Sequence[Settlement]:
        client = self._clients[producer].waiting
        told, client.settlements = client.settlements, []
        return told

    def client_state(self, producer: str) -> ClientState:
        return self._clients[producer].state

    def client_warnings(self, producer: str) -> Sequence[str]:
        client = self._clients[producer].waiting
        said, client.warnings = client.warnings, []
        return said

    def advance(self, ms: int) -> None:
        super().advance(ms)
        self._clients.pass_time(ms)

    def end_scenario(self) -> None:
        self._storage.clear()
        self._clients.clear()
        self._store.clear()
        self._state = qpid.Broker(queues={}, holds={})
        self._defaults = qpid.Limits()
        self._default_policy = Limits()
        self._overflowing.clear()
        self._bound.clear()
        self._topics.clear()
        self._said_overfull.clear()
        self._routes.clear()
        self._actors.clear()
        self._uncommitted.clear()

    def log_lines(self) -> list[str]:
        with self.log_path.open("rb") as log:
            log.seek(self._log_read)
            new = log.read()
            self._log_read = log.tell()
        return new.decode().splitlines()

    def _go_on(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Pass a message from its client to its queues, or to the open transaction."""
        if producer in self._uncommitted:
            self._uncommitted[producer].append((message_id, size_bytes))
            return Outcome.UNSETTLED
        if any(self._refuses(destination, size_bytes) for destination in self._queues_of(producer)):
            return Outcome.REJECTED
        self._enqueue(producer, message_id, size_bytes)
        return Outcome.SENT if self._clients[producer].options.settled else Outcome.ACCEPTED

    def _let_go(self) -> None:
        """Resume the waiting sends of producers that are no longer held back."""
        for producer, client in self._clients:
            send = client.waiting.send
            if send is not None and not client.held_back(self.standing(producer).stopped):
                client.let_go(self._go_on(producer, send.message_id, send.size_bytes))

    def _enqueue(self, producer: str, message_id: str, size_bytes: int) -> None:
        """Store a message on every queue that it is routed to."""
        queues = self._queues_of(producer)
        for destination in queues:
            self._storage.store(destination, message_id, size_bytes)
        self._become(self._stored(self._state, producer, queues, size_bytes))
        for destination in queues:
            self._drop_past_the_limit(destination)
        if self._clients[producer].options.persistent:
            blocked = self._store.blocks
            self._store.write(message_id, size_bytes, copies=len(queues))
            if self._store.blocks and not blocked:
                self._log(self._store_actor, STORE_OVERFULL)

    def _stored(self, broker: qpid.Broker, producer: str, queues: Sequence[str], added: int) -> qpid.Broker:
        """The state after a message adds this many bytes or messages to each of these queues."""
        routes = self._names(*queues)
        if not self._heeds_queues(producer):
            return self._rule(qpid.with_bytes)(broker, routes, added)
        return self._rule(qpid.after_send)(broker, qpid.ChannelName(producer), routes, added)

    def _left(self, broker: qpid.Broker, leaving: Leaving, queue: str, gone: Depth) -> qpid.Broker:
        """The state after bytes and messages have left a queue."""
        return self._rule(leaving)(broker, self._names(queue), gone.bytes)

    def _changed(self, broker: qpid.Broker, destination: str, limits: Limits) -> qpid.Broker:
        """The state after a change of a queue's limits."""
        gate = self._gate_of(destination, limits)
        return self._rule(general_queue_gate.after_change)(broker, self._names(destination), gate.capacity, gate.resume)

    def _leave(self, leaving: Leaving, queue: str, gone: Depth) -> None:
        self._become(self._left(self._state, leaving, queue, gone))

    def _heeds_queues(self, producer: str) -> bool:
        by_exchange = any(each in self._topics or each in self._bound for each in self._routes[producer])
        by_amqp_1_0 = self._clients[producer].options.protocol == AMQP_1_0
        return self._rule(qpid.heeds_queues)(by_exchange, by_amqp_1_0)

    def _queues_of(self, producer: str) -> tuple[str, ...]:
        """The queues for a producer's next message."""
        return tuple(queue for each in self._routes[producer] for queue in self._bound.get(each, (each,)))

    def _gate_of(self, destination: str, limits: Limits) -> qpid.Limits:
        """The capacity and resume level in force; none for a queue that refuses or drops messages, which is no gate."""
        in_force: qpid.Limits = self._rule(qpid.effective_limits)(self._limits(limits), self._defaults)
        policy = limits.policy or self._default_policy.policy
        self._overflowing.pop(destination, None)
        if policy not in (FAIL, DROP):
            return in_force
        self._overflowing[destination] = Limits(limit_bytes=in_force.capacity, policy=policy)
        return qpid.Limits(capacity=self._model.default(qpid, "NO_LIMIT"), resume=qpid.NOT_SET)

    def _refuses(self, destination: str, size_bytes: int, messages: int = 1) -> bool:
        """Whether a queue has no room for this many bytes and messages, and refuses them."""
        limits, held = self._overflowing.get(destination, Limits()), self.depth(destination)
        after = Depth(held.bytes + size_bytes, held.messages + messages)
        return limits.policy == FAIL and is_passed(limits, after)

    def _drop_past_the_limit(self, destination: str) -> None:
        """Drop the oldest waiting messages of a queue that drops until it is within its limit."""
        limits, waiting = self._overflowing.get(destination, Limits()), self._storage.queues[destination].waiting
        while limits.policy == DROP and waiting and is_passed(limits, self.depth(destination)):
            oldest = waiting.popleft()
            self._delete([(oldest.message_id, oldest.size_bytes)])
            self._leave(general_queue_gate.after_consuming, destination, Depth(oldest.size_bytes, 1))

    def _delete(self, messages: Iterable[tuple[str, int]]) -> None:
        """Remove messages, each from one queue, and release the store's producers if that freed enough."""
        blocked = self._store.blocks
        self._store.delete(messages)
        if blocked and not self._store.blocks:
            self._log(self._store_actor, STORE_CLEARED)

    @property
    def _store_actor(self) -> str:
        return f"vh(/{VIRTUAL_HOST}-{self._stores})/ms({KIND}MessageStore)"

    def _names(self, *destinations: str) -> dict[qpid.QueueName, bool]:
        """All queues, each with whether its name is among these."""
        return {queue: queue in destinations for queue in self._state.queues}

    def _become(self, after: qpid.Broker) -> None:
        """Take on the next state and log the change; queues that fill up come first."""
        before, self._state = self._state, after
        for name, said in self._said_overfull.items():
            now = self._stays_overfull(name) if said else self._is_overfull(name)
            if now and not said:
                self._log(_queue_actor(name), self._model.default(qpid_log, "QUEUE_OVERFULL"), **self._fields(name))
            if said and not now:
                self._log(_queue_actor(name), self._model.default(qpid_log, "QUEUE_UNDERFULL"), **self._fields(name))
            self._said_overfull[name] = now
        for channel, held in after.holds.items():
            for name in self._said_overfull:
                if held[name] and not before.holds[channel][name]:
                    self._log(self._actors[channel], CHANNEL_STOPPED, queue=name)
            if self._rule(qpid.stopped)(before, channel) and not self._rule(qpid.stopped)(after, channel):
                self._log(self._actors[channel], CHANNEL_RELEASED)

    def _is_overfull(self, name: qpid.QueueName) -> bool:
        return self._rule(qpid.overfull)(self._state.queues[name])

    def _stays_overfull(self, name: qpid.QueueName) -> bool:
        return not self._rule(qpid.underfull)(self._state.queues[name])

    def _message_capacity(self, name: qpid.QueueName) -> int:
        """The limit of a queue in messages; the documents have no such limit."""
        return NO_MESSAGE_LIMIT

    def _fields(self, name: qpid.QueueName) -> dict[str, Field]:
        """The values for the log's lines about a queue."""
        queue, messages = self._state.queues[name], self._storage.queues[name].depth().messages
        figures = {"size": queue.bytes, "capacity": queue.capacity, "resume": self._resume_level(queue)}
        return {**figures, "messages": messages, "message_capacity": self._message_capacity(name)}

    def _resume_level(self, queue: qpid.Queue) -> int:
        """The resume level in bytes in the broker's terms."""
        return queue.resume

    def _limits(self, limits: Limits) -> qpid.Limits:
        no_limit: int = self._model.default(qpid, "NO_LIMIT")
        return qpid.Limits(
            capacity=qpid.NOT_SET if limits.limit_bytes is None else max(limits.limit_bytes, no_limit),
            resume=qpid.NOT_SET if limits.resume_bytes is None else limits.resume_bytes,
        )

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=self._storage.now_ms)
        stamp = f"{moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d}"
        with self.log_path.open("a", encoding="utf-8") as log:
            log.write(f"{stamp} MESSAGE [{actor}] [{actor}] {message.render(fields)}\n")


def _queue_actor(name: str) -> str:
    return f"vh(/{VIRTUAL_HOST})/qu({name})"


def with_queue(broker: qpid.Broker, name: qpid.QueueName, limits: qpid.Limits) -> qpid.Broker:
    """The broker with one more queue, which is empty and holds no producer."""
    return qpid.Broker(
        queues={**broker.queues, name: qpid.Queue(limits.capacity, limits.resume, 0)},
        holds={channel: {**held, name: False} for channel, held in broker.holds.items()},
    )


def without_queue(broker: qpid.Broker, name: qpid.QueueName) -> qpid.Broker:
    """The broker without this queue and its holds."""
    return qpid.Broker(
        queues={other: its for other, its in broker.queues.items() if other != name},
        holds={
            channel: {other: held for other, held in of_channel.items() if other != name}
            for channel, of_channel in broker.holds.items()
        },
    )
