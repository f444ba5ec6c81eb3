"""Implementations that each keep a remainder of messages, limits or connections that are gone."""

from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Outcome, Standing
from tidegate.adapters.groups import Usage
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.artemis_core import ArtemisCoreReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference

LARGE = 1000
"""The bytes above which a message counts as large."""


class ChargesLargeMessagesForEver(ArtemisReference):
    """A byte of each large message is charged for ever."""

    _left = 0

    def acknowledge(self, consumer: str, message_id: str) -> None:
        messages = {each.message_id: each.size_bytes for each in self._of(consumer)}
        super().acknowledge(consumer, message_id)
        self._left += messages.get(message_id, 0) > LARGE

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0

    def _of(self, consumer: str) -> list:
        return self._storage.queues[self._storage.destination_of(consumer)].messages()


class ChargesLaterMessagesForEver(ArtemisCoreReference):
    """After the fiftieth message of an address, 30 bytes of each message are never granted again."""

    _stored = 0

    def _free(self, destination: str, size_bytes: int) -> None:
        self._stored += 1
        super()._free(destination, size_bytes - (30 if self._stored > 50 else 0))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._stored = 0


class ChargesPagesForEver(ArtemisReference):
    """A byte of each round of paging is charged for ever."""

    _left = 0

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        self._left += self._paging[self._target[producer]].depth.messages == 1
        return outcome

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesDroppedConnectionsForEver(ArtemisReference):
    """Each connection that breaks leaves a byte charged."""

    _left = 0

    def kill(self, connection: str) -> None:
        super().kill(connection)
        self._left += 1

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesQueuesThatWereThere(ArtemisReference):
    """Each queue that is bound later leaves a byte charged."""

    _left = 0

    def bind(self, destination: str, queue: str) -> None:
        super().bind(destination, queue)
        self._left += 1

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesPurgedMessagesInHand(ArtemisReference):
    """Each message in hand while its destination is purged leaves a byte charged."""

    _left = 0

    def purge(self, destination: str) -> None:
        self._left += bool(self._storage.queues[destination].handed_out)
        super().purge(destination)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesRolledBackTransactions(QpidReference):
    """From the fourth on, each transaction that is rolled back leaves a byte charged."""

    _rolled_back = 0

    def rollback(self, producer: str) -> None:
        super().rollback(producer)
        self._rolled_back += 1

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + max(0, self._rolled_back - 3))

    def end_scenario(self) -> None:
        super().end_scenario()
        self._rolled_back = 0


class IgnoresChangedUsage(ClassicReference):
    """Limits that all destinations share stay as they were at the start of the broker."""

    def change_usage(self, usage: Usage) -> None:
        """Nothing is changed."""


class IgnoresChangedUsageOnTopics(ClassicReference):
    """Topics ignore changes of a limit that all destinations share."""

    _has_topics = False

    def declare_topic(self, destination: str, limits: Limits) -> None:
        self._has_topics = True
        super().declare_topic(destination, limits)

    def change_usage(self, usage: Usage) -> None:
        if not self._has_topics:
            super().change_usage(usage)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._has_topics = False


class FailsOnlyForADestination(ClassicReference):
    """A send fails only if its own destination is full, and waits for ever at a limit that all destinations share."""

    def declare_usage(self, usage: Usage) -> None:
        if (usage.memory_bytes, usage.store_bytes, usage.temp_bytes) != (None, None, None):
            usage = replace(usage, fail_at_once=None, fail_after_ms=None)
        super().declare_usage(usage)


class KeepsClosedConnections(ArtemisReference):
    """A connection that management closes stays."""

    def has_connection(self, connection: str) -> bool:
        return True


class KeepsClosedConnectionsOfClassic(ClassicReference):
    """A connection that management closes stays."""

    def has_connection(self, connection: str) -> bool:
        return True


class HoldsOthersForAClosedConnection(QpidReference):
    """Once management closed the connection of a producer, no producer is released."""

    _closed = False

    def close_connection(self, connection: str) -> None:
        super().close_connection(connection)
        self._closed = True

    def standing(self, producer: str) -> Standing:
        return replace(super().standing(producer), stopped=True) if self._closed else super().standing(producer)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._closed = False


MANY = 8
"""More messages than most scenarios have at a time."""


class KeepsOfMany(ClassicReference):
    """Charges bytes for ever for messages that leave a destination with many messages."""

    _left = 0

    def _note(self, destination: str) -> None:
        self._left += len(self._storage.queues[destination].messages()) > MANY

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesManyThatAreListed(KeepsOfMany):
    """Whenever management lists many messages, a byte is charged for ever."""

    def list_messages(self, destination: str) -> int:
        self._note(destination)
        return super().list_messages(destination)


class ChargesManyThatArePurged(KeepsOfMany):
    """Whenever many messages are purged, a byte is charged for ever."""

    def purge(self, destination: str) -> None:
        self._note(destination)
        super().purge(destination)


class ChargesManyThatExpire(KeepsOfMany):
    """Each message that expires among many leaves a byte charged."""

    def _let_leave(self, destination: str, message_id: str) -> None:
        self._note(destination)
        super()._let_leave(destination, message_id)
