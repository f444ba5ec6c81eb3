"""The queue gate in cases that its documents do not mention: purges, changed limits, closed producers.

Each follows from the rules of the gate: a message leaves a queue in any of these ways, and the limits set last are in
force.
"""

from collections.abc import Mapping
from dataclasses import replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.qpid import Broker, ChannelName, Queue, QueueName, after_removal, overfull


@rule
def after_consuming(broker: Broker, names: Mapping[QueueName, bool], size: int) -> Broker:
    """GENERAL-3: bytes that consumers acknowledged have left the queue, and it lets go of whom it can."""
    return after_removal(broker, names, size)


@rule
def after_purge(broker: Broker, names: Mapping[QueueName, bool], waiting: int) -> Broker:
    """GENERAL-4: the bytes of the messages that waited have left the queue as if they had been consumed."""
    return after_removal(broker, names, waiting)


@rule
def with_limits(broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int) -> Broker:
    """GENERAL-6: the named queues have these limits from now on, for whoever sends next."""
    return replace(
        broker,
        queues={
            queue: replace(broker.queues[queue], capacity=capacity, resume=resume)
            if names[queue]
            else broker.queues[queue]
            for queue in broker.queues
        },
    )


@rule
def after_change(broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int) -> Broker:
    """GENERAL-5: a queue that is underfull by its new limits lets go of every channel."""
    return after_removal(with_limits(broker, names, capacity, resume), names, 0)


@rule
def closed_to_a_message(queue: Queue, size: int) -> bool:
    """GENERAL-7: a message of this size leaves its sender stopped, whoever that is and whenever it came."""
    return overfull(replace(queue, bytes=queue.bytes + size))


@rule
def after_closing(broker: Broker, closed: ChannelName) -> Broker:
    """GENERAL-9: nothing holds a channel that is gone, and every other channel is held as before."""
    return replace(
        broker,
        holds={
            channel: {queue: broker.holds[channel][queue] and channel != closed for queue in broker.queues}
            for channel in broker.holds
        },
    )
