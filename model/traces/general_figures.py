"""Which figures of usage and credit can be, as a trace rule over any mechanism."""

from tidegate.model.language.past import total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment


@rule
def issued(e: Moment) -> int:
    """GENERAL-22: how much credit the event's producer was issued so far."""
    return total(e.credit if e.kind == Kind.CREDIT else 0, per=(e.producer,))


@trace_rule
def no_figure_is_below_zero(e: Moment) -> bool:
    """GENERAL-22: nothing is held, issued or left below zero, and no producer has more left than it was issued."""
    given(e.kind == Kind.LEVEL or e.kind == Kind.CREDIT or e.kind == Kind.STANDING)
    left = e.kind == Kind.STANDING
    return e.bytes >= 0 and e.messages >= 0 and e.credit >= 0 and (not left or e.credit <= issued(e))
