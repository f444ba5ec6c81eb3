"""The order of one producer's messages, as a trace rule over any mechanism."""

from tidegate.model.language.past import greatest, latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.general import deliveries, is_refusal
from tidegate.record.events import Kind, Moment

BROKEN = "broken"
"""The cause of a return because the connection of a consumer broke, which the broker may notice later."""
DELAY = "delay"
"""The cause of the send of a message that is delivered later."""
PRIORITY = "priority"
"""The cause of the send of a message with a priority of its own, to queues that hand out by priority."""


@rule
def sent_at(e: Moment) -> int:
    """GENERAL-52: the number of the send event of this message and destination; 0 if there is no send event."""
    return latest(e.seq, when=e.kind == Kind.SEND, per=(e.destination, e.message_id))


@rule
def comes_first(e: Moment) -> bool:
    """GENERAL-52: a message that was not refused, and has no delay or priority, is delivered for the first time."""
    refused = total(1 if is_refusal(e) else 0, per=(e.destination, e.message_id))
    has_its_turn = e.kind == Kind.SEND and (e.cause == DELAY or e.cause == PRIORITY)
    in_turn = total(1 if has_its_turn else 0, per=(e.destination, e.message_id))
    return e.kind == Kind.TAKE and deliveries(e) == 1 and refused == 0 and in_turn == 0


@rule
def was_sent_since_any_return(e: Moment) -> bool:
    """GENERAL-52: since the event's message was sent, none went back to the destination, and no consumer broke."""
    returned = latest(e.seq, when=e.kind == Kind.RETURN, per=(e.destination,))
    broken = total(1 if e.kind == Kind.RETURN and e.cause == BROKEN else 0, per=(e.destination,))
    return sent_at(e) > returned and broken == 0


@rule
def was_sent_since_its_producer_came(e: Moment) -> bool:
    """GENERAL-52: the sender of the event's message is known, and was not opened again since the send."""
    came = latest(e.seq, when=e.kind == Kind.OPEN, per=(e.destination, e.producer))
    return e.producer != "" and sent_at(e) > came


@trace_rule
def no_message_overtakes_another(e: Moment) -> bool:
    """GENERAL-52: no consumer is handed a message after one that the same producer sent to the destination later."""
    last_sent = greatest(sent_at(e), when=comes_first(e), per=(e.destination, e.producer, e.channel))
    given(comes_first(e) and was_sent_since_any_return(e) and was_sent_since_its_producer_came(e))
    return sent_at(e) == last_sent
