"""JMS connections, producers and consumers inside the JVM of this process; each producer has a thread of its own.

A call of JMS may wait for as long as the broker likes. So each one is begun, and asked for later.
"""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from tidegate.adapters.base import DEFAULT_OPTIONS, ProducerOptions
from tidegate.adapters.jvm.calls import MILLISECOND, Caller
from tidegate.adapters.jvm.machine import hidden, java_class, zeros
from tidegate.adapters.openwire.answers import Attached, Ended
from tidegate.adapters.process.ports import LOOPBACK
from tidegate.adapters.selectors import NO_MESSAGE

AUTO_ACKNOWLEDGE = 1
INDIVIDUAL_ACKNOWLEDGE = 4
"""The client's own mode of a session: each message is acknowledged alone."""
LONG_MS = 24 * 60 * 60 * MILLISECOND
NON_PERSISTENT = 1
PERSISTENT = 2
CONNECTION_OPTIONS = "jms.prefetchPolicy.all=0&jms.watchTopicAdvisories=false&jms.closeTimeout=5000"
"""Nothing is handed to a consumer that did not ask for it; to close is given up after so many ms."""

PREFETCHING = "?consumer.prefetchSize=100"
"""Said behind the name of a queue whose consumer is sent messages before it asks."""
BROWSER = "tidegate-browser"
"""The connection of what looks at messages and takes none."""
POISONED = 1
"""The kind of an acknowledgement that says so of a message; the name of its constant changed between versions."""
COMMAND = "org.apache.activemq.command"

WAITING_IN = frozenset(
    {
        ("FutureResponse", "getResult"),
        ("MemoryUsage", "waitForSpace"),
        ("MutexTransport", "oneway"),
    }
)
"""Where a call that waits stands in the client: for an answer, for its window, for the socket to take bytes."""


class Way(Enum):
    """Whether a producer waits for the broker's answer to each message."""

    SYNCHRONOUS = auto()
    ASYNCHRONOUS = auto()
    UNCONFIGURED = auto()


@dataclass
class Line:
    """A connection, and the ways in which producers on it send."""

    connection: Any
    port: int = 0
    """Its TCP port here."""
    ways: set[Way] = field(default_factory=set)
    flush: "Future[Any] | None" = None


@dataclass
class Sending:
    """A producer with its session, and its calls, which say whether the broker's answer was waited for."""

    session: Any
    producer: Any
    line: Line
    way: Way
    calls: Caller[bool]
    message: Any = None
    """The message that was sent last, or is being sent."""


@dataclass
class Receiving:
    """A consumer with its session, and the messages that it was handed and did not acknowledge."""

    session: Any
    consumer: Any
    line: Line
    taken: dict[str, Any] = field(default_factory=dict)


