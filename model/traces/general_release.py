"""Trace rules over any levels in bytes: which producers must be free once there is space, and stopped while there is
none.

They judge only destinations whose limits are known, and only limits in bytes: not stops by an order of management or by
a level in messages.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.artemis import full
from tidegate.model.mechanisms.qpid import overfull, underfull
from tidegate.model.traces.artemis_trace import MAX_SIZE, limits_at
from tidegate.model.traces.general import BLOCKED, UNSETTLED
from tidegate.model.traces.general_causes import closed_by_bytes_alone, ordered_to_stop
from tidegate.model.traces.qpid_trace import (
    CAPACITY,
    SEND,
    SETTLED,
    STOPPED,
    last_level,
    only_queue,
    opened_once,
    queue_at,
)
from tidegate.record.events import Kind, Moment

PURGED = "purge"
CHANGED = "limits"


@rule
def sets_capacity(e: Moment) -> bool:
    """GENERAL-3: the event sets the two levels of a queue gate."""
    return e.kind == Kind.LIMITS and e.cause == CAPACITY


@rule
def sets_maximum(e: Moment) -> bool:
    """GENERAL-3: the event sets the maximum size of an address."""
    return e.kind == Kind.LIMITS and e.cause == MAX_SIZE


@rule
def is_limited(e: Moment) -> bool:
    """GENERAL-3: the event's destination has a limit in bytes."""
    return total(1 if sets_capacity(e) or sets_maximum(e) else 0, per=(e.destination,)) > 0


@rule
def is_below_resume(e: Moment) -> bool:
    """GENERAL-3: at the last look the queue was below its resume level, or had no capacity."""
    return underfull(queue_at(e, last_level(e)))


@rule
def is_below_maximum(e: Moment) -> bool:
    """GENERAL-3: at the last look the address was below its maximum size, or does not block."""
    return not full(limits_at(e), last_level(e))


@rule
def has_room(e: Moment) -> bool:
    """GENERAL-3: neither bytes nor another cause closes the destination."""
    return is_limited(e) and closed_by_bytes_alone(e) and is_below_resume(e) and is_below_maximum(e)


@rule
def is_over(e: Moment) -> bool:
    """GENERAL-7: at the last look the destination was above its capacity or above a maximum size that blocks."""
    # an address is full at its maximum size, and above it if it is still full with one byte less
    return overfull(queue_at(e, last_level(e))) or full(limits_at(e), last_level(e) - 1)


@rule
def last_not_over(e: Moment) -> int:
    """GENERAL-7: the last event at which the destination was within all limits in bytes."""
    return latest(e.seq, when=not is_over(e), per=(e.destination,))


@rule
def held_back_elsewhere(e: Moment) -> bool:
    """GENERAL-7: a client held a message back, maybe only for an order or for another destination."""
    return e.outcome == BLOCKED and (ordered_to_stop(e) or not opened_once(e))


@rule
def last_tried(e: Moment) -> int:
    """GENERAL-7: the last message of the producer that reached the destination, or was held back only for it."""
    tried = e.kind == Kind.SEND and not held_back_elsewhere(e)
    return latest(e.seq, when=tried, per=(e.destination, e.producer))


@rule
def last_filled(e: Moment) -> int:
    """GENERAL-3: the last look at the destination right after a message arrived."""
    came = e.cause == SEND or e.cause == SETTLED
    return latest(e.seq, when=e.kind == Kind.LEVEL and came, per=(e.destination,))


@rule
def last_consumed(e: Moment) -> int:
    """GENERAL-3: the last look at the destination right after a consumer acknowledged a message."""
    consumed = e.cause == "acknowledge" or e.cause == "drained"
    return latest(e.seq, when=e.kind == Kind.LEVEL and consumed, per=(e.destination,))


@rule
def last_purged(e: Moment) -> int:
    """GENERAL-4: the last look at the destination right after a purge."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == PURGED, per=(e.destination,))


@rule
def last_changed(e: Moment) -> int:
    """GENERAL-5: the last look at the destination right after a change of its limits."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == CHANGED, per=(e.destination,))


@rule
def rests_with_room(e: Moment) -> bool:
    """GENERAL-3: a producer with one destination came to rest, and the destination has room."""
    return e.kind == Kind.STANDING and only_queue(e) and has_room(e)


@trace_rule
def consumption_releases(e: Moment) -> bool:
    """GENERAL-3: once consumers made room, no producer of the destination stays stopped."""
    freed = last_consumed(e) > last_filled(e) and last_consumed(e) > last_purged(e)
    given(rests_with_room(e) and freed and last_consumed(e) > last_changed(e))
    return e.outcome != STOPPED


@trace_rule
def a_purge_releases(e: Moment) -> bool:
    """GENERAL-4: once a purge made room, no producer of the destination stays stopped."""
    freed = last_purged(e) > last_filled(e) and last_purged(e) > last_consumed(e)
    given(rests_with_room(e) and freed and last_purged(e) > last_changed(e))
    return e.outcome != STOPPED


@trace_rule
def a_raised_limit_releases(e: Moment) -> bool:
    """GENERAL-5: once a changed limit made room, no producer of the destination stays stopped."""
    freed = last_changed(e) > last_filled(e) and last_changed(e) > last_consumed(e)
    given(rests_with_room(e) and freed and last_changed(e) > last_purged(e))
    return e.outcome != STOPPED


@trace_rule
def a_lowered_limit_stops(e: Moment) -> bool:
    """GENERAL-6: who has used up its credit and sent to a destination since a changed limit closed it is stopped."""
    tried = last_tried(e) > last_changed(e)
    given(e.kind == Kind.STANDING and e.credit == 0 and last_changed(e) > last_not_over(e) and tried)
    return e.outcome == STOPPED


@trace_rule
def a_latecomer_is_stopped(e: Moment) -> bool:
    """GENERAL-7: who came to a destination while it was over its limit, and tried to send, is stopped."""
    came = latest(e.seq, when=e.kind == Kind.OPEN, per=(e.destination, e.producer))
    given(e.kind == Kind.STANDING and came > last_not_over(e) and last_tried(e) > came)
    return e.outcome == STOPPED


@rule
def unsettled_at(e: Moment) -> int:
    """GENERAL-8: the number of messages to the destination without an answer; each may be charged."""
    sent = total(1 if e.kind == Kind.SEND and e.outcome == UNSETTLED else 0, per=(e.destination,))
    return sent - total(1 if e.kind == Kind.SETTLED else 0, per=(e.destination,))


@trace_rule
def nothing_is_charged_without_messages(e: Moment) -> bool:
    """GENERAL-8: a destination that was drained, counts no message and awaits none is charged no bytes."""
    given(e.kind == Kind.LEVEL and e.cause == "drained" and e.messages == 0 and unsettled_at(e) == 0)
    return e.bytes == 0


@trace_rule
def nobody_is_released_against_an_order(e: Moment) -> bool:
    """GENERAL-17: no producer is released as long as management orders the producers to stop."""
    given(e.kind == Kind.RELEASE)
    return not ordered_to_stop(e)
