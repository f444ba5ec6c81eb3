"""Producers and consumers of Artemis' Core client inside the JVM of this process.

Each has a connection of its own, except producers that share a session. A call may wait as long as its credit or rate
requires. So each call begins in a thread of its own, and is left waiting once it is seen to be held back.
"""

import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass, field
from typing import Any

from tidegate.adapters.artemis.core.answers import Taken
from tidegate.adapters.base import Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions, Settlement
from tidegate.adapters.jvm.calls import MILLISECOND, Caller
from tidegate.adapters.jvm.machine import hidden, java_byte, java_bytes, java_class
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.process.ports import LOOPBACK
from tidegate.adapters.selectors import NO_MESSAGE

API = "org.apache.activemq.artemis.api.core"
NS_PER_MS = 1_000_000
LOOK_MS = 2
STILL_MS = 5
"""The longest time, in ms, that a call needs to go on once nothing holds it back."""
NO_LARGE_MESSAGES = 1 << 30
"""The size from which messages would be sent in parts, set so high that none are: parts are charged and flow
differently."""
NOT_OBEYING = -1
"""The window of a producer that sends regardless of its credit."""
ID_BYTES = 64
"""The most bytes of a message's id, with which its body begins; the rest of the body is zeros."""
IN_SLEEP = ("Thread", "sleep")
BY_RATE = ("TokenBucketLimiterImpl", "limit")
BY_CREDIT = ("ClientProducerCreditsImpl", "actualAcquire")
"""The place in the client where a call is held back: by its rate, or by its credit."""


@dataclass
class Line:
    """A session alone on its connection; it has several users only where they share it."""

    locator: Any
    factory: Any
    session: Any


@dataclass
class Sending:
    """A producer, its calls, and the outcomes of messages with a waiting send."""

    line: Line
    connection: str
    producer: Any
    address: str
    """The address that it sends to; for an anonymous producer the last one."""
    is_anonymous: bool
    calls: Caller[None]
    outcome: Outcome = Outcome.ACCEPTED
    """The outcome of a send that returns: accepted if it waited for the broker's answer, sent if it did not, and
    unsettled in a transaction."""
    waiting: str = ""
    """The id of the message whose send waits."""
    settlements: list[Settlement] = field(default_factory=list)


@dataclass
class Receiving:
    """A consumer, its calls, and its delivered and unacknowledged messages."""

    line: Line
    connection: str
    consumer: Any
    calls: Caller[Any]
    is_rated: bool
    taken: dict[str, Any] = field(default_factory=dict)


