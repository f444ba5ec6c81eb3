"""Brokers that each break a promise which shows after many messages, long or odd times, or in one line of the log."""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tidegate.adapters.base import DEFAULT_OPTIONS, Delivery, Depth, Limits, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ConsumerOptions, Traffic
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.buffering import Passing
from tidegate.adapters.reference.built_artemis import BuiltArtemisAmqp
from tidegate.adapters.reference.built_artemis_core import BuiltArtemisCoreClients
from tidegate.adapters.reference.faults import LEAVING
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.model.language.message_text import Field, Message
from tidegate.model.mechanisms import artemis, qpid
from tidegate.model.mechanisms.qpid_log import CHANNEL_STOPPED

BATCH = 1000
"""The most messages that these brokers handle at once; they forget the others."""
BITS = 16
LONG_MS = 10_000
MOST_WARNINGS = 10
MS_PER_SECOND = 1000


class RemovesABatch(QpidReference):
    """The base of brokers that remove the first messages of a queue only."""

    def _without_the_rest(self, destination: str) -> deque[StoredMessage]:
        """Take all messages but the first batch out of a queue."""
        waiting = self._storage.queues[destination].waiting
        rest = deque(list(waiting)[BATCH:])
        for message in rest:
            waiting.remove(message)
        return rest


class PurgesABatch(RemovesABatch):
    """A purge leaves what waits behind the first thousand messages."""

    def purge(self, destination: str) -> None:
        rest = self._without_the_rest(destination)
        super().purge(destination)
        self._storage.queues[destination].waiting.extend(rest)


class MovesABatch(RemovesABatch):
    """A move leaves what waits behind the first thousand messages."""

    def move(self, destination: str, to: str) -> None:
        rest = self._without_the_rest(destination)
        super().move(destination, to)
        self._storage.queues[destination].waiting.extend(rest)


class ReturnsABatch(ArtemisReference):
    """Of what a consumer had in hand as it ended, a thousand messages go back."""

    def close_consumer(self, consumer: str) -> None:
        holders = self._storage.queues[self._storage.destination_of(consumer)].holders
        for message_id in [each for each, holder in holders.items() if holder == consumer][BATCH:]:
            self.acknowledge(consumer, message_id)
        super().close_consumer(consumer)


class RollsBackABatch(QpidReference):
    """A rollback stores what came after the first thousand messages of the transaction."""

    def rollback(self, producer: str) -> None:
        for message in self._uncommitted[producer][BATCH:]:
            self._enqueue(producer, *message)
        super().rollback(producer)


class CommitsABatch(QpidReference):
    """A commit stores the first thousand messages of the transaction."""

    def commit(self, producer: str) -> Outcome:
        self._uncommitted[producer] = self._uncommitted[producer][:BATCH]
        return super().commit(producer)


class LooksAtSingleMessages(QpidReference):
    """Nobody looks at a queue's level for a transaction of several messages."""

    _is_one_of_several = False

    def commit(self, producer: str) -> Outcome:
        self._is_one_of_several = len(self._uncommitted[producer]) > 1
        outcome = super().commit(producer)
        self._is_one_of_several = False
        return outcome

    def _heeds_queues(self, producer: str) -> bool:
        return super()._heeds_queues(producer) and not self._is_one_of_several


class LooksBeforeTheLastMessage(LooksAtSingleMessages):
    """The level is looked at for the last time before the last of several committed messages is stored."""

    def commit(self, producer: str) -> Outcome:
        committed = self._uncommitted[producer]
        self._uncommitted[producer] = committed[:-1] if len(committed) > 1 else committed
        outcome = QpidReference.commit(self, producer)
        if len(committed) > 1:
            self._is_one_of_several = True
            self._enqueue(producer, *committed[-1])
            self._is_one_of_several = False
        return outcome


class CountsCommitsAsMessages(QpidReference):
    """Messages that are committed together are counted as one message that came, and as one that left."""

    def __init__(self) -> None:
        super().__init__()
        self._uncounted: Counter[str] = Counter()

    def commit(self, producer: str) -> Outcome:
        for queue in self._queues_of(producer):
            self._uncounted[queue] += max(len(self._uncommitted[producer]) - 1, 0)
        return super().commit(producer)

    def traffic(self, destination: str) -> Traffic:
        told, uncounted = super().traffic(destination), self._uncounted[destination]
        return replace(told, came=(told.came or 0) - uncounted, left=max((told.left or 0) - uncounted, 0))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._uncounted.clear()


