"""The queue gate of Qpid, for all sizes and any number of queues and channels.

First the levels and where they come from, then what one message does, then what a removal does. The bound
over all producers and the two readings of a release stand in modules of their own.
"""

from collections.abc import Mapping

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.qpid import (
    Broker,
    ChannelName,
    Limits,
    Queue,
    QueueName,
    after_removal,
    after_send,
    effective_capacity,
    effective_limits,
    effective_resume,
    gate_of,
    holds_sender,
    limited,
    overfull,
    stopped,
    underfull,
)

# the levels


@theorem("QQ-T1", serves=("QPID-QUEUE-1",))
def a_queue_is_overfull_exactly_above_its_capacity(queue: Queue) -> None:
    """QQ-T1: at its capacity a queue is not overfull yet, one byte more and it is."""
    assume(queue.capacity > 0)
    possible(queue.bytes == queue.capacity)
    possible(queue.bytes == queue.capacity + 1)
    prove(overfull(queue) == (queue.bytes > queue.capacity))


@theorem("QQ-T2", serves=("QPID-QUEUE-2",))
def a_limited_queue_is_underfull_exactly_below_its_resume_level(queue: Queue) -> None:
    """QQ-T2: at its resume level a queue is not underfull yet, one byte less and it is."""
    assume(queue.capacity > 0)
    possible(queue.bytes == queue.resume)
    possible(queue.bytes == queue.resume - 1)
    prove(underfull(queue) == (queue.bytes < queue.resume))


@theorem("QQ-T3", serves=("QPID-QUEUE-3",))
def a_queue_of_capacity_0_is_never_overfull_and_holds_nobody(queue: Queue, held: bool) -> None:
    """QQ-T3: 0 stands for no limit, not for room for nothing."""
    assume(queue.capacity == 0)
    possible(queue.bytes > 0 and held)
    prove(not overfull(queue))
    prove(underfull(queue))
    prove(not holds_sender(queue, held))


@theorem("QQ-T4", serves=("QPID-QUEUE-3",))
def every_other_capacity_is_a_limit(queue: Queue) -> None:
    """QQ-T4: capacity 1 is a limit."""
    possible(queue.capacity == 1)
    prove(limited(queue) == (queue.capacity != 0))


@theorem("QQ-T5", serves=("QPID-QUEUE-1", "QPID-QUEUE-2"))
def a_queue_is_never_overfull_and_underfull_at_once(queue: Queue) -> None:
    """QQ-T5: where the resume level is not above the capacity."""
    assume(queue.resume <= queue.capacity)
    possible(overfull(queue))
    possible(underfull(queue))
    possible(not overfull(queue) and not underfull(queue))
    prove(not (overfull(queue) and underfull(queue)))


@theorem("QQ-T6", serves=("QPID-QUEUE-10",))
def the_gate_of_a_queue_has_its_capacity_and_resume_level(queue: Queue) -> None:
    """QQ-T6: what is proved of every gate holds for a queue's."""
    possible(queue.resume < queue.capacity)
    prove(gate_of(queue).high == queue.capacity and gate_of(queue).low == queue.resume)


@refuted(
    "QQ-R1",
    because="with the resume level above the capacity a queue between them stops and releases at once",
)
def no_queue_is_overfull_and_underfull_whatever_its_levels(queue: Queue) -> None:
    """QQ-R1: QQ-T5 without its assumption."""
    assume(queue.capacity >= 0 and queue.resume >= 0 and queue.bytes >= 0)
    prove(not (overfull(queue) and underfull(queue)))


# the origin of the levels


@theorem("QQ-T7", serves=("QPID-QUEUE-4",))
def a_capacity_that_is_not_set_is_0(capacity: int) -> None:
    """QQ-T7: -1 means that no capacity is set; any other capacity is taken as it is."""
    possible(capacity == -1)
    possible(capacity == 0)
    prove(effective_capacity(capacity) == (0 if capacity == -1 else capacity))


@theorem("QQ-T8", serves=("QPID-QUEUE-5",))
def a_resume_level_that_is_not_set_is_the_capacity(capacity: int, resume: int) -> None:
    """QQ-T8: if no capacity is set either, the level is 0; any other level is taken as it is."""
    possible(capacity > 0 and resume == -1)
    possible(capacity == -1 and resume == -1)
    possible(resume > capacity > 0)
    prove(effective_resume(capacity, -1) == (0 if capacity == -1 else capacity))
    prove(resume == -1 or effective_resume(capacity, resume) == resume)