class CoreClient:
    """All clients of a scenario. Names are the suite's."""

    def __init__(self) -> None:
        self._url = ""
        self._producers: dict[str, Sending] = {}
        self._consumers: dict[str, Receiving] = {}
        self._sessions: dict[tuple[str, str], Line] = {}
        """Shared sessions, by the names of their connection and session."""
        self._priorities = Priorities()

    def meet(self, port: int) -> None:
        """Set the port of the broker for all clients."""
        self._url = f"tcp://{LOOPBACK}:{port}"

    def order_by_priority(self) -> None:
        """Send each message from now on with a priority, until all clients end."""
        self._priorities.begin()

    def open_producer(self, name: str, connection: str, address: str, options: ProducerOptions) -> None:
        """Open a producer with the chosen window and rate; others are the client's defaults."""
        window = options.window_bytes if options.obeys else NOT_OBEYING
        line = self._line(
            connection, options.session, ProducerWindowSize=window, ProducerMaxRate=options.rate,
            # by default the client does not wait for an answer to a message that is not durable
            BlockOnNonDurableSend=not options.asynchronous, transacted=options.transacted,
        )  # fmt: skip
        producer = line.session.createProducer(address)
        outcome = Outcome.SENT if options.asynchronous else Outcome.ACCEPTED
        outcome = Outcome.UNSETTLED if options.transacted else outcome
        self._producers[name] = Sending(line, connection, producer, address, False, Caller(name), outcome)

    def open_anonymous_producer(self, name: str, connection: str, session: str) -> None:
        """Open a producer without an address."""
        line = self._line(connection, session, BlockOnNonDurableSend=True)
        self._producers[name] = Sending(line, connection, line.session.createProducer(), "", True, Caller(name))

    def open_consumer(self, name: str, connection: str, queue: str, options: ConsumerOptions) -> None:
        """Open a consumer with the chosen window and rate; others are the client's defaults."""
        line = self._connected(ConsumerWindowSize=options.window_bytes, ConsumerMaxRate=options.rate)
        consumer = line.session.createConsumer(queue)
        self._consumers[name] = Receiving(line, connection, consumer, Caller(name), options.is_rated)

    def open_filtering_consumer(self, name: str, connection: str, queue: str) -> None:
        """Open a consumer with a filter that no message passes; it asks for messages by itself."""
        line = self._connected()
        consumer = line.session.createConsumer(queue, NO_MESSAGE)
        self._consumers[name] = Receiving(line, connection, consumer, Caller(name), False)

    def browse(self, queue: str) -> int:
        """Browse the messages of a queue with a separate client; the result is their number."""
        line, seen = self._connected(ConsumerWindowSize=0), 0
        consumer = line.session.createConsumer(queue, True)
        while consumer.receiveImmediate() is not None:
            seen += 1
        consumer.close()
        _close(line)
        return seen

    def send(
        self,
        name: str,
        message_id: str,
        body_bytes: int,
        patience_ms: int,
        to: str = "",
        lives_ms: int | None = None,
    ) -> tuple[Outcome, str]:
        """Send a message; the result is its outcome, and the exception if it was refused.

        The message expires after `lives_ms`, if given. Only an anonymous producer gets an address. Blocked while the
        last send waits, and unsettled once this send is seen to be held back. A message that nobody waits for has
        arrived when this returns. ValueError for an id that does not fit the body.
        """
        sending = self._producers[name]
        if self.waits(name):
            return Outcome.BLOCKED, ""
        encoded = message_id.encode()
        if len(encoded) > min(ID_BYTES, body_bytes):
            raise ValueError(f"the id {message_id!r} does not fit a body of {body_bytes} bytes")
        message = sending.line.session.createMessage(False)
        if lives_ms is not None:
            message.setExpiration(time.time_ns() // NS_PER_MS + lives_ms)
        if (priority := self._priorities.next()) is not None:
            message.setPriority(java_byte(priority))
        message.getBodyBuffer().writeBytes(java_bytes(encoded.ljust(body_bytes, b"\0")))
        if to:
            sending.address = to
            sending.calls.begin(lambda: sending.producer.send(_text(to), message))
        else:
            sending.calls.begin(lambda: sending.producer.send(message))
        is_held_back = _until_ended(sending.calls, lambda: self._is_held_back(sending), patience_ms)
        end = None if is_held_back else sending.calls.ended(0)
        if end is None:
            sending.waiting = message_id
            return Outcome.UNSETTLED, ""
        if end.reason:
            return Outcome.REJECTED, end.reason
        _arrive(sending)
        return sending.outcome, ""

    def waits(self, name: str) -> bool:
        """Whether a send of the producer still waits."""
        sending = self._producers[name]
        if sending.calls.busy and (end := sending.calls.ended(0)) is not None:
            outcome = Outcome.REJECTED if end.reason else sending.outcome
            if not end.reason:
                _arrive(sending)
            if outcome is not Outcome.UNSETTLED:
                sending.settlements.append(Settlement(sending.waiting, outcome, end.reason))
        return sending.calls.busy

    def settlements(self, name: str) -> list[Settlement]:
        """The outcomes of sends that waited, since the last call."""
        self.waits(name)
        sending = self._producers[name]
        told, sending.settlements = sending.settlements, []
        return told

    def commit(self, name: str, patience_ms: int) -> str | None:
        """Commit the transaction of a producer; the exception if the broker rolled it back, None without an answer.

        ValueError while a send waits.
        """
        return self._end_transaction(name, lambda session: session.commit(), patience_ms)

    def rollback(self, name: str, patience_ms: int) -> str | None:
        """Roll the transaction of a producer back; the exception if that failed, None without an answer.

        ValueError while a send waits.
        """
        return self._end_transaction(name, lambda session: session.rollback(), patience_ms)

    def take(self, name: str, patience_ms: int) -> Taken:
        """The next message, if broker and rate allow it.

        A call that is held back goes on, and its message is taken next. ValueError if the broker does not say within
        `patience_ms` whether there is a message, or if the client raised an exception.
        """
        receiving = self._consumers[name]
        if not receiving.calls.busy:
            receiving.calls.begin(lambda: _next(receiving, patience_ms))
        if _until_ended(receiving.calls, lambda: _is_held_by_rate(receiving.calls), patience_ms):
            return Taken(held_back=True)
        end = receiving.calls.ended(0)
        if end is None or end.reason:
            raise ValueError(end.reason if end else f"no answer about messages for {name!r} in {patience_ms} ms")
        if end.answer is None:
            return Taken()
        message_id = _id_of(end.answer)
        receiving.taken[message_id] = end.answer
        return Taken(message_id)

    def acknowledge(self, name: str, message_id: str) -> None:
        """Acknowledge one message, and wait for the broker's answer. KeyError if it was not delivered."""
        self._consumers[name].taken.pop(message_id).individualAcknowledge()

    def acknowledge_all(self, name: str) -> int:
        """Acknowledge all delivered messages by one acknowledgement, of the last; the result is their number."""
        receiving = self._consumers[name]
        number, last = len(receiving.taken), list(receiving.taken.values())[-1]
        receiving.taken.clear()
        last.acknowledge()
        return number

    def give_back(self, name: str) -> None:
        """Roll back the session of a consumer. The broker then queues its unacknowledged messages again."""
        receiving = self._consumers[name]
        receiving.taken.clear()
        receiving.line.session.rollback()

    def buffered(self, name: str) -> int:
        """The number of messages in the client's buffer."""
        return int(self._consumers[name].consumer.getBufferSize())

    def close_producer(self, name: str) -> None:
        """Close it, with its session and its connection unless others share them."""
        sending = self._producers.pop(name)
        sending.calls.give_up()
        if any(other.line is sending.line for other in self._producers.values()):
            sending.producer.close()
        else:
            self._forget(sending.line)
            _close(sending.line)

    def close_consumer(self, name: str) -> None:
        """Close it with its session and its connection."""
        receiving = self._consumers.pop(name)
        receiving.calls.give_up()
        receiving.consumer.close()
        _close(receiving.line)

    def kill(self, connection: str) -> int:
        """Close the sockets of all clients of a connection of the suite; the result is the number of sockets."""
        lines: dict[int, Line] = {}
        calls: list[Caller[Any]] = []
        gone = [name for name, user in self._users().items() if user.connection == connection]
        for name in gone:
            user = self._producers.pop(name, None) or self._consumers.pop(name)
            lines[id(user.line)] = user.line
            calls.append(user.calls)
        for line in lines.values():
            self._forget(line)
            _cut(line)
        for each in calls:
            each.give_up()
        return len(lines)

    def end(self, within_ms: int) -> bool:
        """Close the socket of each client; the result is whether every call has ended within `within_ms`."""
        users = self._users().values()
        self._priorities.end()
        running = [call for user in users if (call := user.calls.running) is not None]
        for connection in {user.connection for user in users}:
            self.kill(connection)
        return not wait(running, within_ms / MILLISECOND).not_done

    def _end_transaction(self, name: str, end: Callable[[Any], None], patience_ms: int) -> str | None:
        sending = self._producers[name]
        self.waits(name)
        sending.calls.begin(lambda: end(sending.line.session))
        ended = sending.calls.ended(patience_ms)
        return None if ended is None else ended.reason

    def _users(self) -> dict[str, Sending | Receiving]:
        return {**self._producers, **self._consumers}

    def _line(self, connection: str, session: str, *, transacted: bool = False, **settings: int | bool | None) -> Line:
        """A new session, or the session of this name on this connection."""
        if not session:
            return self._connected(transacted=transacted, **settings)
        if (connection, session) not in self._sessions:
            self._sessions[connection, session] = self._connected(transacted=transacted, **settings)
        return self._sessions[connection, session]

    def _forget(self, line: Line) -> None:
        """Drop a session: a request for its name gets a new session."""
        self._sessions = {name: each for name, each in self._sessions.items() if each is not line}

    def _connected(self, *, transacted: bool = False, **settings: int | bool | None) -> Line:
        locator = java_class("org.apache.activemq.artemis.api.core.client.ActiveMQClient").createServerLocator(
            self._url
        )
        locator.setReconnectAttempts(0)
        locator.setMinLargeMessageSize(NO_LARGE_MESSAGES)
        # an acknowledgement is sent at once and answered, so that what is freed is seen
        locator.setAckBatchSize(0)
        locator.setBlockOnAcknowledge(True)
        for name, value in settings.items():
            if value is not None:
                getattr(locator, f"set{name}")(value)
        factory = locator.createSessionFactory()
        session = factory.createSession(False, not transacted, True, 0)
        session.start()
        return Line(locator, factory, session)

    def _is_held_back(self, sending: Sending) -> bool:
        """Whether a send sleeps for its rate, or lacks credit now and a moment later.

        A broker mostly answers requests in order, so that credit which it grants at once comes before the answer to a
        query. But another of its threads may send the credit.
        """
        if _is_held_by_rate(sending.calls):
            return True
        return self._lacks_credit(sending) and not sending.calls.done(STILL_MS) and self._lacks_credit(sending)

    def _lacks_credit(self, sending: Sending) -> bool:
        """Whether a send waits for credit, and none has come when the broker answers a query."""
        if not sending.calls.stands_in({BY_CREDIT}):
            return False
        sending.line.session.addressQuery(_text(sending.address))
        # a thread that got credit may not have gone on yet, so the test is whether a request for credit is outstanding
        counted = _credits_of(sending)
        return counted is not None and int(hidden(counted, "arriving")) > 0


def _text(address: str) -> Any:
    text = java_class(f"{API}.SimpleString")
    return text.of(address) if hasattr(text, "of") else text(address)


def _arrive(sending: Sending) -> None:
    """Wait until the broker has handled a message for whose answer nobody waited: it answers a query after it."""
    if sending.outcome is Outcome.SENT:
        sending.line.session.addressQuery(_text(sending.address))


def _credits_of(sending: Sending) -> Any:
    """The client's object with a producer's credit; None if the client dropped an anonymous producer's object."""
    if not sending.is_anonymous:
        return hidden(sending.producer, "producerCredits")
    manager = hidden(sending.line.session, "producerCreditManager")
    return hidden(manager, "producerCredits").get(_text(sending.address))


def _until_ended(calls: Caller[Any], is_held_back: Callable[[], bool], patience_ms: int) -> bool:
    """Wait at most `patience_ms` until a call ends or is held back; the result is whether it is held back."""
    deadline = time.monotonic() + patience_ms / MILLISECOND
    while not calls.done(LOOK_MS):
        if is_held_back():
            return True
        if time.monotonic() > deadline:
            return False
    return False


def _next(receiving: Receiving, patience_ms: int) -> Any:
    """Ask for a message; None if there is none.

    The broker may answer that there is none while one is on its way. Asking again is then harmless, except with a rate,
    which counts requests: there one call waits, for half of `patience_ms`, so that it does not look endless.
    """
    return receiving.consumer.receive(patience_ms // 2) if receiving.is_rated else receiving.consumer.receiveImmediate()


def _is_held_by_rate(calls: Caller[Any]) -> bool:
    """Whether the thread sleeps in the limiter, and still does a moment later: the limiter polls every ms."""
    return _sleeps(calls) and not calls.done(STILL_MS) and _sleeps(calls)


def _sleeps(calls: Caller[Any]) -> bool:
    stack = calls.stack()
    return IN_SLEEP in stack and BY_RATE in stack


def _id_of(message: Any) -> str:
    body = message.getBodyBuffer()
    head = java_bytes(bytes(min(ID_BYTES, int(body.readableBytes()))))
    body.readBytes(head)
    return bytes(head).rstrip(b"\0").decode()


def _cut(line: Line) -> None:
    """Close the socket, as a dying client does; then close the rest of the client without the broker."""
    line.factory.getConnection().getTransportConnection().getNettyChannel().close().sync()
    line.locator.cleanup()


def _close(line: Line) -> None:
    line.session.close()
    line.locator.close()
