"""The profile of Artemis for Core clients: windows in bytes and rates of document 003, on both sides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.groups import Declined, Settlement
from tidegate.adapters.reference.buffering import BufferingClients, Passing
from tidegate.adapters.reference.overflow import DROP, FAIL, overflowing
from tidegate.adapters.reference.shown import whole_percent
from tidegate.adapters.reference.storage import VIRTUAL, StoredMessage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import artemis, artemis_producer, rate
from tidegate.model.mechanisms.core_window import NO_MESSAGE

DEFAULT_WINDOW = 64 * 1024
"""The default producer window in bytes: the document names none."""


@dataclass
class CoreProducer:
    """A producer's client: its waiting send, and the outcomes of sends that waited."""

    target: str
    """The address that it sends to; for an anonymous producer the last one, empty at first."""
    portion: int
    """The bytes of credit in one request."""
    obeys: bool
    asynchronous: bool
    passing: Passing
    waiting: StoredMessage | None = None
    settlements: list[Settlement] = field(default_factory=list)


class ArtemisCoreReference(BufferingClients):
    """A broker of addresses with one queue each, whose producers hold credit in bytes."""

    identity = Identity("reference", "artemis-core", "virtual", "reference:artemis-core")
    capabilities = frozenset(
        {
            *("core-window", "consumer-window", "consumer-rate", "producer-rate", "late-answers", "asynchronous-sends"),
            *("ignored-orders", "purge", "topics", "close-clients", "anonymous-producers", "shared-sessions"),
            *("refusing-policy", "dropping-policy"),
            *("restarts-broker", "pauses-broker", "cuts-connections", "management-close"),
            *("moves-messages", "lists-messages", "expiring-messages", "ordered-messages"),
            *("browsed-messages", "dead-letters", "returned-messages", "recreated-destinations", "filtering-consumers"),
            "acknowledges-together",
            *("traffic-readable", "counts-expired", "counts-bytes", "usage-shown"),
        }
    )
    parameters = VIRTUAL
    not_claimed: ClassVar[Declined] = {
        "GENERAL-7": "a message waits for as many bytes as it has, so a smaller one may still find room"
    }

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__(model)
        self._addresses: dict[str, artemis_producer.CoreAddress] = {}
        self._in_force: dict[str, Limits] = {}
        self._producers: dict[str, CoreProducer] = {}

    def declare(self, destination: str, limits: Limits) -> None:
        self._storage.add(destination)
        self._in_force[destination] = limits
        self._addresses[destination] = artemis_producer.CoreAddress(self._limits(limits), 0, {})

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._attach(producer, connection, destination, options)
        self._count_credit(producer, destination)

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        self._attach(producer, connection, "", DEFAULT_OPTIONS)

    def shown_percent(self, destination: str) -> int | None:
        return whole_percent(self.depth(destination).bytes, self._addresses[destination].limits.max_size)

    def _attach(self, producer: str, connection: str, destination: str, options: ProducerOptions) -> None:
        self._storage.connect(producer, connection)
        window = DEFAULT_WINDOW if options.window_bytes is None else options.window_bytes
        portion = window // self._model.default(artemis_producer, "PORTIONS")
        per_second = rate.DISABLED if options.rate is None else options.rate
        self._producers[producer] = CoreProducer(
            destination, portion, options.obeys, options.asynchronous, Passing(per_second, model=self._model)
        )

    def _count_credit(self, producer: str, destination: str) -> None:
        """Add the producer to the senders of the address, and let it ask for its first credit."""
        client, name = self._producers[producer], artemis.ProducerName(producer)
        address = self._addresses[destination]
        attached = replace(address, credits={**address.credits, name: 0})
        self._addresses[destination] = (
            self._rule(artemis_producer.after_request)(attached, name, client.portion, NO_MESSAGE)
            if client.obeys
            else attached
        )

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        del self._producers[producer]
        for destination, address in self._addresses.items():
            others = {name: left for name, left in address.credits.items() if name != producer}
            self._addresses[destination] = replace(address, credits=others)

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        client = self._producers[producer]
        if client.waiting is None:
            client.target = destination
            if artemis.ProducerName(producer) not in self._addresses[destination].credits:
                self._count_credit(producer, destination)
        return self.send(producer, message_id, size_bytes)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client, message = self._producers[producer], StoredMessage(message_id, size_bytes)
        if client.waiting is not None:
            return Outcome.BLOCKED
        outcome = self._try(producer, message)
        if outcome is Outcome.UNSETTLED:
            client.waiting = message
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination, size_bytes = self._storage.settle(consumer, message_id)
        self._free(destination, size_bytes)

    def purge(self, destination: str) -> None:
        self._free(destination, self._storage.purge(destination))

    def standing(self, producer: str) -> Standing:
        """The standing: stopped while a send waits, or where even the smallest message would have to wait."""
        client, name = self._producers[producer], artemis.ProducerName(producer)
        if not client.target:
            return Standing(stopped=False)
        address = self._addresses[client.target]
        smallest = self.parameters.smallest_message_bytes
        left = self._rule(artemis_producer.after_request)(address, name, client.portion, smallest).credits[name]
        return Standing(stopped=client.waiting is not None or not self._rule(artemis_producer.may_send)(left, smallest))

    def settlements(self, producer: str) -> Sequence[Settlement]:
        client = self._producers[producer]
        told, client.settlements = client.settlements, []
        return told

    def advance(self, ms: int) -> None:
        """Let time pass; a send that waits for its rate goes on at its own time, so time advances from one such time
        to the next."""
        end_ms = self._storage.now_ms + ms
        while (left_ms := end_ms - self._storage.now_ms) > 0:
            super().advance(min([left_ms, *self._until_a_rate_allows_more()]))
            self._let_go()

    def _until_a_rate_allows_more(self) -> Iterator[int]:
        """The ms until a message no longer counts towards the rate, for each waiting send."""
        for client in self._producers.values():
            oldest = client.passing.oldest_ms
            if client.waiting is not None and oldest is not None and oldest + rate.SECOND_MS > self._storage.now_ms:
                yield oldest + rate.SECOND_MS - self._storage.now_ms

    def end_scenario(self) -> None:
        self._storage.clear()
        self._addresses.clear()
        self._in_force.clear()
        self._producers.clear()
        self._forget_consumers()

    def _try(self, producer: str, message: StoredMessage) -> Outcome:
        """Store, drop or refuse a message; UNSETTLED if its producer lacks credit or its rate lets nothing pass."""
        client, size = self._producers[producer], message.size_bytes
        now_ms, overflow = self._storage.now_ms, self._overflow(client.target)
        if client.obeys and not client.passing.may_pass(now_ms):
            return Outcome.UNSETTLED
        if overflow == FAIL:
            return Outcome.REJECTED
        if not client.obeys:
            after = self._rule(artemis_producer.after_uncovered_send)(self._addresses[client.target], size)
        elif (covered := self._after_covered_send(producer, size)) is not None:
            client.passing.passes(now_ms)
            after = covered
        else:
            return Outcome.UNSETTLED
        if overflow == DROP:
            self._addresses[client.target] = replace(after, bytes=self._addresses[client.target].bytes)
        else:
            self._store(producer, message, after)
        return Outcome.SENT if client.asynchronous else Outcome.ACCEPTED

    def _after_covered_send(self, producer: str, size: int) -> artemis_producer.CoreAddress | None:
        """The address after a producer's send; None if it is not granted the credit, which it has asked for then."""
        client, name = self._producers[producer], artemis.ProducerName(producer)
        address = self._rule(artemis_producer.after_request)(self._addresses[client.target], name, client.portion, size)
        self._addresses[client.target] = address
        if not self._rule(artemis_producer.may_send)(address.credits[name], size):
            return None
        after: artemis_producer.CoreAddress = self._rule(artemis_producer.after_send)(address, name, size)
        return after

    def _overflow(self, destination: str) -> str:
        """FAIL or DROP where the address has no room under this policy, else the empty text."""
        return overflowing(self._in_force[destination], self._storage.queues[destination].depth())

    def _store(self, producer: str, message: StoredMessage, after: artemis_producer.CoreAddress) -> None:
        destination = self._producers[producer].target
        self._storage.store(destination, message.message_id, message.size_bytes)
        self._addresses[destination] = after
        self._send_ahead(destination)

    def _free(self, destination: str, size_bytes: int) -> None:
        self._addresses[destination] = self._rule(artemis_producer.after_removal)(
            self._addresses[destination], size_bytes
        )
        self._let_go()

    def _let_go(self) -> None:
        for producer, client in self._producers.items():
            if client.waiting is None or (outcome := self._try(producer, client.waiting)) is Outcome.UNSETTLED:
                continue
            client.settlements.append(Settlement(client.waiting.message_id, outcome))
            client.waiting = None

    def _limits(self, limits: Limits) -> artemis.AddressLimits:
        default: artemis.AddressLimits = self._model.default(artemis, "DEFAULT_LIMITS")
        return artemis.AddressLimits(
            max_size=default.max_size if limits.limit_bytes is None else limits.limit_bytes,
            reject_threshold=artemis.NO_LIMIT,
            blocks=default.blocks if limits.policy is None else limits.policy == "BLOCK",
        )