@theorem("QQ-T9", serves=("QPID-QUEUE-6",))
def what_a_queue_sets_goes_before_what_its_virtual_host_sets(own: Limits, virtual_host: Limits) -> None:
    """QQ-T9: capacity and resume level each, and neither needs the other to be set."""
    in_force = effective_limits(own, virtual_host)
    possible(own.capacity > 0 and virtual_host.capacity > own.capacity)
    possible(own.capacity == -1 and own.resume > 0)
    prove(own.capacity == -1 or in_force.capacity == own.capacity)
    prove(own.capacity != -1 or virtual_host.capacity == -1 or in_force.capacity == virtual_host.capacity)
    prove(own.resume == -1 or in_force.resume == own.resume)
    prove(own.resume != -1 or virtual_host.resume == -1 or in_force.resume == virtual_host.resume)


@theorem("QQ-T10", serves=("QPID-QUEUE-6",))
def where_neither_sets_a_level_the_defaults_are_in_force(own: Limits, virtual_host: Limits) -> None:
    """QQ-T10: capacity 0, and the capacity in force as the resume level."""
    in_force = effective_limits(own, virtual_host)
    possible(own.capacity == -1 == virtual_host.capacity)
    possible(own.resume == -1 == virtual_host.resume and in_force.capacity > 0)
    prove(not (own.capacity == -1 == virtual_host.capacity) or in_force.capacity == 0)
    prove(not (own.resume == -1 == virtual_host.resume) or in_force.resume == in_force.capacity)


# the effect of one message


@theorem("QQ-T11", serves=("QPID-QUEUE-8",))
def a_message_is_stored_on_every_queue_it_is_routed_to_and_on_no_other(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, queue: QueueName
) -> None:
    """QQ-T11: this holds below and above the capacity, for any sender."""
    before = broker.queues[queue]
    now = after_send(broker, sender, routes, size).queues[queue]
    possible(routes[queue] and before.capacity > 0 and before.bytes > before.capacity and size > 0)
    possible(not routes[queue] and size > 0)
    prove(now.bytes == (before.bytes + size if routes[queue] else before.bytes))
    prove(now.capacity == before.capacity and now.resume == before.resume)


@theorem("QQ-T12", serves=("QPID-QUEUE-8",))
def the_message_that_crosses_the_capacity_stops_its_sender(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, queue: QueueName
) -> None:
    """QQ-T12: a free sender is held by a queue exactly if its message left that queue above its capacity."""
    before = broker.queues[queue]
    assume(routes[queue] and not broker.holds[sender][queue] and before.capacity > 0)
    after = after_send(broker, sender, routes, size)
    possible(before.bytes == before.capacity and size == 1)
    possible(before.bytes + size == before.capacity)
    prove(after.holds[sender][queue] == (before.bytes + size > before.capacity))
    prove(stopped(after, sender) or before.bytes + size <= before.capacity)


@theorem("QQ-T13", serves=("QPID-QUEUE-7",))
def a_message_to_an_overfull_queue_stops_its_sender(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, queue: QueueName
) -> None:
    """QQ-T13: any message at all, even of 0 bytes, by a sender that was free or was not."""
    before = broker.queues[queue]
    assume(routes[queue] and size >= 0)
    assume(0 < before.capacity < before.bytes and before.resume <= before.capacity)
    possible(size == 0 and not stopped(broker, sender))
    possible(broker.holds[sender][queue])
    prove(stopped(after_send(broker, sender, routes, size), sender))


@theorem("QQ-T14", serves=("QPID-QUEUE-9",))
def a_message_stops_and_releases_nobody_but_its_sender(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, other: ChannelName
) -> None:
    """QQ-T14: every other channel stands as it stood, towards each queue and altogether."""
    assume(other != sender)
    after = after_send(broker, sender, routes, size)
    possible(stopped(after, sender) and not stopped(after, other))
    possible(stopped(after, other))
    prove(all(after.holds[other][queue] == broker.holds[other][queue] for queue in broker.queues))
    prove(stopped(after, other) == stopped(broker, other))


@theorem("QQ-T15", serves=("QPID-QUEUE-9",))
def a_message_changes_nothing_between_its_sender_and_other_queues(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, queue: QueueName
) -> None:
    """QQ-T15: a queue that it is not routed to neither stops nor releases its sender."""
    assume(not routes[queue])
    possible(broker.queues[queue].bytes > broker.queues[queue].capacity > 0)
    prove(after_send(broker, sender, routes, size).holds[sender][queue] == broker.holds[sender][queue])


