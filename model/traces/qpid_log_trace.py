"""Rules over the operational log of a Qpid broker: its lines agree with each other and with their figures.

A log may begin at any time. The state before its first line about a queue or channel is unknown, so this line is judged
by its own figures only, unless the log has the start of the broker before it. A broker that starts knows no overfull
queue and no stopped channel.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.qpid import NOT_SET, Queue, overfull, underfull
from tidegate.model.mechanisms.qpid_log import CHANNEL_STOPPED, QUEUE_OVERFULL, QUEUE_UNDERFULL
from tidegate.model.traces.log_begin import run
from tidegate.record.events import Kind, Moment

OVERFULL_QUEUE = QUEUE_OVERFULL.code
UNDERFULL_QUEUE = QUEUE_UNDERFULL.code
STOPPED_CHANNEL = CHANNEL_STOPPED.code
"""The causes of lines about the state of a queue, and about the stop of a channel."""
OVERFULL_BY_MESSAGES = f"{OVERFULL_QUEUE} by messages"
"""The cause of QUE-1003 if the queue exceeds only a limit in messages, which the document does not know."""
LINES_ARE_APART_MS = 1000
"""The broker writes all lines about one event within this time in ms; lines further apart are about two events."""


@rule
def last_overfull(e: Moment) -> int:
    """QPID-LOG-1: the last line that says that the queue is overfull."""
    return latest(e.seq, when=e.kind == Kind.OVERFULL, per=(e.destination,))


@rule
def last_underfull(e: Moment) -> int:
    """QPID-LOG-3: the last line that says that the queue is underfull."""
    return latest(e.seq, when=e.kind == Kind.UNDERFULL, per=(e.destination,))


@rule
def underfull_since_overfull(e: Moment) -> int:
    """QPID-LOG-3: the number of underfull lines of the queue since its last overfull line."""
    times = total(1 if e.kind == Kind.UNDERFULL else 0, per=(e.destination,))
    return times - latest(times, when=e.kind == Kind.OVERFULL, per=(e.destination,))


@rule
def became_overfull_in_this_run(e: Moment) -> bool:
    """QPID-LOG-3: the queue became overfull since the broker started, or may have been so before the log began."""
    return latest(run(e), when=e.kind == Kind.OVERFULL, per=(e.destination,)) == run(e)


@rule
def orders_so_far(e: Moment) -> int:
    """QPID-LOG-4: the number of lines about the channel so far."""
    return total(1 if e.kind == Kind.STOP or e.kind == Kind.RELEASE else 0, per=(e.channel,))


@rule
def was_stopped_in_this_run(e: Moment) -> bool:
    """QPID-LOG-4: the channel was stopped since the broker started, or may have been stopped before the log began."""
    return latest(run(e), when=e.kind == Kind.STOP, per=(e.channel,)) == run(e)


@rule
def releases_since_stop(e: Moment) -> int:
    """QPID-LOG-4: the number of lines that release the channel since the last line that stopped it."""
    times = total(1 if e.kind == Kind.RELEASE else 0, per=(e.channel,))
    return times - latest(times, when=e.kind == Kind.STOP, per=(e.channel,))


@trace_rule
def a_queue_said_to_be_overfull_exceeds_its_capacity(e: Moment) -> bool:
    """QPID-LOG-1: the capacity in QUE-1003 is above 0 and below the size, or messages are past another one."""
    given(e.cause == OVERFULL_QUEUE)
    return e.limit != NOT_SET and overfull(Queue(capacity=e.limit, resume=e.limit, bytes=e.bytes))


@rule
def filled(e: Moment) -> bool:
    """QPID-LOG-1: the line says that the queue is overfull."""
    return e.cause == OVERFULL_QUEUE or e.cause == OVERFULL_BY_MESSAGES


@rule
def tells_of_queues(e: Moment) -> bool:
    """QPID-LOG-2: the log has lines of the logger of queues."""
    return total(1 if filled(e) or e.cause == UNDERFULL_QUEUE else 0, per=()) > 0


@rule
def has_all_lines_of_queues(e: Moment) -> bool:
    """QPID-LOG-2: the log has all lines about queues since the broker started."""
    return run(e) > 0 and tells_of_queues(e)


@trace_rule
def a_channel_is_stopped_only_by_an_overfull_queue(e: Moment) -> bool:
    """QPID-LOG-2: the last line about the queue that CHN-1005 names says that the queue is overfull."""
    is_known = last_overfull(e) > 0 or last_underfull(e) > 0 or has_all_lines_of_queues(e)
    given(e.cause == STOPPED_CHANNEL and is_known)
    return last_overfull(e) > last_underfull(e)


@rule
def opened(e: Moment) -> int:
    """QPID-LOG-2: the last line that opens the channel."""
    return latest(e.seq, when=e.kind == Kind.OPEN, per=(e.channel,))


@rule
def closed(e: Moment) -> int:
    """QPID-LOG-2: the last line that closes the channel."""
    return latest(e.seq, when=e.kind == Kind.CLOSE, per=(e.channel,))


@rule
def ms_since_closed(e: Moment) -> int:
    """QPID-LOG-2: the ms since the channel was closed."""
    return e.time - latest(e.time, when=e.kind == Kind.CLOSE, per=(e.channel,))


@trace_rule
def no_closed_channel_is_stopped(e: Moment) -> bool:
    """QPID-LOG-2: CHN-1005 stops no channel a second or more after its closing, unless CHN-1001 opens it again."""
    is_known = opened(e) > 0 and closed(e) > opened(e)
    given(e.cause == STOPPED_CHANNEL and is_known)
    return ms_since_closed(e) < LINES_ARE_APART_MS


@trace_rule
def a_queue_said_to_be_underfull_is_below_its_resume_level(e: Moment) -> bool:
    """QPID-LOG-3: the size in QUE-1004 is below its resume level, if any, and the queue was overfull before."""
    given(e.cause == UNDERFULL_QUEUE)
    # a line about a queue whose limit was removed has 0 as its resume level
    queue = Queue(capacity=e.resume, resume=e.resume, bytes=e.bytes)
    was_overfull = underfull_since_overfull(e) == 1 and became_overfull_in_this_run(e)
    return (e.resume == NOT_SET or underfull(queue)) and was_overfull


@rule
def was_closed_long_ago(e: Moment) -> bool:
    """QPID-LOG-4: the channel was closed after its last stop, a second or more before the line."""
    is_end_or_stop = e.kind == Kind.CLOSE or e.kind == Kind.STOP
    is_closed = latest(e.seq, when=is_end_or_stop, per=(e.channel,)) == closed(e)
    return is_closed and ms_since_closed(e) >= LINES_ARE_APART_MS


@trace_rule
def only_a_stopped_channel_is_released(e: Moment) -> bool:
    """QPID-LOG-4: CHN-1006 releases a channel only after a stop, once for each stop, and not long after its closing."""
    given(e.kind == Kind.RELEASE and (orders_so_far(e) > 1 or run(e) > 0))
    return releases_since_stop(e) == 1 and was_stopped_in_this_run(e) and not was_closed_long_ago(e)
