"""Implementations of Core windows and rates that break promises: the Core reference but for one option each."""

from dataclasses import replace

from tests.conformance.other_options import OtherProducers
from tidegate.adapters.base import Limits, ProducerOptions
from tidegate.adapters.groups import ConsumerOptions
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference

RATE = 5


class OtherConsumers(ArtemisCoreReference):
    """What a consumer asks for is not what it gets."""

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer_with(consumer, connection, destination, self.instead(options))

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        raise NotImplementedError


class BuffersTwice(OtherConsumers):
    """Windows are twice as large as configured, or as the documented one."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(
            options, window_bytes=2 * (1024 * 1024 if options.window_bytes is None else options.window_bytes)
        )


class BuffersNothing(OtherConsumers):
    """Nobody is sent anything ahead."""

    def instead(self, options: ConsumerOptions) -> ConsumerOptions:
        return replace(options, window_bytes=0)


class BuffersWithoutLimit(OtherConsumers):
    """Everybody is sent everything ahead."""

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
    """The server holds up who ignores credit."""

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
