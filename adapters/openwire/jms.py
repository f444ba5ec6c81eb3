"""JMS connections, producers and consumers inside the JVM of this process; each producer has a thread of its own.

A JMS call may wait as long as the broker makes it. So each call is begun first, and its end is read later.
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
from tidegate.adapters.openwire.answers import TEMPORARY, Attached, Ended
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.process.ports import LOOPBACK
from tidegate.adapters.selectors import NO_MESSAGE

AUTO_ACKNOWLEDGE = 1
INDIVIDUAL_ACKNOWLEDGE = 4
"""The client's own mode of a session, in which each message is acknowledged separately."""
LONG_MS = 24 * 60 * 60 * MILLISECOND
NON_PERSISTENT = 1
PERSISTENT = 2
CONNECTION_OPTIONS = "jms.prefetchPolicy.all=0&jms.watchTopicAdvisories=false&jms.closeTimeout=5000"
"""Options by which a consumer gets nothing unasked, and closing ends after 5000 ms at most."""

PREFETCHING = "?consumer.prefetchSize=100"
"""The suffix of the name of a queue whose consumer prefetches."""
BROWSER = "tidegate-browser"
"""The connection of a client that browses messages and takes none."""
POISONED = 1
"""The type of an acknowledgement that marks a message as poisoned; its constant's name changed between versions."""
COMMAND = "org.apache.activemq.command"

WAITING_IN = frozenset(
    {
        ("FutureResponse", "getResult"),
        ("MemoryUsage", "waitForSpace"),
        ("MutexTransport", "oneway"),
    }
)
"""The places in the client where a call waits: for an answer, for its window, for the socket to accept bytes."""


class Way(Enum):
    """Whether a producer waits for the broker's answer to each message."""

    SYNCHRONOUS = auto()
    ASYNCHRONOUS = auto()
    UNCONFIGURED = auto()


@dataclass
class Line:
    """A connection, and the ways of sending of its producers."""

    connection: Any
    port: int = 0
    """Its TCP port on this side."""
    ways: set[Way] = field(default_factory=set)
    flush: "Future[Any] | None" = None


@dataclass
class Sending:
    """A producer with its session, and its calls, which return whether the broker's answer was awaited."""

    session: Any
    producer: Any
    line: Line
    way: Way
    calls: Caller[bool]
    message: Any = None
    """The last message, sent or being sent."""


@dataclass
class Receiving:
    """A consumer with its session, and its delivered and unacknowledged messages."""

    session: Any
    consumer: Any
    line: Line
    taken: dict[str, Any] = field(default_factory=dict)


