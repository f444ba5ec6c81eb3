"""The verbs that are the same in the reference of every mechanism: consumers, connections, topics, time."""

from tidegate.adapters.base import Delivery, Depth, Limits
from tidegate.adapters.reference.faults import Faults


class Clients(Faults):
    """A broker's consumers and connections, over a store of messages; a profile adds its flow control."""

    def declare_topic(self, destination: str, limits: Limits) -> None:
        """Declare a topic with one subscription, which holds and charges messages as a queue does."""
        self.declare(destination, limits)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._storage.attach(consumer, destination)
        self._storage.connect(consumer, connection)

    def close_consumer(self, consumer: str) -> None:
        """Detach the consumer. Messages in its hand still take space, so nothing is freed."""
        self._storage.forget(consumer)
        self._storage.detach(consumer)

    def give_back(self, consumer: str) -> None:
        """Requeue what the consumer has in hand, which still takes space."""
        self._storage.give_back(consumer)

    def take(self, consumer: str) -> Delivery | None:
        return self._storage.take(consumer)

    def depth(self, destination: str) -> Depth:
        return self._storage.queues[destination].depth()

    def advance(self, ms: int) -> None:
        self.pass_time(ms)
