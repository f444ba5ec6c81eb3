"""The design of QPID-942, for all levels and any number of producers: which are stopped, and which readings hold."""

from tidegate.conformance.proofs.claims import assume, notion, possible, prove, refuted, theorem
from tidegate.model.mechanisms.gate import Gate, settled
from tidegate.model.mechanisms.qpid import ChannelName
from tidegate.model.mechanisms.qpid942 import (
    Policy,
    Queue,
    after_delivery,
    after_enqueueing,
    after_lifting,
    after_start_all,
    after_stop_all,
    has_policy,
    looked_at,
    past,
    policy_in_force,
    policy_level_by_level,
    stopped,
    throws,
    too_deep,
    too_many,
    violated,
    wait_of,
    waits,
    with_policy,
    without_policy,
)


@notion
def holds_nobody_in_vain(queue: Queue) -> bool:
    """QPID-POLICY-2: whoever the policy holds, the policy is violated."""
    return violated(queue.policy, queue.bytes, queue.messages) or not any(queue.held[channel] for channel in queue.held)


# the policy


@theorem("Q9-T1", serves=("QPID-POLICY-3", "QPID-POLICY-4"))
def each_dimension_is_past_its_level_exactly_above_it(policy: Policy, depth: int, count: int) -> None:
    """Q9-T1: at the level itself the policy is kept; -1 stands for no level."""
    possible(policy.most_bytes == depth == 1000)
    possible(policy.most_bytes == 1000 and depth == 1001)
    possible(policy.most_messages == 3 and count == 4)
    possible(policy.most_messages == -1 and count > 1_000_000)
    prove(too_deep(policy, depth) == (policy.most_bytes != -1 and depth > policy.most_bytes))
    prove(too_many(policy, count) == (policy.most_messages != -1 and count > policy.most_messages))


@theorem("Q9-T2", serves=("QPID-POLICY-1",))
def a_policy_is_violated_in_either_dimension(policy: Policy, depth: int, count: int) -> None:
    """Q9-T2: one of them is enough."""
    possible(too_deep(policy, depth) and not too_many(policy, count))
    possible(too_many(policy, count) and not too_deep(policy, depth))
    prove(violated(policy, depth, count) == (too_deep(policy, depth) or too_many(policy, count)))


@theorem("Q9-T3", serves=("QPID-POLICY-2",))
def there_is_no_gap_between_stopping_and_letting_go(most: int, level: int, closed: bool) -> None:
    """Q9-T3: the gate of a policy says the same whether it was closed before or not."""
    assume(most != -1)
    possible(level == most)
    possible(level == most + 1 and closed)
    prove(settled(Gate(most, most + 1), closed, level) == past(most, level))


@refuted("Q9-R1", because="with a level of its own to let go at, what was before decides", serves=("QPID-POLICY-2",))
def a_gate_with_a_gap_has_no_memory_either(gate: Gate, level: int, closed: bool) -> None:
    """Q9-R1: the gate of document 000 is another one."""
    assume(gate.low <= gate.high)
    prove(settled(gate, closed, level) == settled(gate, False, level))


@theorem("Q9-T4", serves=("QPID-POLICY-5",))
def a_queue_has_its_own_policy_or_that_of_its_exchange(own: Policy, exchange: Policy) -> None:
    """Q9-T4: one level of its own is enough for a policy of its own."""
    possible(own.most_bytes == -1 and own.most_messages == 3)
    possible(own.most_bytes == 1000 and own.most_messages == -1)
    possible(own.most_bytes == -1 and own.most_messages == -1)
    prove(has_policy(own) == (own.most_bytes != -1 or own.most_messages != -1))
    prove(not has_policy(own) or policy_in_force(own, exchange) == own)
    prove(has_policy(own) or policy_in_force(own, exchange) == exchange)


@theorem("Q9-T5", serves=("QPID-POLICY-5",))
def the_other_reading_fills_in_each_level_that_is_missing(own: Policy, exchange: Policy) -> None:
    """Q9-T5: for a queue that sets both levels, or none, both readings say the same."""
    other = policy_level_by_level(own, exchange)
    possible(own.most_bytes == -1 and own.most_messages == 3 and exchange.most_bytes == 1000)
    prove(other.most_bytes == (exchange.most_bytes if own.most_bytes == -1 else own.most_bytes))
    prove(other.most_messages == (exchange.most_messages if own.most_messages == -1 else own.most_messages))
    sets_one_only = (own.most_bytes == -1) != (own.most_messages == -1)
    prove(sets_one_only or other == policy_in_force(own, exchange))


@refuted("Q9-R2", because="a queue may set one level where its exchange sets the other", serves=("QPID-POLICY-5",))
def both_readings_of_inheritance_say_the_same(own: Policy, exchange: Policy) -> None:
    """Q9-R2: the shortest case that tells them apart is one level here and one there."""
    prove(policy_level_by_level(own, exchange) == policy_in_force(own, exchange))


