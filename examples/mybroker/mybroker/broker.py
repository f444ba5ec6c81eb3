"""The broker: connections, channels that publish, consumers, and queues that stop who fills them.

All of it may be used from several threads: one lock guards a broker, and nobody waits while holding it.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock

VERSION = "1.2.0"
DEFAULT_CAPACITY = 64 * 1024 * 1024
"""Bytes that a queue may hold unless something else is configured: no queue shall eat up all memory by default."""


class Refused(Exception):
    """The broker does not do that: there is no such queue, or the client is closed."""


@dataclass(frozen=True)
class Message:
    """What is published; a queue is charged the bytes of its body."""

    id: str
    body: bytes


@dataclass(eq=False)
class Queue:
    """Messages in order. A capacity of 0 bytes is no limit."""

    capacity: int
    resume: int
    waiting: deque[Message] = field(default_factory=deque)
    held: dict[str, Message] = field(default_factory=dict)
    """Messages handed to a consumer and not acknowledged."""
    stopped: "set[Channel]" = field(default_factory=set)
    """The channels that this queue stopped."""

    @property
    def size(self) -> int:
        """Bytes of all messages that take space here."""
        return sum(len(message.body) for message in (*self.waiting, *self.held.values()))

    @property
    def is_over(self) -> bool:
        """Whether it holds more than it should."""
        return self.capacity > 0 and self.size > self.capacity

    @property
    def has_room(self) -> bool:
        """Whether the channels that it stopped may go on."""
        return self.capacity == 0 or self.size < self.resume


class Broker:
    """Queues by name, and the connections to them."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._queues: dict[str, Queue] = {}

    def create(self, name: str, *, capacity: int = DEFAULT_CAPACITY, resume: int | None = None) -> None:
        """A new queue, limits in bytes; it resumes at its capacity unless told. `Refused` if there is one already."""
        with self.lock:
            if name in self._queues:
                raise Refused(f"there is a queue {name} already")
            self._queues[name] = Queue(capacity, capacity if resume is None else resume)

    def configure(self, name: str, *, capacity: int = DEFAULT_CAPACITY, resume: int | None = None) -> None:
        """Other limits for a queue in use. They count at once, for stopped and for free channels."""
        with self.lock:
            queue = self.queue(name)
            queue.capacity, queue.resume = capacity, capacity if resume is None else resume
            self.settle(queue)

    def delete(self, name: str) -> None:
        """Remove a queue with its messages; whom it stopped may go on."""
        with self.lock:
            queue = self.queue(name)
            del self._queues[name]
            queue.waiting.clear()
            queue.held.clear()
            queue.capacity = 0
            self.settle(queue)

    def purge(self, name: str) -> int:
        """Remove the messages that wait; how many there were."""
        with self.lock:
            queue = self.queue(name)
            removed = len(queue.waiting)
            queue.waiting.clear()
            self.settle(queue)
            return removed

    def usage(self, name: str) -> tuple[int, int]:
        """Bytes and number of the messages of a queue, those handed out included."""
        with self.lock:
            queue = self.queue(name)
            return queue.size, len(queue.waiting) + len(queue.held)

    def limits(self, name: str) -> tuple[int, int]:
        """Capacity and resume level in force, in bytes."""
        with self.lock:
            queue = self.queue(name)
            return queue.capacity, queue.resume

    def connect(self) -> "Connection":
        """A new connection."""
        return Connection(self)

    def queue(self, name: str) -> Queue:
        """The queue of that name; `Refused` if there is none. The caller holds the lock."""
        if name not in self._queues:
            raise Refused(f"there is no queue {name}")
        return self._queues[name]

    def settle(self, queue: Queue) -> None:
        """Let those go on that a queue stopped, if it has room again. The caller holds the lock."""
        if queue.has_room:
            for channel in tuple(queue.stopped):
                channel.released_by(queue)


class Connection:
    """What channels and consumers share; they end with it."""

    def __init__(self, broker: Broker):
        self.broker = broker
        self._clients: list[Channel | Consumer] = []

    def channel(self, on_flow: Callable[[bool], None]) -> "Channel":
        """A channel to publish on; `on_flow` is told False to stop and True to go on."""
        channel = Channel(self.broker, on_flow)
        self._clients.append(channel)
        return channel

    def consumer(self, queue: str) -> "Consumer":
        """A consumer of a queue."""
        consumer = Consumer(self.broker, queue)
        self._clients.append(consumer)
        return consumer

    def close(self) -> None:
        """End every client of the connection."""
        for client in self._clients:
            client.close()
        self._clients.clear()


class Channel:
    """Publishes. A queue that it took past the capacity stops it, until that queue has room."""

    def __init__(self, broker: Broker, on_flow: Callable[[bool], None]):
        self._broker = broker
        self._on_flow = on_flow
        self._stopped_by: set[Queue] = set()
        self._open = True

    def publish(self, message: Message, queues: tuple[str, ...]) -> None:
        """Put a message on each of the queues, stopped or not: to stop is for the client to do."""
        with self._broker.lock:
            if not self._open:
                raise Refused("the channel is closed")
            for queue in map(self._broker.queue, queues):
                queue.waiting.append(message)
                if queue.is_over and queue not in self._stopped_by:
                    self._stopped_by_now(queue)

    def released_by(self, queue: Queue) -> None:
        """A queue lets the channel go on; it does once no queue stops it. The broker calls this."""
        queue.stopped.discard(self)
        self._stopped_by.discard(queue)
        if self._open and not self._stopped_by:
            self._on_flow(True)

    def close(self) -> None:
        """End the channel; no queue remembers it."""
        with self._broker.lock:
            self._open = False
            for queue in tuple(self._stopped_by):
                self.released_by(queue)

    def _stopped_by_now(self, queue: Queue) -> None:
        first = not self._stopped_by
        self._stopped_by.add(queue)
        queue.stopped.add(self)
        if first:
            self._on_flow(False)


class Consumer:
    """Takes messages one by one and acknowledges each."""

    def __init__(self, broker: Broker, queue: str):
        self._broker = broker
        self._queue = queue
        self._held: set[str] = set()
        with broker.lock:
            broker.queue(queue)

    def take(self) -> Message | None:
        """The oldest message that waits; None if none does."""
        with self._broker.lock:
            queue = self._broker.queue(self._queue)
            if not queue.waiting:
                return None
            message = queue.waiting.popleft()
            queue.held[message.id] = message
            self._held.add(message.id)
            return message

    def acknowledge(self, message_id: str) -> None:
        """Done with a message, whose space is free from now on; `Refused` if this consumer does not hold it."""
        with self._broker.lock:
            if message_id not in self._held:
                raise Refused(f"{message_id} was not handed to this consumer")
            queue = self._broker.queue(self._queue)
            self._held.remove(message_id)
            del queue.held[message_id]
            self._broker.settle(queue)

    def close(self) -> None:
        """Give back what is not acknowledged, in its old order."""
        with self._broker.lock:
            if self._held:
                queue = self._broker.queue(self._queue)
                given_back = [
                    queue.held.pop(message_id) for message_id in tuple(queue.held) if message_id in self._held
                ]
                queue.waiting.extendleft(reversed(given_back))
                self._held.clear()
