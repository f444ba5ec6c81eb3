"""Rules over a trace of an Artemis address for its Core producers, per address."""

from tidegate.model.language.past import latest
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.artemis import AddressLimits
from tidegate.model.mechanisms.artemis_producer import granted
from tidegate.model.traces.artemis_trace import BLOCK
from tidegate.record.events import Kind, Moment

MAX_SIZE = "core-max-size"
STOPPED = "stopped"
UNSETTLED = "unsettled"
NO_THRESHOLD = -1


@rule
def core_limits_at(e: Moment) -> AddressLimits:
    """ARTEMIS-CORE-8: the maximum size and the policy last set for the event's address."""
    sets = e.kind == Kind.LIMITS and e.cause == MAX_SIZE
    return AddressLimits(
        max_size=latest(e.limit, when=sets, per=(e.destination,)),
        reject_threshold=NO_THRESHOLD,
        blocks=latest(1 if e.outcome == BLOCK else 0, when=sets, per=(e.destination,)) == 1,
    )


@rule
def size_that_waits(e: Moment) -> int:
    """ARTEMIS-CORE-8: the size of the last message with which the event's producer waited; at least 1 byte."""
    waits = e.kind == Kind.SEND and e.outcome == UNSETTLED
    size = latest(e.bytes, when=waits, per=(e.destination, e.producer))
    return size if size > 0 else 1


@trace_rule
def no_core_producer_waits_beside_room_for_its_message(e: Moment) -> bool:
    """ARTEMIS-CORE-8: who stands stopped would not be granted the credit for its message, even with none left."""
    level = latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))
    given(e.kind == Kind.STANDING and e.outcome == STOPPED and core_limits_at(e).blocks)
    return granted(core_limits_at(e), level, 0, size_that_waits(e)) < size_that_waits(e)
