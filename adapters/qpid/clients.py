"""The client connections of one scenario, by name and protocol, and their channels, links and producers."""

from contextlib import ExitStack

from tidegate.adapters.amqp091.channel import Channel, Taken
from tidegate.adapters.amqp091.client import Connection as Connection091
from tidegate.adapters.amqp10.client import Connection as Connection10
from tidegate.adapters.amqp10.links import Receiver
from tidegate.adapters.base import ProducerOptions, Unsupported
from tidegate.adapters.charge import Charge
from tidegate.adapters.faults.cutting import CuttableConnections
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.qpid.broker import PASSWORD, USER, QpidBroker
from tidegate.adapters.qpid.producers import Producer, Producer010, Producer091, Producer10, Route
from tidegate.adapters.qpid_jms.broker import Broker as JmsBroker
from tidegate.adapters.qpid_jms.clients import JmsClients, JmsProducer

AMQP_091 = "AMQP 0-9-1"
AMQP_010 = "AMQP 0-10"
"""The protocol of the broker's own JMS client by default."""
AMQP_10 = "AMQP 1.0"
GET_MS = 200
"""How long a subscription in place of a `basic.get` waits for a message, in ms."""


def by_jms(options: ProducerOptions) -> bool:
    """Whether a producer needs the JMS client: its sends must wait, or a transaction is wanted."""
    return options.transacted or options.wait_ms is not None or options.notify_ms is not None


class Clients:
    """The connections. Each is made at its first use; one name may have one of each protocol."""

    def __init__(self, broker: QpidBroker, priorities: Priorities | None = None, jms: JmsClients | None = None):
        """The JMS client is the broker's unless another one is given. Its messages have no priorities."""
        self._broker = broker
        self._by_091: dict[str, Connection091] = {}
        self._by_10: dict[str, Connection10] = {}
        self._jms = jms or JmsClients(broker.jms_client)
        self._jms_lines: set[str] = set()
        self.cuttable = CuttableConnections()
        self._priorities = priorities or Priorities()

    def start(self) -> None:
        """Fetch the JMS client if necessary. `Unavailable` if it cannot be fetched."""
        self._jms.start()

    def stop(self) -> None:
        """Drop every socket, and end the JMS client; a failure does not stop the others."""
        with ExitStack() as every:
            every.callback(self._jms.stop)
            every.callback(self._drop)
            every.callback(self.cuttable.close)

    @property
    def jms_version(self) -> str:
        """The version of the JMS client."""
        return self._jms.version

    def channel(self, connection: str, *, confirms: bool = False, obeys: bool = True) -> Channel:
        """A channel of AMQP 0-9-1 on the connection of that name."""
        return self._connected_091(connection).channel(
            confirms=confirms, obeys=obeys, answers_flow=self._broker.answers_flow
        )

    def get(self, channel: Channel, queue: str) -> Taken | None:
        """The next message of a queue, from any producer."""
        if self._jms_lines and not self._broker.get_converts:
            return channel.get_subscribed(queue, GET_MS)
        return channel.get(queue)

    def producer(
        self, name: str, connection: str, protocol: str, charge: Charge, options: ProducerOptions, route: Route | None
    ) -> Producer:
        """Open a producer on the connection of that name. AdapterError for options that the protocol does not allow."""
        if protocol == AMQP_010:
            return Producer010(self._jms_producer(name, connection, options, route), charge)
        if protocol == AMQP_091:
            confirms = self._broker.has_confirms and not options.settled
            channel = self.channel(connection, confirms=confirms, obeys=options.obeys)
            return Producer091(channel, charge, options, self._priorities, confirms=confirms)
        if not options.obeys or options.persistent or options.settled:
            raise Unsupported(f"this adapter has no producer of {protocol} with {options}")
        producer = Producer10(self._connected_10(connection), charge, self._priorities)
        if route is not None:
            producer.attach(route)
        return producer

    def receiver(self, connection: str, queue: str, *, browses: bool = False, selector: str = "") -> Receiver:
        """Attach a receiver link of AMQP 1.0 on the connection of that name."""
        return self._connected_10(connection).receiver(queue, browses=browses, selector=selector)

    def close(self) -> None:
        """Close every connection in good order; a failure does not stop the others."""
        with ExitStack() as every:
            every.callback(self._forget)
            every.callback(self.cuttable.close)
            if self._jms_lines:
                every.callback(self._jms.end_scenario)
            for connections in (self._by_091, self._by_10):
                for connection in connections.values():
                    every.callback(connection.close)

    def drop_all(self) -> None:
        """Drop every socket."""
        self._drop()

    def kill(self, name: str) -> None:
        """Drop the sockets of the connection of that name. AdapterError for a connection of the JMS client."""
        if name in self._jms_lines:
            raise Unsupported("the sockets of the JMS client cannot be dropped from outside of it")
        self._drop(name)

    def _drop(self, name: str | None = None) -> None:
        """Drop the sockets of the connection of that name, or of all; a failure does not stop the others."""
        with ExitStack() as every:
            for connections in (self._by_091, self._by_10):
                for killed in [key for key in connections if name in (None, key)]:
                    every.callback(connections.pop(killed).kill)

    def _jms_producer(self, name: str, connection: str, options: ProducerOptions, route: Route | None) -> JmsProducer:
        if route is None or not options.obeys:
            kind = "is anonymous" if route is None else "ignores orders to stop"
            raise Unsupported(f"this adapter has no JMS producer that {kind}")
        if route.exchange and route.key:
            raise Unsupported("this adapter has no JMS producer for topics")
        broker = self._broker
        where = JmsBroker(broker.host, broker.amqp_port, broker.virtual_host, USER, PASSWORD)
        self._jms_lines.add(connection)
        return self._jms.producer(name, connection, where, (route.exchange, route.key), options)

    def _connected_091(self, name: str) -> Connection091:
        if name not in self._by_091:
            broker = self._broker
            port = self.cuttable.port_for(name, broker.host, broker.amqp_port)
            self._by_091[name] = Connection091(
                broker.host, port, name, vhost=broker.virtual_host, user=USER, password=PASSWORD
            )
        return self._by_091[name]

    def _connected_10(self, name: str) -> Connection10:
        broker, port = self._broker, self._broker.amqp10_port
        if port is None:
            raise Unsupported(f"Qpid {broker.version} does not speak {AMQP_10}")
        if name not in self._by_10:
            self._by_10[name] = Connection10(broker.host, port, name, virtual_host=broker.virtual_host)
        return self._by_10[name]

    def _forget(self) -> None:
        self._by_091.clear()
        self._by_10.clear()
        self._jms_lines.clear()
