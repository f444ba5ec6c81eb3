"""Other readings of documents 000 and 001, as the behaviour of Qpid under the other meaning of a sentence."""

from dataclasses import replace

from tests.conformance.other_options import OtherProducers
from tidegate.adapters.base import Delivery, Depth, Outcome, ProducerOptions, Standing
from tidegate.adapters.groups import ClientState, Settlement
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.adapters.reference.qpid942 import Qpid942Reference
from tidegate.adapters.reference.qpid_client import ERROR
from tidegate.model.language.rule import other_rule
from tidegate.model.mechanisms import qpid, qpid942, qpid_disk
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.model.mechanisms.wait import NEVER, Wait

MS_PER_SECOND = 1000


@other_rule
def underfull_at_the_capacity(queue: qpid.Queue) -> bool:
    """QPID-QUEUE-2: a queue lets go as soon as its limit is no longer violated, whatever its resume level."""
    return not (qpid.limited(queue) and past_high(qpid.gate_of(queue), queue.bytes))


@other_rule
def limits_as_a_pair(own: qpid.Limits, virtual_host: qpid.Limits) -> qpid.Limits:
    """QPID-QUEUE-6: a queue's own capacity stands for its resume level too."""
    capacity = virtual_host.capacity if own.capacity == qpid.NOT_SET else own.capacity
    inherited = virtual_host.resume if own.capacity == qpid.NOT_SET else qpid.NOT_SET
    resume = inherited if own.resume == qpid.NOT_SET else own.resume
    return qpid.Limits(qpid.effective_capacity(capacity), qpid.effective_resume(capacity, resume))


@other_rule
def own_limits_only(own: qpid.Limits, virtual_host: qpid.Limits) -> qpid.Limits:
    """QPID-QUEUE-6: limits are not inherited from the virtual host."""
    return qpid.Limits(qpid.effective_capacity(own.capacity), qpid.effective_resume(own.capacity, own.resume))


