"""Faults of a broker in this process: restarts, and connections that break in the middle of a send.

Nothing happens in a pause or while a connection is stalled, since only the suite lets virtual time pass.
"""

from abc import abstractmethod

from tidegate.adapters.base import AdapterError, Depth, Limits, Outcome, Standing
from tidegate.adapters.groups import Created, Traffic
from tidegate.adapters.reference.embedded import Embedded
from tidegate.adapters.reference.storage import NOTHING, plus

MOVER = "move of management"
"""The name of the producer that sends moved messages to their new destination, and of its connection."""
LEAVING = "broker itself"
"""The consumer that takes expired and moved messages."""


class Faults(Embedded):
    """The verbs of the three groups of faults, around the verbs of the profile."""

    @abstractmethod
    def declare(self, destination: str, limits: Limits) -> None:
        """Create a destination with these limits configured."""

    @abstractmethod
    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send one message."""

    @abstractmethod
    def close_producer(self, producer: str) -> None:
        """Detach a producer."""

    @abstractmethod
    def close_consumer(self, consumer: str) -> None:
        """Detach a consumer, whose messages go back."""

    @abstractmethod
    def open_producer(self, producer: str, connection: str, destinations: tuple[str, ...]) -> None:
        """Attach a producer."""

    @abstractmethod
    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Settle a message that was handed out."""

    @abstractmethod
    def standing(self, producer: str) -> Standing:
        """Whether the producer is stopped."""

    @abstractmethod
    def depth(self, destination: str) -> Depth:
        """The bytes that the destination is charged, and the number of its messages."""

    def declare_temporary(self, connection: str, limits: Limits) -> Created:
        """Declare a queue that is emptied when the connection ends: nothing is sent to it afterwards."""
        number = sum(its == connection for its in self._storage.temporary.values())
        name = f"queue {number + 1} of {connection}"
        self.declare(name, limits)
        self._storage.temporary[name] = connection
        return Created(name)

    def move(self, destination: str, to: str) -> None:
        """Move all messages: they leave as if consumed, and arrive as if a producer had sent them."""
        waiting = list(self._storage.queues[destination].waiting)
        for message in waiting:
            self._let_leave(destination, message.message_id)
        self.open_producer(MOVER, MOVER, (to,))
        for message in waiting:
            self.send(MOVER, message.message_id, message.size_bytes)
        self.close_producer(MOVER)

    def list_messages(self, destination: str) -> int:
        return len(self._storage.queues[destination].waiting)

    def traffic(self, destination: str) -> Traffic:
        return self._storage.queues[destination].traffic()

    def browse(self, destination: str) -> int:
        return len(self._storage.queues[destination].waiting)

    def give_up(self, consumer: str, message_id: str) -> None:
        """Remove the message as if it had been consumed; no dead letters are kept."""
        self.acknowledge(consumer, message_id)

    def acknowledge_all(self, consumer: str) -> None:
        """Acknowledge the messages in hand one after the other, the oldest first."""
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        for message_id in [each for each, holder in holders.items() if holder == consumer]:
            self.acknowledge(consumer, message_id)

    def recreate(self, destination: str, limits: Limits) -> None:
        """Remove all messages and keep the limits: with no client attached, an empty destination is like a new one."""
        queue = self._storage.queues[destination]
        for message in list(queue.waiting):
            self._let_leave(destination, message.message_id)
        queue.came = queue.expired = NOTHING

    def open_filtering_consumer(self, consumer: str, connection: str, destination: str) -> None:
        """Attach nothing: a consumer without deliveries changes nothing."""

    def send_expiring(self, producer: str, message_id: str, size_bytes: int, lives_ms: int) -> Outcome:
        self._storage.expires_ms[message_id] = self._storage.now_ms + lives_ms
        return self.send(producer, message_id, size_bytes)

    def send_delayed(self, producer: str, message_id: str, size_bytes: int, delay_ms: int) -> Outcome:
        self._storage.due_ms[message_id] = self._storage.now_ms + delay_ms
        return self.send(producer, message_id, size_bytes)

    def order_by_priority(self) -> None:
        self._storage.priorities.begin()

    def pass_time(self, ms: int) -> None:
        """Advance the clock; expired messages leave as if they had been consumed."""
        self._storage.now_ms += ms
        for destination, message_id in self._storage.expired():
            queue = self._storage.queues[destination]
            gone = next(each for each in queue.waiting if each.message_id == message_id)
            queue.expired = plus(queue.expired, gone)
            self._let_leave(destination, message_id)

    def _let_leave(self, destination: str, message_id: str) -> None:
        """Remove a waiting message as if it had been consumed."""
        self._storage.attach(LEAVING, destination)
        self._storage.hand_out(LEAVING, message_id)
        self.acknowledge(LEAVING, message_id)

    def kill(self, connection: str) -> None:
        """Detach all producers and consumers of a connection."""
        for client in self._storage.disconnect(connection):
            if self._storage.is_consumer(client):
                self.close_consumer(client)
            else:
                self.close_producer(client)
        for queue in [each for each, its in self._storage.temporary.items() if its == connection]:
            for message in list(self._storage.queues[queue].waiting):
                self._let_leave(queue, message.message_id)

    def close_connection(self, connection: str) -> None:
        """Drop the connection; its producers and consumers are gone at once."""
        self.kill(connection)

    def has_connection(self, connection: str) -> bool:
        return connection in self._storage.connections

    def keep_data(self) -> None:
        self._storage.keeps = True

    def restart_broker(self) -> None:
        """Restart: every message stays, and stays charged; every connection and every waiting send is gone."""
        if not self._storage.keeps:
            raise AdapterError("only a broker that keeps its data can be restarted")
        for connection in self._storage.connections:
            self.kill(connection)

    def pause_broker(self) -> None:
        """Pause the broker. Nothing happens, since virtual time stands still."""

    def unpause_broker(self) -> None:
        """End the pause. Nothing has changed meanwhile."""

    def make_cuttable(self, connection: str) -> None:
        """Prepare the connection to be cut. Does nothing: any connection can be cut."""

    def stall(self, connection: str) -> None:
        """Stall the connection: the suite asks nothing of its clients until `unstall`."""

    def unstall(self, connection: str) -> None:
        """End the stall. Everything that the broker sent meanwhile has arrived."""

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        connection = self._storage.connection_of(producer)
        outcome = self.send(producer, message_id, size_bytes) if arrives else Outcome.UNSETTLED
        self.kill(connection)
        return Outcome.BLOCKED if outcome is Outcome.BLOCKED else Outcome.UNSETTLED
