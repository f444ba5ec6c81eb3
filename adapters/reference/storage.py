"""The common part of every reference profile: messages in order, consumers, and a virtual clock."""

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field

from tidegate.adapters.base import AdapterError, Delivery, Depth, Parameters
from tidegate.adapters.groups import Traffic
from tidegate.adapters.priorities import Priorities

VIRTUAL = Parameters(eventually_ms=0, never_ms=0)
"""The parameters of a virtual clock: everything happens at once, so the suite waits for nothing."""
NOTHING = Depth(bytes=0, messages=0)


@dataclass(frozen=True)
class StoredMessage:
    """A message on a destination; `size_bytes` is what it is charged."""

    message_id: str
    size_bytes: int
    priority: int = 0


@dataclass
class StoredQueue:
    """The messages of a destination: those waiting, and those handed out and not yet acknowledged."""

    waiting: deque[StoredMessage] = field(default_factory=deque)
    handed_out: dict[str, StoredMessage] = field(default_factory=dict)

    holders: dict[str, str] = field(default_factory=dict)
    """The consumer of each handed-out message, by the id of the message."""
    came: Depth = NOTHING
    """Bytes and number of all messages that were stored here since the queue was created."""
    expired: Depth = NOTHING
    """Bytes and number of all messages that expired here."""

    def messages(self) -> list[StoredMessage]:
        """All messages that still take space."""
        return [*self.waiting, *self.handed_out.values()]

    def holds(self, message_id: str) -> bool:
        """Whether a message with this id still takes space."""
        return message_id in self.handed_out or any(each.message_id == message_id for each in self.waiting)

    def depth(self) -> Depth:
        """Bytes and number of all messages that still take space."""
        waiting, handed_out = _sum(self.waiting), _sum(self.handed_out.values())
        return Depth(waiting.bytes + handed_out.bytes, waiting.messages + handed_out.messages)

    def traffic(self) -> Traffic:
        """The messages that came and left: a message that came and no longer takes space has left."""
        came, held, in_hand, expired = self.came, self.depth(), _sum(self.handed_out.values()), self.expired
        return Traffic(
            came=came.messages,
            left=came.messages - held.messages,
            in_hand=in_hand.messages,
            expired=expired.messages,
            held_bytes=held.bytes,
            came_bytes=came.bytes,
            left_bytes=came.bytes - held.bytes,
            in_hand_bytes=in_hand.bytes,
            expired_bytes=expired.bytes,
        )


def plus(counted: Depth, message: StoredMessage) -> Depth:
    """The count with one more message."""
    return Depth(counted.bytes + message.size_bytes, counted.messages + 1)


def _sum(messages: Collection[StoredMessage]) -> Depth:
    # a list takes half the time of a generator, and this runs after every step
    return Depth(sum([message.size_bytes for message in messages]), len(messages))


