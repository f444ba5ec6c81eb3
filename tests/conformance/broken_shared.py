"""Brokers that each break a promise about space that all destinations share, or about sends that wait for it."""

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType

from tidegate.adapters.base import Limits, Outcome
from tidegate.adapters.groups import Settlement
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference, Pending
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import classic
from tidegate.model.mechanisms.qpid_disk import STORE_OVERFULL

LONG_MS = 500
"""The ms after which a message has waited for long."""


class ForgetsMemoryOfAll(ClassicReference):
    """The base of brokers that give bytes back to a destination, and not to the memory of all destinations."""

    _forgets = False

    def _free_memory(self, destination: str, size_bytes: int) -> None:
        super()._free_memory(destination, size_bytes)
        if self._forgets:
            self._all = classic.after_storing(self._all, size_bytes)

    @contextmanager
    def _forgetting(self) -> Iterator[None]:
        self._forgets = True
        try:
            yield
        finally:
            self._forgets = False


class KeepsPurgedBytesOfAll(ForgetsMemoryOfAll):
    """Purged messages stay charged to the memory of all."""

    def purge(self, destination: str) -> None:
        with self._forgetting():
            super().purge(destination)


class KeepsExpiredBytesOfAll(ForgetsMemoryOfAll):
    """Expired messages stay charged to the memory of all."""

    def advance(self, ms: int) -> None:
        with self._forgetting():
            super().advance(ms)


class KeepsMovedBytesOfAll(ForgetsMemoryOfAll):
    """Moved messages are charged twice to the memory of all."""

    def move(self, destination: str, to: str) -> None:
        with self._forgetting():
            super().move(destination, to)


class KeepsDeletedBytesOfAll(ForgetsMemoryOfAll):
    """Messages of a deleted destination stay charged to the memory of all."""

    def recreate(self, destination: str, limits: Limits) -> None:
        with self._forgetting():
            super().recreate(destination, limits)


class FreesWhatAClosedConsumerHeld(ClassicReference):
    """What a closed consumer had in hand goes back, and takes nothing of the memory of all any more."""

    def close_consumer(self, consumer: str) -> None:
        held = self._storage.queues[self._storage.destination_of(consumer)].handed_out.values()
        self._all = replace(self._all, bytes=self._all.bytes - sum(each.size_bytes for each in held))
        super().close_consumer(consumer)


class ChargesNoTopicToAll(ClassicReference):
    """Messages of topics take nothing of the memory of all."""

    def _take_memory(self, destination: str, size_bytes: int) -> None:
        before = self._all
        super()._take_memory(destination, size_bytes)
        self._all = before if destination in self._topics else self._all

    def _free_memory(self, destination: str, size_bytes: int) -> None:
        before = self._all
        super()._free_memory(destination, size_bytes)
        self._all = before if destination in self._topics else self._all


class LooksAtOneLimitOnceItWaits(ClassicReference):
    """A send that waits goes on once its own destination has room, whatever all destinations hold."""

    def _moves(self, pending: Pending) -> bool:
        before, self._all = self._all, replace(self._all, limit=classic.NO_LIMIT)
        was_full = classic.full(self._destinations[pending.producer.destination])
        moved = super()._moves(pending) if not was_full else False
        self._all = replace(self._all, limit=before.limit)
        return moved


class LetsOneGoAtATime(ClassicReference):
    """Each message that leaves lets at most one send go on that waits."""

    def _work_off(self) -> None:
        any(self._moves(pending) for pending in self._may_move())


class ShowsNobodyStoppedByAll(ClassicReference):
    """Management shows as stopped only who waits for its own destination."""

    def shown_stopped(self, producer: str) -> bool:
        own = self._destinations[self._producers[producer].destination]
        return super().shown_stopped(producer) and classic.full(own)


class GivesUpWhoFailedThrice(ClassicReference):
    """A producer whose send has failed three times is refused each later message."""

    _failed: Mapping[str, int] = MappingProxyType({})

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        if self._failed.get(producer, 0) > 2:
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)

    def settlements(self, producer: str) -> list[Settlement]:
        told = list(super().settlements(producer))
        late = sum(each.outcome is Outcome.REJECTED for each in told)
        self._failed = {**self._failed, producer: self._failed.get(producer, 0) + late}
        return told

    def end_scenario(self) -> None:
        super().end_scenario()
        self._failed = MappingProxyType({})