@other_rule
def after_send_looked_at_before(
    broker: qpid.Broker, sender: qpid.ChannelName, routes: dict[qpid.QueueName, bool], size: int
) -> qpid.Broker:
    """QPID-QUEUE-8: the sender is stopped if the queue was overfull before its message, so by its next one."""
    stored = qpid.with_bytes(broker, routes, size)
    return replace(
        stored,
        holds={
            channel: {
                queue: qpid.holds_sender(broker.queues[queue], broker.holds[channel][queue])
                if channel == sender and routes[queue]
                else broker.holds[channel][queue]
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@other_rule
def after_removal_until_all_at_once(broker: qpid.Broker, names: dict[qpid.QueueName, bool], size: int) -> qpid.Broker:
    """QPID-QUEUE-11: the queues that hold a channel must be underfull together."""
    shrunk = qpid.with_bytes(broker, names, -size)
    return replace(
        shrunk,
        holds={
            channel: {
                queue: broker.holds[channel][queue] and qpid.stopped_until_all_underfull_at_once(shrunk, channel, True)
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@other_rule
def quota_gate_when_reached(quota: qpid_disk.Quota) -> Gate:
    """QPID-DISK-1: a store is overfull once its space has reached the overfull limit."""
    return Gate(quota.overfull_bytes - 1, quota.underfull_bytes)


@other_rule
def waits_unless_told_otherwise(blocks: bool) -> Wait:
    """QPID-SEND-1: a send of a stopped producer waits where nothing is configured, as that of document 000 does."""
    return Wait(timeout_ms=NEVER, notify_ms=NEVER)


@other_rule
def too_deep_at_the_point(policy: qpid942.Policy, depth: int) -> bool:
    """QPID-POLICY-3: the point at which producers are stopped violates the policy already."""
    return policy.most_bytes != qpid942.NOT_SET and depth >= policy.most_bytes


@other_rule
def too_many_never(policy: qpid942.Policy, count: int) -> bool:
    """QPID-POLICY-4: only bytes are limited."""
    return count < 0


@other_rule
def no_policy_inherited(own: qpid942.Policy, exchange: qpid942.Policy) -> qpid942.Policy:
    """QPID-POLICY-5: a queue has nothing from its exchange."""
    return own


@other_rule
def with_policy_from_the_next_delivery_on(queue: qpid942.Queue, policy: qpid942.Policy) -> qpid942.Queue:
    """GENERAL-5: a wider policy lets go with the next delivery, not at once."""
    return replace(queue, policy=policy)


@other_rule
def delivery_ends_an_order(queue: qpid942.Queue, size: int, count: int) -> qpid942.Queue:
    """QPID-ORDER-3: what consumers take ends an order of management."""
    return replace(qpid942.after_delivery(queue, size, count), ordered=False)


@other_rule
def another_policy_ends_an_order(queue: qpid942.Queue, policy: qpid942.Policy) -> qpid942.Queue:
    """QPID-ORDER-3: a policy that is applied ends an order of management."""
    return replace(qpid942.with_policy(queue, policy), ordered=False)


@other_rule
def after_enqueueing_looked_at_before(queue: qpid942.Queue, sender: qpid.ChannelName, size: int) -> qpid942.Queue:
    """QPID-POLICY-8: N messages beside the crossing one: its sender is stopped by its next message."""
    return replace(
        queue,
        bytes=queue.bytes + size,
        messages=queue.messages + 1,
        held={
            channel: queue.held[channel]
            or (channel == sender and qpid942.violated(queue.policy, queue.bytes, queue.messages))
            for channel in queue.held
        },
    )


@other_rule
def too_many_at_the_point(policy: qpid942.Policy, count: int) -> bool:
    """QPID-POLICY-4: the number at which producers are stopped violates the policy already."""
    return policy.most_messages != qpid942.NOT_SET and count >= policy.most_messages


class StaysOverfullUntilUnderfull(QpidReference):
    """QPID-QUEUE-10: a queue that was overfull stays so until it is underfull, and stops who sends to it meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._full: set[qpid.QueueName] = set()

    def _become(self, after: qpid.Broker) -> None:
        super()._become(after)
        for name, queue in after.queues.items():
            if qpid.overfull(queue):
                self._full.add(name)
            elif qpid.underfull(queue):
                self._full.discard(name)

    def _enqueue(self, producer: str, message_id: str, size_bytes: int) -> None:
        super()._enqueue(producer, message_id, size_bytes)
        channel, routes = qpid.ChannelName(producer), map(qpid.QueueName, self._queues_of(producer))
        held = {**self._state.holds[channel], **dict.fromkeys(self._full.intersection(routes), True)}
        self._become(replace(self._state, holds={**self._state.holds, channel: held}))


class StopsOnlySendersOfAnOverfullStore(QpidReference):
    """QPID-DISK-3: a store past its quota stops who sends to it, as a queue does."""

    def __init__(self) -> None:
        super().__init__()
        self._senders: set[str] = set()

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        outcome = super().send(producer, message_id, size_bytes)
        if self._store.blocks:
            self._senders.add(producer)
        return outcome

    def standing(self, producer: str) -> Standing:
        if not self._store.blocks:
            self._senders.clear()
        held = qpid.stopped(self._state, qpid.ChannelName(producer))
        return Standing(stopped=held or (self._store.blocks and producer in self._senders))


class StoresEveryMessageOnDisk(OtherProducers, QpidReference):
    """QPID-DISK-1: messages that are not persistent count towards the quota too."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, persistent=True)


class EndsTheConnectionOfAFailedSend(QpidReference):
    """QPID-CLIENT-6: nothing is left after a failure, as document 004 has it of the same two properties."""

    def __init__(self) -> None:
        super().__init__()
        self._failed: set[str] = set()

    def settlements(self, producer: str) -> list[Settlement]:
        told = list(super().settlements(producer))
        if any(each.outcome is Outcome.REJECTED for each in told):
            self._failed.add(producer)
        return told

    def client_state(self, producer: str) -> ClientState:
        gone = ClientState(connected=False, session_open=False)
        return gone if producer in self._failed else super().client_state(producer)


class TakesTimesForSeconds(OtherProducers, QpidReference):
    """QPID-CLIENT-11: the two times are in seconds, as document 004 gives them."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        wait_ms, notify_ms = (None if ms is None else ms * MS_PER_SECOND for ms in (options.wait_ms, options.notify_ms))
        return replace(options, wait_ms=wait_ms, notify_ms=notify_ms)


class FailsStoppedSendsAtOnce(QpidReference):
    """QPID-CLIENT-1: a send of a stopped producer fails by default, as the plan of document 001 has it."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        client = self._clients[producer]
        if client.lets_wait and client.held_back(self.standing(producer).stopped):
            client.waiting.settlements.append(Settlement(message_id, Outcome.REJECTED, ERROR))
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class HoldsOldClientsBack(OtherProducers, QpidReference):
    """QPID-OLD-2: the broker's end alone is enough to hold a client back."""

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        return replace(options, obeys=True)


class ClosesTheConnectionOfOldClients(QpidReference):
    """QPID-OLD-1: the broker protects itself: a client that ignores the order may send no more."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        ignores = not self._clients[producer].options.obeys
        if ignores and self.standing(producer).stopped:
            return Outcome.REJECTED
        return super().send(producer, message_id, size_bytes)


class NeitherThrowsNorBlocks(Qpid942Reference):
    """QPID-SEND-1: a send of a stopped producer does neither, so it goes on."""

    def send(self, producer: str, message_id: str, size_bytes: int) -> Outcome:
        self._enqueue(producer, message_id, size_bytes)
        return Outcome.ACCEPTED


class CountsUntilDelivered(Qpid942Reference):
    """QPID-POLICY-2: a message counts until it is delivered, acknowledged or not."""

    def take(self, consumer: str) -> Delivery | None:
        delivery = super().take(consumer)
        if delivery is not None:
            queue = self._storage.queues[delivery.destination]
            self._leave(delivery.destination, queue.handed_out[delivery.message_id].size_bytes)
        return delivery

    def acknowledge(self, consumer: str, message_id: str) -> None:
        self._storage.settle(consumer, message_id)

    def depth(self, destination: str) -> Depth:
        queue = self._queues[destination]
        return Depth(queue.bytes, queue.messages)

    def _leave(self, destination: str, size_bytes: int) -> None:
        self._become(destination, qpid942.after_delivery(self._queues[destination], size_bytes, 1))


class DeliversOneCopyOnly(QpidReference):
    """GENERAL-2: a message that is routed to several queues is delivered by one of them, once in all."""

    def _enqueue(self, producer: str, message_id: str, size_bytes: int) -> None:
        super()._enqueue(producer, message_id, size_bytes)
        for destination in self._routes[producer][1:]:
            self._storage.queues[destination].waiting.pop()
