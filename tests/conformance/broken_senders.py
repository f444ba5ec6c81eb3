"""Implementations that treat some senders wrongly: latecomers, topics' or anonymous producers, another protocol."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis, qpid
from tidegate.model.mechanisms.general_address import FurtherCauses


class LetsLatecomersPast(QpidReference):
    """Stops producers that were there when the queue became overfull, and never a later one."""

    def __init__(self) -> None:
        super().__init__()
        self._late: set[str] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if any(qpid.overfull(self._state.queues[qpid.QueueName(name)]) for name in destinations):
            self._late.add(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if producer in self._late:
            _let_go(self, producer)
        return outcome


class IssuesCreditToEveryNewcomer(ArtemisReference):
    """Issues a window of credit to every new producer, even if the address is full."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        address, name = self._addresses[destinations[0]], artemis.ProducerName(producer)
        whole = {**address.credits, name: address.window.size}
        self._become(destinations[0], replace(address, credits=whole))


class DoesNotLimitTopics(QpidReference):
    """Ignores the limits of a topic."""

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, Limits(limit_bytes=0))


class NeverReleasesOnATopic(ArtemisReference):
    """Frees no space when the message of a topic is consumed."""

    def __init__(self) -> None:
        super().__init__()
        self._topics: set[str] = set()

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, limits)
        self._topics.add(destination)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        if self._storage.destination_of(consumer) in self._topics:
            self._storage.settle(consumer, message_id)
        else:
            super().acknowledge(consumer, message_id)


class NeverStopsAnonymousProducers(QpidReference):
    """Stops only channels that were opened for a queue."""

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send_to(producer, destination, message_id, size_bytes)
        _let_go(self, producer)
        return outcome


class NeverReleasesAnonymousProducers(ArtemisReference):
    """Issues credit, when space is freed, only to producers that were opened for the address."""

    def __init__(self) -> None:
        super().__init__()
        self._anonymous: set[artemis.ProducerName] = set()

    def open_anonymous_producer(self, producer: str, connection: str, session: str = "") -> None:
        super().open_anonymous_producer(producer, connection)
        self._anonymous.add(artemis.ProducerName(producer))

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        before = self._addresses[destination].credits
        super().acknowledge(consumer, message_id)
        address = self._addresses[destination]
        kept_back = {name: before[name] for name in self._anonymous & before.keys()}
        self._become(destination, replace(address, credits={**address.credits, **kept_back}))


class StopsOneProtocolOnly(QpidReference):
    """Sends no order to stop over the second of its protocols."""

    def __init__(self) -> None:
        super().__init__()
        self._unheard: set[str] = set()

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        if options.protocol == self.parameters.protocols[1]:
            self._unheard.add(producer)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if producer in self._unheard:
            _let_go(self, producer)
        return outcome


class DoesNotCheckCommits(QpidReference):
    """Stores committed messages, and stops no producer for them."""

    def commit(self, producer: str) -> Outcome:
        outcome = super().commit(producer)
        _let_go(self, producer)
        return outcome


class ChargesWhatIsRolledBack(QpidReference):
    """Stores messages at once, even in a transaction, and keeps them when the transaction is rolled back."""

    def rollback(self, producer: str) -> None:
        self.commit(producer)


class LooksAtBytesOnly(ArtemisReference):
    """Ignores a level in messages."""

    def _causes(self, destination: str) -> FurtherCauses:
        return replace(super()._causes(destination), messages=0)


class FullOneMessageEarly(ArtemisReference):
    """Treats an address as full one message below its level in messages."""

    def declare(self, destination: str, limits: Limits) -> None:
        one_less = None if limits.limit_messages is None else limits.limit_messages - 1
        super().declare(destination, replace(limits, limit_messages=one_less))


class LooksAtMessagesOnly(ArtemisReference):
    """Ignores a level in bytes if there is one in messages."""

    def declare(self, destination: str, limits: Limits) -> None:
        ignored = limits.limit_messages is not None
        super().declare(destination, replace(limits, limit_bytes=-1) if ignored else limits)


class CountsEverySecondTwice(QpidReference):
    """Lets the time of its clients pass twice as fast."""

    def advance(self, ms: int) -> None:
        super().advance(2 * ms)


class StopsNobodyEver(QpidReference):
    """Has no flow control at all."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        _let_go(self, producer)
        return outcome


class StopsEverySender(QpidReference):
    """Stops a channel after each message, at any level of the queue, until a message leaves."""

    def __init__(self) -> None:
        super().__init__()
        self._sent: set[str] = set()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._sent.add(producer)
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        self._sent.clear()

    def standing(self, producer: str) -> Standing:
        return Standing(producer in self._sent or super().standing(producer).stopped)


def _let_go(broker: QpidReference, producer: str) -> None:
    nothing = dict.fromkeys(broker._state.queues, False)
    holds = {**broker._state.holds, qpid.ChannelName(producer): nothing}
    broker._state = replace(broker._state, holds=holds)
