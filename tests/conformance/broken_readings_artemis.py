"""Other readings of document 003, as the behaviour of Artemis under the other meaning of a sentence."""

from collections import deque
from dataclasses import replace

from tests.conformance.other_options import OtherProducers
from tidegate.adapters.base import DEFAULT_OPTIONS, Delivery, Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.buffering import Passing
from tidegate.model.language.rule import other_rule
from tidegate.model.mechanisms import artemis, artemis_consumer, artemis_producer, credit, rate


@other_rule
def full_when_exceeded(limits: artemis.AddressLimits, level: int) -> bool:
    """ARTEMIS-BLOCK-1: an address is full once its bytes exceed the maximum size."""
    return limits.blocks and limits.max_size != artemis.NO_LIMIT and level > limits.max_size


@other_rule
def below_low_mark(window: credit.Window, left: int) -> bool:
    """ARTEMIS-AMQP-4: "reaches 30" means that fewer than 30 are left."""
    return left < window.low


@other_rule
def rejecting_at_the_maximum_size(limits: artemis.AddressLimits, level: int) -> bool:
    """ARTEMIS-AMQP-9: messages are rejected once the address size is reached."""
    return limits.blocks and limits.reject_threshold != artemis.NO_LIMIT and level >= limits.max_size


@other_rule
def asked_for_early(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: a producer runs low once it has less than its window, and asks for a whole one."""
    whole = size if size > producer_window else producer_window
    return credit.refill_by_window(credit.Window(size=whole, low=whole - 1), left)


@other_rule
def granted_by_itself(limits: artemis.AddressLimits, level: int, left: int, asked: int) -> int:
    """ARTEMIS-CORE-5: the new credit alone must fit the address."""
    return artemis_producer.granted_by_itself(limits, level, asked)


@other_rule
def granted_more_than_there_is(limits: artemis.AddressLimits, level: int, left: int, asked: int) -> int:
    """ARTEMIS-CORE-5: a single producer is issued more than there is room for, as long as there is any."""
    bounded = limits.blocks and limits.max_size != artemis.NO_LIMIT
    return 0 if bounded and level >= limits.max_size else asked


@other_rule
def fits_below_window(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: a message is sent ahead as long as the window is not used up."""
    return artemis_consumer.has_room_below_window(consumer_window, buffered)


@other_rule
def fits_half_the_window(consumer_window: int, buffered: int, size: int) -> bool:
    """ARTEMIS-CONSUMER-1: messages are sent ahead only up to half of the window."""
    unbounded = consumer_window == artemis_consumer.UNBOUNDED
    return unbounded or 2 * (buffered + size) <= consumer_window


@other_rule
def given_back_by_halves(consumer: artemis_consumer.Consumer, size: int) -> artemis_consumer.Consumer:
    """ARTEMIS-CONSUMER-6: room is given back only once more than half of the window was taken."""
    owed = consumer.owed + size
    return (
        replace(consumer, buffered=consumer.buffered - owed, owed=0)
        if 2 * owed > consumer.window
        else replace(consumer, owed=owed)
    )


@other_rule
def is_any_with_room(
    consumers: dict[artemis_consumer.ConsumerName, artemis_consumer.Consumer],
    candidate: artemis_consumer.ConsumerName,
    size: int,
) -> bool:
    """ARTEMIS-CONSUMER-8: a message goes to the first consumer with room, whose turn it need not be."""
    return artemis_consumer.has_room_itself(consumers[candidate], size)


@other_rule
def asked_for_what_is_needed(producer_window: int, left: int, size: int) -> int:
    """ARTEMIS-CORE-3: a producer asks for what its next message needs, and for no window."""
    return size - left if size > left else 0


class CountsTheArrivingMessage(ArtemisReference):
    """ARTEMIS-AMQP-9: the arriving message counts towards the reject threshold."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        destination, sender = self._target[producer], artemis.ProducerName(producer)
        address = self._addresses[destination]
        rejects = artemis.rejecting_with_arrival(address.limits, address.bytes, size_bytes)
        if not (rejects and artemis.may_send(address, sender)):
            return super().send(producer, message_id, size_bytes)
        left = {**address.credits, sender: address.credits[sender] - 1}
        self._addresses[destination] = replace(address, credits=left)
        self._issue(destination, self._addresses[destination])
        return Outcome.REJECTED


class SharesConnections(ArtemisReference):
    """The scored reading, for a client whose producers share a connection."""

    capabilities = ArtemisReference.capabilities | {"shared-connections"}


class IssuesCreditToAClient(SharesConnections):
    """ARTEMIS-AMQP-2: the credits are a client's: its further links are issued none of their own."""

    def __init__(self) -> None:
        super().__init__()
        self._further: set[artemis.ProducerName] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        if connection in self._storage.connections:
            self._further.add(artemis.ProducerName(producer))
        super().open_producer(producer, connection, destinations, options)

    def _become(self, destination: str, after: artemis.Address) -> None:
        kept = {name: 0 if name in self._further else left for name, left in after.credits.items()}
        super()._become(destination, replace(after, credits=kept))


class LeavesTheBufferWhenAcknowledged(ArtemisCoreReference):
    """ARTEMIS-CONSUMER-6: a message takes its bytes of the window until it is acknowledged."""

    def take(self, consumer: str) -> Delivery | None:
        client = self._buffering[consumer]
        was_ahead, before = bool(client.ahead), client.window
        if was_ahead:
            client.window = replace(before, buffered=before.buffered + client.ahead[0][1])
        delivery = super().take(consumer)
        if delivery is None:
            client.window = before
        return delivery

    def acknowledge(self, consumer: str, message_id: str) -> None:
        client, destination = self._buffering[consumer], self._storage.destination_of(consumer)
        size_bytes = self._storage.queues[destination].handed_out[message_id].size_bytes
        left = max(client.window.buffered - size_bytes, 0)
        super().acknowledge(consumer, message_id)
        client.window = replace(client.window, buffered=left)
        self._send_ahead(destination)


class InSteps(Passing):
    """Passes messages at even intervals within a second."""

    def may_pass(self, now_ms: int) -> bool:
        """Whether one more may pass now."""
        return not self.passed_ms or rate.may_pass_in_step(self.per_second, now_ms - self.passed_ms[-1])


class ByTheClock(Passing):
    """Counts the messages that passed since the clock's last full second."""

    def may_pass(self, now_ms: int) -> bool:
        """Whether one more may pass now."""
        began_ms = now_ms - now_ms % rate.SECOND_MS
        self.passed_ms = deque(each for each in self.passed_ms if rate.counts_by_clock(each, began_ms))
        return rate.may_pass(self.per_second, len(self.passed_ms))


class _ConsumersPass(ArtemisCoreReference):
    passing: type[Passing]

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer_with(consumer, connection, destination, options)
        client = self._buffering[consumer]
        client.passing = self.passing(client.passing.per_second)


class _ProducersPass(ArtemisCoreReference):
    passing: type[Passing]

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        client = self._producers[producer]
        client.passing = self.passing(client.passing.per_second)


class ConsumersPassInSteps(_ConsumersPass):
    """ARTEMIS-RATE-1: a rate of 10 is one message each 100 ms."""

    passing = InSteps


class ConsumersPassByTheClock(_ConsumersPass):
    """ARTEMIS-RATE-1: a second is one of the clock."""

    passing = ByTheClock


class ProducersPassInSteps(_ProducersPass):
    """ARTEMIS-RATE-7: a rate of 10 is one message each 100 ms."""

    passing = InSteps


class ProducersPassByTheClock(_ProducersPass):
    """ARTEMIS-RATE-7: a second is one of the clock."""

    passing = ByTheClock


class CountsWhatIsConsumed(OtherProducers, ArtemisCoreReference):
    """ARTEMIS-RATE-7: a producer's rate is one of the messages of it that are consumed."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, rate=rate.DISABLED)