class JmsClient:
    """All the clients of a scenario. Names are the suite's."""

    acknowledgement = INDIVIDUAL_ACKNOWLEDGE
    """How the sessions of consumers acknowledge."""
    question = "FlushCommand"
    """What the broker answers once it has dealt with all that came before on the connection."""

    def __init__(self) -> None:
        self._url = ""
        self._lines: dict[str, Line] = {}
        self._producers: dict[str, Sending] = {}
        self._consumers: dict[str, Receiving] = {}
        self._callers: list[Caller[bool]] = []

    def meet(self, port: int) -> None:
        """Which broker the next connections go to."""
        self._url = f"tcp://{LOOPBACK}:{port}?{CONNECTION_OPTIONS}"

    def open_producer(
        self, name: str, line_name: str, destination: str, topic: bool, options: ProducerOptions
    ) -> Attached:
        """A producer in a session of its own.

        ValueError for one that is not configured beside others that are, on one connection: it would be, too.
        """
        return self._open_producer(name, line_name, _destination(destination, topic), options)

    def open_anonymous_producer(self, name: str, line_name: str) -> Attached:
        """A producer without a destination, in a session of its own."""
        return self._open_producer(name, line_name, None, DEFAULT_OPTIONS)

    def open_consumer(self, name: str, line_name: str, destination: str, topic: bool, durably: bool = False) -> None:
        """A consumer that is handed a message when it takes one; of a topic, a subscription, which may be durable."""
        line = self._line(line_name, client_id=name if durably else "")
        session, subject = line.connection.createSession(False, self.acknowledgement), _destination(destination, topic)
        consumer = session.createDurableSubscriber(subject, name) if durably else session.createConsumer(subject)
        self._consumers[name] = Receiving(session, consumer, line)

    def open_filtering_consumer(self, name: str, line_name: str, destination: str) -> None:
        """A consumer of a queue with a selector that no message passes, to which messages are sent unasked."""
        line = self._line(line_name)
        session = line.connection.createSession(False, self.acknowledgement)
        consumer = session.createConsumer(_destination(destination + PREFETCHING, False), NO_MESSAGE)
        self._consumers[name] = Receiving(session, consumer, line)

    def browse(self, destination: str) -> int:
        """Look at each message of a queue by a client of its own; how many there were."""
        line = self._line(BROWSER)
        session = line.connection.createSession(False, AUTO_ACKNOWLEDGE)
        browser = session.createBrowser(_destination(destination + PREFETCHING, False))
        found, seen = browser.getEnumeration(), 0
        while found.hasMoreElements():
            seen += found.nextElement() is not None
        browser.close()
        session.close()
        self._close_unused(line)
        return seen

    def give_up(self, name: str, message_id: str) -> None:
        """Tell the broker that a message was handed out too often, and wait for its answer; KeyError as above."""
        receiving = self._consumers[name]
        message = receiving.taken.pop(message_id)
        refusal = java_class(f"{COMMAND}.MessageAck")()
        refusal.setAckType(POISONED)
        refusal.setConsumerId(hidden(receiving.consumer, "info").getConsumerId())
        refusal.setDestination(message.getDestination())
        refusal.setFirstMessageId(message.getMessageId())
        refusal.setLastMessageId(message.getMessageId())
        refusal.setMessageCount(1)
        receiving.line.connection.syncSendPacket(refusal)

    def send(self, name: str, message_id: str, body_bytes: int, lives_ms: int, wait_ms: int) -> Ended | None:
        """Begin to send a message with a body of zeros; how that ended, None if it did not within `wait_ms`.

        It is to be delivered for `lives_ms`, 0 for without end.
        """
        sending = self._producers[name]

        def send(message: Any) -> None:
            sending.producer.setTimeToLive(lives_ms)
            sending.producer.send(message)

        return self._begin(name, lambda: _sent(sending, message_id, body_bytes, send), wait_ms)

    def send_to(
        self, name: str, message_id: str, body_bytes: int, destination: str, topic: bool, wait_ms: int
    ) -> Ended | None:
        """The same by an anonymous producer, to a destination that is named with the message."""
        sending = self._producers[name]

        def send(message: Any) -> None:
            sending.producer.send(_destination(destination, topic), message)

        return self._begin(name, lambda: _sent(sending, message_id, body_bytes, send), wait_ms)

    def commit(self, name: str, wait_ms: int) -> Ended | None:
        """Begin to commit."""
        return self._end_transaction(name, "commit", wait_ms)

    def rollback(self, name: str, wait_ms: int) -> Ended | None:
        """Begin to roll back."""
        return self._end_transaction(name, "rollback", wait_ms)

    def answer(self, name: str, wait_ms: int) -> Ended | None:
        """How the producer's call ended, told once; None if it still waits after `wait_ms`."""
        end = self._producers[name].calls.ended(wait_ms)
        if end is None:
            return None
        return Ended(end.reason) if end.reason else Ended(answered=bool(end.answer))

    def stuck(self, name: str) -> bool:
        """Whether the producer's call is seen to wait: for an answer, for its window, or for its socket."""
        return self._producers[name].calls.stands_in(WAITING_IN)

    def flush(self, name: str, wait_ms: int) -> bool:
        """Whether, within `wait_ms`, the broker answered that it has dealt with all that the connection sent."""
        user = self._producers.get(name) or self._consumers[name]
        line = user.line
        if line.flush is None:
            thread = ThreadPoolExecutor(1, thread_name_prefix="flush")
            command = java_class(f"{COMMAND}.{self.question}")()
            line.flush = thread.submit(line.connection.syncSendPacket, command)
            thread.shutdown(wait=False)
        try:
            line.flush.result(wait_ms / MILLISECOND)
        except NotYet:
            return False
        line.flush = None
        return True

    def take(self, name: str) -> str | None:
        """Ask the broker for a message; the id of the one that it handed out, None if it says that there is none."""
        receiving = self._consumers[name]
        message = receiving.consumer.receiveNoWait()
        if message is None:
            return None
        message_id = str(message.getJMSCorrelationID())
        receiving.taken[message_id] = message
        return message_id

    def acknowledge(self, name: str, message_id: str) -> int:
        """Acknowledge one message; the TCP port on which that went. KeyError if it was not handed out."""
        receiving = self._consumers[name]
        self._acknowledge(receiving, receiving.taken.pop(message_id))
        return self._port(receiving.line)

    def close_producer(self, name: str) -> None:
        """Close it, its session, and its connection if nobody else uses that."""
        sending = self._producers.pop(name)
        sending.producer.close()
        sending.session.close()
        self._close_unused(sending.line)

    def close_consumer(self, name: str) -> None:
        """Close it, its session, and its connection if nobody else uses that."""
        receiving = self._consumers.pop(name)
        receiving.consumer.close()
        receiving.session.close()
        self._close_unused(receiving.line)

    def unsubscribe(self, name: str) -> None:
        """End a durable subscription, whether it has a consumer or not."""
        line, receiving = self._line(name, client_id=name), self._consumers.pop(name, None)
        if receiving is not None:
            receiving.consumer.close()
            receiving.session.close()
        session = line.connection.createSession(False, AUTO_ACKNOWLEDGE)
        session.unsubscribe(name)
        session.close()
        self._close_unused(line)

    def port(self, line_name: str) -> int:
        """The TCP port of a connection, which the broker may have closed."""
        return self._lines[line_name].port

    def kill(self, line_name: str) -> int:
        """Close the socket below a connection; the TCP port that it had."""
        line = self._lines.pop(line_name)
        port = line.port
        self._socket(line).close()
        for users in (self._producers, self._consumers):
            for name in [name for name, user in users.items() if user.line is line]:
                del users[name]
        return port

    def end(self, within_ms: int) -> bool:
        """Close the socket below each connection; whether every call has ended then, within `within_ms`."""
        running = (sending.calls.running for sending in self._producers.values())
        calls = [call for call in running if call is not None]
        for name in list(self._lines):
            self.kill(name)
        callers, self._callers = self._callers, []
        for caller in callers:
            caller.give_up()
        return not wait(calls, within_ms / MILLISECOND).not_done

    def halt(self) -> None:
        """End this process at once."""
        os._exit(0)

    def _line(self, name: str, client_id: str = "") -> Line:
        """The connection of this name, opened on its first use, and then with this client id if there is one."""
        if name not in self._lines:
            connection = java_class("org.apache.activemq.ActiveMQConnectionFactory")(self._url).createConnection()
            # the message that was sent then shows afterwards whether an answer was asked for
            connection.setCopyMessageOnSend(False)
            if client_id:
                connection.setClientID(client_id)
            connection.start()
            self._lines[name] = line = Line(connection)
            # asked while the socket is open: a closed one has none
            line.port = self._port(line)
        return self._lines[name]

    def _open_producer(self, name: str, line_name: str, destination: Any, options: ProducerOptions) -> Attached:
        line, way = self._line(line_name), _way(options)
        if Way.UNCONFIGURED in line.ways | {way} and line.ways - {way}:
            raise ValueError("a producer left unconfigured needs a connection where no other is configured")
        line.ways.add(way)
        self._set_window(line, options.window_bytes or 0)
        session = line.connection.createSession(options.transacted, AUTO_ACKNOWLEDGE)
        producer = session.createProducer(destination)
        producer.setDeliveryMode(PERSISTENT if options.persistent else NON_PERSISTENT)
        calls: Caller[bool] = Caller(name)
        self._callers.append(calls)
        self._producers[name] = Sending(session, producer, line, way, calls)
        self._configure(line)
        return Attached(str(hidden(producer, "info").getProducerId()), self._port(line))

    def _set_window(self, line: Line, window_bytes: int) -> None:
        """What the next producer of a connection may send without an answer: it takes that from the connection."""
        line.connection.setProducerWindowSize(window_bytes)

    def _configure(self, line: Line) -> None:
        """Set what the producers of a connection need: its own settings if they are of one way."""
        line.connection.setAlwaysSyncSend(line.ways == {Way.SYNCHRONOUS})
        line.connection.setUseAsyncSend(Way.ASYNCHRONOUS in line.ways)
        for sending in self._producers.values():
            if sending.line is line and sending.way is Way.SYNCHRONOUS:
                # the connection's settings are for all on it; a timeout of its own makes a single producer synchronous
                self._wait_alone(sending.producer, LONG_MS if len(line.ways) > 1 else 0)

    def _wait_alone(self, producer: Any, timeout_ms: int) -> None:
        """Have a producer wait for answers whatever its connection does; 0 takes it back. ValueError if it cannot."""
        if hasattr(producer, "setSendTimeout"):
            producer.setSendTimeout(timeout_ms)
        elif timeout_ms:
            raise ValueError("before 5.1 no producer waits for answers beside one of its connection that does not")

    def _acknowledge(self, receiving: Receiving, message: Any) -> None:
        """Acknowledge this message alone."""
        message.acknowledge()

    def _socket(self, line: Line) -> Any:
        """The socket below a connection."""
        return hidden(line.connection, "transport").narrow(java_class("java.net.Socket"))

    def _port(self, line: Line) -> int:
        return int(self._socket(line).getLocalPort())

    def _end_transaction(self, name: str, verb: str, wait_ms: int) -> Ended | None:
        def call() -> bool:
            getattr(self._producers[name].session, verb)()
            return True

        return self._begin(name, call, wait_ms)

    def _begin(self, name: str, call: Callable[[], bool], wait_ms: int) -> Ended | None:
        self._producers[name].calls.begin(call)
        return self.answer(name, wait_ms)

    def _close_unused(self, line: Line) -> None:
        used = {id(user.line) for users in (self._producers, self._consumers) for user in users.values()}
        if id(line) in used:
            return
        for name in [name for name, each in self._lines.items() if each is line]:
            del self._lines[name]
        line.connection.close()


def _way(options: ProducerOptions) -> Way:
    if options.unconfigured:
        return Way.UNCONFIGURED
    return Way.ASYNCHRONOUS if options.asynchronous else Way.SYNCHRONOUS


def _sent(sending: Sending, message_id: str, body_bytes: int, send: Callable[[Any], None]) -> bool:
    """Make a message and send it; whether the broker's answer was waited for."""
    message = sending.session.createBytesMessage()
    message.writeBytes(zeros(body_bytes))
    message.setJMSCorrelationID(message_id)
    sending.message = message
    send(message)
    return bool(message.isResponseRequired())


def _destination(name: str, topic: bool) -> Any:
    kind = "ActiveMQTopic" if topic else "ActiveMQQueue"
    return java_class(f"org.apache.activemq.command.{kind}")(name)
