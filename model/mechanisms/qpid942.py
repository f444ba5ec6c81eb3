"""The design of QPID-942: policies in bytes or messages without a separate resume level, and two orders.

Composes a gate in each dimension, with one level as both thresholds, and the wait. The queue gate of the Qpid Java
broker came from this plan.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.gate import Gate, past_high
from tidegate.model.mechanisms.qpid import ChannelName
from tidegate.model.mechanisms.wait import NEVER, Wait, expired

NOT_SET = -1
"""A level that a policy does not set."""
AT_ONCE = 0
"""The waiting time, in ms, of a send that may not wait."""
FAILURE = "javax.jms.JMSException"
"""QPID-SEND-1: an exception of the client, whose class the design does not name; sends of JMS throw this one."""


@dataclass(frozen=True)
class Policy:
    """The most bytes and messages in a queue before its producers are stopped; NOT_SET for no limit."""

    most_bytes: int
    most_messages: int


@dataclass(frozen=True)
class Queue:
    """A queue: its policy, bytes and messages, whether management ordered a stop, and the held channels."""

    policy: Policy
    bytes: int
    messages: int
    ordered: bool
    held: Mapping[ChannelName, bool]


@rule
def has_policy(policy: Policy) -> bool:
    """QPID-POLICY-5: a policy exists if it sets a level in bytes or in messages."""
    return policy.most_bytes != NOT_SET or policy.most_messages != NOT_SET


@rule
def policy_in_force(own: Policy, exchange: Policy) -> Policy:
    """QPID-POLICY-5: a queue without its own policy has the whole policy of its exchange."""
    return own if has_policy(own) else exchange


@rule
def policy_level_by_level(own: Policy, exchange: Policy) -> Policy:
    """QPID-POLICY-5: the other reading, in which each level that the queue does not set comes from its exchange."""
    return Policy(
        most_bytes=exchange.most_bytes if own.most_bytes == NOT_SET else own.most_bytes,
        most_messages=exchange.most_messages if own.most_messages == NOT_SET else own.most_messages,
    )


@rule
def past(most: int, level: int) -> bool:
    """QPID-POLICY-2: a level is violated above its limit, and not at it: one limit is both high and low watermark."""
    return most != NOT_SET and past_high(Gate(most, most), level)


@rule
def too_deep(policy: Policy, depth: int) -> bool:
    """QPID-POLICY-3: the queue holds more bytes than its policy allows."""
    return past(policy.most_bytes, depth)


@rule
def too_many(policy: Policy, count: int) -> bool:
    """QPID-POLICY-4: the queue holds more messages than its policy allows."""
    return past(policy.most_messages, count)


@rule
def violated(policy: Policy, depth: int, count: int) -> bool:
    """QPID-POLICY-1: a policy is violated in bytes or in messages."""
    return too_deep(policy, depth) or too_many(policy, count)


@rule
def stopped(queue: Queue, channel: ChannelName) -> bool:
    """QPID-ORDER-1: a producer is stopped by an order of management, or by the policy."""
    return queue.ordered or queue.held[channel]


@rule
def after_enqueueing(queue: Queue, sender: ChannelName, size: int) -> Queue:
    """QPID-POLICY-1: a message is stored; then only its sender is stopped if the policy is violated."""
    depth = queue.bytes + size
    count = queue.messages + 1
    return replace(
        queue,
        bytes=depth,
        messages=count,
        held={
            channel: queue.held[channel] or (channel == sender and violated(queue.policy, depth, count))
            for channel in queue.held
        },
    )


@rule
def looked_at(queue: Queue) -> Queue:
    """QPID-POLICY-2: a queue that does not violate its policy holds no channel."""
    return replace(
        queue,
        held={
            channel: queue.held[channel] and violated(queue.policy, queue.bytes, queue.messages)
            for channel in queue.held
        },
    )


@rule
def after_delivery(queue: Queue, size: int, count: int) -> Queue:
    """QPID-POLICY-2: these messages with these bytes leave the queue; then the queue is checked."""
    return looked_at(replace(queue, bytes=queue.bytes - size, messages=queue.messages - count))


@rule
def with_policy(queue: Queue, policy: Policy) -> Queue:
    """QPID-POLICY-6: a new policy is in force at once, for the next send and for the channels that are held."""
    return looked_at(replace(queue, policy=policy))


@rule
def without_policy(queue: Queue) -> Queue:
    """QPID-POLICY-7: without a policy, no policy can be violated."""
    return with_policy(queue, Policy(NOT_SET, NOT_SET))


@rule
def after_stop_all(queue: Queue) -> Queue:
    """QPID-ORDER-1: management stops all producers of a queue."""
    return replace(queue, ordered=True)


@rule
def after_start_all(queue: Queue) -> Queue:
    """QPID-ORDER-2: management starts all stopped producers of a queue, whatever stopped them."""
    # the rule language has no dict.fromkeys
    return replace(queue, ordered=False, held={channel: False for channel in queue.held})  # noqa: C420


@rule
def after_lifting(queue: Queue) -> Queue:
    """QPID-ORDER-2: the other reading, in which a start ends the order, and the policy still holds its channels."""
    return replace(queue, ordered=False)


@rule
def wait_of(blocks: bool) -> Wait:
    """QPID-SEND-1: a send of a stopped producer does not wait, unless the client is configured to wait."""
    return Wait(timeout_ms=NEVER if blocks else AT_ONCE, notify_ms=NEVER)


@rule
def throws(blocks: bool, is_stopped: bool, waited_ms: int) -> bool:
    """QPID-SEND-1: a send throws if its producer is stopped and its wait is over."""
    return is_stopped and expired(wait_of(blocks), waited_ms)


@rule
def waits(blocks: bool, is_stopped: bool, waited_ms: int) -> bool:
    """QPID-SEND-2: a send waits if its producer is stopped and its wait is not over."""
    return is_stopped and not expired(wait_of(blocks), waited_ms)
