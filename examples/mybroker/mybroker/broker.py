"""The broker: connections, channels that publish, consumers, and queues that stop the channels that fill them.

Several threads may use a broker: one lock guards it, and no thread waits while it holds the lock.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock

VERSION = "1.2.0"
DEFAULT_CAPACITY = 64 * 1024 * 1024
"""Bytes that a queue may hold unless something else is configured: no queue shall eat up all memory by default."""


class Refused(Exception):
    """The broker refuses a call: the queue does not exist, or the client is closed."""


@dataclass(frozen=True)
class Message:
    """A published message; a queue is charged the bytes of its body."""

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
        """Whether it holds more bytes than its capacity."""
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
        """Create a queue, limits in bytes; `resume` is the capacity by default. `Refused` if the queue exists."""
        with self.lock:
            if name in self._queues:
                raise Refused(f"there is a queue {name} already")
            self._queues[name] = Queue(capacity, capacity if resume is None else resume)

    def configure(self, name: str, *, capacity: int = DEFAULT_CAPACITY, resume: int | None = None) -> None:
        """Change the limits of a queue in use. They count at once, for stopped and for free channels."""
        with self.lock:
            queue = self.queue(name)
            queue.capacity, queue.resume = capacity, capacity if resume is None else resume
            self.settle(queue)

    def delete(self, name: str) -> None:
        """Remove a queue with its messages; the channels that it stopped may go on."""
        with self.lock:
            queue = self.queue(name)
            del self._queues[name]
            queue.waiting.clear()
            queue.held.clear()
            queue.capacity = 0
            self.settle(queue)

    def purge(self, name: str) -> int:
        """Remove the messages that wait; returns their number."""
        with self.lock:
            queue = self.queue(name)
            removed = len(queue.waiting)
            queue.waiting.clear()
            self.settle(queue)
            return removed

    def usage(self, name: str) -> tuple[int, int]:
        """Bytes and number of the messages of a queue, including messages in a consumer's hands."""
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
        """Release the channels that a queue stopped, if it has room again. The caller holds the lock."""
        if queue.has_room:
            for channel in tuple(queue.stopped):
                channel.released_by(queue)


class Connection:
    """The connection that channels and consumers share; they end with it."""

    def __init__(self, broker: Broker):
        self.broker = broker
        self._clients: list[Channel | Consumer] = []

    def channel(self, on_flow: Callable[[bool], None]) -> "Channel":
        """A channel to publish on; the broker calls `on_flow(False)` to stop it and `on_flow(True)` to release it."""
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
        """Put a message on each of the queues, even if the channel is stopped: the client must obey by itself."""
        with self._broker.lock:
            if not self._open:
                raise Refused("the channel is closed")
            for queue in map(self._broker.queue, queues):
                queue.waiting.append(message)
                if queue.is_over and queue not in self._stopped_by:
                    self._stopped_by_now(queue)

    def released_by(self, queue: Queue) -> None:
        """Note that a queue released the channel, which goes on once no queue stops it. The broker calls this."""
        queue.stopped.discard(self)
        self._stopped_by.discard(queue)
        if self._open and not self._stopped_by:
            self._on_flow(True)

    def close(self) -> None:
        """End the channel; every queue forgets it."""
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
        """The oldest waiting message; None if no message waits."""
        with self._broker.lock:
            queue = self._broker.queue(self._queue)
            if not queue.waiting:
                return None
            message = queue.waiting.popleft()
            queue.held[message.id] = message
            self._held.add(message.id)
            return message

    def acknowledge(self, message_id: str) -> None:
        """Settle a message, which frees its space; `Refused` if this consumer does not hold it."""
        with self._broker.lock:
            if message_id not in self._held:
                raise Refused(f"{message_id} was not handed to this consumer")
            queue = self._broker.queue(self._queue)
            self._held.remove(message_id)
            del queue.held[message_id]
            self._broker.settle(queue)

    def close(self) -> None:
        """Give the messages that are not acknowledged back to the queue, in their old order."""
        with self._broker.lock:
            if self._held:
                queue = self._broker.queue(self._queue)
                given_back = [
                    queue.held.pop(message_id) for message_id in tuple(queue.held) if message_id in self._held
                ]
                queue.waiting.extendleft(reversed(given_back))
                self._held.clear()
