"""Rules over a trace of an ActiveMQ Classic 4 broker, per connection."""

from tidegate.model.language.past import total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.classic_trace import ACCEPTED, UNSETTLED
from tidegate.record.events import Kind, Moment


@rule
def unanswered_over_connection(e: Moment) -> int:
    """CLASSIC-CONNECTION-1: the number of sends over the event's connection without an answer."""
    unanswered = total(1 if e.kind == Kind.SEND and e.outcome == UNSETTLED else 0, per=(e.connection,))
    return unanswered - total(1 if e.kind == Kind.SETTLED else 0, per=(e.connection,))


@trace_rule
def nothing_is_taken_over_a_suspended_connection(e: Moment) -> bool:
    """CLASSIC-CONNECTION-1: a message is accepted at once only if no other one of its connection waits."""
    given(e.kind == Kind.SEND and e.outcome == ACCEPTED)
    return unanswered_over_connection(e) == 0
