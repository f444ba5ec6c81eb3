"""Rules for messages under every mechanism: the answers to the client must agree with the deliveries."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment

ACCEPTED = "accepted"
REJECTED = "rejected"
BLOCKED = "blocked"
UNSETTLED = "unsettled"
DRAINED = "drained"
DROP = "DROP"
"""The policy of a full destination that drops messages."""


@rule
def is_answer(e: Moment) -> bool:
    """GENERAL-1: the producer learns the fate of a message, at once or later."""
    return e.kind == Kind.SEND or e.kind == Kind.SETTLED


@rule
def is_acceptance(e: Moment) -> bool:
    """GENERAL-2: the producer learns that its message is stored."""
    return is_answer(e) and e.outcome == ACCEPTED


@rule
def is_refusal(e: Moment) -> bool:
    """GENERAL-1: the producer learns that its message was refused, or that its client sent nothing."""
    return is_answer(e) and (e.outcome == REJECTED or e.outcome == BLOCKED)


@rule
def deliveries(e: Moment) -> int:
    """GENERAL-2: the number of deliveries of the event's message."""
    return total(1 if e.kind == Kind.TAKE else 0, per=(e.destination, e.message_id))


@rule
def returns_since_first_delivery(e: Moment) -> int:
    """GENERAL-2: the number of returns to the destination since the first delivery of the message."""
    returned = total(1 if e.kind == Kind.RETURN else 0, per=(e.destination,))
    first = e.kind == Kind.TAKE and deliveries(e) == 1
    return returned - latest(returned, when=first, per=(e.destination, e.message_id))


@rule
def acknowledgements(e: Moment) -> int:
    """GENERAL-2: the number of acknowledgements of the event's message."""
    return total(1 if e.kind == Kind.ACKNOWLEDGE else 0, per=(e.destination, e.message_id))


@rule
def acceptances(e: Moment) -> int:
    """GENERAL-2: the number of answers that accept the event's message."""
    return total(1 if is_acceptance(e) else 0, per=(e.destination, e.message_id))


@rule
def in_hand(e: Moment) -> int:
    """GENERAL-2: the number of messages of the destination in flight: delivered, not acknowledged, not returned."""
    taken = total(1 if e.kind == Kind.TAKE else 0, per=(e.destination,))
    settled = total(1 if e.kind == Kind.ACKNOWLEDGE else 0, per=(e.destination,))
    return taken - settled - latest(taken - settled, when=e.kind == Kind.RETURN, per=(e.destination,))


@rule
def was_sent_since_purge(e: Moment) -> bool:
    """GENERAL-2: the event's message was sent after the last purge of the destination."""
    purged = latest(e.seq, when=e.kind == Kind.PURGE, per=(e.destination,))
    return latest(e.seq, when=e.kind == Kind.SEND, per=(e.destination, e.message_id)) > purged


@rule
def is_completed(e: Moment) -> bool:
    """GENERAL-2: with this event a message is both accepted and acknowledged, in either order."""
    by_acknowledgement = e.kind == Kind.ACKNOWLEDGE and acknowledgements(e) == 1 and acceptances(e) > 0
    by_acceptance = is_acceptance(e) and acceptances(e) == 1 and acknowledgements(e) > 0
    return by_acknowledgement or by_acceptance


@rule
def outstanding(e: Moment) -> int:
    """GENERAL-2: the number of messages since the last purge that are accepted and not acknowledged."""
    accepted = is_acceptance(e) and acceptances(e) == 1 and was_sent_since_purge(e)
    completed = is_completed(e) and was_sent_since_purge(e)
    owed = total((1 if accepted else 0) - (1 if completed else 0), per=(e.destination,))
    return owed - latest(owed, when=e.kind == Kind.PURGE, per=(e.destination,))


@trace_rule
def refused_is_never_delivered(e: Moment) -> bool:
    """GENERAL-1: what a consumer is handed was handed over to the broker, and is refused neither before nor after."""
    refused = total(1 if is_refusal(e) else 0, per=(e.destination, e.message_id))
    answered = total(1 if is_answer(e) else 0, per=(e.destination, e.message_id))
    given(e.kind == Kind.TAKE or is_refusal(e))
    return answered > 0 and refused == 0 if e.kind == Kind.TAKE else deliveries(e) == 0


@rule
def last_started(e: Moment) -> int:
    """GENERAL-2: the last restart of the broker, for this destination."""
    return latest(e.seq, when=e.kind == Kind.START, per=(e.destination,))


@rule
def is_fresh(e: Moment) -> bool:
    """GENERAL-2: the message is delivered for the first time or after a return, and is not acknowledged."""
    return deliveries(e) <= 1 + returns_since_first_delivery(e) and acknowledgements(e) == 0


@rule
def shows_messages(e: Moment) -> bool:
    """GENERAL-2: the event is a delivery, or a look at a drained destination with no message in flight."""
    return e.kind == Kind.TAKE or (e.kind == Kind.LEVEL and e.cause == DRAINED and in_hand(e) == 0)


@rule
def may_have_dropped(e: Moment) -> bool:
    """GENERAL-2: the event's destination had, at some time, a policy that drops messages."""
    return latest(e.seq, when=e.kind == Kind.LIMITS and e.outcome == DROP, per=(e.destination,)) > 0


@trace_rule
def accepted_is_delivered_once(e: Moment) -> bool:
    """GENERAL-2: no message is handed out again unless it was given back, and a drained queue owes none accepted."""
    fresh = is_fresh(e)
    owed = outstanding(e)
    given(shows_messages(e) and last_started(e) == 0 and not may_have_dropped(e))
    return fresh if e.kind == Kind.TAKE else owed == 0
