"""Implementations that keep their promises in scenarios as written, and break one under another condition."""

from dataclasses import replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference, Pending
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import qpid

NO_LIMIT = Limits(limit_bytes=0, resume_bytes=0)


class NeverStopsOnATopic(QpidReference):
    """Topics have their declared limits, and stop no producer that sends alone."""

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, NO_LIMIT)

    capabilities = QpidReference.capabilities


class StopsNobodyWhoNamesItsDestination(QpidReference):
    """A producer that names its destination with each message is never blocked."""

    def send_to(self, producer: str, destination: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send_to(producer, destination, message_id, size_bytes)
        held = dict.fromkeys(self._state.queues, False)
        self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): held})
        return outcome


class ForgetsTransactedSenders(QpidReference):
    """Committed messages block no producer."""

    def commit(self, producer: str) -> Outcome:
        outcome = super().commit(producer)
        held = dict.fromkeys(self._state.queues, False)
        self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): held})
        return outcome


class ChargesPersistentMessagesForEver(QpidReference):
    """Bytes of persistent messages are never freed."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, options)
        self._persists = options.persistent

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state
        super().acknowledge(consumer, message_id)
        if self._persists:
            self._state = before


class LooksAtMessagesOnlyBesideBytes(ArtemisReference):
    """A limit in messages counts only if there is a limit in bytes too."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, limit_messages=None) if limits.limit_bytes is None else limits)


class ReleasesNobodyOnceALimitWasChanged(QpidReference):
    """A queue whose limits were changed in use releases no producer when it becomes underfull."""

    _was_changed = False

    def change_limits(self, destination: str, limits: Limits) -> None:
        super().change_limits(destination, limits)
        self._was_changed = True

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._was_changed:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._was_changed = False
        super().end_scenario()


class KeepsTheDefaultsOfTheFirstQueue(QpidReference):
    """A queue that sets no limit of its own has none, whatever the defaults."""

    def declare_defaults(self, limits: Limits) -> None:
        """Nothing is kept."""


class LeaksAfterAPurge(ArtemisReference):
    """Purged messages stay charged."""

    def purge(self, destination: str) -> None:
        before = self._addresses[destination].bytes
        super().purge(destination)
        address = self._addresses[destination]
        self._addresses[destination] = replace(address, bytes=before)


class WakesNobodyInTheThirdRound(QpidReference):
    """The third producer of a queue is never released."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        later = [channel for channel in self._state.holds if len(self._actors) > 3]
        self._state = replace(
            self._state, holds={**self._state.holds, **{channel: before[channel] for channel in later}}
        )


class ChargesGivenBackMessagesTwice(QpidReference):
    """Messages that go back from a closed consumer are charged once more."""

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        back = sum(message.size_bytes for message in self._storage.queues[destination].handed_out.values())
        super().close_consumer(consumer)
        self._state = qpid.with_bytes(self._state, self._names(destination), back)


class ShowsGivenBackMessagesTwice(QpidReference):
    """Management counts messages that go back from a closed consumer twice."""

    _back = 0

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        self._back += sum(message.size_bytes for message in self._storage.queues[destination].handed_out.values())
        super().close_consumer(consumer)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._back)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._back = 0


class HoldsWhoeverComesAfterAKilledOne(QpidReference):
    """The block of a producer whose connection broke passes to the next producer that attaches."""

    _killed = False

    def kill(self, connection: str) -> None:
        self._killed = True
        super().kill(connection)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        return (
            Outcome.BLOCKED
            if self._killed and len(self._actors) > 1
            else super().send(producer, message_id, size_bytes)
        )

    def end_scenario(self) -> None:
        self._killed = False
        super().end_scenario()


class HoldsWhoeverComesAfterATimeout(QpidReference):
    """Once a send has timed out, its queue releases no producer that is opened later."""

    _timed_out = False

    def advance(self, ms: int) -> None:
        super().advance(ms)
        self._timed_out = self._timed_out or any(client.waiting.settlements for _, client in self._clients)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._timed_out:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._timed_out = False
        super().end_scenario()


class StopsNobodyOnceItRefused(ArtemisReference):
    """Once an address has refused a message, its limit stops no producer any more."""

    _refused = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._refused = self._refused or outcome is Outcome.REJECTED
        return outcome

    def change_limits(self, destination: str, limits: Limits) -> None:
        super().change_limits(destination, replace(limits, limit_bytes=-1) if self._refused else limits)

    def end_scenario(self) -> None:
        self._refused = False
        super().end_scenario()


class ReleasesNobodyOnceItsPolicyRefused(QpidReference):
    """Once the policy of a queue has refused a message, the queue releases no producer any more."""

    _refused = False

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._refused = self._refused or outcome is Outcome.REJECTED
        return outcome

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._refused:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._refused = False
        super().end_scenario()


class LetsNobodyGoOnceItLoweredWhatItHadRaised(QpidReference):
    """A queue whose limit was raised while a producer was stopped, and lowered again, releases no producer."""

    _raised = _lowered = False

    def change_limits(self, destination: str, limits: Limits) -> None:
        waits = any(self._store.stops(self._state, channel) for channel in self._state.holds)
        super().change_limits(destination, limits)
        self._raised, self._lowered = self._raised or waits, self._raised

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._lowered:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._raised = self._lowered = False
        super().end_scenario()


class ChargesAsynchronousMessagesForEver(ClassicReference):
    """Bytes of messages that were sent without waiting for an answer are never freed."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = dict(self._destinations)
        super().acknowledge(consumer, message_id)
        options = [producer.options for producer in self._producers.values()]
        if any(one.asynchronous and one.window_bytes is None for one in options):
            self._destinations |= before


