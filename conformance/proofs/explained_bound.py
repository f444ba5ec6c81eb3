"""The worst cases that follow from a configuration, in messages of one size, for any number of producers.

`open_messages` is the most messages with which a destination lets producers go on: with one more it does not. Every
other figure is arbitrary. `outstanding` is the sum of all producers' credits, `together` the sum of all windows, and
`held` counts the channels that a queue holds. Each claim is a step: what it keeps holds for an empty destination, so it
holds after any number of steps. No claim names a threshold, so each can be read with the rules of the documents or of a
release as it is built.
"""

from collections.abc import Mapping
from dataclasses import replace

from tidegate.conformance.proofs.claims import assume, possible, prove, refuted, theorem
from tidegate.model.mechanisms import qpid942
from tidegate.model.mechanisms.artemis import (
    NO_LIMIT,
    Address,
    AddressLimits,
    ProducerName,
    full,
    granted,
    rejecting,
)
from tidegate.model.mechanisms.artemis_producer import CoreAddress, after_request, asked_for, cost
from tidegate.model.mechanisms.artemis_producer import granted as granted_to_core
from tidegate.model.mechanisms.classic import NO_LIMIT as NONE
from tidegate.model.mechanisms.classic import Destination, holds_back
from tidegate.model.mechanisms.classic_usage import exhausted
from tidegate.model.mechanisms.general_address import NO_LEVEL, FurtherCauses, closed
from tidegate.model.mechanisms.qpid import (
    Broker,
    ChannelName,
    Queue,
    QueueName,
    after_removal,
    after_send,
    limited,
    overfull,
    stopped,
    underfull,
)
from tidegate.model.mechanisms.qpid942 import after_delivery, after_enqueueing, violated


@theorem("EB-T1")
def credit_is_issued_only_while_the_messages_and_all_windows_stay_within_the_bound(
    address: Address,
    causes: FurtherCauses,
    producer: ProducerName,
    size: int,
    open_messages: int,
    outstanding: int,
    together: int,
) -> None:
    """EB-T1: step; what an open address issues keeps messages and credit within the open ones and all windows."""
    assume(size > 0 and address.bytes == causes.messages * size)
    assume(closed(replace(address, bytes=(open_messages + 1) * size), replace(causes, messages=open_messages + 1)))
    assume(not closed(address, causes))
    issued = granted(address.limits, address.window, address.bytes, address.credits[producer])
    assume(outstanding + issued <= together)
    possible(issued > 0 and causes.messages == open_messages == 3 and outstanding + issued == together and size > 1)
    prove(causes.messages + (outstanding + issued) <= open_messages + together)


@theorem("EB-T2")
def a_message_is_stored_only_within_one_past_the_reject_threshold(
    limits: AddressLimits, messages: int, size: int, taken_messages: int
) -> None:
    """EB-T2: step; at most one message is stored beyond those with which the address rejects nothing."""
    assume(size > 0 and rejecting(limits, (taken_messages + 1) * size))
    assume(not rejecting(limits, messages * size))
    possible(messages == taken_messages == 3 and size > 1)
    prove(messages + 1 <= taken_messages + 1)


@theorem("EB-T3")
def a_grant_that_fits_keeps_a_producers_messages_within_the_limit(
    address: CoreAddress, producer: ProducerName, window: int, messages: int, size: int, most: int, whole: int
) -> None:
    """EB-T3: step; what was stored and what the producer can send on its credit fit into the maximum size together."""
    assume(size > 0 and address.bytes == messages * size and address.limits.max_size < (most + 1) * size)
    assume(address.limits.blocks and address.limits.max_size > 0)
    after = after_request(address, producer, window, size)
    assume(after.credits[producer] > address.credits[producer] and whole * size <= after.credits[producer])
    possible(messages + whole == most == 3 and whole > 1 and size > 1)
    prove(messages + whole <= most)


@theorem("EB-T12")
def a_grant_that_fits_is_never_more_than_the_whole_address(
    address: CoreAddress, producer: ProducerName, window: int, size: int
) -> None:
    """EB-T12: a producer's credit after a grant fits into the maximum size, for any window."""
    assume(address.limits.blocks and address.limits.max_size > 0 and address.bytes >= 0)
    after = after_request(address, producer, window, size)
    assume(after.credits[producer] > address.credits[producer])
    possible(after.credits[producer] == address.limits.max_size and window > address.limits.max_size)
    prove(after.credits[producer] <= address.limits.max_size)


