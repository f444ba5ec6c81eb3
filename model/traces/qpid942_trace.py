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
    """QPID-POLICY-6: the event sets a policy; the level in messages comes last."""
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
    """QPID-POLICY-2: when the queue was last seen not to violate its policy."""
    fine = e.kind == Kind.LEVEL and not violated(policy_at(e), e.bytes, e.messages)
    return latest(e.seq, when=fine, per=(e.destination,))


@rule
def last_seen(e: Moment) -> int:
    """QPID-POLICY-1: when the queue was last seen, after whatever was done."""
    return latest(e.seq, when=e.kind == Kind.LEVEL, per=(e.destination,))


@rule
def last_started(e: Moment) -> int:
    """QPID-ORDER-2: when management last started all producers of the queue."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == LIFTED, per=(e.destination,))


@rule
def last_stopped(e: Moment) -> int:
    """QPID-ORDER-1: when management last stopped all producers of the queue."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == ORDERED, per=(e.destination,))


@rule
def last_changed(e: Moment) -> int:
    """QPID-POLICY-6: when the queue was last seen after a change of its policy."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == "limits", per=(e.destination,))


@rule
def is_held(e: Moment) -> bool:
    """QPID-POLICY-1: the policy is violated since the producer's last message, and it was not started since."""
    return last_own_send(e) > last_fine(e) and last_own_send(e) > last_started(e)


@rule
def rests_under_policy(e: Moment) -> bool:
    """QPID-POLICY-1: a producer of one queue came to rest, with no order of management in force."""
    return e.kind == Kind.STANDING and only_queue(e) and not ordered_to_stop(e) and last_own_send(e) > 0


@trace_rule
def a_sender_is_stopped_exactly_if_its_queue_violates_the_policy(e: Moment) -> bool:
    """QPID-POLICY-1: after its own send a producer is stopped if it left the queue violating its policy."""
    given(rests_under_policy(e) and last_own_send(e) > last_removal(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def a_queue_that_is_fine_again_lets_everybody_go(e: Moment) -> bool:
    """QPID-POLICY-2: after a removal a producer is stopped exactly while the policy is violated."""
    given(rests_under_policy(e) and last_removal(e) > last_own_send(e) and last_removal(e) > last_changed(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def depth_alone_stops_above_its_level(e: Moment) -> bool:
    """QPID-POLICY-3: under a policy in bytes, a sender is stopped exactly if the queue was left above it."""
    depth = latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))
    given(rests_under_policy(e) and last_own_send(e) == last_seen(e) and policy_at(e).most_messages == NOT_SET)
    return (e.outcome == STOPPED) == too_deep(policy_at(e), depth)


@trace_rule
def count_alone_stops_above_its_level(e: Moment) -> bool:
    """QPID-POLICY-4: under a policy in messages, a sender is stopped exactly if the queue was left above it."""
    count = latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,))
    given(rests_under_policy(e) and last_own_send(e) == last_seen(e) and policy_at(e).most_bytes == NOT_SET)
    return (e.outcome == STOPPED) == too_many(policy_at(e), count)


@trace_rule
def a_policy_that_was_changed_counts_at_once(e: Moment) -> bool:
    """QPID-POLICY-6: who sends after a change is stopped if it left the queue violating the policy now in force."""
    given(rests_under_policy(e) and last_changed(e) > 0 and last_own_send(e) > last_removal(e))
    return (e.outcome == STOPPED) == is_held(e)


@trace_rule
def without_a_policy_nobody_is_stopped(e: Moment) -> bool:
    """QPID-POLICY-7: once its policy is removed, a queue has no producer stopped."""
    given(rests_under_policy(e) and last_changed(e) > 0 and not has_policy(policy_at(e)))
    return e.outcome != STOPPED


@trace_rule
def an_order_stops_everybody(e: Moment) -> bool:
    """QPID-ORDER-1: right after management ordered a stop, every producer of the queue is stopped."""
    given(e.kind == Kind.STANDING and ordered_to_stop(e) and last_seen(e) == last_stopped(e))
    return e.outcome == STOPPED


@trace_rule
def an_order_lasts_until_a_start(e: Moment) -> bool:
    """QPID-ORDER-3: while management orders a stop, whatever happened since, every producer of the queue is stopped."""
    given(e.kind == Kind.STANDING and ordered_to_stop(e))
    return e.outcome == STOPPED


@trace_rule
def a_start_lets_everybody_go(e: Moment) -> bool:
    """QPID-ORDER-2: who sent nothing since management started all producers is free."""
    given(e.kind == Kind.STANDING and only_queue(e) and last_started(e) > last_stopped(e))
    return e.outcome != STOPPED or last_own_send(e) > last_started(e)
