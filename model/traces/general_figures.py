"""Rules on possible figures of usage, credit and messages, over any mechanism."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.general import (
    is_acceptance,
    is_refusal,
    last_started,
    may_have_dropped,
    outstanding,
)
from tidegate.record.events import Kind, Moment

LOOKS = 2
"""A figure from management may be outdated at one look; at this many looks in a row it is wrong."""


@rule
def issued(e: Moment) -> int:
    """GENERAL-22: the credit issued to the event's producer so far."""
    return total(e.credit if e.kind == Kind.CREDIT else 0, per=(e.producer,))


@trace_rule
def no_figure_is_below_zero(e: Moment) -> bool:
    """GENERAL-22: nothing is held, issued or left below zero, and no producer has more left than it was issued."""
    given(e.kind == Kind.LEVEL or e.kind == Kind.CREDIT or e.kind == Kind.STANDING)
    left = e.kind == Kind.STANDING
    return e.bytes >= 0 and e.messages >= 0 and e.credit >= 0 and (not left or e.credit <= issued(e))


@rule
def unanswered(e: Moment) -> int:
    """GENERAL-42: the number of messages of the destination whose sender has no answer yet."""
    answered_at_once = is_acceptance(e) or is_refusal(e)
    waits = e.kind == Kind.SEND and not answered_at_once
    return total((1 if waits else 0) - (1 if e.kind == Kind.SETTLED else 0), per=(e.destination,))


@rule
def may_be_in_hand(e: Moment) -> bool:
    """GENERAL-42: a delivered message of the destination is not acknowledged; it may have been returned."""
    handed_out = total(1 if e.kind == Kind.TAKE else 0, per=(e.destination,))
    acknowledged = total(1 if e.kind == Kind.ACKNOWLEDGE else 0, per=(e.destination,))
    return handed_out > acknowledged


@rule
def purges_with_others(e: Moment) -> int:
    """GENERAL-42: the number of purges that may have left messages that are in flight or unanswered."""
    others = may_be_in_hand(e) or unanswered(e) > 0
    return total(1 if e.kind == Kind.PURGE and others else 0, per=(e.destination,))


@rule
def is_settled(e: Moment) -> bool:
    """GENERAL-42: the event is about a destination, and the fate of each of its messages is known."""
    counted = unanswered(e) == 0 and purges_with_others(e) == 0 and last_started(e) == 0 and not may_have_dropped(e)
    return e.destination != "" and counted


@rule
def is_known(e: Moment) -> bool:
    """GENERAL-42: the event counts the messages of a destination, and the fate of each message is known."""
    return is_settled(e) and e.kind == Kind.LEVEL


@rule
def looks_that_differ(e: Moment) -> int:
    """GENERAL-42: the number of looks in a row at which the destination showed a wrong count of messages."""
    differs = is_known(e) and e.messages != outstanding(e)
    differed = total(1 if differs else 0, per=(e.destination,))
    return differed - latest(differed, when=e.kind == Kind.LEVEL and not differs, per=(e.destination,))


@trace_rule
def what_is_held_is_what_was_accepted(e: Moment) -> bool:
    """GENERAL-42: a destination is said to hold as many messages as it accepted and no consumer has acknowledged."""
    differ = looks_that_differ(e)
    given(is_known(e))
    return differ < LOOKS
