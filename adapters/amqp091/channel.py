"""A channel: it publishes, takes one message at a time, and shows the broker's orders to stop and to resume.

There is no queue of messages inside the client. Each call to the broker returns with its answer, or raises. None of
these objects holds an object of pika's except the channel itself, which only the engine's thread touches.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import pika  # type: ignore[import-untyped]  # pika ships no types

from tidegate.adapters.amqp091.engine import Engine, answer_flow
from tidegate.adapters.client_thread import Answer
from tidegate.adapters.errors import ConnectionLost, NoAnswer, Refused

QPID_CONFIRMS = "qpid.confirmed_publish_supported"
"""The capability for confirms as Qpid's brokers name it; pika expects the name that RabbitMQ uses."""
BUILT_IN_EXCHANGE = "amq.direct"


@dataclass(frozen=True)
class FlowOrder:
    """The broker's order to stop publishing on a channel, or to resume."""

    stop: bool
    at_ns: int
    """The time of the order on the monotonic clock, in ns."""


@dataclass(frozen=True)
class Taken:
    """One delivered message."""

    message_id: str
    body: bytes
    tag: int
    """The delivery tag, which an acknowledgement of the message carries."""


class Sent:
    """One sent message, on a channel with confirms: its outcome, once the broker has confirmed it."""

    def __init__(self, channel: "Channel", message_id: str) -> None:
        self.message_id = message_id
        self.outcome: str | None = None
        """`accepted` or `rejected`; a message that came back because no queue took it is rejected."""
        self._channel = channel

    def wait(self, within_ms: int) -> str | None:
        """The outcome; None when none came within `within_ms` or the channel was closed. Raises `ConnectionLost`."""
        self._channel.wait(lambda: self.outcome is not None, within_ms)
        return self.outcome