@theorem("QQ-T16", serves=("QPID-QUEUE-3",))
def a_queue_without_a_limit_stops_no_sender(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int
) -> None:
    """QQ-T16: a free sender stays free if its message goes only to queues without a limit."""
    assume(all(broker.queues[queue].capacity == 0 or not routes[queue] for queue in broker.queues))
    assume(not stopped(broker, sender))
    possible(size > 0 and any(routes[queue] for queue in broker.queues))
    prove(not stopped(after_send(broker, sender, routes, size), sender))


@theorem("QQ-T17", serves=("QPID-QUEUE-10", "QPID-QUEUE-8"))
def a_message_that_stays_between_the_levels_changes_nobody(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    size: int,
    queue: QueueName,
    channel: ChannelName,
) -> None:
    """QQ-T17: with the queue neither overfull nor underfull, every channel stands as before towards it."""
    level = broker.queues[queue].bytes + size
    assume(broker.queues[queue].capacity != 0)
    assume(broker.queues[queue].resume <= level <= broker.queues[queue].capacity)
    possible(channel == sender and routes[queue] and broker.holds[channel][queue])
    possible(channel == sender and routes[queue] and not broker.holds[channel][queue])
    prove(after_send(broker, sender, routes, size).holds[channel][queue] == broker.holds[channel][queue])


@refuted("QQ-R2", because="the message that crosses the capacity is stored", serves=("QPID-QUEUE-8",))
def a_queue_never_holds_more_than_its_capacity(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int, queue: QueueName
) -> None:
    """QQ-R2: a capacity would be a limit that no message crosses."""
    assume(size >= 0 and not stopped(broker, sender))
    assume(0 <= broker.queues[queue].bytes <= broker.queues[queue].capacity and broker.queues[queue].capacity > 0)
    after = after_send(broker, sender, routes, size)
    prove(after.queues[queue].bytes <= after.queues[queue].capacity)


# the effect of a removal


@theorem("QQ-T18", serves=("QPID-QUEUE-11",))
def a_removal_lets_go_exactly_when_the_queue_is_then_underfull(
    broker: Broker, names: Mapping[QueueName, bool], size: int, queue: QueueName, channel: ChannelName
) -> None:
    """QQ-T18: the removal releases every channel that the queue held, and no channel that another queue holds."""
    before = broker.queues[queue]
    after = after_removal(broker, names, size)
    assume(broker.holds[channel][queue] and before.capacity > 0)
    possible(names[queue] and before.bytes - size == before.resume)
    possible(names[queue] and before.bytes - size == before.resume - 1)
    prove(after.holds[channel][queue] == (not names[queue] or before.bytes - size >= before.resume))
    prove(after.queues[queue].bytes == (before.bytes - size if names[queue] else before.bytes))


@theorem("QQ-T19", serves=("QPID-QUEUE-11",))
def a_channel_is_free_once_every_queue_that_held_it_is_underfull(
    broker: Broker, names: Mapping[QueueName, bool], size: int, channel: ChannelName
) -> None:
    """QQ-T19: queues that did not hold it have no say."""
    assume(
        all(
            not broker.holds[channel][queue]
            or (names[queue] and broker.queues[queue].bytes - size < broker.queues[queue].resume)
            for queue in broker.queues
        )
    )
    possible(stopped(broker, channel))
    possible(any(broker.queues[queue].bytes > broker.queues[queue].capacity > 0 for queue in broker.queues))
    prove(not stopped(after_removal(broker, names, size), channel))


@theorem("QQ-T20", serves=("QPID-QUEUE-13",))
def a_channel_is_stopped_exactly_as_long_as_some_queue_holds_it(broker: Broker, channel: ChannelName) -> None:
    """QQ-T20: any one queue is enough."""
    possible(stopped(broker, channel) and any(not broker.holds[channel][queue] for queue in broker.queues))
    possible(not stopped(broker, channel))
    prove(stopped(broker, channel) != all(not broker.holds[channel][queue] for queue in broker.queues))


@theorem("QQ-T21", serves=("QPID-QUEUE-11",))
def a_removal_stops_nobody(broker: Broker, names: Mapping[QueueName, bool], size: int, channel: ChannelName) -> None:
    """QQ-T21: whatever it leaves on the queues."""
    assume(not stopped(broker, channel))
    possible(any(broker.queues[queue].bytes - size > broker.queues[queue].capacity > 0 for queue in broker.queues))
    prove(not stopped(after_removal(broker, names, size), channel))


