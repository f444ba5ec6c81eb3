"""Properties of any flow control, for the queue gate and for an address under BLOCK, for all ways of freeing space.

Each is proved for both mechanisms, for all sizes and any number of queues, channels and producers.
"""

from collections.abc import Mapping

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms.artemis import Address, AddressLimits, ProducerName, full
from tidegate.model.mechanisms.general_address import (
    FurtherCauses,
    after_change_of,
    after_closing_of,
    after_consuming_from,
    after_issuing_unless_closed,
    after_purge_of,
    closed,
    full_of_messages,
    with_limits_of,
)
from tidegate.model.mechanisms.general_queue_gate import (
    after_change,
    after_closing,
    after_consuming,
    after_purge,
    closed_to_a_message,
    with_limits,
)
from tidegate.model.mechanisms.qpid import Broker, ChannelName, QueueName, after_send, overfull, stopped

# freed space


@theorem("GF-T1", serves=("GENERAL-3",))
def a_queue_that_consumers_make_underfull_holds_nobody(
    broker: Broker, names: Mapping[QueueName, bool], size: int, freed: QueueName
) -> None:
    """GF-T1: the queue releases every held channel, not only the first one."""
    assume(names[freed] and broker.queues[freed].bytes - size < broker.queues[freed].resume)
    possible(any(broker.holds[channel][freed] for channel in broker.holds))
    after = after_consuming(broker, names, size)
    prove(not any(after.holds[channel][freed] for channel in after.holds))


@theorem("GF-T2", serves=("GENERAL-4",))
def a_purged_queue_holds_nobody(
    broker: Broker, names: Mapping[QueueName, bool], waiting: int, purged: QueueName
) -> None:
    """GF-T2: where all of its messages waited, and its resume level is above 0."""
    assume(names[purged] and broker.queues[purged].bytes == waiting and broker.queues[purged].resume > 0)
    possible(any(broker.holds[channel][purged] for channel in broker.holds))
    after = after_purge(broker, names, waiting)
    prove(after.queues[purged].bytes == 0)
    prove(not any(after.holds[channel][purged] for channel in after.holds))


@refuted("GF-R1", because="with a resume level of 0 no queue is ever underfull", serves=("GENERAL-4",))
def every_purged_queue_holds_nobody(
    broker: Broker, names: Mapping[QueueName, bool], waiting: int, purged: QueueName
) -> None:
    """GF-R1: GF-T2 without its assumption about the resume level."""
    assume(names[purged] and broker.queues[purged].bytes == waiting and broker.queues[purged].resume >= 0)
    after = after_purge(broker, names, waiting)
    prove(not any(after.holds[channel][purged] for channel in after.holds))


@theorem("GF-T3", serves=("GENERAL-5",))
def a_queue_that_is_underfull_by_its_new_limits_holds_nobody(
    broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int, changed: QueueName
) -> None:
    """GF-T3: this holds even if no message left the queue, and also without a limit."""
    assume(names[changed] and (capacity == 0 or broker.queues[changed].bytes < resume))
    possible(capacity > 0 and any(broker.holds[channel][changed] for channel in broker.holds))
    possible(capacity == 0 and any(broker.holds[channel][changed] for channel in broker.holds))
    after = after_change(broker, names, capacity, resume)
    prove(after.queues[changed].bytes == broker.queues[changed].bytes)
    prove(not any(after.holds[channel][changed] for channel in after.holds))


@theorem("GF-T4", serves=("GENERAL-5",))
def a_change_that_leaves_no_room_releases_nobody(
    broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int, channel: ChannelName
) -> None:
    """GF-T4: where no named queue is underfull by its new limits, everybody stands as before."""
    assume(capacity > 0 and all(not names[queue] or broker.queues[queue].bytes >= resume for queue in broker.queues))
    possible(stopped(broker, channel))
    after = after_change(broker, names, capacity, resume)
    prove(stopped(after, channel) == stopped(broker, channel))


@theorem("GF-T5", serves=("GENERAL-3",))
def credit_comes_to_all_at_their_mark_once_consumers_made_room(
    address: Address, causes: FurtherCauses, size: int, producer: ProducerName
) -> None:
    """GF-T5: every producer of the address that is at its low mark has a whole window, not the first only."""
    assume(not full(address.limits, address.bytes - size) and not full_of_messages(causes) and not causes.ordered)
    assume(address.credits[producer] <= address.window.low)
    possible(address.credits[producer] == 0 and full(address.limits, address.bytes))
    after = after_consuming_from(address, causes, size)
    prove(after.credits[producer] == address.window.size)


