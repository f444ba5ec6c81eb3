"""Rules over a trace of an ActiveMQ Classic broker, per destination and producer.

Only memory limits of destinations are judged: where other limits are set too, a trace does not say which limit held a
send back.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.classic import Destination, holds_back
from tidegate.model.traces.general_causes import OVERFLOW, limited_in_messages
from tidegate.record.events import Kind, Moment

ACCEPTED = "accepted"
REJECTED = "rejected"
BLOCKED = "blocked"
UNSETTLED = "unsettled"
SENT = "sent"
TRANSACTED = "transacted"
"""The outcome of opening a producer whose messages count once it commits."""
STOPPED = "stopped"
NONE = "NONE"
MEMORY_LIMIT = "memory-limit"
SHARED = "shared-limits"
CUT = "cut"
"""The cause of a send without an answer whose connection was cut."""


@rule
def otherwise_limited(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the event's destination has a limit in messages, or a policy that refuses or drops messages."""
    overflow = latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == OVERFLOW, per=(e.destination,))
    return limited_in_messages(e) or overflow > 0


@rule
def limited(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the event's destination has a memory limit, and no other limit or shared limit is set."""
    own = total(1 if e.kind == Kind.LIMITS and e.cause == MEMORY_LIMIT else 0, per=(e.destination,))
    shared = total(1 if e.kind == Kind.LIMITS and e.cause == SHARED else 0, per=(e.source,))
    return own > 0 and shared == 0 and not otherwise_limited(e)


@rule
def destination_at(e: Moment) -> Destination:
    """CLASSIC-MEMORY-1: the event's destination, with its last limit and its bytes at the last look."""
    sets = e.kind == Kind.LIMITS and e.cause == MEMORY_LIMIT
    off = latest(1 if e.outcome == NONE else 0, when=sets, per=(e.destination,))
    return Destination(
        limit=latest(e.limit, when=sets, per=(e.destination,)),
        controlled=off == 0,
        bytes=latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,)),
    )


@rule
def waits_at(e: Moment) -> bool:
    """CLASSIC-MEMORY-2: the event's producer waits for the answer to a message to the destination."""
    unanswered = total(1 if e.kind == Kind.SEND and e.outcome == UNSETTLED else 0, per=(e.destination, e.producer))
    return unanswered > total(1 if e.kind == Kind.SETTLED else 0, per=(e.destination, e.producer))


@rule
def is_synchronous(e: Moment) -> bool:
    """CLASSIC-MEMORY-2: the event's producer waits for the answer to each message, and has no transaction."""
    return total(1 if e.outcome == SENT or e.outcome == TRANSACTED else 0, per=(e.producer,)) == 0


@trace_rule
def a_message_is_taken_at_once_exactly_while_not_full(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: a synchronous send is accepted at once if its destination was not full before, and else not."""
    answered = e.outcome == ACCEPTED or e.outcome == UNSETTLED or e.outcome == REJECTED
    given(e.kind == Kind.SEND and answered and e.cause != CUT and limited(e) and is_synchronous(e))
    return (e.outcome == ACCEPTED) == (not holds_back(destination_at(e)))


@trace_rule
def a_producer_is_stopped_only_by_a_full_destination(e: Moment) -> bool:
    """CLASSIC-MEMORY-2: a synchronous producer that comes to rest stopped has a send that waits for space."""
    given(e.kind == Kind.STANDING and limited(e) and is_synchronous(e))
    return (e.outcome == STOPPED) == waits_at(e)


@trace_rule
def no_send_is_left_waiting_once_there_is_space(e: Moment) -> bool:
    """CLASSIC-MEMORY-3: whoever rests with a send that waits has a destination that is full."""
    given(e.kind == Kind.STANDING and limited(e) and is_synchronous(e) and waits_at(e))
    return holds_back(destination_at(e))


@trace_rule
def a_send_fails_only_for_want_of_space(e: Moment) -> bool:
    """CLASSIC-FAIL-1: if a send fails at once, its destination is full."""
    given(e.kind == Kind.SEND and e.outcome == REJECTED and limited(e) and is_synchronous(e))
    return holds_back(destination_at(e))
