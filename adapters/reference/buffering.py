"""Consumers whose client prefetches within a window, and may have a rate, in virtual time."""

from collections import deque
from dataclasses import dataclass, field

from tidegate.adapters.base import Delivery
from tidegate.adapters.groups import ConsumerOptions
from tidegate.adapters.reference.clients import Clients
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis_consumer, rate
from tidegate.model.mechanisms.artemis_consumer import Consumer, ConsumerName

NOT_AHEAD = ConsumerOptions(window_bytes=0, rate=rate.DISABLED)
"""The options of the contract's default consumer, which gets nothing until it takes."""


@dataclass
class Passing:
    """Messages that pass at a rate; `passed_ms` are the times from which passed messages count."""

    per_second: int
    passed_ms: deque[int] = field(default_factory=deque)
    model: Linker = DOCUMENTED
    """The model whose rules decide which messages pass."""
    second_began_ms: int | None = None
    """The begin of the client's present second; None before its first request."""

    @property
    def oldest_ms(self) -> int | None:
        """The time of the oldest passed message that may still count; None if there is none."""
        return self.passed_ms[0] if self.passed_ms else None

    def may_pass(self, now_ms: int) -> bool:
        """Whether one more message may pass now."""
        self._begin_a_second(now_ms)
        while self.passed_ms and not self.model.linked(rate.counts)(now_ms - self.passed_ms[0]):
            self.passed_ms.popleft()
        return self.model.linked(rate.may_pass)(self.per_second, len(self.passed_ms))

    def passes(self, now_ms: int) -> None:
        """Count one more message, if the rate is limited."""
        if self.model.linked(rate.is_limited)(self.per_second):
            self.passed_ms.append(self._counts_from(now_ms))

    def _begin_a_second(self, now_ms: int) -> None:
        """Begin the client's first second at its first request, and its next second once one is over."""
        if self.second_began_ms is None:
            self.second_began_ms = now_ms
            used = self.model.linked(rate.used_at_first)(self.per_second)
            self.passed_ms.extend([self._counts_from(now_ms)] * used)
        elif not self.model.linked(rate.counts)(now_ms - self.second_began_ms):
            self.second_began_ms = now_ms

    def _counts_from(self, now_ms: int) -> int:
        began_ms = now_ms if self.second_began_ms is None else self.second_began_ms
        return self.model.linked(rate.counts_from)(now_ms, began_ms)


@dataclass
class BufferingClient:
    """A consumer's client: its window, its rate, and its prefetched messages, with the size of each in bytes."""

    window: Consumer
    passing: Passing
    ahead: deque[tuple[Delivery, int]] = field(default_factory=deque)


class BufferingClients(Clients):
    """A broker that sends messages ahead, in turn, to consumers whose buffers have room."""

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._buffering: dict[str, BufferingClient] = {}
        self._turns = 0

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self.open_consumer_with(consumer, connection, destination, NOT_AHEAD)

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer(consumer, connection, destination)
        default: int = self._model.default(artemis_consumer, "DEFAULT_WINDOW")
        window = default if options.window_bytes is None else options.window_bytes
        per_second = rate.DISABLED if options.rate is None else options.rate
        self._buffering[consumer] = BufferingClient(Consumer(window, 0, 0), Passing(per_second, model=self._model))
        self._send_ahead(destination)

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        del self._buffering[consumer]
        super().close_consumer(consumer)
        self._send_ahead(destination)

    def give_back(self, consumer: str) -> None:
        """Requeue what the consumer has in hand and what its client has prefetched, and send messages ahead again."""
        client = self._buffering[consumer]
        for _, size_bytes in client.ahead:
            client.window = self._rule(artemis_consumer.after_handing_out)(client.window, size_bytes)
        client.ahead.clear()
        super().give_back(consumer)
        self._send_ahead(self._storage.destination_of(consumer))

    def take(self, consumer: str) -> Delivery | None:
        """Hand out a prefetched message; a client without one asks the broker for one message."""
        client, now_ms = self._buffering[consumer], self._storage.now_ms
        if not client.passing.may_pass(now_ms):
            return None
        if client.ahead:
            delivery, size_bytes = client.ahead.popleft()
            client.window = self._rule(artemis_consumer.after_handing_out)(client.window, size_bytes)
            self._send_ahead(delivery.destination)
        elif (asked := super().take(consumer)) is not None:
            delivery = asked
        else:
            return None
        client.passing.passes(now_ms)
        return delivery

    def buffered(self, consumer: str) -> int:
        return len(self._buffering[consumer].ahead)

    def _send_ahead(self, destination: str) -> None:
        """Send the oldest waiting messages ahead, while a consumer has room for the next one."""
        queue = self._storage.queues[destination]
        while queue.waiting:
            size_bytes = queue.waiting[0].size_bytes
            chosen = self._next_of(destination, size_bytes)
            if chosen is None:
                return
            delivery = self._storage.take(chosen)
            assert delivery is not None
            self._turns += 1
            client = self._buffering[chosen]
            client.window = self._rule(artemis_consumer.after_buffering)(client.window, size_bytes, self._turns)
            client.ahead.append((delivery, size_bytes))

    def _next_of(self, destination: str, size_bytes: int) -> str | None:
        windows = {
            ConsumerName(name): client.window
            for name, client in self._buffering.items()
            if self._storage.destination_of(name) == destination
        }
        return next((name for name in windows if self._rule(artemis_consumer.is_next)(windows, name, size_bytes)), None)

    def _forget_consumers(self) -> None:
        self._buffering.clear()
        self._turns = 0
