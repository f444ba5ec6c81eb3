"""Makes messages leave their destinations (consume, refuse, purge, move, expire), and browses them there."""

from collections.abc import Callable, Sequence

from tidegate.adapters.base import AdapterError, Limits, Unsupported
from tidegate.adapters.groups import (
    AcknowledgesTogether,
    BrowsesMessages,
    GivesMessagesUp,
    ListsMessages,
    MovesMessages,
    Purges,
)
from tidegate.conformance.findings import Deviation
from tidegate.conformance.lab.scene import Setting
from tidegate.conformance.lab.shown import Shown
from tidegate.conformance.watchdog import Hung
from tidegate.model.traces.general_traffic import EXPIRED

ROOM_FOR_ALL = Limits(limit_bytes=1_000_000, policy="BLOCK", cursor="memory")
"""Limits that moved messages do not reach."""
MOVED = "GENERAL-41"
"""The rule that moved messages are at their new destination, and nowhere else."""
GIVEN_BACK_ONCE = "GENERAL-8"
"""The rule that is broken if the space of one message is freed twice."""


class ShowsNothing(AdapterError):
    """A list or a browser shows none of the waiting messages."""


class Consuming(Shown):
    """Takes and acknowledges messages, in the order of acceptance or in the order of the weave."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._beside: dict[str, tuple[str, ...]] = {}
        """For each destination, the queues that the weave binds beside it; they are consumed with the destination."""
        self._apart: list[str] = []
        """The queues that the scenario itself binds beside its destination, and consumes by its own steps."""

    def consume(self, destination: str, count: int = 1) -> int:
        """Take and acknowledge up to `count` messages in the order of their acceptance; their number.

        A broker may hand messages out in another order: a message that comes early is kept in hand until its turn.
        """
        self.before_room(destination)
        consumer = self._consumer_of(destination)
        for consumed in range(count):
            for other in self._beside.get(destination, ()):
                self.consume(other)
            message_id = self._next_in_turn(consumer, destination)
            if message_id is None:
                return consumed
            self.acknowledge(consumer, message_id)
        return count

    def take(self, consumer: str) -> str | None:
        """Have a consumer take a message; the id of the message, or None if there is none.

        A message that is handed out as one of another destination counts as delivered there as well.
        """
        self.before_room(self._consumers[consumer])
        self._timers.passes(self._consumer_rates.get(consumer), self._clock.time_ms)
        delivery = self._call(self.adapter.take, self._full(consumer))
        if delivery is None:
            return None
        own = self._full(self._consumers[consumer])
        for destination in dict.fromkeys((own, delivery.destination)):
            if destination in self._bound:
                continue
            self.recorder.taken(destination, delivery.message_id, self._full(consumer))
            self._taken_from[destination] = None
        self.messages.hand_out(consumer, delivery.message_id)
        return delivery.message_id

    def acknowledge(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message that the consumer has in hand."""
        self._settle(self.adapter.acknowledge, consumer, message_id)
        if self.weave.acknowledged_twice:
            self._acknowledge_again(consumer, message_id)

    def acknowledge_all(self, consumer: str) -> None:
        """Acknowledge all messages that the consumer has in hand by one acknowledgement."""
        destination = self._consumers[consumer]
        adapter = self._offered(AcknowledgesTogether, "to acknowledge several messages together")
        self._call(adapter.acknowledge_all, self._full(consumer))
        for message_id in list(self.messages.held.get(consumer, ())):
            self.messages.acknowledge(consumer, self._full(destination), message_id)
            if self._full(destination) not in self._bound:
                self.recorder.acknowledged(self._full(destination), message_id)
        self._level_after(destination, "acknowledge")

    def give_up(self, consumer: str, message_id: str) -> None:
        """Have a consumer refuse a message for good; in the trace the message leaves as an acknowledged one."""
        self._settle(self._offered(GivesMessagesUp, "dead letters").give_up, consumer, message_id)

    def _settle(self, verb: Callable[[str, str], None], consumer: str, message_id: str) -> None:
        destination = self._consumers[consumer]
        self._call(verb, self._full(consumer), message_id)
        self.messages.acknowledge(consumer, self._full(destination), message_id)
        if self._full(destination) not in self._bound:
            self.recorder.acknowledged(self._full(destination), message_id)
        self._level_after(destination, "acknowledge")

    def drain(self, destination: str) -> int:
        """Consume all messages of a destination; their number."""
        self.before_room(destination)
        for other in self._beside.get(destination, ()):
            self.drain(other)
        if self.weave.last_first or self.weave.two_consumers or self.weave.all_at_once:
            drained = self._drain_otherwise(destination)
        else:
            drained = self._drain_as_handed_out(destination)
        # room here may have released a producer, whose message the queues beside this one hold as well
        beside = (*self._beside.get(destination, ()), *self._apart)
        is_empty = destination in beside or not any(self.depth(other).messages for other in beside)
        self._level_after(destination, "drained" if is_empty else "acknowledge")
        return drained

    def consume_everything(self, destination: str) -> None:
        """Consume all messages of a destination, and the messages of producers that are released by that."""
        while self.drain(destination):
            self.comes_to(lambda: [self.standing(name).stopped for name in self.in_sight], lambda seen: not any(seen))

    def take_all(self, consumer: str) -> None:
        """Have a consumer take every message of its destination and acknowledge none."""
        while self.take(consumer) is not None:
            pass

    def let_expire(self, destination: str, ms: int) -> list[str]:
        """Let so much time pass that messages expire, and have a consumer ask for messages.

        The ids of those that it was handed, though they were accepted and have expired. A message that its producer
        still waits with may be stored later, or not.
        """
        self.before_room(destination)
        self.pass_from_now(self.span(ms))
        gone = self.messages.expire(self._full(destination))
        if self._full(destination) not in self._bound:
            self.recorder.purged(self._full(destination), EXPIRED, len(gone))
        consumer = self._consumer_of(destination)

        def ask() -> int:
            self.take_all(consumer)
            return self.depth(destination).messages - self._in_hand_at(destination)

        self.comes_to(ask, lambda waiting: waiting == 0)
        self._level_after(destination, "expired")
        return sorted(gone.intersection(self.messages.held.get(consumer, ())))

    def _acknowledge_again(self, consumer: str, message_id: str) -> None:
        """Acknowledge a message a second time. The broker must refuse that, or do nothing: the space is free already.

        A refusal may be any exception: the contract agrees on none, since no client acknowledges twice on purpose.
        """
        destination = self._consumers[consumer]
        before, said = self.depth(destination), ""
        try:
            self._calling(self.adapter.acknowledge, self._full(consumer), message_id)
        except Hung:
            raise
        except Exception as refused:
            said = f", refused with {type(refused).__name__}: {refused}"
        self._level_after(destination, "acknowledge")
        after = self.depth(destination)
        if after != before:
            held, seen = (f"{self.in_words(each.bytes)} in {each.messages} messages" for each in (before, after))
            message = self.in_own_names(message_id)
            expected = f"still {held} after a second acknowledgement of {message}"
            raise Deviation(expected, f"{seen}{self.in_own_names(said)}", rules=(GIVEN_BACK_ONCE,))

    def _consumer_of(self, destination: str) -> str:
        name = self._consumer_name(destination)
        if name not in self._consumers:
            self.open_consumer(name, destination)
        return name

    def _consumer_name(self, destination: str) -> str:
        """The name of a destination's first open consumer, else the name for one that is opened when needed."""
        names = (name for name, consumed in self._consumers.items() if consumed == destination)
        return next(names, f"consumer-of-{destination}")

    def _drain_as_handed_out(self, destination: str) -> int:
        """Take and acknowledge one message after the other, in the broker's own order; their number."""
        consumer, drained = self._consumer_of(destination), 0
        while (message_id := next(iter(self.messages.in_hand(consumer)), None) or self.take(consumer)) is not None:
            self.acknowledge(consumer, message_id)
            drained += 1
        return drained

    def _drain_otherwise(self, destination: str) -> int:
        """Take all messages by one consumer or two in turn, then acknowledge them as the weave asks; their number."""
        consumers = [self._consumer_of(destination)]
        if self.weave.two_consumers:
            consumers.append(f"second consumer {len(self.calls)} of {destination}")
            self.open_consumer(consumers[1], destination)
        drained = 0
        while held := self._take_in_turn(consumers):
            drained += len(held)
            if self.weave.all_at_once:
                self.acknowledge_all(consumers[0])
                continue
            for consumer, message_id in reversed(held) if self.weave.last_first else held:
                self.acknowledge(consumer, message_id)
        for second in consumers[1:]:
            self.close_consumer(second)
        return drained

    def _take_in_turn(self, consumers: Sequence[str]) -> list[tuple[str, str]]:
        """The messages that these consumers have in hand, with all that they then take in turn, by consumer and id."""
        held = [(each, message_id) for each in consumers for message_id in self.messages.in_hand(each)]
        waiting = list(consumers)
        while waiting:
            for consumer in list(waiting):
                message_id = self.take(consumer)
                if message_id is None:
                    waiting.remove(consumer)
                else:
                    held.append((consumer, message_id))
        return held

    def _next_in_turn(self, consumer: str, destination: str) -> str | None:
        """The id of the message that a consumer is to acknowledge next; None if there is none.

        It is the message accepted first, unless that one is never handed out, or an unexpected message comes.
        """
        expected, in_hand = self.messages.owed(self._full(destination)), self.messages.in_hand(consumer)
        first = expected[0] if expected else None
        while first is None or first not in in_hand:
            message_id = self.take(consumer)
            if message_id is None:
                return in_hand[0] if in_hand else None
            if message_id == first or message_id not in expected or message_id in in_hand:
                return message_id
            in_hand.append(message_id)
        return first

    def purge(self, destination: str) -> None:
        """Remove all waiting messages by management."""
        self.before_room(destination)
        for other in self._beside.get(destination, ()):
            self._call(self._offered(Purges, "to purge").purge, self._full(other))
        self._call(self._offered(Purges, "to purge").purge, self._full(destination))
        self.messages.purge(self._full(destination), self._consumer_name(destination))
        self.recorder.purged(self._full(destination))
        self._level_after(destination, "purge")

    def move(self, destination: str, to: str) -> None:
        """Move all waiting messages to another destination by management, which then leaves the trace.

        In the trace the messages leave as by a purge.
        """
        self.before_room(destination)
        self._bound.add(self._full(to))
        self.change_before_first_message(self._full(to))
        adapter = self._offered(MovesMessages, "to move messages")
        self._call(adapter.move, self._full(destination), self._full(to))
        self.messages.move(self._full(destination), self._full(to))
        self.recorder.purged(self._full(destination))
        self._level_after(destination, "move")

    def move_away(self, destination: str) -> None:
        """Move all waiting messages to a destination of their own, which is not in the trace, and consume them there.

        Raises Deviation if not as many of them are handed out there, each once.
        """
        held = self.depth(destination).messages - self._in_hand_at(destination)
        elsewhere = f"what was at {destination}"
        self._call(self.adapter.declare, self._full(elsewhere), self._figures.limits(ROOM_FOR_ALL))
        self.move(destination, elsewhere)
        expected, consumer = self.owed(elsewhere), f"consumer of {elsewhere}"
        self._call(self.adapter.open_consumer, self._full(consumer), self._connect(consumer, None),
                   self._full(elsewhere))  # fmt: skip
        taken: list[str] = []

        def take() -> list[str]:
            # one more than there are tells enough, where a broker hands out messages without end
            while len(taken) <= held and (delivery := self._call(self.adapter.take, self._full(consumer))) is not None:
                self._call(self.adapter.acknowledge, self._full(consumer), delivery.message_id)
                taken.append(delivery.message_id)
            return taken

        self.comes_to(take, lambda found: len(found) >= held)
        self.messages.forget(self._full(elsewhere))
        # what the destination dropped is owed and not held
        of_them = set(taken) & set(expected)
        if not len(taken) == len(of_them) == held:
            seen = f"{len(taken)} deliveries of {len(of_them)} of them"
            raise Deviation(f"the {held} messages that were moved", seen, promised_by=MOVED)

    def list_messages(self, destination: str) -> None:
        """Have management list the waiting messages. ShowsNothing if it sees none although some wait."""
        self._look_through(destination, self._offered(ListsMessages, "to list messages").list_messages)

    def browse(self, destination: str) -> None:
        """Have a client browse the waiting messages. ShowsNothing if it sees none although some wait."""
        self._look_through(destination, self._offered(BrowsesMessages, "to browse").browse)

    def look_through_if_it_can(self, look: Callable[[str], None], destination: str) -> None:
        """Look at the waiting messages by `list_messages` or `browse`, or note that none of them is seen.

        A broker may show none while a destination is full. Raises Unsupported if the weave has no other history.
        """
        try:
            look(destination)
        except ShowsNothing as reason:
            if len(self.weave.histories) == 1:
                raise Unsupported(str(reason)) from reason
            self.left_out.append(self.in_own_names(str(reason)))

    def _look_through(self, destination: str, verb: Callable[[str], int]) -> None:
        """Look at the waiting messages. ShowsNothing if none is seen although the depth and the account have some."""
        held = min(self.depth(destination).messages, len(self.owed(destination)))
        waiting = held - self._in_hand_at(destination)
        if not self._call(verb, self._full(destination)) and waiting > 0:
            raise ShowsNothing(f"{verb.__name__} saw none of {waiting} messages that wait at {destination}")
        self._level_after(destination, "list")

    def _in_hand_at(self, destination: str) -> int:
        """The number of a destination's messages that consumers have in hand."""
        held = (ids for name, ids in self.messages.held.items() if self._consumers[name] == destination)
        return sum(map(len, held))

    @property
    def beside(self) -> tuple[str, ...]:
        """The queues that the scenario itself binds beside its destination, and consumes by its own steps."""
        return tuple(self._apart)
