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
    """GENERAL-49: the last event about the producer's state is a stop, and not a release, an opening or a closing."""
    seen = e.kind == Kind.STOP or e.kind == Kind.RELEASE or e.kind == Kind.OPEN or e.kind == Kind.CLOSE
    return latest(1 if e.kind == Kind.STOP else 0, when=seen, per=(e.producer,)) == 1


@trace_rule
def a_producer_is_shown_as_it_is(e: Moment) -> bool:
    """GENERAL-49: management shows a producer as stopped if and only if it is stopped."""
    seen_stopped = is_seen_stopped(e)
    given(e.kind == Kind.SHOWN and e.cause == STANDS)
    return (e.outcome == STOPPED) == seen_stopped


@trace_rule
def the_shown_percentage_is_that_of_the_charged_bytes(e: Moment) -> bool:
    """GENERAL-50: the shown percentage is the charged bytes over the limit, rounded up or down."""
    given(e.kind == Kind.SHOWN and e.cause == USED and e.limit > 0)
    return is_shown_rightly(e.messages, e.bytes, e.limit)
