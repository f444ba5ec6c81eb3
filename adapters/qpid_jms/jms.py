"""JMS connections and producers of Qpid's client inside the JVM of this process; each producer has a thread of its own.

A JMS call may wait as long as the client is configured to. So each call is begun first, and its end is read later.
"""

from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Any

from tidegate.adapters.groups import ClientState
from tidegate.adapters.jvm.calls import MILLISECOND, Caller, End, Place
from tidegate.adapters.jvm.machine import hidden, java_class, zeros
from tidegate.adapters.qpid_jms.broker import Broker
from tidegate.adapters.qpid_jms.kind import Kind

AUTO_ACKNOWLEDGE = 1
NON_PERSISTENT = 1
PERSISTENT = 2
WAIT = "qpid.flow_control_wait_failure"
"""The property with the ms that a send waits before it fails."""
NOTIFY = "qpid.flow_control_wait_notify_period"
"""The property with the ms after which the client logs that a send still waits."""
DIRECT = "amq.direct"
"""The exchange of a client without addresses."""
BY_0_10 = "0_10"
"""The end of the class name of a session that speaks AMQP 0-10."""
WAITING: tuple[frozenset[Place], ...] = (
    frozenset({("Session", "acquireCredit"), ("LockSupport", "parkNanos")}),
    frozenset({("AMQSession", "checkFlowControl"), ("Object", "wait")}),
    frozenset({("AMQSession_0_8", "checkFlowControl"), ("Object", "wait")}),
)
"""The places where a send waits for the order to be lifted: by AMQP 0-10, and by 0-9-1 in older and later clients."""


@dataclass
class Sending:
    """A producer with its session, its connection, and the thread of its calls."""

    name: str
    line: str
    session: Any
    producer: Any
    calls: "Caller[None]"