class NeverAnswersWhatItHeld(ClassicReference):
    """Messages that a producer had on the way when one had to be held back stay unanswered for ever."""

    def _stored_late(self, pending: Pending) -> bool:
        room = super()._stored_late(pending)
        if room and pending.producer.options.window_bytes is not None:
            pending.producer.unanswered += pending.size_bytes
        return room


class GrantsNoMoreThanAWindow(ArtemisCoreReference):
    """A message larger than its producer's window is never granted the credit that it needs after a wait."""

    def _let_go(self) -> None:
        for client in self._producers.values():
            if client.waiting is not None and client.waiting.size_bytes > client.portion:
                return
        super()._let_go()


class KnowsNoPatterns(ArtemisReference):
    """Limits of a pattern are accepted, and hold nowhere."""

    def declare_pattern(self, beginning: str, limits: Limits) -> None:
        super().declare_pattern("nothing begins so", limits)


class KeepsWhatAPatternWasFirst(ArtemisReference):
    """The limits of a pattern change only for addresses that are created afterwards."""

    def change_pattern(self, beginning: str, limits: Limits) -> None:
        self.declare_pattern(beginning, limits)


class PassesOverItsFile(ArtemisReference):
    """Limits in the file are read, and hold nowhere."""

    def start_with_limits(self, destination: str, limits: Limits) -> None:
        super().start_with_limits("nothing is called so", limits)


class KnowsNoDefaultInMessages(ArtemisReference):
    """A default in bytes is inherited, one in messages is not."""

    def declare_defaults(self, limits: Limits) -> None:
        super().declare_defaults(replace(limits, limit_messages=None))


class KeepsALimitInMessages(ArtemisReference):
    """A limit in messages stays in force when the limits are changed to others without one."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        before = self._in_force[destination].limit_messages
        super().change_limits(destination, limits if limits.limit_messages else replace(limits, limit_messages=before))


class CountsNoMessagesOnTopics(ArtemisReference):
    """Topics have their declared limits in bytes, and none in messages."""

    capabilities = ArtemisReference.capabilities

    def declare_topic(self, destination: str, limits: Limits) -> None:
        super().declare_topic(destination, replace(limits, limit_messages=None))


class StopsNobodyTogether(ArtemisReference):
    """A limit on all addresses together stops no producer."""

    def declare_shared(self, limits: Limits) -> None:
        """Nothing is kept."""


class NeverWakesThoseWhoShare(ArtemisReference):
    """Once a shared limit was reached, freed space releases no producer."""

    _was_full = False

    def _full_together(self, destination: str) -> bool:
        self._was_full = self._was_full or super()._full_together(destination)
        return self._was_full

    def end_scenario(self) -> None:
        super().end_scenario()
        self._was_full = False


class ChargesWhatItPagedForEver(ArtemisReference):
    """Bytes that were sent past the maximum size of a paging address are never freed."""

    _paged = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        address = self._addresses[self._target[producer]]
        if not address.limits.blocks and address.bytes > address.limits.max_size:
            self._paged += size_bytes
        return outcome

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._paged)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._paged = 0


class LosesWhatItDoesNotControl(ClassicReference):
    """Without flow control a message past the memory limit is accepted, and not stored."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        own = self._destinations[self._producers[producer].destination]
        if own.controlled or own.bytes + size_bytes <= own.limit:
            return super().send(producer, message_id, size_bytes)
        return Outcome.ACCEPTED


class FreesAgainWhatIsAcknowledgedAgain(QpidReference):
    """A message that is acknowledged a second time frees its bytes a second time."""

    def __init__(self) -> None:
        super().__init__()
        self._gone: dict[str, int] = {}

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        if message_id in self._gone:
            self._state = qpid.with_bytes(self._state, self._names(destination), -self._gone[message_id])
            return
        size_bytes = self._storage.queues[destination].handed_out[message_id].size_bytes
        super().acknowledge(consumer, message_id)
        self._gone[message_id] = size_bytes

    def depth(self, destination: str) -> Depth:
        return replace(super().depth(destination), bytes=self._state.queues[qpid.QueueName(destination)].bytes)


class ChargesWhatHadToWaitForEver(ArtemisCoreReference):
    """Bytes of messages whose send had to wait for its rate are never freed."""

    def __init__(self) -> None:
        super().__init__()
        self._waited = 0

    def advance(self, ms: int) -> None:
        waiting = {name: client.waiting for name, client in self._producers.items() if client.waiting is not None}
        super().advance(ms)
        for name, message in waiting.items():
            if name in self._producers and self._producers[name].waiting is not message:
                self._waited += message.size_bytes

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._waited)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._waited = 0


class ReleasesNobodyOnceItWasHalted(QpidReference):
    """Once the broker was halted, consumption releases no producer."""

    _was_halted = False

    def pause_broker(self) -> None:
        self._was_halted = True
        super().pause_broker()

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._was_halted:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._was_halted = False
        super().end_scenario()


class ReleasesNobodyWhoWaitsWithoutEnd(QpidReference):
    """Consumption releases no producer once one has come whose sends wait without end."""

    _waits_without_end = False

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._waits_without_end = self._waits_without_end or options.wait_ms == -1
        super().open_producer(producer, connection, destinations, options)

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        if self._waits_without_end:
            self._state = replace(self._state, holds=before)

    def end_scenario(self) -> None:
        self._waits_without_end = False
        super().end_scenario()
