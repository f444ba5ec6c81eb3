"""The profile of ActiveMQ Classic 5 by document 002: memory limits, sends that wait or fail, and producer windows."""

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tidegate.adapters.base import (
    DEFAULT_OPTIONS,
    Delivery,
    Depth,
    Identity,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    only,
)
from tidegate.adapters.groups import Settlement, Usage
from tidegate.adapters.reference.classic_disk import DiskSpace
from tidegate.adapters.reference.faults import Faults
from tidegate.adapters.reference.roads import LimitsElsewhere, TakesLimitsElsewhere
from tidegate.adapters.reference.shown import whole_percent
from tidegate.adapters.reference.storage import VIRTUAL, StoredMessage
from tidegate.model.language.linker import DOCUMENTED, Linker
from tidegate.model.mechanisms import classic, classic_usage, general_counts, general_shown, general_topics
from tidegate.model.mechanisms.classic_usage import Disk, Placement
from tidegate.model.mechanisms.wait import NEVER

UNLIMITED = classic.Destination(classic.NO_LIMIT, True, 0)
"""The level of messages to which no memory limit applies."""
EXHAUSTED = classic.Destination(0, True, 0)
"""The level of a full disk."""


@dataclass
class Pending:
    """A message that was sent to the broker, or waits in its producer's client, and is not stored yet."""

    producer: "Producer"
    message_id: str
    size_bytes: int
    in_client: bool
    told: bool
    """Whether its producer was already answered, and so does not wait for this message."""
    since_ms: int
    limits: Disk
    """The limits of the disk when the wait began."""


@dataclass
class Producer:
    """An open producer: its options, its unanswered bytes, its new settlements, and its open transaction."""

    name: str
    connection: str
    destination: str
    options: ProducerOptions
    unanswered: int = 0
    """Bytes that went to the broker without an answer."""
    settlements: list[Settlement] = field(default_factory=list)
    transaction: list[tuple[str, int]] = field(default_factory=list)
    """The ids and sizes in bytes of the messages in its open transaction."""
    wait_failed: bool = False
    """Whether its last send that waited failed after its time."""


