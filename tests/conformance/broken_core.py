"""Implementations that break promises about Core windows and rates: the Core reference with one wrong option each."""

from dataclasses import replace

from tests.conformance.other_options import OtherProducers
from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.built import BuiltArtemisCore2440
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.model.mechanisms.artemis import ProducerName

RATE = 5


class OtherConsumers(ArtemisCoreReference):
    """Opens consumers with other options than those that were asked for."""

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer_with(consumer, connection, destination, self.instead(options))

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        raise NotImplementedError


class BuffersTwice(OtherConsumers):
    """Windows are twice as large as the configured or the documented one."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(
            options, window_bytes=2 * (1024 * 1024 if options.window_bytes is None else options.window_bytes)
        )


class BuffersNothing(OtherConsumers):
    """No consumer's client is sent messages ahead."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(options, window_bytes=0)


class BuffersWithoutLimit(OtherConsumers):
    """Every consumer's client is sent all messages ahead."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(options, window_bytes=-1)


class LetsConsumersPass(OtherConsumers):
    """No consumer has a rate."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(options, rate=-1)


class ThrottlesConsumers(OtherConsumers):
    """Every consumer has the same rate."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(options, rate=RATE)


class LetsProducersPass(OtherProducers, ArtemisCoreReference):
    """No producer has a rate."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, rate=-1)


class ThrottlesProducers(OtherProducers, ArtemisCoreReference):
    """Every producer has the same rate."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, rate=RATE)


class GrantsWithoutWindow(OtherProducers, ArtemisCoreReference):
    """Producers ask for far more than their window."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, window_bytes=None if options.window_bytes is None else 100 * options.window_bytes)


class ChecksCredit(OtherProducers, ArtemisCoreReference):
    """The server blocks producers that ignore credit."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, obeys=True)


class ChecksNoCredit(OtherProducers, ArtemisCoreReference):
    """No client keeps to its credit."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, obeys=False)


class BlocksAlways(ArtemisCoreReference):
    """Every policy blocks, and far too early."""

    def declare(self, destination: str, limits: Limits) -> None:
        size = None if limits.limit_bytes is None else limits.limit_bytes // 2
        super().declare(destination, replace(limits, limit_bytes=size, policy="BLOCK"))


class GrantsCreditForWhatItRefused(BuiltArtemisCore2440):
    """A producer gets a window of credit for each message that was refused, in addition to its own."""

    def _try(self, producer: str, message: StoredMessage) -> Outcome:
        outcome = super()._try(producer, message)
        if outcome is Outcome.REJECTED:
            client, name = self._producers[producer], ProducerName(producer)
            address = self._addresses[client.target]
            more = {**address.credits, name: address.credits[name] + client.portion}
            self._addresses[client.target] = replace(address, credits=more)
        return outcome


class KeepsCreditAfterARefusal(ArtemisCoreReference):
    """A producer sends on, on the credit that it had left, after a message was refused; its message gets lost."""

    def _try(self, producer: str, message: StoredMessage) -> Outcome:
        outcome = super()._try(producer, message)
        client = self._producers[producer]
        if outcome is not Outcome.REJECTED or not client.asynchronous:
            return outcome
        self._refused = not getattr(self, "_refused", False)
        return Outcome.REJECTED if self._refused else Outcome.SENT
