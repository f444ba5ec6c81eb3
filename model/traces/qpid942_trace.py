"""Rules over a trace of a broker by the design of QPID-942, per queue and producer."""

from tidegate.model.language.past import latest
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.qpid942 import Policy, has_policy, too_deep, too_many, violated
from tidegate.model.traces.general_causes import LIFTED, ORDERED, ordered_to_stop
from tidegate.model.traces.qpid_trace import STOPPED, last_own_send, last_removal, only_queue
from tidegate.record.events import Kind, Moment

DEPTH = "policy-bytes"
COUNT = "policy-messages"
"""The causes of `limits` events that set the two levels of a policy, -1 for none."""
NOT_SET = -1


@rule
def sets_policy(e: Moment) -> bool:
    """QPID-POLICY-6: the event sets the level in messages, which completes a policy."""
    return e.kind == Kind.LIMITS and e.cause == COUNT


@rule
def policy_at(e: Moment) -> Policy:
    """QPID-POLICY-1: the policy of the event's queue."""
    return Policy(
        most_bytes=latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == DEPTH, per=(e.destination,)),
        most_messages=latest(e.limit, when=sets_policy(e), per=(e.destination,)),
    )


@rule
def last_fine(e: Moment) -> int:
    """QPID-POLICY-2: the last look at which the queue kept its policy."""
    fine = e.kind == Kind.LEVEL and not violated(policy_at(e), e.bytes, e.messages)
    return latest(e.seq, when=fine, per=(e.destination,))


@rule
def last_seen(e: Moment) -> int:
    """QPID-POLICY-1: the last look at the queue, after any action."""
    return latest(e.seq, when=e.kind == Kind.LEVEL, per=(e.destination,))


@rule
def last_started(e: Moment) -> int:
    """QPID-ORDER-2: the last order of management to start all producers of the queue."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == LIFTED, per=(e.destination,))


@rule
def last_stopped(e: Moment) -> int:
    """QPID-ORDER-1: the last order of management to stop all producers of the queue."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == ORDERED, per=(e.destination,))


@rule
def last_changed(e: Moment) -> int:
    """QPID-POLICY-6: the last look at the queue right after a change of its policy."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == "limits", per=(e.destination,))


@rule
def is_held(e: Moment) -> bool:
    """QPID-POLICY-1: the policy is violated since the producer's last message, and no start came since."""
    return last_own_send(e) > last_fine(e) and last_own_send(e) > last_started(e)


@rule
def is_at_its_point(e: Moment) -> bool:
    """QPID-POLICY-3: the queue is exactly at a level of its policy, and the plan does not say if that violates it."""
    depth = latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))
    count = latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,))
    return depth == policy_at(e).most_bytes or count == policy_at(e).most_messages


@rule
def rests_under_policy(e: Moment) -> bool:
    """QPID-POLICY-1: a producer with one queue came to rest, and no order of management is in force."""
    return e.kind == Kind.STANDING and only_queue(e) and not ordered_to_stop(e) and last_own_send(e) > 0


@rule
def rests_off_its_point(e: Moment) -> bool:
    """QPID-POLICY-1: a producer came to rest, and both readings of its queue's policy agree."""
    return rests_under_policy(e) and not is_at_its_point(e)


@trace_rule
def a_sender_is_stopped_exactly_if_its_queue_violates_the_policy(e: Moment) -> bool:
    """QPID-POLICY-1: after its own send a producer is stopped exactly if the queue violates its policy."""
    given(rests_off_its_point(e) and last_own_send(e) > last_removal(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def a_queue_that_is_fine_again_lets_everybody_go(e: Moment) -> bool:
    """QPID-POLICY-2: after a removal a producer is stopped exactly while the policy is violated."""
    given(rests_off_its_point(e) and last_removal(e) > last_own_send(e) and last_removal(e) > last_changed(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def depth_alone_stops_above_its_level(e: Moment) -> bool:
    """QPID-POLICY-3: under a policy only in bytes, a sender is stopped exactly if the queue exceeds the policy."""
    depth = latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))
    given(rests_under_policy(e) and last_own_send(e) == last_seen(e) and policy_at(e).most_messages == NOT_SET)
    return (e.outcome == STOPPED) == too_deep(policy_at(e), depth)


@trace_rule
def count_alone_stops_above_its_level(e: Moment) -> bool:
    """QPID-POLICY-4: under a policy only in messages, a sender is stopped exactly if the queue exceeds the policy."""
    count = latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,))
    given(rests_under_policy(e) and last_own_send(e) == last_seen(e) and policy_at(e).most_bytes == NOT_SET)
    return (e.outcome == STOPPED) == too_many(policy_at(e), count)


@trace_rule
def a_policy_that_was_changed_counts_at_once(e: Moment) -> bool:
    """QPID-POLICY-6: after a change of the policy, a sender is stopped exactly if the queue violates the new one."""
    given(rests_off_its_point(e) and last_changed(e) > 0 and last_own_send(e) > last_removal(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def without_a_policy_nobody_is_stopped(e: Moment) -> bool:
    """QPID-POLICY-7: once its policy is removed, a queue stops no producer."""
    given(rests_under_policy(e) and last_changed(e) > 0 and not has_policy(policy_at(e)))
    return e.outcome != STOPPED


@trace_rule
def an_order_stops_everybody(e: Moment) -> bool:
    """QPID-ORDER-1: right after management ordered a stop, every producer of the queue is stopped."""
    given(e.kind == Kind.STANDING and ordered_to_stop(e) and last_seen(e) == last_stopped(e))
    return e.outcome == STOPPED


@trace_rule
def an_order_lasts_until_a_start(e: Moment) -> bool:
    """QPID-ORDER-3: from an order to stop to the next start, every producer of the queue is stopped."""
    given(e.kind == Kind.STANDING and ordered_to_stop(e))
    return e.outcome == STOPPED


@trace_rule
def a_start_lets_everybody_go(e: Moment) -> bool:
    """QPID-ORDER-2: a producer that has sent nothing since management started all producers is free."""
    given(e.kind == Kind.STANDING and only_queue(e) and last_started(e) > last_stopped(e))
    return e.outcome != STOPPED or last_own_send(e) > last_started(e)
