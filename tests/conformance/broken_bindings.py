"""Implementations that each break a promise about several queues that get the same messages."""

from collections.abc import Mapping
from dataclasses import replace

from tidegate.adapters.base import Depth, Limits, Outcome, Standing
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.model.mechanisms import artemis, qpid


class LooksAtTheFirstQueueOnly(QpidReference):
    """Only the queue that was bound first stops a producer."""

    def _enqueue(self, producer: str, message_id: str, size_bytes: int) -> None:
        super()._enqueue(producer, message_id, size_bytes)
        channel, first = qpid.ChannelName(producer), self._queues_of(producer)[0]
        held = {name: held and name == first for name, held in self._state.holds[channel].items()}
        self._state = replace(self._state, holds={**self._state.holds, channel: held})


class ReleasesWithTheFirstQueue(QpidReference):
    """A producer that several queues block is released when the first of them has room."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        before = self._state.holds
        super().acknowledge(consumer, message_id)
        for channel, held in self._state.holds.items():
            if any(before[channel][name] and not held[name] for name in held):
                free = dict.fromkeys(held, False)
                self._state = replace(self._state, holds={**self._state.holds, channel: free})


class ReleasesWithADeletedQueue(QpidReference):
    """The deletion of a queue releases every producer."""

    def unbind(self, destination: str, queue: str) -> None:
        super().unbind(destination, queue)
        holds = {channel: dict.fromkeys(held, False) for channel, held in self._state.holds.items()}
        self._state = replace(self._state, holds=holds)


class SendsToTheFirstQueueTwice(QpidReference):
    """The queue that is bound last gets no message, and the queue bound before it gets each message twice."""

    def _queues_of(self, producer: str) -> tuple[str, ...]:
        queues = super()._queues_of(producer)
        return (*queues[:-1], queues[-2]) if len(queues) > 1 else queues


class ChargesForEachQueue(ArtemisReference):
    """An address is charged for a message once for each of its queues, until the message has left all of them."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        destination = self._target[producer]
        further = (len(self._queues_of(destination)) - 1) * size_bytes
        address = self._addresses[destination]
        self._addresses[destination] = replace(address, bytes=address.bytes + further)
        return outcome


class ChargesWhatADeletedQueueHeld(ArtemisReference):
    """The messages of a deleted queue stay charged for ever."""

    _left = 0

    def unbind(self, destination: str, queue: str) -> None:
        self._left += self._storage.queues[queue].depth().bytes
        super().unbind(destination, queue)

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesWhatSeveralQueuesDelivered(ArtemisReference):
    """Messages that more than one queue delivered stay charged for ever."""

    _left = 0

    def acknowledge(self, consumer: str, message_id: str) -> None:
        queue = self._storage.destination_of(consumer)
        message = self._storage.queues[queue].handed_out.get(message_id)
        super().acknowledge(consumer, message_id)
        self._left += message.size_bytes if message is not None and queue in self._bound else 0

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class FreesWithTheFirstDelivery(ArtemisReference):
    """A message is no longer charged once one of the address's queues has delivered it."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        destination = self._bound.get(self._storage.destination_of(consumer))
        size = self._messages_at(destination).get(message_id, 0) if destination else 0
        super().acknowledge(consumer, message_id)
        if destination:
            address = self._addresses[destination]
            self._issue(destination, replace(address, bytes=max(0, address.bytes - size)))


class StopsNobodyOfSeveralQueues(ArtemisReference):
    """An address with several queues has no limit."""

    def declare_bound(self, destination: str, limits: Limits, before: Mapping[str, Limits], after: str) -> None:
        super().declare_bound(destination, replace(limits, limit_bytes=artemis.NO_LIMIT), before, after)


class KeepsOfSubscriptions(ClassicReference):
    """Keeps bytes charged after messages left one of several subscriptions."""

    _left = 0

    def depth(self, destination: str) -> Depth:
        held = super().depth(destination)
        return replace(held, bytes=held.bytes + self._left)

    def end_scenario(self) -> None:
        super().end_scenario()
        self._left = 0


class ChargesWhatExpiredInSubscriptions(KeepsOfSubscriptions):
    """Each message that expires in one of several subscriptions leaves a byte charged."""

    def _let_leave(self, destination: str, message_id: str) -> None:
        self._left += destination in self._bound
        super()._let_leave(destination, message_id)


class ChargesWhatAnEndedSubscriptionHeld(KeepsOfSubscriptions):
    """The messages of a subscription that ends leave a byte charged."""

    def unbind(self, destination: str, queue: str) -> None:
        self._left += bool(self._storage.queues[queue].messages())
        super().unbind(destination, queue)


class ChargesSeveralAcknowledgements(KeepsOfSubscriptions):
    """Each acknowledgement of one of several subscriptions leaves a byte charged."""

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._left += self._storage.destination_of(consumer) in self._bound
        super().acknowledge(consumer, message_id)


class ChargesEndedSubscriptions(ClassicReference):
    """What a subscription held stays charged to its topic when the subscription ends with its consumer."""

    def close_consumer(self, consumer: str) -> None:
        if consumer in self._bound:
            self._stuck |= {message.message_id for message in self._storage.queues[consumer].messages()}
        super().close_consumer(consumer)


class HoldsWhoWaitedForAnEndedSubscription(ArtemisReference):
    """Whoever is stopped when a subscription ends because its connection breaks stays stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._still_held: set[str] = set()

    def kill(self, connection: str) -> None:
        subscribed = filter(self._storage.is_consumer, self._bound)
        if any(self._storage.connection_of(each) == connection for each in subscribed):
            self._still_held |= {name for name in self._target if self.standing(name).stopped}
        super().kill(connection)

    def standing(self, producer: str) -> Standing:
        seen = super().standing(producer)
        return replace(seen, stopped=True, credit_left=0) if producer in self._still_held else seen

    def end_scenario(self) -> None:
        super().end_scenario()
        self._still_held.clear()
