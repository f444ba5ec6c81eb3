"""One Classic broker from 5.0 up to 5.2 inside the JVM of this process."""

from typing import Any

from tidegate.adapters.classic.embedded import EmbeddedBroker
from tidegate.adapters.jvm.machine import hidden, java_class


class EmbeddedBroker50(EmbeddedBroker):
    """A broker that keeps persistent messages in the store before KahaDB."""

    def _new_store(self, journal_bytes: int) -> Any:
        store = java_class("org.apache.activemq.store.amq.AMQPersistenceAdapter")()
        store.setMaxFileLength(journal_bytes)
        return store

    def waiting(self, name: str) -> int:
        """The messages of a queue that are not delivered."""
        destination = self._destinations[name]
        return int(destination.getDestinationStatistics().getMessages().getCount() - self._in_hand(destination))

    def _in_hand(self, destination: Any) -> int:
        """The messages that were sent to each consumer: the broker's own statistics have no such figure."""
        return int(sum(each.getDispatchedQueueSize() for each in hidden(destination, "consumers")))

    def _memory(self, destination: Any) -> Any:
        return hidden(destination, "memoryUsage")
