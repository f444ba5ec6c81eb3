"""The queue gate of the Qpid Java broker: which channels a queue stops, when it stops them and when it releases them.

Composes the gate over a queue's bytes. A broker is its queues and, for each channel, the queues that hold it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NewType

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.gate import Gate, below_low, past_high, settled

QueueName = NewType("QueueName", str)
ChannelName = NewType("ChannelName", str)

NOT_SET = -1
"""A limit that is not configured."""
NO_LIMIT = 0
"""The capacity that means no limit."""


@dataclass(frozen=True)
class Limits:
    """The two configured levels in bytes; NOT_SET for a level without a configuration."""

    capacity: int = NOT_SET
    resume: int = NOT_SET


@dataclass(frozen=True)
class Queue:
    """A queue with the two levels in force, and the bytes of its messages."""

    capacity: int
    resume: int
    bytes: int


@dataclass(frozen=True)
class Broker:
    """Every queue by its name, and whether each queue holds each channel."""

    queues: Mapping[QueueName, Queue]
    holds: Mapping[ChannelName, Mapping[QueueName, bool]]


@rule
def effective_capacity(capacity: int) -> int:
    """QPID-QUEUE-4: a capacity that is not set is 0, which means no limit."""
    return NO_LIMIT if capacity == NOT_SET else capacity


@rule
def effective_resume(capacity: int, resume: int) -> int:
    """QPID-QUEUE-5: a resume level that is not set equals the capacity."""
    return effective_capacity(capacity) if resume == NOT_SET else resume


@rule
def effective_limits(own: Limits, virtual_host: Limits) -> Limits:
    """QPID-QUEUE-6: a limit of the queue itself overrides the limit of its virtual host."""
    capacity = virtual_host.capacity if own.capacity == NOT_SET else own.capacity
    resume = virtual_host.resume if own.resume == NOT_SET else own.resume
    return Limits(effective_capacity(capacity), effective_resume(capacity, resume))


@rule
def gate_of(queue: Queue) -> Gate:
    """QPID-QUEUE-10: the queue's two levels as one gate over its bytes."""
    return Gate(queue.capacity, queue.resume)


@rule
def limited(queue: Queue) -> bool:
    """QPID-QUEUE-3: the queue has a limit; capacity 0 means that it has none."""
    return queue.capacity != NO_LIMIT


@rule
def overfull(queue: Queue) -> bool:
    """QPID-QUEUE-1: the queue holds more bytes than its capacity."""
    return limited(queue) and past_high(gate_of(queue), queue.bytes)


@rule
def underfull(queue: Queue) -> bool:
    """QPID-QUEUE-2: the queue holds fewer bytes than its resume level, or has no limit."""
    return not limited(queue) or below_low(gate_of(queue), queue.bytes)


@rule
def holds_sender(queue: Queue, held: bool) -> bool:
    """QPID-QUEUE-7: whether the queue holds a channel after its send, given whether it held the channel before."""
    return limited(queue) and settled(gate_of(queue), held, queue.bytes)


@rule
def holds_after_message(queue: Queue, held: bool, is_senders: bool) -> bool:
    """QPID-QUEUE-9: a message changes whether a queue holds a channel only if the channel sent it to the queue."""
    return holds_sender(queue, held) if is_senders else held


@rule
def stopped(broker: Broker, channel: ChannelName) -> bool:
    """QPID-QUEUE-13: a channel is stopped as long as at least one queue holds it; an underfull queue holds none."""
    return any(broker.holds[channel][queue] for queue in broker.queues)


@rule
def heeds_queues(by_exchange: bool, by_amqp_1_0: bool) -> bool:
    """QPID-QUEUE-7: an overfull queue stops each channel that sends to it, on any route of the message."""
    return True


@rule
def with_bytes(broker: Broker, names: Mapping[QueueName, bool], added: int) -> Broker:
    """QPID-QUEUE-1: the same broker with these bytes added to each named queue; a negative number removes bytes."""
    return replace(
        broker,
        queues={
            queue: replace(broker.queues[queue], bytes=broker.queues[queue].bytes + added)
            if names[queue]
            else broker.queues[queue]
            for queue in broker.queues
        },
    )


@rule
def after_send(broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int) -> Broker:
    """QPID-QUEUE-8: the queues on a message's route store the message; overfull queues then stop only the sender."""
    stored = with_bytes(broker, routes, size)
    return replace(
        stored,
        holds={
            channel: {
                queue: holds_after_message(
                    stored.queues[queue], broker.holds[channel][queue], channel == sender and routes[queue]
                )
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@rule
def after_removal(broker: Broker, names: Mapping[QueueName, bool], size: int) -> Broker:
    """QPID-QUEUE-11: a queue that is underfull after a removal releases every channel."""
    shrunk = with_bytes(broker, names, -size)
    return replace(
        shrunk,
        holds={
            channel: {
                queue: broker.holds[channel][queue] and not (names[queue] and underfull(shrunk.queues[queue]))
                for queue in broker.queues
            }
            for channel in broker.holds
        },
    )


@rule
def stopped_until_all_underfull_at_once(broker: Broker, channel: ChannelName, was_stopped: bool) -> bool:
    """QPID-QUEUE-11: the other reading: all queues that stopped a channel must be underfull together."""
    return was_stopped and not all(
        underfull(broker.queues[queue]) or not broker.holds[channel][queue] for queue in broker.queues
    )