@theorem("QQ-T22", serves=("QPID-QUEUE-11",))
def a_removal_that_stays_between_the_levels_releases_nobody(
    broker: Broker, names: Mapping[QueueName, bool], size: int, queue: QueueName, channel: ChannelName
) -> None:
    """QQ-T22: not overfull any more is not enough; it takes fewer bytes than the resume level."""
    assume(broker.queues[queue].capacity != 0)
    assume(broker.queues[queue].resume <= broker.queues[queue].bytes - size)
    possible(names[queue] and broker.holds[channel][queue])
    prove(after_removal(broker, names, size).holds[channel][queue] == broker.holds[channel][queue])


@refuted("QQ-R3", because="another queue that stopped the channel still holds it", serves=("QPID-QUEUE-11",))
def one_underfull_queue_is_enough_to_release_a_channel(
    broker: Broker, names: Mapping[QueueName, bool], size: int, queue: QueueName, channel: ChannelName
) -> None:
    """QQ-R3: a release when any of its queues is underfull, not all of them."""
    assume(names[queue] and broker.holds[channel][queue])
    assume(0 <= size <= broker.queues[queue].bytes < broker.queues[queue].resume + size)
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker) and levels_are_in_order(broker))
    prove(not stopped(after_removal(broker, names, size), channel))


# invariants after any number of messages and removals


@notion
def everyone_held_is_held_by_a_queue_that_is_not_underfull(broker: Broker) -> bool:
    """QQ-INVARIANT: no queue that is underfull or without a limit holds a channel."""
    return all(
        all(
            not broker.holds[channel][queue]
            or (broker.queues[queue].capacity != 0 and broker.queues[queue].bytes >= broker.queues[queue].resume)
            for queue in broker.queues
        )
        for channel in broker.holds
    )


@notion
def levels_are_in_order(broker: Broker) -> bool:
    """QQ-LEVELS: no level is negative and no queue's resume level is above its capacity."""
    return all(
        0 <= broker.queues[queue].resume <= broker.queues[queue].capacity and broker.queues[queue].bytes >= 0
        for queue in broker.queues
    )


@theorem("QQ-T23", serves=("QPID-QUEUE-13",))
def at_first_nobody_is_held(broker: Broker, channel: ChannelName) -> None:
    """QQ-T23: initial state of the invariant that only queues that are not underfull hold a channel."""
    assume(all(all(not broker.holds[each][queue] for queue in broker.queues) for each in broker.holds))
    possible(any(underfull(broker.queues[queue]) for queue in broker.queues))
    prove(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker))
    prove(not stopped(broker, channel))


@theorem("QQ-T24", serves=("QPID-QUEUE-8",))
def a_message_leaves_everyone_held_by_queues_that_are_not_underfull(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int
) -> None:
    """QQ-T24: step of the invariant for a message."""
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker) and size >= 0)
    assume(all(broker.queues[queue].resume <= broker.queues[queue].capacity for queue in broker.queues))
    possible(stopped(after_send(broker, sender, routes, size), sender) and not stopped(broker, sender))
    prove(everyone_held_is_held_by_a_queue_that_is_not_underfull(after_send(broker, sender, routes, size)))


@theorem("QQ-T25", serves=("QPID-QUEUE-11",))
def a_removal_leaves_everyone_held_by_queues_that_are_not_underfull(
    broker: Broker, names: Mapping[QueueName, bool], size: int
) -> None:
    """QQ-T25: step of the invariant for a removal."""
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker))
    possible(any(any(broker.holds[channel][queue] for queue in broker.queues) for channel in broker.holds))
    prove(everyone_held_is_held_by_a_queue_that_is_not_underfull(after_removal(broker, names, size)))


@refuted(
    "QQ-R4",
    because="with the resume level above the capacity a message stops its sender at an underfull queue",
)
def everyone_held_is_held_by_queues_that_are_not_underfull_whatever_their_levels(
    broker: Broker, sender: ChannelName, routes: Mapping[QueueName, bool], size: int
) -> None:
    """QQ-R4: QQ-T24 without its assumption on the levels."""
    assume(everyone_held_is_held_by_a_queue_that_is_not_underfull(broker) and size >= 0)
    assume(all(broker.queues[queue].capacity >= 0 for queue in broker.queues))
    prove(everyone_held_is_held_by_a_queue_that_is_not_underfull(after_send(broker, sender, routes, size)))