class JmsClient:
    """All clients of a run. Names are the suite's."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._lines: dict[str, Any] = {}
        self._producers: dict[str, Sending] = {}

    def open_producer(
        self,
        name: str,
        line: str,
        broker: Broker,
        exchange: str,
        key: str,
        transacted: bool,
        persistent: bool,
        wait_ms: int | None,
        notify_ms: int | None,
    ) -> None:
        """Open a producer in a session of its own, for an exchange (empty: the default one) and a key.

        Without times it has the client's defaults.
        """
        # a session reads the properties when it is created
        _set_property(WAIT, wait_ms)
        _set_property(NOTIFY, notify_ms)
        session = self._line(line, broker).createSession(transacted, AUTO_ACKNOWLEDGE)
        kind = "fanout" if exchange and not key else "direct"
        if self._kind.has_addresses:
            queue = session.createQueue(f"BURL:{kind}://{exchange}//{key}")
        else:
            queue = self._bound(key)
        producer = session.createProducer(queue)
        producer.setDeliveryMode(PERSISTENT if persistent else NON_PERSISTENT)
        # the suite's own id is the only id in the message
        producer.setDisableMessageID(True)
        self._producers[name] = Sending(name, line, session, producer, Caller(name))

    def send(self, name: str, message_id: str, body_bytes: int, wait_ms: int) -> End[None] | None:
        """Begin to send a message with a body of zeros; the result is its end, None if it still waits after
        `wait_ms`."""
        sending = self._producers[name]

        def call() -> None:
            message = sending.session.createBytesMessage()
            message.writeBytes(zeros(body_bytes))
            message.setJMSCorrelationID(message_id)
            sending.producer.send(message)

        return self._begin(sending, call, wait_ms)

    def send_aside(self, name: str, key: str, body_bytes: int) -> None:
        """Send a message in the producer's session to another queue, and wait until the broker has handled it."""
        session = self._producers[name].session
        message = session.createBytesMessage()
        message.writeBytes(zeros(body_bytes))
        producer = session.createProducer(self._bound(key))
        producer.setDeliveryMode(NON_PERSISTENT)
        producer.send(message)
        producer.close()
        _handled(session)

    def commit(self, name: str, wait_ms: int) -> End[None] | None:
        """Begin to commit."""
        sending = self._producers[name]
        return self._begin(sending, sending.session.commit, wait_ms)

    def rollback(self, name: str, wait_ms: int) -> End[None] | None:
        """Begin to roll back."""
        sending = self._producers[name]
        return self._begin(sending, sending.session.rollback, wait_ms)

    def ended(self, name: str, wait_ms: int) -> End[None] | None:
        """The end of the producer's call, read once; None if it still waits after `wait_ms`."""
        return self._producers[name].calls.ended(wait_ms)

    def waits(self, name: str) -> bool:
        """Whether the producer's call is seen to wait for the order to be lifted."""
        stack = set(self._producers[name].calls.stack())
        return any(places <= stack for places in WAITING)

    def line_waits(self, line: str) -> bool:
        """Whether a call of a producer on this connection waits: the client then opens no further session on it."""
        return any(self.waits(each.name) for each in self._producers.values() if each.line == line)

    def stopped(self, name: str) -> bool:
        """Whether the client has stopped the producer, once the broker has handled everything sent before.

        A producer is not stopped whose session the broker has ended, as it does where a transaction has a refused
        message.
        """
        session = self._producers[name].session
        if session.isClosed():
            return False
        _handled(session)
        if hasattr(session, "isFlowBlocked"):
            return bool(session.isFlowBlocked())
        return not hidden(hidden(session, "flowControlIndicator"), "_flowControl")

    def state(self, name: str) -> ClientState:
        """The state of the producer's client."""
        sending = self._producers[name]
        session_open = not sending.session.isClosed()
        in_transaction = session_open and bool(sending.session.getTransacted())
        return ClientState(not self._lines[sending.line].isClosed(), bool(session_open), bool(in_transaction))

    def close_producer(self, name: str) -> None:
        """Close it, its session, and its connection if nobody else uses it; a waiting call is ended first."""
        sending = self._producers.pop(name)
        sending.calls.interrupt()
        sending.producer.close()
        sending.session.close()
        sending.calls.give_up()
        if all(other.line != sending.line for other in self._producers.values()):
            self._lines.pop(sending.line).close()

    def end(self, within_ms: int) -> bool:
        """Close all producers and connections; the result is whether every call has ended within `within_ms`."""
        running = [call for each in self._producers.values() if (call := each.calls.running) is not None]
        for name in list(self._producers):
            self.close_producer(name)
        return not wait(running, within_ms / MILLISECOND).not_done

    def _bound(self, key: str) -> Any:
        """A queue bound to the exchange of clients without addresses, by its name."""
        return java_class(f"{self._kind.package}.client.AMQQueue")(DIRECT, key)

    def _line(self, name: str, broker: Broker) -> Any:
        if name not in self._lines:
            url = broker.url(name)
            self._lines[name] = java_class(f"{self._kind.package}.client.AMQConnectionFactory")(url).createConnection()
        return self._lines[name]

    def _begin(self, sending: Sending, call: Callable[[], None], wait_ms: int) -> End[None] | None:
        def named() -> None:
            # the client's log names the thread
            java_class("java.lang.Thread").currentThread().setName(sending.name)
            call()
            # an order to stop that this caused has then arrived
            _handled(sending.session)

        sending.calls.begin(named)
        return sending.calls.ended(wait_ms)


def _set_property(name: str, ms: int | None) -> None:
    system = java_class("java.lang.System")
    if ms is None:
        system.clearProperty(name)
    else:
        system.setProperty(name, str(ms))


def _handled(session: Any) -> None:
    """Wait until the broker has answered a query, and so has handled everything that the session sent before.

    By AMQP 0-10 the client's own `sync` sends no query where every message is already answered.
    """
    if str(session.getClass().getSimpleName()).endswith(BY_0_10):
        hidden(session, "_qpidSession").exchangeQuery(DIRECT).get()
    else:
        session.sync()