@theorem("EB-T4")
def a_grant_of_an_open_address_keeps_a_producers_messages_within_what_it_may_have(
    address: CoreAddress,
    producer: ProducerName,
    portion: int,
    messages: int,
    size: int,
    open_messages: int,
    each: int,
    whole: int,
    paid: int,
) -> None:
    """EB-T4: step; after a grant of an open address its producer passes the open level by its credit at most."""
    left = address.credits[producer]
    assume(size > 0 and paid == cost(size) and left + asked_for(portion, left, size) < (each + 1) * paid)
    assume(address.bytes == messages * size and full(address.limits, (open_messages + 1) * size))
    after = after_request(address, producer, portion, size)
    assume(after.credits[producer] > left and whole * paid <= after.credits[producer])
    possible(messages >= 1 and whole == each == 2 and size > 1)
    prove(messages + whole <= open_messages + each)


@theorem("EB-T15")
def a_producer_has_most_that_asks_with_as_much_left_as_it_may(portion: int, left: int, last: int, size: int) -> None:
    """EB-T15: a producer gets the most credit if it asks with the most left with which it may ask."""
    assume(left <= last and asked_for(portion, last, size) > 0)
    possible(0 < left < last and portion > size > 0)
    prove(left + asked_for(portion, left, size) <= last + asked_for(portion, last, size))


@refuted("EB-R1", because="each other producer has a window of its own that was granted before")
def grants_that_fit_keep_all_producers_together_within_the_limit(
    address: CoreAddress, first: ProducerName, second: ProducerName, window: int, size: int
) -> None:
    """EB-R1: EB-T3 for two producers: the room is looked at without what others were granted."""
    assume(first != second and address.limits.blocks and address.limits.max_size > 0 and address.bytes == 0)
    assume(address.credits[first] == 0 and address.credits[second] == 0 and 0 < size <= window)
    both = after_request(after_request(address, first, window, size), second, window, size)
    prove(both.credits[first] + both.credits[second] <= address.limits.max_size)


@theorem("EB-T5")
def a_message_past_the_open_levels_has_its_sender_held(
    broker: Broker,
    sender: ChannelName,
    routes: Mapping[QueueName, bool],
    queue: QueueName,
    messages: int,
    size: int,
    open_messages: int,
    held: int,
) -> None:
    """EB-T5: step; messages are never more than the open ones and one for each channel that is held."""
    before = broker.queues[queue]
    past = Queue(before.capacity, before.resume, (open_messages + 1) * size)
    assume(size > 0 and before.bytes == messages * size and routes[queue] and held >= 0)
    assume(not (underfull(past) or not overfull(past)))
    assume(not stopped(broker, sender) and messages <= open_messages + held)
    after = after_send(broker, sender, routes, size)
    held_then = held + 1 if after.holds[sender][queue] and not broker.holds[sender][queue] else held
    possible(held == 2 and messages == open_messages + 2 and held_then == 3 and size > 1)
    prove(messages + 1 <= open_messages + held_then)


@theorem("EB-T6")
def whom_a_queue_lets_go_it_lets_go_at_an_open_level(
    broker: Broker,
    names: Mapping[QueueName, bool],
    queue: QueueName,
    channel: ChannelName,
    messages: int,
    size: int,
    open_messages: int,
    held: int,
) -> None:
    """EB-T6: step; after a removal that releases every channel, no message is past the open ones."""
    before = broker.queues[queue]
    past = Queue(before.capacity, before.resume, (open_messages + 1) * size)
    assume(size > 0 and before.bytes == messages * size)
    assume(not underfull(past))
    assume(messages <= open_messages + held and broker.holds[channel][queue])
    after = after_removal(broker, names, size)
    lets_go = not after.holds[channel][queue]
    possible(lets_go and held == 3 and size > 1)
    possible(not lets_go and messages == open_messages + 3)
    prove(messages - 1 <= open_messages + (0 if lets_go else held))


@theorem("EB-T7")
def a_send_that_is_not_held_back_finds_at_most_the_open_messages(
    destination: Destination, messages: int, size: int, open_messages: int
) -> None:
    """EB-T7: step; a destination holds at most one message past the open ones, from any sender."""
    assume(size > 0 and destination.bytes == messages * size)
    assume(holds_back(replace(destination, bytes=(open_messages + 1) * size)) and not holds_back(destination))
    possible(messages == open_messages == 3 and size > 1)
    prove(messages + 1 <= open_messages + 1)