@theorem("GF-T6", serves=("GENERAL-4",))
def credit_comes_to_all_at_their_mark_once_a_purge_made_room(
    address: Address, causes: FurtherCauses, waiting: int, producer: ProducerName
) -> None:
    """GF-T6: the same where the messages did not leave through consumers."""
    assume(not full(address.limits, address.bytes - waiting) and not full_of_messages(causes) and not causes.ordered)
    assume(address.credits[producer] <= address.window.low)
    possible(address.credits[producer] == 0 and full(address.limits, address.bytes))
    after = after_purge_of(address, causes, waiting)
    prove(after.credits[producer] == address.window.size and after.bytes == address.bytes - waiting)


@theorem("GF-T7", serves=("GENERAL-5",))
def credit_comes_to_all_at_their_mark_once_a_limit_makes_room(
    address: Address, causes: FurtherCauses, limits: AddressLimits, producer: ProducerName
) -> None:
    """GF-T7: the same if nothing left, and the limits changed."""
    assume(not full(limits, address.bytes) and not full_of_messages(causes) and not causes.ordered)
    assume(address.credits[producer] <= address.window.low)
    possible(address.credits[producer] == 0 and full(address.limits, address.bytes))
    after = after_change_of(address, causes, limits)
    prove(after.credits[producer] == address.window.size and after.bytes == address.bytes)


# no space


@theorem("GF-T8", serves=("GENERAL-6",))
def whoever_sends_past_a_lowered_capacity_is_stopped(
    broker: Broker,
    names: Mapping[QueueName, bool],
    capacity: int,
    resume: int,
    lowered: QueueName,
    sender: ChannelName,
    size: int,
) -> None:
    """GF-T8: the new capacity judges the next message, even if the old one had room."""
    assume(names[lowered] and 0 < resume <= capacity)
    assume(broker.queues[lowered].bytes + size > capacity)
    possible(not overfull(broker.queues[lowered]) and broker.queues[lowered].capacity > capacity)
    after = after_send(with_limits(broker, names, capacity, resume), sender, names, size)
    prove(stopped(after, sender))


@theorem("GF-T17", serves=("GENERAL-6",))
def a_changed_limit_is_that_of_its_own_queues_only(
    broker: Broker, names: Mapping[QueueName, bool], capacity: int, resume: int, queue: QueueName
) -> None:
    """GF-T17: whatever is changed, every other queue has the levels and the bytes that it had."""
    after = with_limits(broker, names, capacity, resume).queues[queue]
    before = broker.queues[queue]
    possible(names[queue] and before.capacity != capacity)
    possible(not names[queue] and before.capacity != capacity)
    prove(after.capacity == (capacity if names[queue] else before.capacity))
    prove(after.resume == (resume if names[queue] else before.resume))
    prove(after.bytes == before.bytes)


@theorem("GF-T9", serves=("GENERAL-6",))
def an_address_that_is_full_by_its_lowered_limit_issues_nothing(
    address: Address, causes: FurtherCauses, limits: AddressLimits, producer: ProducerName
) -> None:
    """GF-T9: although it was not full by the limit before."""
    assume(limits.blocks and 0 < limits.max_size <= address.bytes)
    possible(not full(address.limits, address.bytes) and address.credits[producer] == 0)
    lowered = with_limits_of(address, limits)
    after = after_issuing_unless_closed(lowered, causes)
    prove(after.credits[producer] == address.credits[producer] and full(lowered.limits, lowered.bytes))


@theorem("GF-T10", serves=("GENERAL-7",))
def a_message_to_a_queue_that_is_closed_to_it_stops_any_sender(
    broker: Broker, routes: Mapping[QueueName, bool], over: QueueName, latecomer: ChannelName, size: int
) -> None:
    """GF-T10: a new producer that no queue held is stopped like any other producer."""
    assume(routes[over] and closed_to_a_message(broker.queues[over], size))
    assume(broker.queues[over].resume <= broker.queues[over].capacity)
    possible(not stopped(broker, latecomer) and overfull(broker.queues[over]) and size > 0)
    prove(stopped(after_send(broker, latecomer, routes, size), latecomer))


