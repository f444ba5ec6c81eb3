"""Brokers that each break a promise about messages delivered later or settled together, or about queues that end."""

from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Outcome
from tidegate.adapters.groups import Created
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.storage import StoredMessage
from tidegate.model.mechanisms import artemis


class Leaking(ArtemisReference):
    """The base of brokers that charge an address for bytes that are gone; management shows the charge."""

    def depth(self, destination: str) -> Depth:
        charged = self._addresses[self._bound.get(destination, destination)].bytes
        return replace(super().depth(destination), bytes=charged)

    def _leak(self, destination: str, size_bytes: int) -> None:
        address = self._addresses[destination]
        self._become(destination, replace(address, bytes=address.bytes + size_bytes))


class ChargesDelayedMessagesThatArePurged(Leaking):
    """A purge gives back no byte of a message that nobody may have yet."""

    def _free(self, destination: str, gone: list[StoredMessage]) -> None:
        now_ms, due_ms = self._storage.now_ms, self._storage.due_ms
        super()._free(destination, [each for each in gone if due_ms.get(each.message_id, now_ms) <= now_ms])


class ChargesNothingForDelayedMessages(ArtemisReference):
    """A message that nobody may have yet takes no space."""

    def send_delayed(self, producer: str, message_id: str, size_bytes: int, delay_ms: int) -> Outcome:
        outcome = super().send_delayed(producer, message_id, size_bytes, delay_ms)
        destination = self._target[producer]
        address = self._addresses[destination]
        self._issue(destination, replace(address, bytes=0))
        return outcome


class ChargesWhatWasDeliveredLater(Leaking):
    """The acknowledgement of a message that had a delay gives nothing back."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        if message_id in self._storage.due_ms:
            self._leak(destination, self._storage.queues[destination].handed_out[message_id].size_bytes)
        super().acknowledge(consumer, message_id)


class LimitsNoTemporaryDestination(ArtemisReference):
    """A temporary destination has no limits."""

    def declare_temporary(self, connection: str, limits: Limits) -> Created:
        return super().declare_temporary(connection, replace(limits, limit_bytes=-1, limit_messages=None))


class ChargesWhatATemporaryDestinationDelivered(Leaking):
    """An acknowledgement at a temporary destination gives nothing back."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        if destination in self._storage.temporary:
            self._leak(destination, self._storage.queues[destination].handed_out[message_id].size_bytes)
        super().acknowledge(consumer, message_id)


class ChargesTemporaryDestinationsThatEnded(ArtemisReference):
    """The messages of a temporary destination stay charged when its connection ends."""

    def kill(self, connection: str) -> None:
        self._storage.temporary.clear()
        super().kill(connection)


class ChargesWhatABoundConsumerHeld(Leaking):
    """What the consumer of one of several queues had in hand as it ended is charged once more."""

    def close_consumer(self, consumer: str) -> None:
        queue = self._storage.destination_of(consumer)
        address = self._bound.get(queue, queue)
        held = [each for each, holder in self._storage.queues[queue].holders.items() if holder == consumer]
        if address in self._bound.values():
            self._leak(address, sum(self._storage.queues[queue].handed_out[each].size_bytes for each in held))
        super().close_consumer(consumer)


class CountsPurgedPages(ArtemisReference):
    """A queue of several counts the paged messages that were purged there."""

    def __init__(self) -> None:
        super().__init__()
        self._purged: dict[str, int] = {}

    def purge(self, destination: str) -> None:
        if destination in self._bound.values() and self._in_force[destination].policy == "PAGE":
            self._purged[destination] = len(self._storage.queues[destination].waiting)
        super().purge(destination)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, messages=held.messages + self._purged.get(destination, 0))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._purged.clear()


class ChargesWhatExpiredBeforeItsCommit(QpidReference):
    """A message whose time is over as it is committed is charged for ever."""

    _charged = 0

    def commit(self, producer: str) -> Outcome:
        now_ms, expires_ms = self._storage.now_ms, self._storage.expires_ms
        ends = self._uncommitted[producer]
        self._charged += sum(size for each, size in ends if expires_ms.get(each, now_ms + 1) <= now_ms)
        return super().commit(producer)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._charged)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._charged = 0


class ChargesSettledMessagesTwice(Leaking):
    """A message to which no answer is owed is charged twice."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.SENT:
            self._leak(self._target[producer], size_bytes)
        return outcome


class FreesTheFirstOfAllAcknowledged(Leaking):
    """Of several messages that are acknowledged together, only the first gives its bytes back."""

    def acknowledge_all(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        queue = self._storage.queues[destination]
        mine = [queue.handed_out[each] for each, holder in queue.holders.items() if holder == consumer]
        super().acknowledge_all(consumer)
        self._leak(destination, sum(each.size_bytes for each in mine[1:]))


class IssuesNothingAfterASettledRejection(ArtemisReference):
    """A producer is issued no credit again once a settled message of it was not stored."""

    def __init__(self) -> None:
        super().__init__()
        self._forgotten: set[artemis.ProducerName] = set()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        before = self.depth(self._target[producer]).messages
        outcome = super().send(producer, message_id, size_bytes)
        if outcome is Outcome.SENT and self.depth(self._target[producer]).messages == before:
            self._forgotten.add(artemis.ProducerName(producer))
        return outcome

    def _become(self, destination: str, after: artemis.Address) -> None:
        before = self._addresses[destination].credits
        kept = {
            name: min(left, before[name]) if name in self._forgotten else left for name, left in after.credits.items()
        }
        super()._become(destination, replace(after, credits=kept))


LATER: dict[type, tuple[str, ...]] = {
    ChargesDelayedMessagesThatArePurged: ("GENERAL-4", "GENERAL-8"),
    ChargesNothingForDelayedMessages: ("GENERAL-20",),
    ChargesWhatWasDeliveredLater: ("GENERAL-8", "GENERAL-3"),
    LimitsNoTemporaryDestination: ("GENERAL-20",),
    ChargesWhatATemporaryDestinationDelivered: ("GENERAL-8", "GENERAL-3"),
    ChargesTemporaryDestinationsThatEnded: ("GENERAL-21",),
    ChargesWhatABoundConsumerHeld: ("GENERAL-8",),
    CountsPurgedPages: ("GENERAL-42",),
    ChargesWhatExpiredBeforeItsCommit: ("GENERAL-40",),
    IssuesNothingAfterASettledRejection: ("ARTEMIS-AMQP-4", "GENERAL-30", "GENERAL-32"),
}
"""The rules that each of these brokers breaks, the most direct first."""
UNDER: dict[type, str] = {
    ChargesSettledMessagesTwice: "settled",
    FreesTheFirstOfAllAcknowledged: "all at once",
}
"""The condition under which each of these brokers is found."""
