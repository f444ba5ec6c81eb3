"""Rules over a trace of an Artemis address, per address and AMQP producer."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.artemis import AddressLimits, full, rejecting
from tidegate.model.mechanisms.credit import Window, at_low_mark, refill
from tidegate.model.traces.general_causes import closed_by_bytes_alone
from tidegate.record.events import Kind, Moment

ACCEPTED = "accepted"
REJECTED = "rejected"
UNSETTLED = "unsettled"
SENT = "sent"
"""The outcome of a message to which no answer is owed."""
BLOCK = "BLOCK"
MAX_SIZE = "max-size"
REJECT_THRESHOLD = "reject-threshold"
CREDIT_WINDOW = "credit"
SEND = "send"


@rule
def limits_at(e: Moment) -> AddressLimits:
    """ARTEMIS-BLOCK-1: the limits last set for the event's address."""
    sets_size = e.kind == Kind.LIMITS and e.cause == MAX_SIZE
    sets_threshold = e.kind == Kind.LIMITS and e.cause == REJECT_THRESHOLD
    return AddressLimits(
        max_size=latest(e.limit, when=sets_size, per=(e.destination,)),
        reject_threshold=latest(e.limit, when=sets_threshold, per=(e.destination,)),
        blocks=latest(1 if e.outcome == BLOCK else 0, when=sets_size, per=(e.destination,)) == 1,
    )


@rule
def window_at(e: Moment) -> Window:
    """ARTEMIS-AMQP-4: the credit window last set for the event's address."""
    sets = e.kind == Kind.LIMITS and e.cause == CREDIT_WINDOW
    return Window(
        size=latest(e.limit, when=sets, per=(e.destination,)),
        low=latest(e.resume, when=sets, per=(e.destination,)),
    )


@rule
def level_at(e: Moment) -> int:
    """ARTEMIS-BLOCK-1: the bytes in the address at the last look."""
    return latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))


@rule
def least_level_at_issue(e: Moment) -> int:
    """ARTEMIS-AMQP-5: the fewest bytes in the address as credit was issued; the last message may be missing."""
    stored = e.kind == Kind.SEND and (e.outcome == ACCEPTED or e.outcome == SENT)
    last_size = latest(e.bytes, when=stored, per=(e.destination,))
    last_sent = latest(e.seq, when=stored, per=(e.destination,))
    last_other = latest(e.seq, when=e.kind == Kind.LEVEL and e.cause != SEND, per=(e.destination,))
    return level_at(e) - last_size if last_sent > last_other else level_at(e)


@rule
def was_sent(e: Moment) -> bool:
    """ARTEMIS-AMQP-1: the event is a message that reached the broker, stored, rejected, or with no answer owed."""
    return e.kind == Kind.SEND and (e.outcome == ACCEPTED or e.outcome == REJECTED or e.outcome == SENT)


@rule
def most_before(e: Moment) -> int:
    """ARTEMIS-AMQP-9: the most bytes in the address before this message: at the last look, and sent since."""
    may_be_stored = e.kind == Kind.SEND and (e.outcome == ACCEPTED or e.outcome == SENT or e.outcome == UNSETTLED)
    size = e.bytes if may_be_stored else 0
    sent = total(size, per=(e.destination,))
    seen = latest(sent, when=e.kind == Kind.LEVEL, per=(e.destination,))
    return level_at(e) + sent - seen - size


@rule
def was_rejected_last(e: Moment) -> bool:
    """ARTEMIS-AMQP-9: the last message of the event's producer that reached the broker was rejected."""
    return latest(1 if e.outcome == REJECTED else 0, when=was_sent(e), per=(e.producer,)) == 1


@rule
def costs_credit(e: Moment) -> bool:
    """ARTEMIS-AMQP-1: the event is a message to the broker; its transaction may still be open."""
    return was_sent(e) or (e.kind == Kind.SEND and e.outcome == UNSETTLED)


@rule
def left_at(e: Moment) -> int:
    """ARTEMIS-AMQP-1: the credits that the event's producer has left after this event."""
    issued = total(e.credit if e.kind == Kind.CREDIT else 0, per=(e.producer,))
    drained = total(e.credit if e.kind == Kind.DRAIN else 0, per=(e.producer,))
    return issued - drained - total(1 if costs_credit(e) else 0, per=(e.producer,))