class Storage:
    """Destinations with their messages, and the consumers of each."""

    def __init__(self) -> None:
        self.queues: dict[str, StoredQueue] = {}
        self._consumers: dict[str, str] = {}
        self._connections: dict[str, str] = {}
        self.now_ms = 0
        self.expires_ms: dict[str, int] = {}
        """The time at which each message expires, by its id."""
        self.due_ms: dict[str, int] = {}
        """The time before which a message is handed to nobody, by its id."""
        self.temporary: dict[str, str] = {}
        """The connection of each queue that ends with its connection."""
        self.priorities = Priorities()
        """The priorities of messages; among equal ones the oldest message is handed out first."""
        self.keeps = False
        """Whether messages survive a restart of the broker."""

    def add(self, destination: str) -> None:
        """Add a new, empty destination. AdapterError if it exists."""
        if destination in self.queues:
            raise AdapterError(f"destination {destination} exists already")
        self.queues[destination] = StoredQueue()

    def attach(self, consumer: str, destination: str) -> None:
        """Attach a consumer to a destination. AdapterError if there is none."""
        if destination not in self.queues:
            raise AdapterError(f"there is no destination {destination}")
        self._consumers[consumer] = destination

    def destination_of(self, consumer: str) -> str:
        """The destination of a consumer."""
        return self._consumers[consumer]

    def store(self, destination: str, message_id: str, size_bytes: int) -> None:
        """Append a message."""
        queue = self.queues[destination]
        message = StoredMessage(message_id, size_bytes, self.priorities.next() or 0)
        queue.waiting.append(message)
        queue.came = plus(queue.came, message)

    def take(self, consumer: str) -> Delivery | None:
        """Hand out the oldest of the waiting messages of the highest priority whose time has come; None if there is
        none."""
        destination = self.destination_of(consumer)
        waiting = self.queues[destination].waiting
        due = (each for each in waiting if self.due_ms.get(each.message_id, self.now_ms) <= self.now_ms)
        first = max(due, key=lambda message: message.priority, default=None)
        if first is None:
            return None
        self.hand_out(consumer, first.message_id)
        return Delivery(first.message_id, destination)

    def hand_out(self, consumer: str, message_id: str) -> None:
        """Hand out a waiting message."""
        queue = self.queues[self.destination_of(consumer)]
        message = next(each for each in queue.waiting if each.message_id == message_id)
        queue.waiting.remove(message)
        queue.handed_out[message_id] = message
        queue.holders[message_id] = consumer

    def expired(self) -> list[tuple[str, str]]:
        """The destination and the id of each waiting message that has expired, in order."""
        if not self.expires_ms:
            return []
        return [
            (destination, message.message_id)
            for destination, queue in self.queues.items()
            for message in queue.waiting
            if self.expires_ms.get(message.message_id, self.now_ms + 1) <= self.now_ms
        ]

    def settle(self, consumer: str, message_id: str) -> tuple[str, int]:
        """Remove a message that was handed out; the result is its destination and its size in bytes."""
        destination = self.destination_of(consumer)
        message = self.queues[destination].handed_out.pop(message_id, None)
        if message is None:
            raise AdapterError(f"{message_id} was not handed out on {destination}")
        del self.queues[destination].holders[message_id]
        return destination, message.size_bytes

    def detach(self, consumer: str) -> str:
        """Detach a consumer and requeue its messages where they were; the result is its destination."""
        destination = self.give_back(consumer)
        del self._consumers[consumer]
        return destination

    def give_back(self, consumer: str) -> str:
        """Requeue the messages of a consumer where they were; the result is its destination."""
        destination = self._consumers[consumer]
        queue = self.queues[destination]
        mine = [message_id for message_id, holder in queue.holders.items() if holder == consumer]
        queue.waiting.extendleft(queue.handed_out.pop(message_id) for message_id in reversed(mine))
        for message_id in mine:
            del queue.holders[message_id]
        return destination

    def purge(self, destination: str) -> int:
        """Remove every waiting message; the result is their bytes."""
        waiting = self.queues[destination].waiting
        removed = sum(message.size_bytes for message in waiting)
        waiting.clear()
        return removed

    def remove(self, destination: str) -> str:
        """Delete a destination with its messages; the result is its name."""
        del self.queues[destination]
        return destination

    def connect(self, client: str, connection: str) -> None:
        """Note the connection of a producer or consumer."""
        self._connections[client] = connection

    def forget(self, client: str) -> None:
        """Forget the connection of a client."""
        self._connections.pop(client, None)

    def disconnect(self, connection: str) -> tuple[str, ...]:
        """Forget a connection; the result is its producers and consumers."""
        clients = tuple(client for client, its in self._connections.items() if its == connection)
        for client in clients:
            del self._connections[client]
        return clients

    @property
    def connections(self) -> tuple[str, ...]:
        """Every connection with at least one client."""
        return tuple(dict.fromkeys(self._connections.values()))

    def connection_of(self, client: str) -> str:
        """The connection of a producer or consumer."""
        return self._connections[client]

    def is_consumer(self, client: str) -> bool:
        """Whether the client is an attached consumer."""
        return client in self._consumers

    def clear(self) -> None:
        """Forget everything but the time."""
        self.queues.clear()
        self._consumers.clear()
        self._connections.clear()
        self.expires_ms.clear()
        self.due_ms.clear()
        self.temporary.clear()
        self.priorities.end()
        self.keeps = False
