"""How far producers that stop when told can take a queue past its capacity, for any number of them.

`held` counts the channels that the queue holds, `over` the messages that left it above its capacity since it
was last at it or below, and `largest` is the size of the largest message in bytes. A count is never
unfolded: a message changes one channel (QQ-T14), so the count changes by what that channel changes (SUM-T1),
and a count that leaves out a free sender is below the number of all channels (SUM-T3).
"""

from collections.abc import Mapping

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.qpid import Broker, ChannelName, QueueName, after_removal, after_send, stopped


@theorem("QB-T1", loose="nothing is stored yet, so that any bound holds with room")
def an_empty_queue_is_within_one_message_per_held_channel(broker: Broker, queue: QueueName, largest: int) -> None:
    """QB-T1: initial state; nothing is stored, nobody is held."""
    assume(broker.queues[queue].bytes == 0 and broker.queues[queue].capacity > 0)
    possible(largest > broker.queues[queue].capacity)
    prove(broker.queues[queue].bytes <= broker.queues[queue].capacity + 0 * largest)


@theorem("QB-T2", serves=("QPID-QUEUE-12",))
def a_message_of_a_free_sender_keeps_the_queue_within_one_message_per_held_channel(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    size: int,
    largest: int,
    held: int,
) -> None:
    """QB-T2: step for a message; where it adds bytes past the capacity, it has its sender held."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and size <= largest and held >= 0)
    assume(not stopped(broker, sender))
    assume(before.bytes <= before.capacity + held * largest)
    after = after_send(broker, sender, routes, size)
    held_then = held + 1 if after.holds[sender][queue] else held
    possible(held == 2 and before.bytes == before.capacity + 2 * largest and routes[queue] and size == largest > 0)
    prove(after.queues[queue].bytes <= before.capacity + held_then * largest)


@theorem("QB-T3", serves=("QPID-QUEUE-12",))
def a_message_of_a_free_sender_is_past_the_capacity_only_by_having_its_sender_held(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    size: int,
    held: int,
    over: int,
) -> None:
    """QB-T3: step for a message; at most as many messages are past the capacity as channels are held."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and over <= held)
    assume(not stopped(broker, sender) and routes[queue])
    after = after_send(broker, sender, routes, size)
    held_then = held + 1 if after.holds[sender][queue] else held
    over_then = over + 1 if before.bytes + size > before.capacity else over
    possible(over == held == 0 and before.bytes + size > before.capacity)
    possible(over == held == 1)
    prove(over_then <= held_then)


@theorem("QB-T4", serves=("QPID-QUEUE-12",))
def a_removal_keeps_the_queue_within_one_message_per_held_channel(
    broker: Broker,
    names: Mapping[QueueName, bool],
    queue: QueueName,
    channel: ChannelName,
    size: int,
    largest: int,
    held: int,
    over: int,
) -> None:
    """QB-T4: step for a removal; it releases channels below the capacity, without a message over it."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and before.resume <= before.capacity)
    assume(size >= 0 and 0 <= over <= held)
    assume(before.bytes <= before.capacity + held * largest)
    assume(broker.holds[channel][queue])
    after = after_removal(broker, names, size)
    lets_go = not after.holds[channel][queue]
    held_then = 0 if lets_go else held
    over_then = over if after.queues[queue].bytes > before.capacity else 0
    possible(lets_go and held == 3)
    possible(not lets_go and over == 3)
    prove(after.queues[queue].bytes <= before.capacity + held_then * largest)
    prove(over_then <= held_then)


@theorem("QB-T5", serves=("QPID-QUEUE-12",))
def a_free_sender_leaves_at_most_as_many_held_as_there_are_producers(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    size: int,
    held: int,
    producers: int,
) -> None:
    """QB-T5: step; of N producers at most N - 1 are held, because the sender is free (SUM-T3)."""
    assume(held <= producers - (0 if broker.holds[sender][queue] else 1))
    assume(not stopped(broker, sender))
    after = after_send(broker, sender, routes, size)
    held_then = held + 1 if after.holds[sender][queue] else held
    possible(held_then == producers == 3)
    prove(held_then <= producers)


@theorem("QB-T6")
def a_queue_holds_at_most_its_capacity_and_one_largest_message_per_producer(
    level: int, capacity: int, largest: int, held: int, producers: int
) -> None:
    """QB-T6: what QB-T2 and QB-T5 come to: capacity + N times the largest message."""
    assume(largest >= 0 and held <= producers and level <= capacity + held * largest)
    possible(held == producers == 3 and level == capacity + 3 * largest and largest > 0)
    prove(level <= capacity + producers * largest)


@theorem("QB-T7")
def the_crossing_message_tells_the_two_readings_of_the_bound_apart(over: int, held: int, producers: int) -> None:
    """QB-T7: with the crossing message at most N messages are past the capacity, without it N-1."""
    assume(over <= held <= producers)
    possible(over == producers == 2)
    prove(over <= producers and over - 1 <= producers - 1)


@refuted(
    "QB-R1",
    because="nothing stops a client that ignores the order: each of its messages is stored",
    serves=("QPID-QUEUE-12",),
)
def a_sender_that_ignores_the_order_stays_within_one_message_per_held_channel(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    size: int,
    largest: int,
    held: int,
) -> None:
    """QB-R1: QB-T2 for a sender that is stopped and keeps sending."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and before.bytes >= 0 and 0 <= size <= largest)
    assume(held == (1 if broker.holds[sender][queue] else 0))
    assume(0 <= before.resume <= before.capacity and before.bytes <= before.capacity + held * largest)
    after = after_send(broker, sender, routes, size)
    prove(after.queues[queue].bytes <= before.capacity + (1 if after.holds[sender][queue] else 0) * largest)


@refuted(
    "QB-R2",
    because="each producer learns only by its own message that the queue is overfull",
    serves=("QPID-QUEUE-12",),
)
def one_message_past_the_capacity_is_the_most_for_all_producers_together(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    size: int,
    largest: int,
) -> None:
    """QB-R2: the bound without the number of producers."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and before.bytes >= 0 and 0 <= size <= largest)
    assume(not stopped(broker, sender) and before.bytes <= before.capacity + largest)
    prove(after_send(broker, sender, routes, size).queues[queue].bytes <= before.capacity + largest)


@refuted(
    "QB-R3",
    because="with the resume level above the capacity all are let go while messages are still over",
    serves=("QPID-QUEUE-12",),
)
def a_removal_keeps_the_bound_whatever_the_resume_level(
    broker: Broker,
    names: Mapping[QueueName, bool],
    queue: QueueName,
    channel: ChannelName,
    size: int,
    largest: int,
    held: int,
) -> None:
    """QB-R3: QB-T4 without its assumption on the levels."""
    before = broker.queues[queue]
    assume(before.capacity > 0 and before.resume >= 0 and 0 <= size <= before.bytes and largest >= 0 and held == 1)
    assume(before.bytes <= before.capacity + held * largest and broker.holds[channel][queue])
    after = after_removal(broker, names, size)
    held_then = held if after.holds[channel][queue] else 0
    prove(after.queues[queue].bytes <= before.capacity + held_then * largest)