class JmsClient:
    """All clients of a scenario. Names are the suite's."""

    acknowledgement = INDIVIDUAL_ACKNOWLEDGE
    """The acknowledgement mode of consumers' sessions."""
    question = "FlushCommand"
    """The command that the broker answers once it has handled everything earlier on the connection."""

    def __init__(self) -> None:
        self._url = ""
        self._lines: dict[str, Line] = {}
        self._producers: dict[str, Sending] = {}
        self._consumers: dict[str, Receiving] = {}
        self._callers: list[Caller[bool]] = []
        self._priorities = Priorities()

    def meet(self, port: int) -> None:
        """Set the port of the broker for the next connections."""
        self._url = f"tcp://{LOOPBACK}:{port}?{CONNECTION_OPTIONS}"

    def open_producer(
        self, name: str, line_name: str, destination: str, topic: bool, options: ProducerOptions
    ) -> Attached:
        """Open a producer in a session of its own.

        ValueError for an unconfigured producer on a connection with configured ones: it would be configured too.
        """
        return self._open_producer(name, line_name, _destination(destination, topic), options)

    def open_anonymous_producer(self, name: str, line_name: str) -> Attached:
        """Open a producer without a destination, in a session of its own."""
        return self._open_producer(name, line_name, None, DEFAULT_OPTIONS)

    def open_consumer(self, name: str, line_name: str, destination: str, topic: bool, durably: bool = False) -> None:
        """Open a consumer that gets a message only when it takes one; for a topic a subscription, which may be
        durable."""
        line = self._line(line_name, client_id=name if durably else "")
        session, subject = line.connection.createSession(False, self.acknowledgement), _destination(destination, topic)
        consumer = session.createDurableSubscriber(subject, name) if durably else session.createConsumer(subject)
        self._consumers[name] = Receiving(session, consumer, line)

    def create_temporary(self, line_name: str) -> str:
        """Create a temporary queue; the result is its name, with which it is known as temporary."""
        session = self._line(line_name).connection.createSession(False, self.acknowledgement)
        return f"{TEMPORARY}{session.createTemporaryQueue().getPhysicalName()}"

    def consumer_id(self, name: str) -> str:
        """The id of a consumer in the broker."""
        return str(hidden(self._consumers[name].consumer, "info").getConsumerId())

    def open_filtering_consumer(self, name: str, line_name: str, destination: str) -> None:
        """Open a consumer of a queue that prefetches, with a selector that no message matches."""
        line = self._line(line_name)
        session = line.connection.createSession(False, self.acknowledgement)
        consumer = session.createConsumer(_destination(destination + PREFETCHING, False), NO_MESSAGE)
        self._consumers[name] = Receiving(session, consumer, line)

    def browse(self, destination: str) -> int:
        """Browse the messages of a queue with a separate client; the result is their number."""
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
        """Tell the broker that a message was delivered too often, and wait for its answer; KeyError if it was not
        delivered."""
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

    def order_by_priority(self) -> None:
        """Send each message from now on with a priority, until all clients end."""
        self._priorities.begin()

    def send(self, name: str, message_id: str, body_bytes: int, lives_ms: int, wait_ms: int) -> Ended | None:
        """Begin to send a message with a body of zeros; the result is its end, None if it still waits after `wait_ms`.

        The message expires after `lives_ms`; 0: never.
        """
        sending = self._prioritized(name)

        def send(message: Any) -> None:
            sending.producer.setTimeToLive(lives_ms)
            sending.producer.send(message)

        return self._begin(name, lambda: _sent(sending, message_id, body_bytes, send), wait_ms)

    def send_to(
        self, name: str, message_id: str, body_bytes: int, destination: str, topic: bool, wait_ms: int
    ) -> Ended | None:
        """Begin to send with an anonymous producer, to a destination given with the message; returns what `send`
        returns."""
        sending = self._prioritized(name)

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
        """The end of the producer's call, read once; None if it still waits after `wait_ms`."""
        end = self._producers[name].calls.ended(wait_ms)
        if end is None:
            return None
        return Ended(end.reason) if end.reason else Ended(answered=bool(end.answer))

    def stuck(self, name: str) -> bool:
        """Whether the producer's call is seen to wait: for an answer, for its window, or for its socket."""
        return self._producers[name].calls.stands_in(WAITING_IN)

    def flush(self, name: str, wait_ms: int) -> bool:
        """Whether the broker answers within `wait_ms` that it has handled everything sent on the connection."""
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
        """Ask the broker for a message; the result is the message's id, None if the broker has none."""
        receiving = self._consumers[name]
        message = receiving.consumer.receiveNoWait()
        if message is None:
            return None
        message_id = str(message.getJMSCorrelationID())
        receiving.taken[message_id] = message
        return message_id

    def acknowledge(self, name: str, message_id: str) -> int:
        """Acknowledge one message; the result is the TCP port of its connection. KeyError if it was not delivered."""
        receiving = self._consumers[name]
        self._acknowledge(receiving, receiving.taken.pop(message_id))
        return self._port(receiving.line)

    def close_producer(self, name: str) -> None:
        """Close it, its session, and its connection if nobody else uses it."""
        sending = self._producers.pop(name)
        sending.producer.close()
        sending.session.close()
        self._close_unused(sending.line)

    def close_consumer(self, name: str) -> None:
        """Close it, its session, and its connection if nobody else uses it."""
        receiving = self._consumers.pop(name)
        receiving.consumer.close()
        receiving.session.close()
        self._close_unused(receiving.line)

    def unsubscribe(self, name: str) -> None:
        """End a durable subscription, with or without a consumer."""
        line, receiving = self._line(name, client_id=name), self._consumers.pop(name, None)
        if receiving is not None:
            receiving.consumer.close()
            receiving.session.close()
        session = line.connection.createSession(False, AUTO_ACKNOWLEDGE)
        session.unsubscribe(name)
        session.close()
        self._close_unused(line)

    def port(self, line_name: str) -> int:
        """The TCP port of a connection, even one that the broker has closed."""
        return self._lines[line_name].port

    def kill(self, line_name: str) -> int:
        """Close the socket of a connection; the result is its TCP port."""
        line = self._lines.pop(line_name)
        port = line.port
        self._socket(line).close()
        for users in (self._producers, self._consumers):
            for name in [name for name, user in users.items() if user.line is line]:
                del users[name]
        return port

    def end(self, within_ms: int) -> bool:
        """Close the socket of each connection; the result is whether every call has ended within `within_ms`."""
        running = (sending.calls.running for sending in self._producers.values())
        calls = [call for call in running if call is not None]
        for name in list(self._lines):
            self.kill(name)
        self._priorities.end()
        callers, self._callers = self._callers, []
        for caller in callers:
            caller.give_up()
        return not wait(calls, within_ms / MILLISECOND).not_done

    def halt(self) -> None:
        """End this process at once."""
        os._exit(0)

    def _line(self, name: str, client_id: str = "") -> Line:
        """The connection of this name, opened at its first use, with this client id if there is one."""
        if name not in self._lines:
            connection = java_class("org.apache.activemq.ActiveMQConnectionFactory")(self._url).createConnection()
            # the sent message then shows afterwards whether an answer was requested
            connection.setCopyMessageOnSend(False)
            # the broker sends no advisories; a client that watches for them takes others' temporary queues for deleted
            connection.setWatchTopicAdvisories(False)
            if client_id:
                connection.setClientID(client_id)
            connection.start()
            self._lines[name] = line = Line(connection)
            # read while the socket is open: a closed socket has none
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
        """Set the window of the connection's next producer, which takes it from the connection."""
        line.connection.setProducerWindowSize(window_bytes)

    def _configure(self, line: Line) -> None:
        """Configure a connection and its producers: by the connection's settings if all producers send in one way."""
        line.connection.setAlwaysSyncSend(line.ways == {Way.SYNCHRONOUS})
        line.connection.setUseAsyncSend(Way.ASYNCHRONOUS in line.ways)
        for sending in self._producers.values():
            if sending.line is line and sending.way is Way.SYNCHRONOUS:
                # the connection's settings hold for all of its producers; a timeout makes a single producer synchronous
                self._wait_alone(sending.producer, LONG_MS if len(line.ways) > 1 else 0)

    def _wait_alone(self, producer: Any, timeout_ms: int) -> None:
        """Make a producer wait for answers regardless of its connection; 0 undoes it. ValueError if it cannot."""
        if hasattr(producer, "setSendTimeout"):
            producer.setSendTimeout(timeout_ms)
        elif timeout_ms:
            raise ValueError("before 5.1 no producer waits for answers beside one of its connection that does not")

    def _acknowledge(self, receiving: Receiving, message: Any) -> None:
        """Acknowledge only this message."""
        message.acknowledge()

    def _socket(self, line: Line) -> Any:
        """The socket of a connection."""
        return hidden(line.connection, "transport").narrow(java_class("java.net.Socket"))

    def _port(self, line: Line) -> int:
        return int(self._socket(line).getLocalPort())

    def _end_transaction(self, name: str, verb: str, wait_ms: int) -> Ended | None:
        def call() -> bool:
            getattr(self._producers[name].session, verb)()
            return True

        return self._begin(name, call, wait_ms)

    def _prioritized(self, name: str) -> Sending:
        """The producer, which gives its next message the next priority."""
        sending, priority = self._producers[name], self._priorities.next()
        if priority is not None:
            sending.producer.setPriority(priority)
        return sending

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
    """Make a message and send it; the result is whether the broker's answer was awaited."""
    message = sending.session.createBytesMessage()
    message.writeBytes(zeros(body_bytes))
    message.setJMSCorrelationID(message_id)
    sending.message = message
    send(message)
    return bool(message.isResponseRequired())


def _destination(name: str, topic: bool) -> Any:
    if name.startswith(TEMPORARY):
        return java_class("org.apache.activemq.command.ActiveMQTempQueue")(name.removeprefix(TEMPORARY))
    kind = "ActiveMQTopic" if topic else "ActiveMQQueue"
    return java_class(f"org.apache.activemq.command.{kind}")(name)
