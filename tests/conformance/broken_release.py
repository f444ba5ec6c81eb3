"""Implementations that free space without releasing all waiting producers, or that ignore a changed limit."""

from dataclasses import replace
from typing import Any

from tidegate.adapters.base import Limits
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis, general_queue_gate, qpid
from tidegate.model.mechanisms.general_address import FurtherCauses


class ReleasesOneWaiterOnly(QpidReference):
    """Releases only the first waiting channel each time a queue becomes underfull."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        free = [channel for channel, held in self._state.holds.items() if held != before[channel]]
        still_held = {channel: before[channel] for channel in free[1:]}
        self._state = replace(self._state, holds={**self._state.holds, **still_held})


class ReleasesNobodyOnAPurge(QpidReference):
    """Frees the purged bytes of a queue, and releases no channel."""

    def purge(self, destination: str) -> None:
        removed = self._storage.purge(destination)
        self._state = qpid.with_bytes(self._state, self._names(destination), -removed)


class ChargesPurgedMessages(ArtemisReference):
    """Removes purged messages, and goes on charging them."""

    def purge(self, destination: str) -> None:
        self._storage.purge(destination)


class IgnoresARaisedLimit(QpidReference):
    """Takes over a new limit, and applies it only when the next message leaves."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        assert limits.limit_bytes is not None and limits.resume_bytes is not None
        names = self._names(destination)
        self._state = general_queue_gate.with_limits(self._state, names, limits.limit_bytes, limits.resume_bytes)


class IgnoresALoweredCapacity(QpidReference):
    """Takes over raised limits only."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        now = self._state.queues[qpid.QueueName(destination)]
        if limits.limit_bytes is not None and limits.limit_bytes > now.capacity:
            super().change_limits(destination, limits)


class IgnoresALoweredMaximum(ArtemisReference):
    """Takes over raised limits only."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        now = self._addresses[destination].limits
        if limits.limit_bytes is not None and limits.limit_bytes > now.max_size:
            super().change_limits(destination, limits)


class ForgetsWhoWaitedBesideAClosedProducer(QpidReference):
    """Forgets all waiting producers when one of them is closed: none is released afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self._forgotten: set[qpid.ChannelName] = set()

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        self._forgotten |= {channel for channel in self._state.holds if qpid.stopped(self._state, channel)}

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        still_held = {channel: before[channel] for channel in self._forgotten & self._state.holds.keys()}
        self._state = replace(self._state, holds={**self._state.holds, **still_held})


class ReleasesEverybodyWithAClosedProducer(QpidReference):
    """Releases every channel of a queue when one of them is closed."""

    def close_producer(self, producer: str) -> None:
        super().close_producer(producer)
        holds = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=holds)


class ReleasesEverybodyWithABrokenConnection(QpidReference):
    """Releases every channel when a connection breaks."""

    def kill(self, connection: str) -> None:
        super().kill(connection)
        holds = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=holds)


class KeepsStateAfterAClose(QpidReference):
    """Blocks the next channel that is opened after a stopped one was closed, as if it were the same channel."""

    def __init__(self) -> None:
        super().__init__()
        self._left_behind: dict[qpid.QueueName, bool] | None = None

    def close_producer(self, producer: str) -> None:
        self._left_behind = dict(self._state.holds[qpid.ChannelName(producer)])
        super().close_producer(producer)

    def open_producer(self, producer: str, *others: Any) -> None:
        super().open_producer(producer, *others)
        if self._left_behind is not None:
            holds = {**self._state.holds, qpid.ChannelName(producer): self._left_behind}
            self._state, self._left_behind = replace(self._state, holds=holds), None

    def end_scenario(self) -> None:
        self._left_behind = None
        super().end_scenario()


class FreesWhatAClosedConsumerWasHanded(QpidReference):
    """Frees the bytes of messages when their consumer is closed, although the messages go back to the queue."""

    def close_consumer(self, consumer: str) -> None:
        destination = self._storage.destination_of(consumer)
        queue = self._storage.queues[destination]
        freed = sum(message.size_bytes for message in queue.handed_out.values())
        super().close_consumer(consumer)
        self._become(qpid.after_removal(self._state, self._names(destination), freed))


class LosesWhatABrokenConsumerWasHanded(ArtemisReference):
    """Drops the messages in hand of a consumer whose connection breaks, and does not free their bytes."""

    def kill(self, connection: str) -> None:
        for queue in self._storage.queues.values():
            queue.handed_out.clear()
            queue.holders.clear()
        super().kill(connection)


class LiftsAnOrderWithTheFirstFreeByte(ArtemisReference):
    """Forgets an order of management once a message leaves."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._ordered.discard(self._storage.destination_of(consumer))
        super().acknowledge(consumer, message_id)


class IssuesCreditWithTheEndOfAnOrder(ArtemisReference):
    """Issues credit when an order is lifted, even if the address is full."""

    def unblock(self, destination: str) -> None:
        super().unblock(destination)
        self._become(destination, _with_whole_windows(self._addresses[destination]))


class IgnoresOrders(ArtemisReference):
    """Accepts an order to stop producers and does nothing."""

    def block(self, destination: str) -> None:
        assert destination in self._addresses


def _with_whole_windows(address: artemis.Address) -> artemis.Address:
    return replace(address, credits=dict.fromkeys(address.credits, address.window.size))


class IssuesToOneAtEachAcknowledgement(ArtemisReference):
    """Issues credit to the first producer that is due with each acknowledged message, and to no other."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._storage.destination_of(consumer)
        before = self._addresses[destination].credits
        super().acknowledge(consumer, message_id)
        after = self._addresses[destination]
        late = [name for name, now in after.credits.items() if now > before[name]][1:]
        for name in late:
            self._issued[name] -= after.credits[name] - before[name]
        left = {**after.credits, **{name: before[name] for name in late}}
        self._addresses[destination] = replace(after, credits=left)


class ForgetsTheVirtualHostAtAChange(QpidReference):
    """Knows no limits of the virtual host any more for a queue whose limits are changed."""

    def change_limits(self, destination: str, limits: Limits) -> None:
        defaults, self._defaults = self._defaults, qpid.Limits()
        super().change_limits(destination, limits)
        self._defaults = defaults


class CountsMessagesUnderEveryPolicy(ArtemisReference):
    """Issues no credit beyond a limit in messages, also where the policy stops nobody."""

    def _causes(self, destination: str) -> FurtherCauses:
        return replace(super()._causes(destination), most_messages=self._most_messages[destination])
