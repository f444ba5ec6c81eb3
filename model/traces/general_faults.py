"""Rules for traces with faults: messages, their charge, stops and releases must survive a fault."""

from tidegate.model.language.past import latest
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.general import (
    DRAINED,
    is_fresh,
    last_started,
    may_have_dropped,
    outstanding,
    shows_messages,
)
from tidegate.model.traces.general_release import (
    last_consumed,
    last_not_over,
    last_tried,
    rests_with_room,
    unsettled_at,
)
from tidegate.model.traces.qpid_trace import STOPPED
from tidegate.record.events import Kind, Moment

RESTART = "restart"
PAUSE = "pause"
STALL = "stall"
CUT = "cut"


@rule
def last_paused(e: Moment) -> int:
    """GENERAL-26: the last look at the destination right after a pause of the broker."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == PAUSE, per=(e.destination,))


@rule
def last_stalled(e: Moment) -> int:
    """GENERAL-27: the last stall of a connection to the destination."""
    return latest(e.seq, when=e.kind == Kind.LEVEL and e.cause == STALL, per=(e.destination,))


@rule
def last_cut(e: Moment) -> int:
    """GENERAL-28: the last cut of a connection to the destination."""
    return latest(e.seq, when=e.kind == Kind.CLOSE and e.cause == CUT, per=(e.destination,))


@trace_rule
def accepted_outlives_a_restart(e: Moment) -> bool:
    """GENERAL-23: after a restart too each accepted message is handed out, and once, unless it was given back."""
    fresh = is_fresh(e)
    owed = outstanding(e)
    given(shows_messages(e) and last_started(e) > 0 and not may_have_dropped(e))
    return fresh if e.kind == Kind.TAKE else owed == 0


@trace_rule
def what_is_there_is_charged_after_a_restart(e: Moment) -> bool:
    """GENERAL-24: from a restart on a destination is charged bytes exactly while it has messages."""
    given(
        e.kind == Kind.LEVEL
        and last_started(e) > 0
        and (e.cause == RESTART or e.cause == DRAINED)
        and unsettled_at(e) == 0
    )
    return (e.bytes > 0) == (e.messages > 0)


@trace_rule
def a_limit_outlives_a_restart(e: Moment) -> bool:
    """GENERAL-25: who came after a restart to a destination that was over its limit, and tried to send, is stopped."""
    came = latest(e.seq, when=e.kind == Kind.OPEN, per=(e.destination, e.producer))
    given(e.kind == Kind.STANDING and last_started(e) > 0 and came > last_started(e) and came > last_not_over(e))
    return e.outcome == STOPPED or last_tried(e) <= came


@trace_rule
def a_pause_holds_nobody(e: Moment) -> bool:
    """GENERAL-26: once consumers made room after a pause of the broker, no producer stays stopped."""
    given(rests_with_room(e) and last_paused(e) > 0 and last_consumed(e) > last_paused(e))
    return e.outcome != STOPPED


@trace_rule
def a_stalled_connection_holds_nobody(e: Moment) -> bool:
    """GENERAL-27: once consumers made room since a connection was stalled, nobody who is looked at stays stopped."""
    given(rests_with_room(e) and last_stalled(e) > 0 and last_consumed(e) > last_stalled(e))
    return e.outcome != STOPPED


@trace_rule
def a_message_that_was_cut_is_delivered_once_at_most(e: Moment) -> bool:
    """GENERAL-28: where a connection was cut, no message is handed out again unless it was given back."""
    fresh = is_fresh(e)
    given(e.kind == Kind.TAKE and last_cut(e) > 0)
    return fresh


@trace_rule
def a_cut_holds_nobody(e: Moment) -> bool:
    """GENERAL-29: once consumers made room since a connection was cut, no producer that is left stays stopped."""
    given(rests_with_room(e) and last_cut(e) > 0 and last_consumed(e) > last_cut(e))
    return e.outcome != STOPPED
