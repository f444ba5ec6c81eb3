"""Trace rules, over any mechanism, about what management shows of stopped producers and used limits."""

from tidegate.model.language.past import latest
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.general_shown import is_shown_rightly
from tidegate.record.events import Kind, Moment

STANDS = "stands"
USED = "used"
"""The subject of an event, as its `cause` names it: the standing of a producer, or the used percentage of a limit."""
STOPPED = "stopped"
FREE = "free"
"""The standings of a producer."""


@rule
def is_seen_stopped(e: Moment) -> bool:
    """GENERAL-49: the event's producer was last seen to be stopped, and not to be let go, closed or opened anew."""
    seen = e.kind == Kind.STOP or e.kind == Kind.RELEASE or e.kind == Kind.OPEN or e.kind == Kind.CLOSE
    return latest(1 if e.kind == Kind.STOP else 0, when=seen, per=(e.producer,)) == 1


@trace_rule
def who_is_shown_stopped_is_stopped(e: Moment) -> bool:
    """GENERAL-49: management shows as stopped who is stopped, and nobody else."""
    seen_stopped = is_seen_stopped(e)
    given(e.kind == Kind.SHOWN and e.cause == STANDS)
    return (e.outcome == STOPPED) == seen_stopped


@trace_rule
def what_is_shown_used_is_used(e: Moment) -> bool:
    """GENERAL-50: the per cent that management shows are those of the bytes that are charged, within one."""
    given(e.kind == Kind.SHOWN and e.cause == USED and e.limit > 0)
    return is_shown_rightly(e.messages, e.bytes, e.limit)
