"""What the model makes of sends and removals: each mechanism as a destination with producers, step by step.

Every step is a rule of the model; nothing is decided here.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Protocol

from tidegate.model import artemis, artemis_producer, classic, qpid
from tidegate.model.credit import Window
from tidegate.pipeline.sweep.configuration import Configuration, Mechanism, resume_level

QUEUE = qpid.QueueName("queue")
THE_QUEUE = {QUEUE: True}


class Destination(Protocol):
    """One destination, its producers by number from 0, and messages of one size in bytes."""

    @property
    def bytes(self) -> int:
        """What it holds."""

    @property
    def state(self) -> Hashable:
        """All that decides what can happen next."""

    def ask(self, producer: int) -> None:
        """The producer asks for the credit that its next message needs, if its client has to ask for credit."""

    def may_send(self, producer: int) -> bool:
        """Whether nothing holds the producer back."""

    def send(self, producer: int) -> None:
        """A message of the producer arrives."""

    def remove(self) -> None:
        """A message leaves."""


class QpidQueue:
    """A queue with its gate, and a channel for each producer."""

    def __init__(self, configuration: Configuration):
        self._size = configuration.size
        resume = resume_level(configuration)
        own = qpid.Limits(configuration.capacity, qpid.NOT_SET if resume is None else resume)
        limits = qpid.effective_limits(own, qpid.Limits())
        self._channels = [qpid.ChannelName(str(number)) for number in range(configuration.producers)]
        self._broker = qpid.Broker(
            queues={QUEUE: qpid.Queue(limits.capacity, limits.resume, bytes=0)},
            holds={channel: {QUEUE: False} for channel in self._channels},
        )

    @property
    def bytes(self) -> int:
        return self._broker.queues[QUEUE].bytes

    @property
    def state(self) -> Hashable:
        return self.bytes, tuple(self._broker.holds[channel][QUEUE] for channel in self._channels)

    def ask(self, producer: int) -> None:
        """A channel needs no credit."""

    def may_send(self, producer: int) -> bool:
        return not qpid.stopped(self._broker, self._channels[producer])

    def send(self, producer: int) -> None:
        self._broker = qpid.after_send(self._broker, self._channels[producer], THE_QUEUE, self._size)

    def remove(self) -> None:
        self._broker = qpid.after_removal(self._broker, THE_QUEUE, self._size)


class CreditedAddress:
    """What an address shows whose producers hold credit."""

    _address: artemis.Address | artemis_producer.CoreAddress

    @property
    def bytes(self) -> int:
        return self._address.bytes

    @property
    def state(self) -> Hashable:
        return self.bytes, tuple(self._address.credits.values())


class ArtemisAmqpAddress(CreditedAddress):
    """An address under BLOCK; credit is issued as soon as it may be."""

    def __init__(self, configuration: Configuration):
        assert configuration.credits is not None and configuration.credits_low is not None
        self._size = configuration.size
        self._names = _producers(configuration)
        window = Window(configuration.credits, configuration.credits_low)
        empty = artemis.Address(_blocking(configuration), window, bytes=0, credits=dict.fromkeys(self._names, 0))
        self._address: artemis.Address = artemis.after_issuing(empty)

    def ask(self, producer: int) -> None:
        """Credit is issued without being asked for."""

    def may_send(self, producer: int) -> bool:
        return artemis.may_send(self._address, self._names[producer])

    def send(self, producer: int) -> None:
        self._address = artemis.after_issuing(artemis.after_send(self._address, self._names[producer], self._size))

    def remove(self) -> None:
        self._address = artemis.after_issuing(artemis.after_removal(self._address, self._size))


class ArtemisCoreAddress(CreditedAddress):
    """An address under BLOCK whose producers ask for credit in bytes."""

    def __init__(self, configuration: Configuration):
        assert configuration.window is not None
        self._size, self._window = configuration.size, configuration.window
        self._names = _producers(configuration)
        self._address: artemis_producer.CoreAddress = artemis_producer.CoreAddress(
            _blocking(configuration), bytes=0, credits=dict.fromkeys(self._names, 0)
        )

    def ask(self, producer: int) -> None:
        self._address = artemis_producer.after_request(self._address, self._names[producer], self._window, self._size)

    def may_send(self, producer: int) -> bool:
        return artemis_producer.may_send(self._address.credits[self._names[producer]], self._size)

    def send(self, producer: int) -> None:
        self._address = artemis_producer.after_send(self._address, self._names[producer], self._size)

    def remove(self) -> None:
        self._address = artemis_producer.after_removal(self._address, self._size)


class ClassicDestination:
    """A destination with a memory limit, whose senders wait until there is space."""

    def __init__(self, configuration: Configuration):
        self._size = configuration.size
        self._destination = classic.Destination(configuration.capacity, controlled=True, bytes=0)

    @property
    def bytes(self) -> int:
        return self._destination.bytes

    @property
    def state(self) -> Hashable:
        return self.bytes

    def ask(self, producer: int) -> None:
        """A sender needs no credit."""

    def may_send(self, producer: int) -> bool:
        return not classic.holds_back(self._destination)

    def send(self, producer: int) -> None:
        self._destination = classic.after_storing(self._destination, self._size)

    def remove(self) -> None:
        self._destination = classic.after_removal(self._destination, self._size)


OF: Mapping[Mechanism, Callable[[Configuration], Destination]] = {
    Mechanism.QPID_QUEUE: QpidQueue,
    Mechanism.ARTEMIS_AMQP: ArtemisAmqpAddress,
    Mechanism.ARTEMIS_CORE: ArtemisCoreAddress,
    Mechanism.CLASSIC_MEMORY: ClassicDestination,
}


def empty_destination(configuration: Configuration) -> Destination:
    """The destination that a configuration describes, empty, with its producers attached."""
    return OF[configuration.mechanism](configuration)


def _producers(configuration: Configuration) -> list[artemis.ProducerName]:
    return [artemis.ProducerName(str(number)) for number in range(configuration.producers)]


def _blocking(configuration: Configuration) -> artemis.AddressLimits:
    return artemis.AddressLimits(configuration.capacity, artemis.NO_LIMIT, blocks=True)
