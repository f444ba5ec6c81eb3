"""Producers by protocol, with one interface: each sends, tells whether it is stopped, and is closed."""

import time
from dataclasses import dataclass, replace
from typing import Protocol

from tidegate.adapters.amqp091.channel import Channel
from tidegate.adapters.amqp10.client import Connection as Connection10
from tidegate.adapters.amqp10.content import Content
from tidegate.adapters.amqp10.links import Sender
from tidegate.adapters.base import AdapterError, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.charge import Charge
from tidegate.adapters.errors import Refused
from tidegate.adapters.priorities import Priorities
from tidegate.adapters.qpid_jms.clients import JmsProducer
from tidegate.record.counts import counted

ANSWER_MS = 5000
NS_PER_MS = 1_000_000
SHORT_TEXT = "."
"""The byte with the length of a short text of AMQP 0-9-1, which is charged too."""
PRIORITY = "."
"""The byte with the priority of a message of AMQP 0-9-1, which is charged too."""
CONTENT_TOO_LARGE = 311
"""The code with which a broker closes a channel of AMQP 0-9-1 for a message larger than it accepts at all."""
TOO_MUCH = "amqp:resource-limit-exceeded"
"""The condition of a link's end when a full queue refuses its message."""
OUTCOMES = {
    "accepted": Outcome.ACCEPTED,
    "rejected": Outcome.REJECTED,
    "released": Outcome.REJECTED,
    "modified": Outcome.REJECTED,
}


@dataclass(frozen=True)
class Route:
    """The route of a message: the broker charges for its names."""

    exchange: str
    """The exchange; the empty text is the default exchange, which routes to every queue by its name."""
    key: str

    @property
    def bytes(self) -> int:
        """The part of both names in the charge of a message sent by AMQP 0-9-1, in bytes."""
        return len(self.exchange.encode()) + len(self.key.encode())

    @property
    def address(self) -> str:
        """The address of the target, in the form of AMQP 1.0."""
        return self.exchange or self.key


class Producer(Protocol):
    """One producer on a connection."""

    def send(self, message_id: str, size_bytes: int, route: Route) -> Outcome:
        """Send one message that is charged exactly this size, and wait for its outcome."""

    def stopped(self) -> bool:
        """Whether the broker has stopped it; an order on its way is awaited first."""

    def close(self) -> None:
        """Detach it in good order, as a client does."""


class Producer091:
    """A producer on a channel of AMQP 0-9-1, stopped by the protocol's own order."""

    def __init__(
        self, channel: Channel, charge: Charge, options: ProducerOptions, priorities: Priorities, *, confirms: bool
    ):
        self._channel = channel
        self._priorities = priorities
        self._charge = charge
        self._confirms = confirms
        self._options = options

    def send(self, message_id: str, size_bytes: int, route: Route, lives_ms: int | None = None) -> Outcome:
        # the Java broker takes the time at which a message expires, and not the time for which it lives
        expiration = None if lives_ms is None else str(time.time_ns() // NS_PER_MS + lives_ms)
        priority = self._priorities.next()
        charged_too = "" if expiration is None else SHORT_TEXT + expiration
        charged_too += "" if priority is None else PRIORITY
        body = bytes(self._charge.body_bytes(size_bytes, route.exchange + route.key + message_id + charged_too))
        try:
            sent = self._channel.publish(
                route.exchange,
                route.key,
                message_id,
                body,
                persistent=self._options.persistent,
                expiration=expiration,
                priority=priority,
            )
            if sent is None:
                return Outcome.BLOCKED
            if self._confirms:
                told = sent.wait(ANSWER_MS)
            else:
                self._channel.barrier()
                told = "accepted"
            # an order caused by this message may follow its answer
            self._channel.barrier()
        except Refused as refusal:
            if self._channel.closed_with == CONTENT_TOO_LARGE:
                raise Unsupported(f"the broker accepts no message of {counted(len(body), 'bytes')}") from refusal
            return Outcome.REJECTED  # by closing the channel, now or before: 0-9-1 has no other way without confirms
        if self._options.settled:
            return Outcome.SENT
        return Outcome.UNSETTLED if told is None else OUTCOMES[told]

    def stopped(self) -> bool:
        try:
            self._channel.barrier()
        except Refused:
            return False  # whoever sends on a closed channel is refused, and waits for no order
        return self._channel.stopped

    @property
    def channel(self) -> int:
        """The number of its channel."""
        return self._channel.number

    def close(self) -> None:
        self._channel.close()


class Producer10:
    """A producer on links of AMQP 1.0, one for each address, which the broker stops by taking their credit."""

    def __init__(self, connection: Connection10, charge: Charge, priorities: Priorities):
        self._connection = connection
        self._priorities = priorities
        self._charge = charge
        self._links: dict[str, Sender] = {}
        self._asking = connection.receiver(None)

    def attach(self, route: Route) -> Sender:
        """The link to a route's address, attached on its first use."""
        if route.address not in self._links:
            self._links[route.address] = self._connection.sender(route.address)
        return self._links[route.address]

    def send(self, message_id: str, size_bytes: int, route: Route) -> Outcome:
        empty = Content(message_id, b"", priority=self._priorities.next())
        further = empty.encoded_bytes - Content(message_id, b"").encoded_bytes
        link = self.attach(route)
        sent = link.send_content(replace(empty, body=bytes(self._charge.body_bytes(size_bytes - further, message_id))))
        if sent is None:
            return Outcome.BLOCKED
        outcome = sent.wait_unless_detached(link, ANSWER_MS)
        if outcome is None and link.refused is not None and TOO_MUCH in link.refused:
            # by ending the link, as this broker does: the next message goes over another one
            del self._links[route.address]
            return Outcome.REJECTED
        self._barrier()
        return Outcome.UNSETTLED if outcome is None else OUTCOMES[outcome.state]

    def stopped(self) -> bool:
        self._barrier()
        for link in self._links.values():
            if link.refused is not None:
                raise AdapterError(f"the broker detached a producer's link: {link.refused}")
        return any(link.credit <= 0 for link in self._links.values())

    def close(self) -> None:
        for link in (*self._links.values(), self._asking):
            link.close()

    def _barrier(self) -> None:
        """Ask for a message of a queue that is always empty: the broker answers on the same connection, in order."""
        self._asking.take(0)


class Producer010:
    """A producer of the broker's own JMS client, by AMQP 0-10; its sends wait while it is stopped."""

    def __init__(self, jms: JmsProducer, charge: Charge):
        self.jms = jms
        self._charge = charge

    def send(self, message_id: str, size_bytes: int, route: Route) -> Outcome:
        return self.jms.send(message_id, self._charge.body_bytes(size_bytes, route.exchange + route.key + message_id))

    def stopped(self) -> bool:
        return self.jms.stopped()

    def close(self) -> None:
        self.jms.close()
