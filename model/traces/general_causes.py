"""The causes beside bytes that may stop a producer, in a trace: an order of management, a level in messages."""

from tidegate.model.language.past import latest
from tidegate.model.language.rule import rule
from tidegate.record.events import Kind, Moment

MESSAGES = "messages"
"""The cause of a `limits` event that sets an upper level in messages, or removes it by a level of -1."""
OVERFLOW = "overflow"
"""The cause of a `limits` event that gives the policy for messages past a limit, or past a limit of pages."""
ORDERED = "block"
LIFTED = "unblock"


@rule
def ordered_to_stop(e: Moment) -> bool:
    """GENERAL-17: a stop order of management is in force for the event's destination."""
    order = e.kind == Kind.LEVEL and (e.cause == ORDERED or e.cause == LIFTED)
    return latest(1 if e.cause == ORDERED else 0, when=order, per=(e.destination,)) == 1


@rule
def limited_in_messages(e: Moment) -> bool:
    """GENERAL-18: the event's destination has a limit in messages that was not removed."""
    return latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == MESSAGES, per=(e.destination,)) > 0


@rule
def closed_by_bytes_alone(e: Moment) -> bool:
    """GENERAL-17: only its bytes can close the event's destination."""
    return not ordered_to_stop(e) and not limited_in_messages(e)