class GivesCreditBackAtARollback(BuiltArtemisAmqp):
    """A rollback gives the producer back what its messages have cost."""

    def rollback(self, producer: str) -> None:
        destination, name = self._target[producer], artemis.ProducerName(producer)
        back = sum(each == producer for each, _ in self._transactions)
        super().rollback(producer)
        left = self._addresses[destination].credits
        given = {**left, name: left[name] + back}
        self._addresses[destination] = replace(self._addresses[destination], credits=given)


class KeepsCreditInFewBits(ArtemisReference):
    """A window has no more credits than 16 bits with a sign can hold."""

    def declare(self, destination: str, limits: Limits) -> None:
        most = 2 ** (BITS - 1) - 1
        credit = None if limits.credit is None else min(limits.credit, most)
        low = None if limits.credit_low is None else min(limits.credit_low, most - 1)
        super().declare(destination, replace(limits, credit=credit, credit_low=low))


class TakesAThresholdOf0ForNone(ArtemisReference):
    """A reject threshold of 0 rejects nothing."""

    def declare(self, destination: str, limits: Limits) -> None:
        super().declare(destination, replace(limits, reject_bytes=limits.reject_bytes or None))


class ForgetsARateThatFoundNothing(ArtemisCoreReference):
    """Once a consumer asks in vain, the messages that it was handed before no longer count for its rate."""

    def take(self, consumer: str) -> Delivery | None:
        passing = self._buffering[consumer].passing
        delivery = super().take(consumer)
        if delivery is None and passing.may_pass(self._storage.now_ms):
            passing.passed_ms.clear()
        return delivery


@dataclass
class Saving(Passing):
    """Messages that pass at twice the rate after a long idle time."""

    usual: int = 0
    last_ms: int | None = None

    def may_pass(self, now_ms: int) -> bool:
        if self.last_ms is not None and now_ms - self.last_ms >= LONG_MS:
            self.per_second = 2 * self.usual
        return super().may_pass(now_ms)

    def passes(self, now_ms: int) -> None:
        super().passes(now_ms)
        self.last_ms = now_ms


def saving(passing: Passing) -> Saving:
    """The same rate for a client that saves unused messages of its rate for later."""
    return Saving(passing.per_second, model=passing.model, usual=passing.per_second)


class SavesTheRateOfConsumers(ArtemisCoreReference):
    """A consumer that was idle for long is handed twice its rate at once."""

    def open_consumer_with(self, consumer: str, connection: str, destination: str, options: ConsumerOptions) -> None:
        super().open_consumer_with(consumer, connection, destination, options)
        self._buffering[consumer].passing = saving(self._buffering[consumer].passing)


class SavesTheRateOfProducers(ArtemisCoreReference):
    """A producer that was idle for long sends twice its rate at once."""

    def _attach(self, producer: str, connection: str, destination: str, options: ProducerOptions) -> None:
        super()._attach(producer, connection, destination, options)
        self._producers[producer].passing = saving(self._producers[producer].passing)


class CountsNoTransactionForARate(BuiltArtemisCoreClients):
    """Messages of a transaction do not count for the rate of their producer."""

    def _store(self, producer: str, message: StoredMessage, after: object) -> None:
        super()._store(producer, message, after)  # type: ignore[arg-type]
        if producer in self._transactions:
            self._producers[producer].passing.passed_ms.clear()


class WarnsTenTimes(QpidReference):
    """A client warns of at most ten periods."""

    def __init__(self) -> None:
        super().__init__()
        self._warned: Counter[str] = Counter()

    def client_warnings(self, producer: str) -> Sequence[str]:
        told = super().client_warnings(producer)[: max(MOST_WARNINGS - self._warned[producer], 0)]
        self._warned[producer] += len(told)
        return told