class HearsNoConsumerBesideAWindow(ClassicReference):
    """Nothing is acknowledged over a connection on which a producer waits for its window."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        in_clients = [each.producer for each in self._pending if not each.told]
        lines = {each.connection for each in in_clients if each.options.asynchronous}
        if self._storage.connection_of(consumer) not in lines:
            super().acknowledge(consumer, message_id)


class LetsMovedMessagesLive(ArtemisReference):
    """A moved message never expires."""

    def move(self, destination: str, to: str) -> None:
        for message in self._storage.queues[destination].waiting:
            self._storage.expires_ms.pop(message.message_id, None)
        super().move(destination, to)


class LosesMovedMessagesAtARestart(ArtemisReference):
    """What was moved is not on disk."""

    _moved_to: str | None = None

    def move(self, destination: str, to: str) -> None:
        super().move(destination, to)
        self._moved_to = to

    def restart_broker(self) -> None:
        super().restart_broker()
        if self._moved_to is not None:
            self.purge(self._moved_to)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._moved_to = None


class LogsEachCommitToAnOverfullStore(QpidReference):
    """The line about an overfull store is written for each commit while it is overfull."""

    def commit(self, producer: str) -> Outcome:
        before = self._store.blocks
        outcome = super().commit(producer)
        if before and self._store.blocks:
            self._log(self._store_actor, STORE_OVERFULL)
        return outcome


class StoresWhatIsRolledBack(QpidReference):
    """Messages that are rolled back take space on the disk for good."""

    def rollback(self, producer: str) -> None:
        for message_id, size_bytes in self._uncommitted[producer]:
            self._store.write(message_id, size_bytes, 1)
        super().rollback(producer)


class WaitsAnewAtEachLook(ClassicReference):
    """The time after which a send fails begins anew each time that a message leaves and makes no room."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        super().acknowledge(consumer, message_id)
        for pending in self._pending:
            pending.since_ms = self._storage.now_ms


class KeepsWhatADeletedQueueHeld(ClassicReference):
    """Messages that only a deleted subscription still held stay charged to their topic."""

    def unbind(self, destination: str, queue: str) -> None:
        self._stuck |= {message.message_id for message in self._storage.queues[queue].messages()}
        super().unbind(destination, queue)


class FreesWhatALaterQueueDelivered(ClassicReference):
    """A message of a topic is charged no more once the subscription that came last has delivered it."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        queue = self._storage.destination_of(consumer)
        last = list(self._bound)[-1:] == [queue]
        size = self._storage.queues[queue].handed_out[message_id].size_bytes if last else 0
        super().acknowledge(consumer, message_id)
        if last and message_id not in self._freed:
            self._freed.add(message_id)
            self._free_memory(self._bound[queue], size)
            self._work_off()


class CommitsPastALimitThatRefuses(QpidReference):
    """A commit stores its messages however far past the limit of a queue that refuses messages."""

    def commit(self, producer: str) -> Outcome:
        for message_id, size_bytes in self._uncommitted[producer]:
            self._enqueue(producer, message_id, size_bytes)
        self._uncommitted[producer] = []
        return Outcome.ACCEPTED


class HoldsWhoWaitedAsItWasSwitchedOff(ClassicReference):
    """Sends that wait when flow control is switched off for their destination wait on."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        held = [each for each in self._pending if each.producer.destination == destination]
        switched_off = limits.policy == "NONE"
        if switched_off:
            self._pending = deque(each for each in self._pending if each not in held)
        super().change_limits(destination, limits)
        if switched_off:
            self._pending += held


class KeepsTheWindowOfWhatWaited(ClassicReference):
    """A message that the broker could not store for long never gives back the window of its producer."""

    def _stored_late(self, pending: Pending) -> bool:
        unanswered = pending.producer.unanswered
        stored = super()._stored_late(pending)
        if stored and self._storage.now_ms - pending.since_ms >= LONG_MS:
            pending.producer.unanswered = unanswered
        return stored


SHARED: dict[type, tuple[str, ...]] = {
    KeepsPurgedBytesOfAll: ("GENERAL-4",),
    KeepsExpiredBytesOfAll: ("GENERAL-40",),
    KeepsMovedBytesOfAll: ("GENERAL-41",),
    KeepsDeletedBytesOfAll: ("GENERAL-21",),
    FreesWhatAClosedConsumerHeld: ("CLASSIC-MEMORY-9",),
    ChargesNoTopicToAll: ("CLASSIC-MEMORY-9",),
    LooksAtOneLimitOnceItWaits: ("CLASSIC-MEMORY-9",),
    LetsOneGoAtATime: ("CLASSIC-MEMORY-3",),
    ShowsNobodyStoppedByAll: ("GENERAL-49",),
    GivesUpWhoFailedThrice: ("CLASSIC-FAIL-7",),
    HearsNoConsumerBesideAWindow: ("CLASSIC-CONNECTION-3",),
    LetsMovedMessagesLive: ("GENERAL-40",),
    LosesMovedMessagesAtARestart: ("GENERAL-23",),
    LogsEachCommitToAnOverfullStore: ("QPID-DISK-8",),
    StoresWhatIsRolledBack: ("GENERAL-16",),
    WaitsAnewAtEachLook: ("CLASSIC-FAIL-3",),
    KeepsWhatADeletedQueueHeld: ("GENERAL-8",),
    FreesWhatALaterQueueDelivered: ("GENERAL-36",),
    CommitsPastALimitThatRefuses: ("GENERAL-31",),
    HoldsWhoWaitedAsItWasSwitchedOff: ("CLASSIC-MEMORY-6",),
    KeepsTheWindowOfWhatWaited: ("CLASSIC-FAIL-7",),
}
"""The rules that each of these brokers breaks, the most direct first."""
