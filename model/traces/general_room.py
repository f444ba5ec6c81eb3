"""Trace rules, over any mechanism, that judge each send by the room that its destination had.

They know only a destination's own limits, in bytes and in messages. Below its lowest limit a destination takes a
message under every mechanism. At and above a limit, the rules of the mechanism judge.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces import artemis_core_trace, artemis_trace, classic_trace, qpid942_trace
from tidegate.model.traces.general import ACCEPTED, BLOCKED, REJECTED
from tidegate.model.traces.general_causes import MESSAGES, OVERFLOW, ordered_to_stop
from tidegate.model.traces.general_release import unsettled_at
from tidegate.model.traces.general_shown import is_seen_stopped
from tidegate.model.traces.qpid_trace import CAPACITY, SEND, opened_once
from tidegate.record.events import Kind, Moment

FAIL = "FAIL"
PAGE = "PAGE"
"""The policies of a full destination: it refuses messages, or writes them to pages until it refuses further ones."""
IGNORES_ORDERS = "ignores orders"
"""The cause of an `open` event of a producer whose client ignores orders to stop."""


@rule
def is_refused(e: Moment) -> bool:
    """GENERAL-21: the message did not reach its destination: it was refused, or its client held it back."""
    return e.outcome == REJECTED or e.outcome == BLOCKED


@rule
def may_take_room(e: Moment) -> bool:
    """GENERAL-21: the message reached its destination, or may still reach it."""
    return e.kind == Kind.SEND and not is_refused(e)


@rule
def bytes_before(e: Moment) -> int:
    """GENERAL-21: the most bytes in the destination before this event: at the last look, and sent since."""
    size = e.bytes if may_take_room(e) else 0
    sent = total(size, per=(e.destination,))
    seen = latest(sent, when=e.kind == Kind.LEVEL, per=(e.destination,))
    return latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,)) + sent - seen - size


@rule
def messages_before(e: Moment) -> int:
    """GENERAL-21: the most messages in the destination before this event: at the last look, and sent since."""
    one = 1 if may_take_room(e) else 0
    sent = total(one, per=(e.destination,))
    seen = latest(sent, when=e.kind == Kind.LEVEL, per=(e.destination,))
    return latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,)) + sent - seen - one


@rule
def limit_by(e: Moment, cause: str) -> int:
    """GENERAL-21: the limit of this kind last set for the event's destination; 0 for none."""
    return latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == cause, per=(e.destination,))


@rule
def stays_below(e: Moment, cause: str, figure: int) -> bool:
    """GENERAL-21: the figure is below the destination's limit of this kind, or the destination has no such limit."""
    limit = limit_by(e, cause)
    return limit <= 0 or figure < limit


@rule
def rejects_each_message(e: Moment) -> bool:
    """GENERAL-21: the event's destination rejects messages from 0 bytes on, so that none fits."""
    sets = e.kind == Kind.LIMITS and e.cause == artemis_trace.REJECT_THRESHOLD
    last = latest(e.seq, when=sets, per=(e.destination,))
    return latest(e.seq, when=sets and e.limit == 0, per=(e.destination,)) == last and last > 0


@rule
def has_room_for_it(e: Moment) -> bool:
    """GENERAL-21: with the event's message the destination stays below each of its limits."""
    held = bytes_before(e) + e.bytes
    count = messages_before(e) + 1
    return (
        not rejects_each_message(e)
        and stays_below(e, CAPACITY, held)
        and stays_below(e, artemis_trace.MAX_SIZE, held)
        and stays_below(e, artemis_trace.REJECT_THRESHOLD, held)
        and stays_below(e, artemis_core_trace.MAX_SIZE, held)
        and stays_below(e, classic_trace.MEMORY_LIMIT, held)
        and stays_below(e, qpid942_trace.DEPTH, held)
        and stays_below(e, OVERFLOW, held)
        and stays_below(e, qpid942_trace.COUNT, count)
        and stays_below(e, MESSAGES, count)
    )


@rule
def has_own_limit(e: Moment) -> bool:
    """GENERAL-21: the event's destination has a limit of its own, and no limit is shared by several destinations."""
    sets = e.kind == Kind.LIMITS
    own = total(1 if sets and e.limit > 0 else 0, per=(e.destination,))
    shared = total(1 if sets and e.destination == "" else 0, per=(e.source,))
    return own > 0 and shared == 0


@rule
def is_free_to_send(e: Moment) -> bool:
    """GENERAL-21: the event's producer is free, has one destination, and no send waits there."""
    alone = opened_once(e) and unsettled_at(e) == 0
    return alone and not is_seen_stopped(e) and not ordered_to_stop(e)


@trace_rule
def what_finds_room_is_taken(e: Moment) -> bool:
    """GENERAL-21: a message of a free producer that fits within each limit is neither refused nor held back."""
    given(e.kind == Kind.SEND and e.cause == "" and has_own_limit(e) and has_room_for_it(e) and is_free_to_send(e))
    return not is_refused(e)


@rule
def may_let_go(e: Moment) -> bool:
    """GENERAL-20: the event may release a stopped producer: it is neither a look nor an arriving message."""
    comes = e.kind == Kind.SEND or (e.kind == Kind.LEVEL and e.cause == SEND)
    looks = e.kind == Kind.STOP or e.kind == Kind.STANDING or e.kind == Kind.CHANNEL
    return not comes and not looks


@rule
def stopped_since_any_change(e: Moment) -> bool:
    """GENERAL-20: since the event's producer was stopped, no event anywhere may have released it."""
    stopped = latest(e.seq, when=e.kind == Kind.STOP, per=(e.producer,))
    return stopped > latest(e.seq, when=may_let_go(e), per=(e.source,))


@trace_rule
def who_is_stopped_by_a_full_destination_sends_nothing(e: Moment) -> bool:
    """GENERAL-20: no message without room is taken from a stopped producer, unless its client ignores orders."""
    ignores = total(1 if e.kind == Kind.OPEN and e.cause == IGNORES_ORDERS else 0, per=(e.producer,))
    stopped = stopped_since_any_change(e)
    given(e.kind == Kind.SEND and stopped and ignores == 0 and not has_room_for_it(e))
    return e.outcome != ACCEPTED


@rule
def refuses_past_its_limits(e: Moment) -> bool:
    """GENERAL-31: the event's destination refuses messages past its limits, and does not page before that."""
    sets = e.kind == Kind.LIMITS
    fails = latest(1 if e.outcome == FAIL else 0, when=sets and e.cause == OVERFLOW, per=(e.destination,))
    pages = latest(1 if e.outcome == PAGE else 0, when=sets and e.cause == artemis_trace.MAX_SIZE, per=(e.destination,))
    return fails == 1 and pages == 0


@rule
def was_at_a_limit(e: Moment) -> bool:
    """GENERAL-31: at the last look, the destination held as many bytes or messages as its limit allows."""
    held = latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))
    count = latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,))
    most_messages = limit_by(e, MESSAGES)
    # a policy without a limit in bytes comes with the limit in messages
    in_bytes = limit_by(e, OVERFLOW) != most_messages
    return not stays_below(e, MESSAGES, count) or (in_bytes and not stays_below(e, OVERFLOW, held))


@trace_rule
def at_a_limit_messages_are_refused(e: Moment) -> bool:
    """GENERAL-31: a destination that refuses messages accepts none once it has reached a limit."""
    given(e.kind == Kind.SEND and refuses_past_its_limits(e) and was_at_a_limit(e))
    return e.outcome != ACCEPTED
