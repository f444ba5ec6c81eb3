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
    """GENERAL-3: acknowledged bytes leave the queue; if it is underfull then, it releases its channels."""
    return after_removal(broker, names, size)


@rule
def after_purge(broker: Broker, names: Mapping[QueueName, bool], waiting: int) -> Broker:
    """GENERAL-4: purged bytes leave the queue like consumed bytes."""
    return after_removal(broker, names, waiting)


@rule
def with_limits(broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int) -> Broker:
    """GENERAL-6: the named queues have these limits from now on, for the next send of any channel."""
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
    """GENERAL-5: a queue that is underfull under its new limits releases every channel."""
    return after_removal(with_limits(broker, names, capacity, resume), names, 0)


@rule
def closed_to_a_message(queue: Queue, size: int) -> bool:
    """GENERAL-7: a message of this size leaves any sender stopped, a new producer too."""
    return overfull(replace(queue, bytes=queue.bytes + size))


@rule
def after_closing(broker: Broker, closed: ChannelName) -> Broker:
    """GENERAL-9: no queue holds a closed channel; every other channel is held as before."""
    return replace(
        broker,
        holds={
            channel: {queue: broker.holds[channel][queue] and channel != closed for queue in broker.queues}
            for channel in broker.holds
        },
    )