@theorem("GF-T11", serves=("GENERAL-7",))
def a_producer_that_comes_to_a_closed_address_is_issued_nothing(
    address: Address, causes: FurtherCauses, latecomer: ProducerName
) -> None:
    """GF-T11: whatever closed it; and a whole window once it is open."""
    assume(address.credits[latecomer] == 0 <= address.window.low)
    possible(full(address.limits, address.bytes) and not causes.ordered)
    possible(not closed(address, causes))
    after = after_issuing_unless_closed(address, causes)
    prove(
        after.credits[latecomer]
        == (
            0
            if causes.ordered
            or full(address.limits, address.bytes)
            or (causes.most_messages != -1 and causes.messages >= causes.most_messages)
            else address.window.size
        )
    )


# producers that leave


@theorem("GF-T12", serves=("GENERAL-9",))
def a_channel_that_is_gone_takes_along_what_held_it_and_nothing_else(
    broker: Broker, gone: ChannelName, other: ChannelName, queue: QueueName
) -> None:
    """GF-T12: every other channel is held by the queues that held it before."""
    assume(other != gone)
    possible(broker.holds[other][queue] and broker.holds[gone][queue])
    after = after_closing(broker, gone)
    prove(after.holds[other][queue] == broker.holds[other][queue])
    prove(not after.holds[gone][queue] and after.queues[queue].bytes == broker.queues[queue].bytes)


@theorem("GF-T13", serves=("GENERAL-9", "GENERAL-10"))
def a_producer_that_is_gone_takes_along_its_credit_and_nothing_else(
    address: Address, gone: ProducerName, other: ProducerName
) -> None:
    """GF-T13: every other producer has the credit that it had."""
    assume(other != gone)
    possible(address.credits[other] == 0 < address.credits[gone])
    after = after_closing_of(address, gone)
    prove(after.credits[other] == address.credits[other] and after.credits[gone] == 0)
    prove(after.bytes == address.bytes)


# several causes


@theorem("GF-T14", serves=("GENERAL-17",))
def an_address_is_open_only_once_its_last_cause_is_gone(address: Address, causes: FurtherCauses) -> None:
    """GF-T14: each of the three causes closes it by itself, and without them nothing does."""
    possible(causes.ordered and not full(address.limits, address.bytes))
    possible(not causes.ordered and full(address.limits, address.bytes))
    possible(not closed(address, causes))
    prove(
        closed(address, causes) == (causes.ordered or full(address.limits, address.bytes) or full_of_messages(causes))
    )


@theorem("GF-T15", serves=("GENERAL-18",))
def an_address_is_full_of_messages_from_its_level_on(causes: FurtherCauses) -> None:
    """GF-T15: at the level it is full, one message less and it is not; -1 stands for no level."""
    possible(causes.messages == causes.most_messages)
    possible(causes.messages == causes.most_messages - 1)
    possible(causes.most_messages == -1 and causes.messages > 0)
    prove(full_of_messages(causes) == (causes.most_messages != -1 and causes.messages >= causes.most_messages))


@refuted(
    "GF-R2",
    because="an order holds what the bytes let go",
    serves=("GENERAL-17",),
)
def an_address_with_room_issues_credit_whatever_else_closes_it(
    address: Address, causes: FurtherCauses, size: int, producer: ProducerName
) -> None:
    """GF-R2: GF-T5 without its assumption about the other causes."""
    assume(not full(address.limits, address.bytes - size) and causes.most_messages == -1)
    assume(address.credits[producer] == 0 < address.window.low)
    assume(address.window.low < address.window.size)
    after = after_consuming_from(address, causes, size)
    prove(after.credits[producer] == address.window.size)


# elsewhere


@theorem("GF-T16", serves=("GENERAL-19",))
def credit_for_an_address_does_not_depend_on_any_other(
    address: Address, other: Address, causes: FurtherCauses, producer: ProducerName
) -> None:
    """GF-T16: an address with room issues credit, however full another one is."""
    assume(not full(address.limits, address.bytes) and not full_of_messages(causes) and not causes.ordered)
    assume(address.credits[producer] <= address.window.low)
    possible(full(other.limits, other.bytes) and address.credits[producer] == 0)
    after = after_issuing_unless_closed(address, causes)
    prove(after.credits[producer] == address.window.size)