class ClassicReference(TakesLimitsElsewhere, Faults):
    """A broker of destinations with a memory limit each, and one shared memory limit."""

    identity = Identity("reference", "classic-5", "virtual", "reference:classic-5")
    capabilities = frozenset(
        {
            *("memory-limit", "usage-limits", "late-answers", "asynchronous-sends", "default-sends"),
            *("producer-window", "shared-connections", "persistent-messages", "file-cursor", "limits-readable"),
            *(
                "changed-limits",
                "purge",
                "topics",
                "close-clients",
                "usage-readable",
                "changed-usage",
                "management-close",
            ),
            *("restarts-broker", "pauses-broker", "cuts-connections"),
            *("moves-messages", "lists-messages", "expiring-messages", "message-properties", "ordered-messages"),
            *("browsed-messages", "dead-letters", "recreated-destinations", "filtering-consumers"),
            *("traffic-readable", "counts-expired", "counts-bytes", "stops-shown", "usage-shown"),
            *("several-bindings", "later-bindings", "temporary-subscriptions", "temporary-destinations"),
            *("default-limits", "pattern-limits", "file-limits", "shared-limits", "priority-queues"),
        }
    )
    parameters = VIRTUAL

    def __init__(self, model: Linker = DOCUMENTED) -> None:
        super().__init__()
        self._model = model
        self._rule = model.linked
        self._destinations: dict[str, classic.Destination] = {}
        self._all = classic.Destination(classic.NO_LIMIT, True, 0)
        self._no_space: classic.NoSpace = self._model.default(classic, "DEFAULT_NO_SPACE")
        self._cursors: dict[str, str | None] = {}
        self._topics: set[str] = set()
        self._freed: set[str] = set()
        """The ids of messages in hand that no longer take memory."""
        self._bound: dict[str, str] = {}
        """The topic of each further subscription."""
        self._miscounted: dict[str, int] = {}
        """For each queue, the number of messages by which the count of management is too low."""
        self._uncounted: set[str] = set()
        """The ids of messages in hand that management no longer counts."""
        self._stuck: set[str] = set()
        """The ids of messages that stay charged although no queue holds them."""
        self._producers: dict[str, Producer] = {}
        self._pending: deque[Pending] = deque()
        self._disk = DiskSpace(self._model)
        self._elsewhere = LimitsElsewhere()

    def declare_shared(self, limits: Limits) -> None:
        self.declare_usage(Usage(memory_bytes=limits.limit_bytes))

    def declare_usage(self, usage: Usage) -> None:
        limit = classic.NO_LIMIT if usage.memory_bytes is None else usage.memory_bytes
        self._all = classic.Destination(limit, True, 0)
        self._disk.declare(usage)
        self._no_space = classic.NoSpace(
            fails_at_once=bool(usage.fail_at_once),
            fails_after_ms=NEVER if usage.fail_after_ms is None else usage.fail_after_ms,
        )

    def change_usage(self, usage: Usage) -> None:
        if usage.memory_bytes is not None:
            self._all = replace(self._all, limit=usage.memory_bytes)
        self._disk.change(usage)
        self._work_off()

    def declare(self, destination: str, limits: Limits) -> None:
        limits = self._elsewhere.in_force(destination, limits)
        self._storage.add(destination)
        self._cursors[destination] = limits.cursor
        self._destinations[destination] = _destination(limits, 0)

    def declare_topic(self, destination: str, limits: Limits) -> None:
        self._topics.add(destination)
        self.declare(destination, limits)

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        """Declare a topic with these limits and further subscriptions, which have no limits of their own."""
        for subscription in (*before, after):
            self.bind(destination, subscription)
        self.declare_topic(destination, limits)

    def bind(self, destination: str, queue: str) -> None:
        self._storage.add(queue)
        self._bound[queue] = destination

    def subscribe(self, consumer: str, connection: str, destination: str) -> None:
        self.bind(destination, consumer)
        self.open_consumer(consumer, connection, consumer)

    def unbind(self, destination: str, queue: str) -> None:
        gone = self._storage.queues[queue].messages()
        del self._bound[self._storage.remove(queue)]
        if not self._rule(general_topics.given_up_with_subscription)(self._cursor(destination) != "memory"):
            self._stuck |= {message.message_id for message in gone}
        self._let_go(destination, gone)

    def change_limits(self, destination: str, limits: Limits) -> None:
        limits = self._elsewhere.in_force(destination, limits)
        self._destinations[destination] = _destination(limits, self._destinations[destination].bytes)
        self._work_off()

    def limits_in_force(self, destination: str) -> Limits:
        found = self._destinations[destination]
        return Limits(
            limit_bytes=found.limit,
            policy="BLOCK" if found.controlled else "NONE",
            cursor=self._cursors[destination] or self._model.default(classic_usage, "DEFAULT_CURSOR"),
        )

    def usage_in_force(self) -> Usage:
        unlimited = self._all.limit == classic.NO_LIMIT
        return Usage(
            memory_bytes=self._model.default(classic_usage, "DEFAULT_MEMORY") if unlimited else self._all.limit,
            store_bytes=self._disk.limits.store,
            temp_bytes=self._disk.limits.temp,
        )

    def shown_percent(self, destination: str) -> int | None:
        return whole_percent(self.depth(destination).bytes, self.limits_in_force(destination).limit_bytes)

    def shown_stopped(self, producer: str) -> bool:
        sender = self._producers[producer]
        topic = sender.destination in self._topics
        return self._rule(general_shown.shown_stopped)(self.standing(producer).stopped, topic, sender.wait_failed)

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        destination = only(destinations)
        self._storage.connect(producer, connection)
        self._producers[producer] = Producer(producer, connection, destination, options)

    def open_consumer(self, consumer: str, connection: str, destination: str) -> None:
        self._storage.attach(consumer, destination)
        self._storage.connect(consumer, connection)

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        sender = self._producers[producer]
        if any(pending.in_client for pending in self._of(sender)):
            return Outcome.BLOCKED
        synchronous = self._waits_for_answers(sender.options)
        window = sender.options.window_bytes
        if (
            not synchronous
            and window is not None
            and not self._rule(classic.may_transmit)(window, sender.unanswered, size_bytes)
        ):
            self._queue(sender, message_id, size_bytes, in_client=True, told=False)
            return Outcome.UNSETTLED
        if not synchronous:
            self._transmit(sender, message_id, size_bytes)
            return Outcome.SENT
        level = self._level(sender, size_bytes)
        if self._rule(classic.failed)(self._no_space_of(sender), level, 0):
            sender.settlements.append(Settlement(message_id, Outcome.REJECTED, self._model.default(classic, "REFUSAL")))
            return Outcome.REJECTED
        waits = self._rule(classic.waits)(self._no_space_of(sender), level, 0)
        if waits or self._is_held_up(sender, self._pending):
            self._queue(sender, message_id, size_bytes, in_client=True, told=False)
            return Outcome.UNSETTLED
        return self._admit(sender, message_id, size_bytes)

    def commit(self, producer: str) -> Outcome:
        """Store every message of the transaction: each was checked against the limits when it was sent."""
        sender = self._producers[producer]
        if any(pending.in_client for pending in self._of(sender)):
            return Outcome.BLOCKED
        for message_id, size_bytes in sender.transaction:
            self._store(sender, message_id, size_bytes)
        sender.transaction = []
        return Outcome.ACCEPTED

    def rollback(self, producer: str) -> None:
        self._producers[producer].transaction = []

    def settlements(self, producer: str) -> Sequence[Settlement]:
        sender = self._producers[producer]
        told, sender.settlements = sender.settlements, []
        return told

    def take(self, consumer: str) -> Delivery | None:
        delivery = self._storage.take(consumer)
        if delivery is not None:
            self._hand_out(delivery)
        return delivery

    def acknowledge(self, consumer: str, message_id: str) -> None:
        handed_out = list(self._storage.queues[self._storage.destination_of(consumer)].handed_out)
        destination, size_bytes = self._storage.settle(consumer, message_id)
        if self._rule(general_topics.counts_those_before)(self._bound.get(destination, destination) in self._topics):
            self._uncounted |= set(handed_out[: handed_out.index(message_id)])
        self._uncounted.discard(message_id)
        self._let_go(self._bound.get(destination, destination), [StoredMessage(message_id, size_bytes)])

    def purge(self, destination: str) -> None:
        gone = list(self._storage.queues[destination].waiting)
        counted = self._counted(destination)
        self._storage.purge(destination)
        told = self._rule(general_counts.counted_after_purge)(counted, len(gone))
        self._miscounted[destination] = self._storage.queues[destination].depth().messages - told
        self._let_go(self._bound.get(destination, destination), gone)

    def close_producer(self, producer: str) -> None:
        self._storage.forget(producer)
        gone = self._producers.pop(producer)
        self._pending = deque(pending for pending in self._pending if pending.producer is not gone)

    def close_consumer(self, consumer: str) -> None:
        self._storage.forget(consumer)
        queue = self._storage.queues[self._storage.detach(consumer)]
        self._uncounted -= {message.message_id for message in queue.waiting}
        if consumer in self._bound:
            self.unbind(self._bound[consumer], consumer)

    def depth(self, destination: str) -> Depth:
        """The bytes in memory, without messages in a cursor's file; a subscription has the bytes of its topic."""
        topic = self._bound.get(destination, destination)
        return Depth(self._destinations[topic].bytes, self._counted(destination))

    def _counted(self, queue: str) -> int:
        there = self._storage.queues[queue].messages()
        uncounted = sum(message.message_id in self._uncounted for message in there)
        return len(there) - uncounted - self._miscounted.get(queue, 0)

    def standing(self, producer: str) -> Standing:
        return Standing(stopped=any(pending.in_client for pending in self._of(self._producers[producer])))

    def advance(self, ms: int) -> None:
        self.pass_time(ms)
        self._work_off()

    def end_scenario(self) -> None:
        self._storage.clear()
        self._destinations.clear()
        self._elsewhere.clear()
        self._cursors.clear()
        self._topics.clear()
        self._freed.clear()
        self._bound.clear()
        self._miscounted.clear()
        self._uncounted.clear()
        self._stuck.clear()
        self._producers.clear()
        self._pending.clear()
        self._all = classic.Destination(classic.NO_LIMIT, True, 0)
        self._no_space = self._model.default(classic, "DEFAULT_NO_SPACE")
        self._disk = DiskSpace(self._model)

    def _placement(self, sender: Producer) -> Placement:
        cursor = self._cursor(sender.destination)
        limit = self._destinations[sender.destination].limit
        heeded = self._rule(classic_usage.heeds_cursor)(sender.destination in self._topics)
        in_memory = not heeded or self._rule(classic_usage.kept_in_memory)(cursor == "memory", limit)
        return Placement(persistent=sender.options.persistent, in_memory=in_memory)

    def _cursor(self, destination: str) -> str:
        return self._cursors[destination] or self._model.default(classic_usage, "DEFAULT_CURSOR")

    def _no_space_of(self, sender: Producer) -> classic.NoSpace:
        """The configured failure of a send of this producer that finds no space."""
        counts = self._rule(classic.time_counts)(sender.destination in self._topics)
        return self._no_space if counts else replace(self._no_space, fails_after_ms=NEVER)

    def _level(self, sender: Producer, size_bytes: int, began: Disk | None = None) -> classic.Destination:
        """The level that decides about a send: the disk's, the destination's, or the shared one if that is what is
        full.

        For a send that already waits, `began` is the limits of the disk when its wait began.
        """
        placement = self._placement(sender)
        topic = sender.destination in self._topics
        limits = self._disk.limits if began is None else self._disk.limits_while_waiting(began, topic)
        if self._disk.holds_back(placement, limits):
            return EXHAUSTED
        if not self._rule(classic_usage.takes_memory)(placement):
            return UNLIMITED
        own = self._destinations[sender.destination]
        counted = self._rule(classic.counted_as_it_comes)(self._all.bytes, size_bytes, topic)
        every = replace(self._all, bytes=self._all.bytes + counted)
        return every if self._rule(classic.full_together)(every) and own.controlled else own

    def _admit(self, sender: Producer, message_id: str, size_bytes: int) -> Outcome:
        """Store a message that nothing holds back, or add it to its open transaction."""
        if sender.options.transacted:
            sender.transaction.append((message_id, size_bytes))
            return Outcome.UNSETTLED
        self._store(sender, message_id, size_bytes)
        return Outcome.ACCEPTED

    def _store(self, sender: Producer, message_id: str, size_bytes: int) -> None:
        placement = self._placement(sender)
        for queue in self._queues_of(sender.destination):
            self._storage.store(queue, message_id, size_bytes)
        self._disk.write(message_id, placement, size_bytes)
        if self._rule(classic_usage.takes_memory)(placement):
            self._take_memory(sender.destination, size_bytes)

    def _queues_of(self, destination: str) -> tuple[str, ...]:
        """The queues that store each message of a destination: its own queue, and one for each subscription."""
        return (*(queue for queue, topic in self._bound.items() if topic == destination), destination)

    def _let_go(self, destination: str, gone: Sequence[StoredMessage]) -> None:
        """Free the messages that have left one queue of a destination and are in no other of its queues."""
        queues = self._queues_of(destination)
        held = {message.message_id for queue in queues for message in self._storage.queues[queue].messages()}
        kept = held | self._stuck
        for message in gone:
            if message.message_id not in kept:
                self._remove(destination, message.message_id, message.size_bytes)
        self._work_off()

    def _hand_out(self, delivery: Delivery) -> None:
        """Free the memory of a message that takes none once it is handed out."""
        topic = self._bound.get(delivery.destination, delivery.destination)
        if self._rule(classic.takes_memory_in_hand)(topic in self._topics):
            return
        message = self._storage.queues[delivery.destination].handed_out[delivery.message_id]
        others = (queue for queue in self._queues_of(topic) if queue != delivery.destination)
        if any(
            each.message_id == message.message_id for queue in others for each in self._storage.queues[queue].waiting
        ):
            return
        if message.message_id not in self._freed | self._stuck and self._rule(classic_usage.takes_memory)(
            self._disk.placement(message.message_id)
        ):
            self._freed.add(message.message_id)
            self._free_memory(topic, message.size_bytes)
            self._work_off()

    def _remove(self, destination: str, message_id: str, size_bytes: int) -> None:
        placement = self._disk.delete(message_id, size_bytes)
        if message_id in self._freed:
            self._freed.discard(message_id)
        elif self._rule(classic_usage.takes_memory)(placement):
            self._free_memory(destination, size_bytes)

    def _take_memory(self, destination: str, size_bytes: int) -> None:
        own = self._destinations[destination]
        self._destinations[destination] = self._rule(classic.after_storing)(own, size_bytes)
        self._all = self._rule(classic.after_storing)(self._all, size_bytes)

    def _free_memory(self, destination: str, size_bytes: int) -> None:
        own = self._destinations[destination]
        self._destinations[destination] = self._rule(classic.after_removal)(own, size_bytes)
        self._all = self._rule(classic.after_removal)(self._all, size_bytes)

    def _queue(self, sender: Producer, message_id: str, size_bytes: int, *, in_client: bool, told: bool) -> None:
        limits = self._disk.limits
        self._pending.append(Pending(sender, message_id, size_bytes, in_client, told, self._storage.now_ms, limits))

    def _transmit(self, sender: Producer, message_id: str, size_bytes: int) -> None:
        """Send a message to the broker without a wait for the answer."""
        if self._stalls(sender.connection) or not self._rule(classic.stored)(self._level(sender, size_bytes)):
            sender.unanswered += size_bytes
            self._queue(sender, message_id, size_bytes, in_client=False, told=True)
        else:
            self._store(sender, message_id, size_bytes)

    def _stalls(self, connection: str) -> bool:
        """CLASSIC-WINDOW-3: whether the broker reads no further because it holds a message without a window."""
        return any(
            pending.producer.connection == connection
            and not pending.in_client
            and pending.producer.options.window_bytes is None
            for pending in self._pending
        )

    def _is_held_up(self, sender: Producer, earlier: Iterable[Pending]) -> bool:
        """Whether an earlier send to the same destination, which waits for the disk, holds this one up."""
        destination = sender.destination
        return self._rule(general_topics.holds_up_others)(destination in self._topics) and any(
            each.in_client
            and each.producer.destination == destination
            and self._level(each.producer, each.size_bytes, each.limits) is EXHAUSTED
            for each in earlier
        )

    def _of(self, sender: Producer) -> Iterator[Pending]:
        return (pending for pending in self._pending if pending.producer is sender)

    def _work_off(self) -> None:
        """Move, in the order of arrival, every message that may move now, until no message moves."""
        while any(self._moves(pending) for pending in self._may_move()):
            pass

    def _may_move(self) -> list[Pending]:
        """Every message that waits in its client, and the first message of each connection that the broker holds."""
        found, held = [], set()
        for pending in self._pending:
            if not pending.told or pending.producer.connection not in held:
                found.append(pending)
            if pending.told:
                held.add(pending.producer.connection)
        return found

    def _moves(self, pending: Pending) -> bool:
        sender, waited_ms = pending.producer, self._storage.now_ms - pending.since_ms
        level = self._level(sender, pending.size_bytes, pending.limits)
        if pending.told:
            return self._stored_late(pending)
        if not self._waits_for_answers(sender.options):
            window = sender.options.window_bytes
            if window is None or not self._rule(classic.may_transmit)(window, sender.unanswered, pending.size_bytes):
                return False
            self._pending.remove(pending)
            sender.settlements.append(Settlement(pending.message_id, Outcome.SENT))
            self._transmit(sender, pending.message_id, pending.size_bytes)
            return True
        earlier = itertools.takewhile(lambda each: each is not pending, self._pending)
        if self._rule(classic.waits)(self._no_space_of(sender), level, waited_ms) or self._is_held_up(sender, earlier):
            return False
        self._pending.remove(pending)
        sender.wait_failed = self._rule(classic.failed)(self._no_space_of(sender), level, waited_ms)
        if sender.wait_failed:
            sender.settlements.append(
                Settlement(pending.message_id, Outcome.REJECTED, self._model.default(classic, "REFUSAL"))
            )
        elif (outcome := self._admit(sender, pending.message_id, pending.size_bytes)) is Outcome.ACCEPTED:
            sender.settlements.append(Settlement(pending.message_id, outcome))
        return True

    def _stored_late(self, pending: Pending) -> bool:
        """Store the first message that the broker holds of a connection, if there is space. Whether it was stored."""
        sender = pending.producer
        if not self._rule(classic.stored)(self._level(sender, pending.size_bytes, pending.limits)):
            return False
        self._pending.remove(pending)
        self._store(sender, pending.message_id, pending.size_bytes)
        sender.unanswered = self._rule(classic.after_answer)(sender.unanswered, pending.size_bytes)
        return True

    def _waits_for_answers(self, options: ProducerOptions) -> bool:
        """Whether a producer with these options waits for answers; unconfigured, the client decides."""
        configured = not options.unconfigured
        return self._rule(classic.waits_for_answers)(
            classic.Client(
                persistent=options.persistent,
                use_async_send=configured and options.asynchronous,
                always_sync_send=configured and not options.asynchronous,
            )
        )


def _destination(limits: Limits, held_bytes: int) -> classic.Destination:
    limit = classic.NO_LIMIT if limits.limit_bytes is None else limits.limit_bytes
    return classic.Destination(limit, limits.policy != "NONE", held_bytes)