@rule
def is_refill(e: Moment) -> bool:
    """ARTEMIS-AMQP-4: the event issues credit to a producer that was issued credit before."""
    return e.kind == Kind.CREDIT and total(e.credit if e.kind == Kind.CREDIT else 0, per=(e.producer,)) > e.credit


@rule
def lacks_credit(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the suite looks at a producer with no more credits than the low mark."""
    return e.kind == Kind.STANDING and at_low_mark(window_at(e), left_at(e))


@rule
def does_not_block(e: Moment) -> bool:
    """ARTEMIS-BLOCK-3: the event's address has a policy other than BLOCK."""
    sets_policy = e.kind == Kind.LIMITS and e.cause == MAX_SIZE
    return latest(0 if e.outcome == BLOCK else 1, when=sets_policy, per=(e.destination,)) == 1


@trace_rule
def credit_comes_exactly_while_not_full(e: Moment) -> bool:
    """ARTEMIS-BLOCK-1: credit that is due is issued if the address is not full, and is missing if it is."""
    issued = e.kind == Kind.CREDIT
    given((issued or lacks_credit(e)) and closed_by_bytes_alone(e) and not does_not_block(e))
    return not full(limits_at(e), least_level_at_issue(e)) if issued else full(limits_at(e), level_at(e))


@trace_rule
def credit_comes_whatever_an_address_holds_that_does_not_block(e: Moment) -> bool:
    """ARTEMIS-BLOCK-3: under another policy than BLOCK credit that is due is issued, and nobody lacks it."""
    issued = e.kind == Kind.CREDIT
    given((issued or lacks_credit(e)) and closed_by_bytes_alone(e) and does_not_block(e))
    return issued


@trace_rule
def credit_is_refilled_at_the_low_mark(e: Moment) -> bool:
    """ARTEMIS-AMQP-4: with a configured window, a refill comes at the low mark and goes up to the window."""
    # the refill is at least what is due at the low mark, and that much fits the window at the low mark only
    given(is_refill(e) and window_at(e).size > 0)
    due = refill(window_at(e), window_at(e).low)
    return due <= e.credit and e.credit <= refill(window_at(e), left_at(e) - e.credit)


@trace_rule
def a_message_costs_one_credit(e: Moment) -> bool:
    """ARTEMIS-AMQP-1: a producer loses credit by nothing but its messages, and gets back none that a message cost."""
    # an unanswered message may be on its way or held back by the client
    unanswered = total(1 if costs_credit(e) and not was_sent(e) else 0, per=(e.producer,))
    issued = total(e.credit if e.kind == Kind.CREDIT else 0, per=(e.producer,)) > 0
    # no document says whether a producer whose message was rejected keeps its remaining credit
    loses = e.kind == Kind.DRAIN and not was_rejected_last(e) and unanswered == 0
    gets_back = e.kind == Kind.DRAIN and e.credit < 0
    given(loses or gets_back or (e.kind == Kind.STANDING and issued))
    return e.kind == Kind.STANDING and e.credit <= left_at(e) + unanswered


@trace_rule
def no_credit_is_issued_while_full(e: Moment) -> bool:
    """ARTEMIS-AMQP-5: credit comes only if the address was not full before the message sent last."""
    given(e.kind == Kind.CREDIT)
    return not full(limits_at(e), least_level_at_issue(e))


@trace_rule
def credit_returns_once_space_is_free(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: once an address that was full is no longer full, no producer is left at its low mark."""
    was_full = latest(1, when=e.kind == Kind.LEVEL and full(limits_at(e), e.bytes), per=(e.destination,)) == 1
    free = not full(limits_at(e), level_at(e)) and closed_by_bytes_alone(e) and not does_not_block(e)
    given(e.kind == Kind.STANDING and was_full and free)
    return not at_low_mark(window_at(e), left_at(e))


@trace_rule
def messages_are_rejected_from_the_threshold_on(e: Moment) -> bool:
    """ARTEMIS-AMQP-9: a message is rejected exactly when the address held the reject threshold before it came.

    ARTEMIS-AMQP-7 leaves it open whether a full address below its threshold accepts what comes on credit from before.
    Within a burst the address may hold more than was last seen. Nobody is told of a message to which no answer is owed.
    """
    highest = most_before(e)
    may_reject = full(limits_at(e), highest) or rejecting(limits_at(e), highest)
    is_sure = rejecting(limits_at(e), level_at(e)) or not may_reject
    given(was_sent(e) and e.outcome != SENT and is_sure and not does_not_block(e))
    return (e.outcome == REJECTED) == rejecting(limits_at(e), level_at(e))