# which producers are stopped and released


@theorem("Q9-T6", serves=("QPID-POLICY-1",))
def a_message_is_stored_and_stops_only_its_sender(
    queue: Queue, sender: ChannelName, other: ChannelName, size: int
) -> None:
    """Q9-T6: the check follows the enqueueing, and concerns nobody who did not send."""
    assume(sender != other)
    after = after_enqueueing(queue, sender, size)
    possible(after.held[sender] and not queue.held[sender])
    possible(not after.held[sender])
    prove(after.bytes == queue.bytes + size and after.messages == queue.messages + 1)
    prove(after.held[sender] == (queue.held[sender] or violated(queue.policy, after.bytes, after.messages)))
    prove(after.held[other] == queue.held[other])
    prove(after.ordered == queue.ordered and after.policy == queue.policy)


@theorem("Q9-T7", serves=("QPID-POLICY-2",))
def a_delivery_lets_everybody_go_as_soon_as_the_policy_is_kept(
    queue: Queue, channel: ChannelName, size: int, count: int
) -> None:
    """Q9-T7: no producer is left stopped beside a queue that keeps its policy, unless it was ordered."""
    after = after_delivery(queue, size, count)
    fine = not violated(queue.policy, queue.bytes - size, queue.messages - count)
    possible(queue.held[channel] and fine)
    possible(queue.held[channel] and not fine)
    prove(after.bytes == queue.bytes - size and after.messages == queue.messages - count)
    prove(after.held[channel] == (queue.held[channel] and not fine))
    prove(stopped(after, channel) == (queue.ordered or (queue.held[channel] and not fine)))


@theorem("Q9-T8", serves=("QPID-POLICY-1", "QPID-POLICY-2"))
def nobody_is_ever_held_in_vain(queue: Queue, sender: ChannelName, size: int, count: int, policy: Policy) -> None:
    """Q9-T8: steps: in every state, a violated policy holds each held channel."""
    assume(size >= 0 and holds_nobody_in_vain(queue))
    possible(queue.held[sender])
    prove(holds_nobody_in_vain(after_enqueueing(queue, sender, size)))
    prove(holds_nobody_in_vain(after_delivery(queue, size, count)))
    prove(holds_nobody_in_vain(with_policy(queue, policy)))
    prove(holds_nobody_in_vain(after_start_all(queue)))
    prove(holds_nobody_in_vain(after_stop_all(queue)))


@theorem("Q9-T9", serves=("QPID-POLICY-6", "QPID-POLICY-7"))
def a_policy_counts_from_the_moment_it_is_applied(queue: Queue, policy: Policy, channel: ChannelName) -> None:
    """Q9-T9: a new policy holds no further producer, and releases the producers that it does not hold itself."""
    after = with_policy(queue, policy)
    possible(queue.held[channel] and not after.held[channel])
    possible(queue.held[channel] and after.held[channel] and policy != queue.policy)
    prove(after.policy == policy and after.bytes == queue.bytes and after.messages == queue.messages)
    prove(after.held[channel] == (queue.held[channel] and violated(policy, queue.bytes, queue.messages)))
    prove(after.ordered == queue.ordered)
    prove(not without_policy(queue).held[channel] and not has_policy(without_policy(queue).policy))
    prove(looked_at(after).held[channel] == after.held[channel])


# how far past the levels


@theorem("Q9-T10", serves=("QPID-POLICY-8",))
def a_message_is_past_the_policy_only_by_having_its_sender_held(
    queue: Queue, sender: ChannelName, size: int, held: int, over: int
) -> None:
    """Q9-T10: step for a message of a free sender; each message past the policy has a sender that is held."""
    assume(over <= held)
    after = after_enqueueing(queue, sender, size)
    held_then = held + 1 if after.held[sender] else held
    over_then = over + 1 if violated(queue.policy, after.bytes, after.messages) else over
    possible(over == held == 0 and over_then == 1)
    possible(over == held == 2 and over_then == 3)
    prove(over_then <= held_then)


@theorem("Q9-T11", serves=("QPID-POLICY-8",))
def a_delivery_lets_go_only_where_no_message_is_over(
    queue: Queue, channel: ChannelName, size: int, count: int, held: int, over: int
) -> None:
    """Q9-T11: step for a delivery; since there is no gap, this needs no assumption on the levels."""
    assume(over <= held and queue.held[channel])
    after = after_delivery(queue, size, count)
    held_then = held if after.held[channel] else 0
    over_then = over if violated(after.policy, after.bytes, after.messages) else 0
    possible(held_then == 0 and held == 3)
    possible(held_then == over_then == 3)
    prove(over_then <= held_then)


