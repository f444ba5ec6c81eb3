"""Trace rules, over any mechanism: a send that waits fails at its time, neither long before nor long after.

Scenarios judge the exact time. The clocks of clients and the looks of the suite differ a little, so these rules judge
only larger errors.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.general_waits import has_waited_its_time
from tidegate.model.traces.classic_trace import SHARED, TRANSACTED
from tidegate.model.traces.general import REJECTED, UNSETTLED
from tidegate.record.events import Kind, Moment

SLACK_MS = 500
"""The most ms by which a send may fail too early or too late, by the times of events."""


@rule
def time_of_client(e: Moment) -> int:
    """GENERAL-51: the time in ms that sends of the event's producer may wait; 0 if no time is configured."""
    return latest(e.limit, when=e.kind == Kind.OPEN, per=(e.producer,))


@rule
def time_of_broker(e: Moment) -> int:
    """CLASSIC-FAIL-3: the time in ms that the broker lets any send wait; 0 if no time is configured."""
    return latest(e.limit, when=e.kind == Kind.LIMITS and e.cause == SHARED, per=(e.source,))


@rule
def waits_alone(e: Moment) -> bool:
    """GENERAL-51: the producer has one waiting send outside of a transaction, and is alone on its connection."""
    opened = total(1 if e.kind == Kind.OPEN else 0, per=(e.connection,))
    transacted = total(1 if e.kind == Kind.OPEN and e.outcome == TRANSACTED else 0, per=(e.producer,))
    began = 1 if e.kind == Kind.SEND and e.outcome == UNSETTLED else 0
    ended = 1 if e.kind == Kind.SETTLED else 0
    # with the event itself a send may end
    waiting = total(began - ended, per=(e.producer,)) + ended
    return opened == 1 and transacted == 0 and waiting == 1


@rule
def waited_ms(e: Moment) -> int:
    """GENERAL-51: the time in ms since the latest send of the event's producer began to wait."""
    return e.time - latest(e.time, when=e.kind == Kind.SEND and e.outcome == UNSETTLED, per=(e.producer,))


@rule
def is_in_time(e: Moment, timeout_ms: int) -> bool:
    """GENERAL-51: a waiting send is not much past its time, or a failed send was close to its time."""
    waited = waited_ms(e)
    is_late = has_waited_its_time(timeout_ms + SLACK_MS, waited)
    return not is_late if e.kind == Kind.STANDING else has_waited_its_time(timeout_ms, waited + SLACK_MS)


@rule
def shows_a_wait(e: Moment) -> bool:
    """GENERAL-51: the suite looks at a producer with a waiting send, or this send has failed."""
    return waits_alone(e) and (e.kind == Kind.STANDING or (e.kind == Kind.SETTLED and e.outcome == REJECTED))


@trace_rule
def a_send_waits_for_the_time_of_its_client(e: Moment) -> bool:
    """GENERAL-51: if the sends of a client may wait for a time, none fails before it, and none waits after it."""
    timeout = time_of_client(e)
    given(shows_a_wait(e) and timeout > 0)
    return is_in_time(e, timeout)


@trace_rule
def a_send_waits_for_the_time_of_the_broker(e: Moment) -> bool:
    """CLASSIC-FAIL-3: if the broker lets sends wait for a time, none fails before it, and none waits after it."""
    timeout = time_of_broker(e)
    given(shows_a_wait(e) and timeout > 0)
    return is_in_time(e, timeout)
