"""Rules over a trace of a WSO2 Message Broker, per source, since all producers share its memory."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.andes import Limits, Memory, closes, recovered
from tidegate.record.events import Kind, Moment

STOPPED = "stopped"
ACCEPTED = "accepted"
MEMORY = "memory"
COUNT = "connection-messages"
NO_LIMIT = -1


@rule
def limits_at(e: Moment) -> Limits:
    """ANDES-MEMORY-1: the memory ratios and the message count that were set last."""
    sets_memory = e.kind == Kind.LIMITS and e.cause == MEMORY
    return Limits(
        threshold=latest(e.limit, when=sets_memory, per=(e.source,)),
        recovery=latest(e.resume, when=sets_memory, per=(e.source,)),
        messages=latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == COUNT, per=(e.source,)),
    )


@rule
def memory_at(e: Moment) -> Memory:
    """ANDES-MEMORY-1: the memory, with the used bytes of the last look."""
    return Memory(
        total=latest(e.bytes, when=e.kind == Kind.LIMITS and e.cause == MEMORY, per=(e.source,)),
        used=latest(e.bytes, when=measures(e), per=(e.source,)),
    )


@rule
def measures(e: Moment) -> bool:
    """ANDES-MEMORY-1: the event gives the used memory."""
    return e.kind == Kind.LEVEL and e.cause == MEMORY


@rule
def looked_at(e: Moment) -> bool:
    """ANDES-MEMORY-1: the suite looked at a producer that only the memory can stop."""
    return e.kind == Kind.CHANNEL and memory_at(e).total > 0 and limits_at(e).messages == NO_LIMIT


@rule
def last_exhausted(e: Moment) -> int:
    """ANDES-MEMORY-1: the last event at which less memory was free than the threshold."""
    return latest(e.seq, when=closes(limits_at(e), memory_at(e)), per=(e.source,))


@rule
def is_let_go(e: Moment) -> bool:
    """ANDES-MEMORY-6: a publish that waited for memory gets the answer that its message is stored."""
    return e.kind == Kind.SETTLED and e.outcome == ACCEPTED


@rule
def let_go_since_removal(e: Moment) -> int:
    """ANDES-MEMORY-6: the bytes of the publishes that were released since the last removal of a message."""
    ever = total(e.bytes if is_let_go(e) else 0, per=(e.source,))
    return ever - latest(ever, when=e.kind == Kind.ACKNOWLEDGE or e.kind == Kind.PURGE, per=(e.source,))


@rule
def memory_before_let_go(e: Moment) -> Memory:
    """ANDES-MEMORY-2: the memory after the last removal, before released publishes took memory again."""
    return Memory(total=memory_at(e).total, used=memory_at(e).used - let_go_since_removal(e))


@rule
def last_recovered(e: Moment) -> int:
    """ANDES-MEMORY-2: the last event with recovered memory, as seen or as it was just before a release."""
    seen = recovered(limits_at(e), memory_at(e))
    before = is_let_go(e) and recovered(limits_at(e), memory_before_let_go(e))
    return latest(e.seq, when=seen or before, per=(e.source,))


@rule
def must_recover(e: Moment) -> bool:
    """ANDES-MEMORY-2: the memory was exhausted and has not recovered since."""
    return last_exhausted(e) > last_recovered(e)


@rule
def is_met(e: Moment) -> bool:
    """ANDES-MEMORY-3: the producer has published, or the suite saw it while the memory stopped no producer."""
    meets = e.kind == Kind.SEND or (e.kind == Kind.CHANNEL and not must_recover(e))
    return latest(1, when=meets, per=(e.source, e.producer)) == 1


@rule
def judged(e: Moment) -> bool:
    """ANDES-MEMORY-3: a look at a producer that published before, or that was seen while the memory stopped nobody."""
    return looked_at(e) and is_met(e)


@trace_rule
def publishers_are_stopped_exactly_from_exhaustion_to_recovery(e: Moment) -> bool:
    """ANDES-MEMORY-1: a producer is stopped exactly from exhaustion of the memory to its recovery."""
    given(judged(e))
    return (e.outcome == STOPPED) == must_recover(e)


@trace_rule
def nobody_is_let_go_before_recovery(e: Moment) -> bool:
    """ANDES-MEMORY-2: a producer stays stopped as long as exhausted memory has not recovered."""
    given(judged(e) and must_recover(e))
    return e.outcome == STOPPED


@trace_rule
def every_publisher_is_stopped_while_memory_is_exhausted(e: Moment) -> bool:
    """ANDES-MEMORY-3: every producer is stopped while too little memory is free, whoever published."""
    given(judged(e) and closes(limits_at(e), memory_at(e)))
    return e.outcome == STOPPED


@trace_rule
def everybody_goes_on_once_memory_is_recovered(e: Moment) -> bool:
    """ANDES-MEMORY-6: every producer is free after the memory has recovered."""
    given(judged(e) and recovered(limits_at(e), memory_at(e)))
    return e.outcome != STOPPED
