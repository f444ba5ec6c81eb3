"""The client connections of one scenario, by name and protocol, and what is opened on them."""

from contextlib import ExitStack

from headgate.adapters.amqp091.channel import Channel
from headgate.adapters.amqp091.client import Connection as Connection091
from headgate.adapters.amqp10.client import Connection as Connection10
from headgate.adapters.base import AdapterError
from headgate.adapters.charge import Charge
from headgate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST, QpidBroker
from headgate.adapters.qpid.producers import Producer, Producer091, Producer10

AMQP_091 = "AMQP 0-9-1"
AMQP_10 = "AMQP 1.0"


class Clients:
    """Connections are made on their first use; one name may have one of each protocol."""

    def __init__(self, broker: QpidBroker):
        self._broker = broker
        self._by_091: dict[str, Connection091] = {}
        self._by_10: dict[str, Connection10] = {}

    def channel(self, connection: str, *, confirms: bool = False, obeys: bool = True) -> Channel:
        """A channel of AMQP 0-9-1 on the connection of that name."""
        return self._connected_091(connection).channel(
            confirms=confirms, obeys=obeys, answers_flow=self._broker.answers_flow
        )

    def producer(self, connection: str, protocol: str, charge: Charge, *, obeys: bool = True) -> Producer:
        """A producer on the connection of that name. AdapterError for what the protocol does not allow."""
        if protocol == AMQP_091:
            confirms = self._broker.has_confirms
            return Producer091(self.channel(connection, confirms=confirms, obeys=obeys), charge, confirms=confirms)
        if not obeys:
            raise AdapterError(f"a producer of {protocol} cannot send on without credit")
        return Producer10(self._connected_10(connection), charge)

    def close(self) -> None:
        """Close every connection in good order; each is tried."""
        with ExitStack() as every:
            every.callback(self._forget)
            for connections in (self._by_091, self._by_10):
                for connection in connections.values():
                    every.callback(connection.close)

    def kill(self, name: str | None = None) -> None:
        """Drop the sockets of the connection of that name, or of all; each is tried."""
        with ExitStack() as every:
            for connections in (self._by_091, self._by_10):
                for killed in [key for key in connections if name in (None, key)]:
                    every.callback(connections.pop(killed).kill)

    def _connected_091(self, name: str) -> Connection091:
        if name not in self._by_091:
            broker = self._broker
            self._by_091[name] = Connection091(
                broker.host, broker.amqp_port, name, vhost=VIRTUAL_HOST, user=USER, password=PASSWORD
            )
        return self._by_091[name]

    def _connected_10(self, name: str) -> Connection10:
        if self._broker.amqp10_port is None:
            raise AdapterError(f"Qpid {self._broker.version} does not speak {AMQP_10}")
        if name not in self._by_10:
            self._by_10[name] = Connection10(self._broker.host, self._broker.amqp10_port, name)
        return self._by_10[name]

    def _forget(self) -> None:
        self._by_091.clear()
        self._by_10.clear()
