"""Management's counts of the messages that come to a destination and leave it, as trace rules over any mechanism."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.general import acceptances, in_hand, is_acceptance, outstanding
from tidegate.model.traces.general_figures import is_settled
from tidegate.record.events import Kind, Moment

CAME = "came"
LEFT = "left"
IN_HAND = "in hand"
EXPIRED = "expired"
HELD = "held"
BYTES = "bytes"
"""The figures, as the causes of events name them."""
ANEW = "created anew"
"""The cause of a purge that deletes a destination: a new destination of its name counts from 0."""
NOBODY = "nobody"
"""The outcome for a destination without consumers."""


@rule
def is_created_anew(e: Moment) -> bool:
    """GENERAL-44: the destination was deleted and created again."""
    return e.kind == Kind.PURGE and e.cause == ANEW


@rule
def accepted_in_all(e: Moment) -> int:
    """GENERAL-44: the number of messages accepted by the destination since its creation."""
    accepted = total(1 if is_acceptance(e) and acceptances(e) == 1 else 0, per=(e.destination,))
    return accepted - latest(accepted, when=is_created_anew(e), per=(e.destination,))


@rule
def tells(e: Moment) -> bool:
    """GENERAL-44: the event is a count of management, and the fate of each message of the destination is known."""
    return is_settled(e) and e.kind == Kind.TRAFFIC


@trace_rule
def what_came_is_what_was_accepted(e: Moment) -> bool:
    """GENERAL-44: the count of messages that came to a destination is the number that it accepted."""
    accepted = accepted_in_all(e)
    given(tells(e) and e.cause == CAME)
    return e.messages == accepted


@trace_rule
def what_left_is_what_is_not_there(e: Moment) -> bool:
    """GENERAL-45: the count of messages that left a destination is the number that it accepted and no longer holds."""
    accepted = accepted_in_all(e)
    held = outstanding(e)
    given(tells(e) and e.cause == LEFT)
    return e.messages == accepted - held


@trace_rule
def in_hand_is_what_was_handed_out(e: Moment) -> bool:
    """GENERAL-46: the number in hand is from all handed out to all held messages, and 0 if nobody consumes."""
    handed_out = in_hand(e)
    held = outstanding(e)
    given(tells(e) and e.cause == IN_HAND)
    return e.messages >= handed_out and e.messages <= held and (e.outcome != NOBODY or e.messages == 0)


@rule
def expired_in_all(e: Moment) -> int:
    """GENERAL-47: the number of expired messages of the destination since its creation."""
    expired = total(e.messages if e.kind == Kind.PURGE and e.cause == EXPIRED else 0, per=(e.destination,))
    return expired - latest(expired, when=is_created_anew(e), per=(e.destination,))


@trace_rule
def as_many_expired_as_are_said_to(e: Moment) -> bool:
    """GENERAL-47: the count of expired messages of a destination is the number that expired."""
    expired = expired_in_all(e)
    given(tells(e) and e.cause == EXPIRED)
    return e.messages == expired


@trace_rule
def bytes_are_those_of_messages(e: Moment) -> bool:
    """GENERAL-48: a count of 0 messages comes with 0 bytes, and any other count with more."""
    given(e.kind == Kind.TRAFFIC and e.cause == BYTES)
    return e.bytes == 0 if e.messages == 0 else e.bytes > 0
