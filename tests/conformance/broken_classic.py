"""Implementations that each break one promise about waiting and failing sends: the Classic reference with one fault."""

from dataclasses import replace

from tests.conformance.other_options import OtherProducers
from tidegate.adapters.base import Limits, Outcome, ProducerOptions
from tidegate.adapters.groups import Settlement, Usage
from tidegate.adapters.reference.classic import ClassicReference


class TimesOutLate(ClassicReference):
    """Lets a send fail after one and a half times its timeout."""

    def declare_usage(self, usage: Usage) -> None:
        late = None if usage.fail_after_ms is None else usage.fail_after_ms * 3 // 2
        super().declare_usage(replace(usage, fail_after_ms=late))


class TimesOutEarly(ClassicReference):
    """Lets a send fail after a third of its timeout."""

    def declare_usage(self, usage: Usage) -> None:
        early = None if usage.fail_after_ms is None else usage.fail_after_ms // 3
        super().declare_usage(replace(usage, fail_after_ms=early))


class WaitsWhereItShouldFail(ClassicReference):
    """Lets sends wait although they are configured to fail at once."""

    def declare_usage(self, usage: Usage) -> None:
        super().declare_usage(replace(usage, fail_at_once=None))


class StoresWhatFailed(ClassicReference):
    """Tells a producer that its send failed, and stores the message nevertheless."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.REJECTED:
            self._store(self._producers[producer], message_id, size_bytes)
        return outcome


class NeverAnswersWhoWaited(ClassicReference):
    """Stores the message of a send that waited, and never answers its producer."""

    def settlements(self, producer: str) -> list[Settlement]:
        return [told for told in super().settlements(producer) if told.outcome is not Outcome.ACCEPTED]


class ForgetsWhoWaitsOnAPurge(ClassicReference):
    """Frees the memory of purged messages, and releases no producer before the next message is consumed."""

    def purge(self, destination: str) -> None:
        waiting, self._pending = self._pending, type(self._pending)()
        super().purge(destination)
        self._pending = waiting


class NeverWaits(ClassicReference):
    """Has no limit for a destination, for all destinations, or for the disk."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, policy="NONE"))

    def declare_usage(self, usage: Usage) -> None:
        super().declare_usage(replace(usage, memory_bytes=None, store_bytes=None, temp_bytes=None))


class WaitsWhenHalfFull(ClassicReference):
    """Treats a destination, or all destinations, as full at half of the limit."""

    def declare(self, destination: str, limits: Limits) -> None:
        half = None if limits.limit_bytes is None else limits.limit_bytes // 2
        super().declare(destination, replace(limits, limit_bytes=half))

    def declare_usage(self, usage: Usage) -> None:
        half = None if usage.memory_bytes is None else usage.memory_bytes // 2
        super().declare_usage(replace(usage, memory_bytes=half))


class ControlsEveryDestination(ClassicReference):
    """Blocks producers even if flow control is switched off."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, policy="BLOCK"))


class SendsNothingSynchronously(OtherProducers, ClassicReference):
    """Lets no producer wait for an answer."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, asynchronous=True, unconfigured=False)


class SendsEverythingSynchronously(OtherProducers, ClassicReference):
    """Lets every producer wait for its answers."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, asynchronous=False, unconfigured=False)


class IgnoresWindows(OtherProducers, ClassicReference):
    """Lets a producer send without answers, whatever its window."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        wide = None if options.window_bytes is None else options.window_bytes * 1000
        return replace(options, window_bytes=wide)


class HalvesWindows(OtherProducers, ClassicReference):
    """Lets a producer send half of its window without an answer."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        narrow = None if options.window_bytes is None else options.window_bytes // 2
        return replace(options, window_bytes=narrow)


class SwapsTheCursors(ClassicReference):
    """Swaps the file cursor and the cursor in memory."""

    def declare(self, destination: str, limits: Limits) -> None:
        other = "file" if limits.cursor == "memory" else "memory"
        super().declare(destination, replace(limits, cursor=other))


class HasOtherDefaults(ClassicReference):
    """Has lower default limits for all destinations together than documented."""

    def usage_in_force(self) -> Usage:
        return Usage(memory_bytes=1, store_bytes=2, temp_bytes=3)


class HalvesTheStore(ClassicReference):
    """Limits the store to half of the configured bytes."""

    def declare_usage(self, usage: Usage) -> None:
        halved = None if usage.store_bytes is None else usage.store_bytes // 2
        super().declare_usage(replace(usage, store_bytes=halved))


class MixesUpStoreAndTemp(ClassicReference):
    """Swaps the limits of the store and of the temporary space."""

    def declare_usage(self, usage: Usage) -> None:
        super().declare_usage(replace(usage, store_bytes=usage.temp_bytes, temp_bytes=usage.store_bytes))