class LogsNoQueueThatIsLowered(QpidReference):
    """No line says that a queue is overfull which a lowered capacity makes so."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        name = qpid.QueueName(destination)
        self._said_overfull[name] |= 0 < (limits.limit_bytes or 0) < self._state.queues[name].bytes
        super().change_limits(destination, limits)


class LogsTheFirstQueue(QpidReference):
    """The line about a stopped channel names the first of its queues, whichever stops it."""

    def _log(self, actor: str, message: Message, **fields: Field) -> None:
        if message == CHANNEL_STOPPED:
            producer = next(each for each, its in self._actors.items() if its == actor)
            fields["queue"] = self._routes[producer][0]
        super()._log(actor, message, **fields)


class FreesTwiceWhatExpiredInHand(QpidReference):
    """A message whose time is over as it is acknowledged gives its bytes back twice."""

    def __init__(self) -> None:
        super().__init__()
        self._freed: Counter[str] = Counter()

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        in_hand = self._storage.queues[destination].handed_out.get(message_id)
        is_over = self._storage.expires_ms.get(message_id, self._storage.now_ms + 1) <= self._storage.now_ms
        if in_hand is not None and is_over and consumer != LEAVING:
            self._freed[destination] += in_hand.size_bytes
        super().acknowledge(consumer, message_id)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes - self._freed[destination])

    def end_scenario(self) -> None:
        super().end_scenario()
        self._freed.clear()


class ForgetsExpiryAtARestart(QpidReference):
    """Messages from before a restart never expire."""

    def restart_broker(self) -> None:
        super().restart_broker()
        self._storage.expires_ms.clear()


class LetsSettledProducersPass(QpidReference):
    """An overfull store blocks no producer to whose messages no answer is owed."""

    def standing(self, producer: str) -> Standing:
        standing = super().standing(producer)
        passes = self._store.blocks and self._clients[producer].options.settled
        return replace(standing, stopped=standing.stopped and not passes)


class CutsTimesToSeconds(QpidReference):
    """A time after which a send fails is cut to whole seconds."""

    def open_producer(
        self, producer: str, connection: str, destinations: tuple[str, ...], options: ProducerOptions = DEFAULT_OPTIONS
    ) -> None:
        if options.wait_ms is not None and options.wait_ms > MS_PER_SECOND:
            options = replace(options, wait_ms=options.wait_ms // MS_PER_SECOND * MS_PER_SECOND)
        super().open_producer(producer, connection, destinations, options)


class KeepsTimesIn32Bits(QpidReference):
    """A time after which a send fails is kept in 32 bits."""

    def open_producer(
        self, producer: str, connection: str, destinations: tuple[str, ...], options: ProducerOptions = DEFAULT_OPTIONS
    ) -> None:
        if options.wait_ms is not None and options.wait_ms > 0:
            options = replace(options, wait_ms=options.wait_ms % 2**32)
        super().open_producer(producer, connection, destinations, options)


BATCHES: dict[type, tuple[str, ...]] = {
    PurgesABatch: ("GENERAL-4",),
    MovesABatch: ("GENERAL-41",),
    ReturnsABatch: ("GENERAL-11", "GENERAL-12"),
    RollsBackABatch: ("GENERAL-16",),
    CommitsABatch: ("GENERAL-2",),
    LooksAtSingleMessages: ("GENERAL-16",),
    LooksBeforeTheLastMessage: ("QPID-QUEUE-8",),
    CountsCommitsAsMessages: ("GENERAL-44", "GENERAL-45"),
    GivesCreditBackAtARollback: ("ARTEMIS-AMQP-1",),
    KeepsCreditInFewBits: ("ARTEMIS-AMQP-4",),
    TakesAThresholdOf0ForNone: ("ARTEMIS-AMQP-9",),
    ForgetsARateThatFoundNothing: ("ARTEMIS-RATE-12",),
    SavesTheRateOfConsumers: ("ARTEMIS-RATE-1",),
    SavesTheRateOfProducers: ("ARTEMIS-RATE-7",),
    CountsNoTransactionForARate: ("ARTEMIS-RATE-7",),
    WarnsTenTimes: ("QPID-CLIENT-12",),
    LogsNoQueueThatIsLowered: ("QPID-LOG-1",),
    LogsTheFirstQueue: ("QPID-LOG-2",),
    FreesTwiceWhatExpiredInHand: ("GENERAL-8", "GENERAL-22"),
    ForgetsExpiryAtARestart: ("GENERAL-40",),
    LetsSettledProducersPass: ("QPID-DISK-3",),
}
"""The rules that each of these brokers breaks, the most direct first."""
UNDER: dict[type, str] = {
    CutsTimesToSeconds: "uneven times",
    KeepsTimesIn32Bits: "times past 32 bits",
}
"""The condition under which each of these brokers is found."""
ALSO_ASKED_UNDER: dict[type, tuple[str, ...]] = dict.fromkeys(UNDER, ("GENERAL-51",))
"""Further rules that each of these brokers is asked under its condition: the rule about the time of a send."""
