"""Faults of a broker in this process: what a restart leaves, and connections that break in the middle of a send.

Nothing happens in a pause or while a connection is stalled, since virtual time is let pass by nobody but the suite.
"""

from abc import abstractmethod

from tidegate.adapters.base import AdapterError, Outcome
from tidegate.adapters.reference.embedded import Embedded


class Faults(Embedded):
    """The verbs of the three groups of faults, over those of the profile."""

    @abstractmethod
    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        """Send one message."""

    @abstractmethod
    def close_producer(self, producer: str) -> None:
        """Detach a producer."""

    @abstractmethod
    def close_consumer(self, consumer: str) -> None:
        """Detach a consumer, whose messages go back."""

    def kill(self, connection: str) -> None:
        """Detach all that is on a connection."""
        for client in self._storage.disconnect(connection):
            if self._storage.is_consumer(client):
                self.close_consumer(client)
            else:
                self.close_producer(client)

    def close_connection(self, connection: str) -> None:
        """What is on it is gone at once."""
        self.kill(connection)

    def has_connection(self, connection: str) -> bool:
        return connection in self._storage.connections

    def keep_data(self) -> None:
        self._storage.keeps = True

    def restart_broker(self) -> None:
        """Every message is kept, and what is charged for it; who was connected, and what waited there, is gone."""
        if not self._storage.keeps:
            raise AdapterError("a broker that keeps no data is not the same one after a restart")
        for connection in self._storage.connections:
            self.kill(connection)

    def pause_broker(self) -> None:
        """Nothing happens meanwhile."""

    def unpause_broker(self) -> None:
        """All is as it was."""

    def make_cuttable(self, connection: str) -> None:
        """Any connection is."""

    def stall(self, connection: str) -> None:
        """Nobody looks at who is on it meanwhile."""

    def unstall(self, connection: str) -> None:
        """All that came about meanwhile is there."""

    def cut_in_send(self, producer: str, message_id: str, size_bytes: int, arrives: bool) -> Outcome:
        connection = self._storage.connection_of(producer)
        outcome = self.send(producer, message_id, size_bytes) if arrives else Outcome.UNSETTLED
        self.kill(connection)
        return Outcome.BLOCKED if outcome is Outcome.BLOCKED else Outcome.UNSETTLED