@theorem("Q9-T12", serves=("QPID-POLICY-8",))
def a_free_sender_leaves_at_most_as_many_held_as_there_are_producers(
    queue: Queue, sender: ChannelName, size: int, held: int, producers: int
) -> None:
    """Q9-T12: step; of N producers at most N - 1 are held, because the sender is free (SUM-T3)."""
    assume(held <= producers - (0 if queue.held[sender] else 1) and not stopped(queue, sender))
    after = after_enqueueing(queue, sender, size)
    held_then = held + 1 if after.held[sender] else held
    possible(held_then == producers == 3)
    prove(held_then <= producers)


@refuted(
    "Q9-R3",
    because="the sender of the crossing message is held by it, and has none left to send",
    serves=("QPID-POLICY-8",),
)
def all_producers_have_a_message_left_on_top_of_the_crossing_one(queue: Queue, sender: ChannelName, size: int) -> None:
    """Q9-R3: the letter of the design: N producers, N messages on top; the sender of the crossing one would be free."""
    assume(not stopped(queue, sender) and size >= 0)
    after = after_enqueueing(queue, sender, size)
    assume(violated(queue.policy, after.bytes, after.messages))
    prove(not stopped(after, sender))


@refuted("Q9-R4", because="an order of management does not wait for a message", serves=("QPID-POLICY-8",))
def whoever_is_stopped_is_held_by_the_policy(queue: Queue, channel: ChannelName) -> None:
    """Q9-R4: an order of management alone may stop a producer that the policy does not hold."""
    prove(not stopped(queue, channel) or queue.held[channel])


# orders


@theorem("Q9-T13", serves=("QPID-ORDER-1", "QPID-ORDER-3"))
def an_order_stops_everybody_and_nothing_but_a_start_ends_it(
    queue: Queue, channel: ChannelName, sender: ChannelName, size: int, count: int, policy: Policy
) -> None:
    """Q9-T13: messages that leave, and other policies, do not."""
    after = after_stop_all(queue)
    possible(not stopped(queue, channel))
    possible(not has_policy(queue.policy))
    prove(stopped(after, channel) and after.held[channel] == queue.held[channel])
    prove(after.bytes == queue.bytes and after.messages == queue.messages and after.policy == queue.policy)
    prove(stopped(after_delivery(after, size, count), channel))
    prove(stopped(with_policy(after, policy), channel))
    prove(stopped(after_enqueueing(after, sender, size), channel))


@theorem("Q9-T14", serves=("QPID-ORDER-2",))
def a_start_lets_everybody_go_whatever_stopped_them(queue: Queue, channel: ChannelName, size: int) -> None:
    """Q9-T14: this holds after an order and after a policy; a sender that violates the policy is stopped again."""
    after = after_start_all(queue)
    again = after_enqueueing(after, channel, size)
    possible(queue.ordered)
    possible(queue.held[channel] and violated(queue.policy, queue.bytes, queue.messages))
    prove(not stopped(after, channel))
    prove(after.bytes == queue.bytes and after.messages == queue.messages and after.policy == queue.policy)
    prove(stopped(again, channel) == violated(queue.policy, again.bytes, again.messages))


@theorem("Q9-T15", serves=("QPID-ORDER-2",))
def the_other_reading_of_a_start_leaves_the_policy_alone(queue: Queue, channel: ChannelName) -> None:
    """Q9-T15: it only takes the order back."""
    possible(queue.held[channel] and queue.ordered)
    prove(stopped(after_lifting(queue), channel) == queue.held[channel])


@refuted("Q9-R5", because="the policy may hold a producer beside the order", serves=("QPID-ORDER-2",))
def both_readings_of_a_start_say_the_same(queue: Queue, channel: ChannelName) -> None:
    """Q9-R5: the shortest case is a producer past the policy, and a start without a stop."""
    prove(stopped(after_lifting(queue), channel) == stopped(after_start_all(queue), channel))


# the outcome of a send


@theorem("Q9-T16", serves=("QPID-SEND-1", "QPID-SEND-2"))
def a_send_of_a_stopped_producer_throws_at_once_or_waits_for_as_long_as_it_takes(
    blocks: bool, is_stopped: bool, waited_ms: int
) -> None:
    """Q9-T16: throwing by default is a wait of 0 ms; a client told to block waits without end."""
    assume(waited_ms >= 0)
    possible(blocks and is_stopped and waited_ms > 1_000_000)
    possible(not blocks and is_stopped and waited_ms == 0)
    prove(throws(blocks, is_stopped, waited_ms) == (is_stopped and not blocks))
    prove(waits(blocks, is_stopped, waited_ms) == (is_stopped and blocks))
    prove(wait_of(blocks).notify_ms == -1 and wait_of(blocks).timeout_ms == (-1 if blocks else 0))