class Channel:
    """One channel. Made by `Connection.channel`."""

    def __init__(self, engine: Engine, *, obeys: bool, answers_flow: bool, watchdog_ms: int) -> None:
        self.obeys = obeys
        self.answers_flow = answers_flow
        self.orders: list[FlowOrder] = []
        """Each order to stop or to resume, oldest first."""
        self.closed: str | None = None
        """Why the channel is closed: the broker's code and words, or that the client closed it or its connection."""
        self.closed_with = 0
        """The code with which the broker closed the channel, such as 311 for a message that is too large; else 0."""
        self._cut_off = False
        self._engine = engine
        self._watchdog_ms = watchdog_ms
        self._channel: Any = None
        self._open = False
        self._published = 0
        self._waiting: dict[int, Sent] = {}
        self._returned: set[str] = set()
        """The ids of returned messages, until the broker confirms them."""
        self._handed_out = 0
        """The number of messages taken and not acknowledged."""
        self._confirms = False

    @property
    def number(self) -> int:
        """Its number on its connection."""
        return int(self._channel.channel_number)

    @property
    def stopped(self) -> bool:
        """Whether the last order was to stop."""
        return bool(self.orders) and self.orders[-1].stop

    def open(self, *, confirms: bool) -> None:
        """Open the channel; once. Raises `Refused`, `NoAnswer`, `ConnectionLost`."""

        def begin(connection: Any) -> None:
            if connection.server_properties.get(QPID_CONFIRMS):
                connection.server_capabilities.update({"publisher_confirms": True, "basic.nack": True})
            self._channel = connection.channel(on_open_callback=self._engine.told(opened))
            self._channel.add_on_close_callback(self._engine.told(self._on_closed))
            # before the broker can send anything
            self._channel.add_on_flow_callback(self._engine.told(self._on_flow))
            self._channel.add_on_return_callback(self._engine.told(self._on_return))

        def opened(_: Any) -> None:
            self._open = True

        self._engine.order(begin, within_ms=self._watchdog_ms)
        self._wait(lambda: self._open, "answer to the opening of a channel")
        if confirms:
            self._answered(
                lambda done: self._channel.confirm_delivery(self._engine.told(self._on_confirm), done),
                "answer to the request for confirms",
            )
            self._confirms = True

    def publish(
        self,
        exchange: str,
        routing_key: str,
        message_id: str,
        body: bytes,
        *,
        persistent: bool = False,
        expiration: str | None = None,
        priority: int | None = None,
    ) -> Sent | None:
        """Send one message; None, and nothing is sent, where the channel obeys an order to stop.

        `expiration` is a time in ms as the broker reads it: from now on, or since the epoch.

        Without confirms only a `barrier` shows that the broker handled the message. Raises `Refused` on a closed
        channel, `NoAnswer`, `ConnectionLost`.
        """
        properties = pika.BasicProperties(
            message_id=message_id,
            delivery_mode=2 if persistent else 1,
            expiration=expiration,
            priority=priority,
        )

        def put(_: Any) -> Sent | None:
            if self.obeys and self.stopped:
                return None
            # without confirms some brokers close the whole connection for a mandatory message that no queue takes
            self._channel.basic_publish(exchange, routing_key, body, properties, mandatory=self._confirms)
            self._published += 1
            sent = Sent(self, message_id)
            if self._confirms:
                self._waiting[self._published] = sent
            return sent

        return self._order(put)

    def barrier(self) -> None:
        """Ask for an exchange that every broker has: its answer shows that everything sent earlier on this channel is
        handled.

        An order that the broker wrote before this answer has then arrived. An order caused by a message may still be on
        its way if the barrier directly followed the message; after a second `barrier` it has arrived too. Raises
        `Refused`, `NoAnswer`, `ConnectionLost`.
        """
        self._answered(
            lambda done: self._channel.exchange_declare(BUILT_IN_EXCHANGE, passive=True, callback=done),
            "answer to a barrier",
        )

    def declare_queue(
        self, queue: str, *, passive: bool = False, durable: bool = False, arguments: Mapping[str, Any] | None = None
    ) -> int:
        """Create a queue, or with `passive` only ask for it; the result is its number of ready messages. Raises as
        `barrier`."""
        answer = self._answered(
            lambda done: self._channel.queue_declare(
                queue, passive=passive, durable=durable, arguments=dict(arguments or {}), callback=done
            ),
            f"answer about the queue {queue!r}",
        )
        return int(answer.method.message_count)

    def delete_queue(self, queue: str) -> None:
        """Delete a queue with its messages. Raises as `barrier`."""
        self._answered(lambda done: self._channel.queue_delete(queue, callback=done), f"end of the queue {queue!r}")

    def purge_queue(self, queue: str) -> int:
        """Remove the waiting messages of a queue; the result is their number. Raises as `barrier`."""
        answer = self._answered(
            lambda done: self._channel.queue_purge(queue, callback=done), f"answer to the purge of {queue!r}"
        )
        return int(answer.method.message_count)

    def declare_exchange(self, exchange: str, kind: str = "fanout") -> None:
        """Create an exchange, which is not durable. Raises as `barrier`."""
        self._answered(
            lambda done: self._channel.exchange_declare(exchange, kind, callback=done),
            f"answer about the exchange {exchange!r}",
        )

    def delete_exchange(self, exchange: str) -> None:
        """Delete an exchange. Raises as `barrier`."""
        self._answered(
            lambda done: self._channel.exchange_delete(exchange, callback=done), f"end of the exchange {exchange!r}"
        )

    def bind_queue(self, queue: str, exchange: str, routing_key: str = "") -> None:
        """Bind a queue to an exchange. Raises as `barrier`."""
        self._answered(
            lambda done: self._channel.queue_bind(queue, exchange, routing_key, callback=done),
            f"answer to the binding of {queue!r}",
        )

    def get(self, queue: str) -> Taken | None:
        """The next message, to be acknowledged; None when the broker has none ready. Raises as `barrier`."""
        answers: list[Taken | None] = []

        def ask(_: Any) -> None:
            # pika reports an empty queue by another callback, which stays registered unless it fires
            empty = pika.spec.Basic.GetEmpty
            self._channel.add_callback(told_none, [empty], one_shot=True)
            self._channel.basic_get(queue, told)

        def got(_: Any, method: Any, properties: Any, body: bytes) -> None:
            self._channel.callbacks.remove(self._channel.channel_number, pika.spec.Basic.GetEmpty, told_none)
            answers.append(_taken(method, properties, body))

        told = self._engine.told(got)
        told_none = self._engine.told(lambda _: answers.append(None))
        self._order(ask)
        self._wait(lambda: bool(answers), f"message of {queue!r}, or word that there is none")
        self._handed_out += answers[0] is not None
        return answers[0]

    def get_subscribed(self, queue: str, within_ms: int) -> Taken | None:
        """Take a message by a subscription for one message; None when none came within `within_ms`.

        For brokers that answer `get` only with messages sent by the same version of AMQP. Raises as `barrier`.
        """
        came: list[Taken] = []

        def got(_: Any, method: Any, properties: Any, body: bytes) -> None:
            came.append(_taken(method, properties, body))

        told = self._engine.told(got)
        self._answered(
            lambda done: self._channel.basic_qos(prefetch_count=self._handed_out + 1, callback=done),
            "answer to the limit of a subscription",
        )
        began = self._answered(
            lambda done: self._channel.basic_consume(queue, told, callback=done), f"subscription to {queue!r}"
        )
        self.wait(lambda: bool(came), within_ms)
        self._answered(
            lambda done: self._channel.basic_cancel(began.method.consumer_tag, callback=done),
            f"end of the subscription to {queue!r}",
        )
        self._handed_out += len(came)
        return came[0] if came else None

    def acknowledge(self, taken: Taken) -> None:
        """Acknowledge, once. The broker does not answer; a `barrier` on this channel shows that it is done."""
        self._order(lambda _: self._channel.basic_ack(taken.tag))
        self._handed_out -= 1

    def acknowledge_up_to(self, taken: Taken) -> None:
        """Acknowledge all messages up to this one by one acknowledgement; a `barrier` shows that it is done."""
        self._order(lambda _: self._channel.basic_ack(taken.tag, multiple=True))
        self._handed_out = 0

    def give_back(self, taken: Taken) -> None:
        """Give a message back, once: the broker hands it out again. A `barrier` on this channel shows that it is
        done."""
        self._order(lambda _: self._channel.basic_reject(taken.tag, requeue=True))
        self._handed_out -= 1

    def reject(self, taken: Taken) -> None:
        """Refuse a message, once, and do not ask for it again. A `barrier` on this channel shows that it is done."""
        self._order(lambda _: self._channel.basic_reject(taken.tag, requeue=False))
        self._handed_out -= 1

    def close(self) -> None:
        """Close the channel and wait for the answer; a closed channel is left as it is. Raises `NoAnswer`."""

        def end(_: Any) -> None:
            # the broker may have closed it in the meantime
            if self.closed is None:
                self._channel.close()

        if self.closed is None:
            self._engine.order(end, within_ms=self._watchdog_ms)
            self._engine.wait(
                lambda: self.closed is not None, within_ms=self._watchdog_ms, what="answer to the close of a channel"
            )

    def wait(self, until: Callable[[], bool], within_ms: int) -> bool:
        """Whether `until()` comes to hold within `within_ms`, while the channel is open. Raises `ConnectionLost`."""
        try:
            self._engine.wait(
                lambda: until() or self.closed is not None, within_ms=within_ms, what="what the caller waits for"
            )
        except NoAnswer:
            return False  # the time limit is the caller's own: that it did not come is an answer
        return until()

    def _answered(self, ask: Callable[[Callable[..., None]], Any], what: str) -> Any:
        """Send a request that the broker answers with one method; the result is this answer, as plain data of
        pika's."""
        answers: list[Any] = []
        done = self._engine.told(answers.append)

        def begin(_: Any) -> None:
            ask(done)

        self._order(begin)
        self._wait(lambda: bool(answers), what)
        return answers[0]

    def _order(self, work: Callable[[Any], Answer]) -> Answer:
        """Have the engine's thread do the work, unless the channel is closed by then.

        Pika itself sends some methods on a closed channel too, and the broker then ends the whole connection.
        """
        done: list[Answer] = []

        def unless_closed(connection: Any) -> None:
            if self.closed is None:
                done.append(work(connection))

        if self.closed is None:
            self._engine.order(unless_closed, within_ms=self._watchdog_ms)
        if not done:
            self._refuse("")
        return done[0]

    def _wait(self, until: Callable[[], bool], what: str) -> None:
        self._engine.wait(lambda: until() or self.closed is not None, within_ms=self._watchdog_ms, what=what)
        if not until():
            self._refuse(f"waiting for {what}: ")

    def _refuse(self, doing: str) -> NoReturn:
        if self._engine.lost is not None or self._cut_off:
            raise ConnectionLost(f"{doing}{self._engine.lost or self.closed}")
        raise Refused(f"{doing}the channel was closed: {self.closed}")

    def _on_flow(self, frame: Any) -> None:
        active = bool(frame.method.active)
        self.orders.append(FlowOrder(not active, time.monotonic_ns()))
        if self.obeys and self.answers_flow:
            answer_flow(self._channel, active)

    def _on_confirm(self, frame: Any) -> None:
        method = frame.method
        outcome = "accepted" if isinstance(method, pika.spec.Basic.Ack) else "rejected"
        last: int = method.delivery_tag
        for tag in [tag for tag in self._waiting if tag == last or (method.multiple and tag < last)]:
            sent = self._waiting.pop(tag)
            sent.outcome = "rejected" if sent.message_id in self._returned else outcome
            self._returned.discard(sent.message_id)

    def _on_return(self, _: Any, __: Any, properties: Any, ___: Any) -> None:
        # before its confirm, which by itself shows only that the broker is done with the message
        self._returned.add(str(properties.message_id))

    def _on_closed(self, _: Any, error: Any) -> None:
        # channels learn of a lost connection a moment before the connection is marked lost
        self._cut_off = not isinstance(error, pika.exceptions.ChannelClosed)
        self.closed_with = getattr(error, "reply_code", 0)
        self.closed = f"{getattr(error, 'reply_code', '')} {getattr(error, 'reply_text', error)}".strip()


def _taken(method: Any, properties: Any, body: bytes) -> Taken:
    """A delivered message; senders that cannot choose its id use the correlation id instead."""
    return Taken(str(properties.message_id or properties.correlation_id), body, method.delivery_tag)