@theorem("EB-T8")
def a_limit_that_all_share_is_passed_by_one_message_at_most(
    limit: int, messages: int, size: int, open_messages: int
) -> None:
    """EB-T8: step; the same of a limit of the store or of temporary files."""
    assume(size > 0 and exhausted(limit, (open_messages + 1) * size) and not exhausted(limit, messages * size))
    possible(messages == open_messages == 3 and size > 1)
    prove(messages + 1 <= open_messages + 1)


@theorem("EB-T9")
def of_two_limits_on_one_level_the_lower_one_is_reached_first(
    lower: AddressLimits, higher: AddressLimits, level: int, controlled: bool
) -> None:
    """EB-T9: whenever a destination is full by the higher limit, it is full by the lower one."""
    assume(lower.blocks and 0 <= lower.max_size <= higher.max_size)
    possible(full(lower, level) and not full(higher, level))
    prove(full(lower, level) or not full(higher, level))
    prove(
        holds_back(Destination(lower.max_size, controlled, level))
        or not holds_back(Destination(higher.max_size, controlled, level))
    )
    prove(exhausted(lower.max_size, level) or not exhausted(higher.max_size, level))


@theorem("EB-T10")
def nothing_stops_producers_where_nothing_is_limited(
    limits: AddressLimits, destination: Destination, queue: Queue, level: int
) -> None:
    """EB-T10: at no level is an address full that does not block, or a destination without flow control."""
    assume(not limits.blocks and not destination.controlled and not limited(queue))
    possible(level > limits.max_size > 0 and destination.bytes > destination.limit > 0)
    prove(not full(limits, level) and not rejecting(limits, level))
    prove(not holds_back(destination))
    prove(not overfull(queue))


@theorem("EB-T11")
def nothing_stops_producers_where_no_limit_is_set(
    address: Address, causes: FurtherCauses, left: int, asked: int, destination: Destination, used: int
) -> None:
    """EB-T11: without a limit an address under BLOCK is never closed, a grant is whole, and no send is held back."""
    assume(address.limits.max_size == NO_LIMIT and address.limits.reject_threshold == NO_LIMIT)
    assume(causes.most_messages == NO_LEVEL and not causes.ordered)
    assume(destination.limit == NONE)
    possible(address.limits.blocks and address.bytes > 0 and destination.controlled and destination.bytes > 0)
    prove(not closed(address, causes) and not rejecting(address.limits, address.bytes))
    prove(granted_to_core(address.limits, address.bytes, left, asked) == asked)
    prove(not holds_back(destination) and not exhausted(NONE, used))


@theorem("EB-T13")
def a_message_past_a_policy_has_its_sender_held(
    queue: qpid942.Queue, sender: ChannelName, size: int, open_messages: int, held: int
) -> None:
    """EB-T13: step; the same as EB-T5 for the policy of QPID-942, in bytes or in messages."""
    assume(size > 0 and queue.bytes == queue.messages * size and held >= 0)
    assume(violated(queue.policy, (open_messages + 1) * size, open_messages + 1))
    assume(not queue.held[sender] and queue.messages <= open_messages + held)
    after = after_enqueueing(queue, sender, size)
    held_then = held + 1 if after.held[sender] and not queue.held[sender] else held
    possible(held == 2 and queue.messages == open_messages + 2 and held_then == 3 and size > 1)
    prove(queue.messages + 1 <= open_messages + held_then)


@theorem("EB-T14")
def whom_a_policy_lets_go_it_lets_go_at_an_open_level(
    queue: qpid942.Queue, channel: ChannelName, size: int, open_messages: int, held: int
) -> None:
    """EB-T14: step; the same as EB-T6 for the policy of QPID-942."""
    assume(size > 0 and queue.bytes == queue.messages * size)
    assume(violated(queue.policy, (open_messages + 1) * size, open_messages + 1))
    assume(queue.messages <= open_messages + held and queue.held[channel])
    after = after_delivery(queue, size, 1)
    lets_go = not after.held[channel]
    possible(lets_go and held == 3 and size > 1)
    possible(not lets_go and queue.messages == open_messages + 3)
    prove(queue.messages - 1 <= open_messages + (0 if lets_go else held))
