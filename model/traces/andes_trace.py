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
    """ANDES-MEMORY-1: the ratios and the count last set."""
    sets_memory = e.kind == Kind.LIMITS and e.cause == MEMORY
    return Limits(
        threshold=latest(e.limit, when=sets_memory, per=(e.source,)),
        recovery=latest(e.resume, when=sets_memory, per=(e.source,)),
        messages=latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == COUNT, per=(e.source,)),
    )


@rule
def memory_at(e: Moment) -> Memory:
    """ANDES-MEMORY-1: the memory, with the bytes that were last seen to be used."""
    return Memory(
        total=latest(e.bytes, when=e.kind == Kind.LIMITS and e.cause == MEMORY, per=(e.source,)),
        used=latest(e.bytes, when=measures(e), per=(e.source,)),
    )


@rule
def measures(e: Moment) -> bool:
    """ANDES-MEMORY-1: the event says how much memory is used."""
    return e.kind == Kind.LEVEL and e.cause == MEMORY


@rule
def looked_at(e: Moment) -> bool:
    """ANDES-MEMORY-1: where a producer stands as a whole was looked at, and only the memory can stop it."""
    return e.kind == Kind.CHANNEL and memory_at(e).total > 0 and limits_at(e).messages == NO_LIMIT


@rule
def last_exhausted(e: Moment) -> int:
    """ANDES-MEMORY-1: when less memory was last seen to be free than must be."""
    return latest(e.seq, when=closes(limits_at(e), memory_at(e)), per=(e.source,))


@rule
def is_let_go(e: Moment) -> bool:
    """ANDES-MEMORY-6: a publish that had waited for the memory is told that its message was stored."""
    return e.kind == Kind.SETTLED and e.outcome == ACCEPTED


@rule
def let_go_since_removal(e: Moment) -> int:
    """ANDES-MEMORY-6: bytes of the publishes that were let go since a message was last removed."""
    ever = total(e.bytes if is_let_go(e) else 0, per=(e.source,))
    return ever - latest(ever, when=e.kind == Kind.ACKNOWLEDGE or e.kind == Kind.PURGE, per=(e.source,))


@rule
def memory_before_let_go(e: Moment) -> Memory:
    """ANDES-MEMORY-2: the memory right after that removal: what was let go is in use by the first look at it."""
    return Memory(total=memory_at(e).total, used=memory_at(e).used - let_go_since_removal(e))


@rule
def last_recovered(e: Moment) -> int:
    """ANDES-MEMORY-2: when the memory was last seen to be recovered, or to have been before a publish was let go."""
    seen = recovered(limits_at(e), memory_at(e))
    before = is_let_go(e) and recovered(limits_at(e), memory_before_let_go(e))
    return latest(e.seq, when=seen or before, per=(e.source,))


@rule
def must_recover(e: Moment) -> bool:
    """ANDES-MEMORY-2: the memory was exhausted and has not recovered since."""
    return last_exhausted(e) > last_recovered(e)


@rule
def is_met(e: Moment) -> bool:
    """ANDES-MEMORY-3: the producer has published, or it was looked at while the memory stopped nobody."""
    meets = e.kind == Kind.SEND or (e.kind == Kind.CHANNEL and not must_recover(e))
    return latest(1, when=meets, per=(e.source, e.producer)) == 1


@rule
def judged(e: Moment) -> bool:
    """ANDES-MEMORY-3: a look at a producer that did not come only while the memory was exhausted."""
    return looked_at(e) and is_met(e)


@trace_rule
def publishers_are_stopped_exactly_from_exhaustion_to_recovery(e: Moment) -> bool:
    """ANDES-MEMORY-1: a producer stands stopped exactly if the memory was exhausted and has not recovered since."""
    given(judged(e))
    return (e.outcome == STOPPED) == must_recover(e)


@trace_rule
def nobody_is_let_go_before_recovery(e: Moment) -> bool:
    """ANDES-MEMORY-2: while the memory has not recovered since it was exhausted, a producer stands stopped."""
    given(judged(e) and must_recover(e))
    return e.outcome == STOPPED


@trace_rule
def every_publisher_is_stopped_while_memory_is_exhausted(e: Moment) -> bool:
    """ANDES-MEMORY-3: whoever is looked at while too little memory is free stands stopped, whoever published."""
    given(judged(e) and closes(limits_at(e), memory_at(e)))
    return e.outcome == STOPPED


@trace_rule
def everybody_goes_on_once_memory_is_recovered(e: Moment) -> bool:
    """ANDES-MEMORY-6: whoever is looked at after the memory has recovered is free."""
    given(judged(e) and recovered(limits_at(e), memory_at(e)))
    return e.outcome != STOPPED
