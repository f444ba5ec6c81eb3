"""Proton's objects of one connection, all in one place that only one thread reaches.

Each Python object of proton's counts a reference in memory that the connection uses without any lock: dropping the
object on another thread while the connection works corrupts that memory. So these objects are made, used and dropped on
the engine's thread; only plain data leaves it.
"""

import itertools
from typing import Any

from proton import Collector, Delivery, Transport
from proton import Connection as ProtonConnection


class Native:
    """A connection with its links and its unsettled deliveries."""

    def __init__(self, container_id: str, hostname: str) -> None:
        """Begin to open the connection; the bytes for that wait in the transport."""
        self.connection = ProtonConnection()
        self.collector = Collector()
        self.transport = Transport()
        self.links: dict[str, Any] = {}
        """Sender and receiver links by their names."""
        self._sessions: dict[str, Any] = {}
        """Sessions that several links share, by their names."""
        self._unsettled: dict[int, Delivery] = {}
        self._numbers = itertools.count(1)
        self.connection.collect(self.collector)
        self.connection.container = container_id
        self.connection.hostname = hostname
        self.transport.sasl().allowed_mechs("ANONYMOUS")
        self.transport.bind(self.connection)
        self.connection.open()

    def session(self, name: str = "") -> Any:
        """The session of this name; without a name a new session, so that no two links share a window."""
        if name in self._sessions:
            return self._sessions[name]
        session = self.connection.session()
        session.open()
        if name:
            self._sessions[name] = session
        return session

    def keep(self, delivery: Delivery) -> int:
        """Keep a delivery until it is settled; the result is its number, for other threads."""
        number = next(self._numbers)
        self._unsettled[number] = delivery
        return number

    def accept(self, number: int) -> None:
        """Accept and settle a delivery, and drop it."""
        delivery = self._unsettled.pop(number)
        delivery.update(Delivery.ACCEPTED)
        delivery.settle()

    def release(self, number: int) -> None:
        """Release and settle a delivery, and drop it."""
        delivery = self._unsettled.pop(number)
        delivery.update(Delivery.RELEASED)
        delivery.settle()

    def reject(self, number: int) -> None:
        """Reject and settle a delivery, and drop it."""
        delivery = self._unsettled.pop(number)
        delivery.update(Delivery.REJECTED)
        delivery.settle()
