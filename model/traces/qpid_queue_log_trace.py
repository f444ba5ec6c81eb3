"""Rules over the operational log of a Qpid broker about the queue gate: how a queue stops and releases channels.

A line that releases or closes a channel names no queue; its event gets the queue that stopped the channel when the log
is read. A log may begin at any time, and a broker that starts anew releases every channel without a line.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces.log_begin import begins_with_a_start, life
from tidegate.model.traces.qpid_log_trace import (
    LINES_ARE_APART_MS,
    STOPPED_CHANNEL,
    UNDERFULL_QUEUE,
    filled,
    last_overfull,
    orders_so_far,
    underfull_since_overfull,
)
from tidegate.record.events import Kind, Moment


@rule
def is_ended(e: Moment) -> bool:
    """QPID-QUEUE-11: the event ends a stop: the channel is released, or is closed while it is stopped."""
    return e.kind == Kind.RELEASE or e.kind == Kind.CLOSE


@rule
def stops_of(e: Moment) -> int:
    """QPID-QUEUE-8: the number of lines so far in which the queue stops a channel."""
    return total(1 if e.kind == Kind.STOP else 0, per=(e.destination,))


@rule
def ends_of(e: Moment) -> int:
    """QPID-QUEUE-11: the number of stops by the queue that ended so far, by a release or by closing."""
    return total(1 if is_ended(e) else 0, per=(e.destination,))


@rule
def stops_of_channel(e: Moment) -> int:
    """QPID-QUEUE-11: the number of stop lines of the channel since its last release or closing."""
    times = total(1 if e.kind == Kind.STOP else 0, per=(e.channel,))
    return times - latest(times, when=is_ended(e), per=(e.channel,))


@rule
def told_twice(e: Moment) -> int:
    """QPID-QUEUE-11: the number of stop lines for channels that a queue had stopped already."""
    return total(1 if e.kind == Kind.STOP and stops_of_channel(e) > 1 else 0, per=())


@rule
def has_room_again(e: Moment) -> bool:
    """QPID-QUEUE-11: the line says that the queue is underfull."""
    return e.cause == UNDERFULL_QUEUE


@rule
def life_when_filled(e: Moment) -> int:
    """QPID-QUEUE-8: the number of the broker's run in which the queue last became overfull."""
    return latest(life(e), when=filled(e), per=(e.destination,))


@rule
def life_of_cycle_before(e: Moment) -> int:
    """QPID-QUEUE-11: the broker's run in which the queue's previous cycle began."""
    over = latest(life_when_filled(e), when=has_room_again(e), per=(e.destination,))
    return latest(over, when=filled(e), per=(e.destination,))


@rule
def ends_due(e: Moment) -> int:
    """QPID-QUEUE-11: the number of ended stops of the queue once each channel of its previous cycle is released."""
    unreleased = latest(stops_of(e) - ends_of(e), when=filled(e), per=(e.destination,))
    due = latest(stops_of(e) - unreleased, when=has_room_again(e), per=(e.destination,))
    return latest(due, when=filled(e), per=(e.destination,))


@rule
def is_by_its_sender(e: Moment) -> bool:
    """QPID-QUEUE-8: the line names the channel that made the queue overfull last."""
    by_channel = latest(e.seq, when=filled(e), per=(e.destination, e.channel))
    return by_channel == latest(e.seq, when=filled(e), per=(e.destination,))


@rule
def sender_stops_since_filled(e: Moment) -> int:
    """QPID-QUEUE-8: the number of lines that stop the channel that made the queue overfull, since that line."""
    stops = total(1 if e.kind == Kind.STOP and is_by_its_sender(e) else 0, per=(e.destination,))
    return stops - latest(stops, when=filled(e), per=(e.destination,))


@rule
def its_sender_was_free(e: Moment) -> bool:
    """QPID-QUEUE-8: as far as the log shows, the channel that made the queue overfull was not stopped."""
    is_known = begins_with_a_start(e) or orders_so_far(e) > 0
    is_free = e.channel != "" and is_known and stops_of_channel(e) == 0
    return latest(1 if is_free else 0, when=filled(e), per=(e.destination,)) == 1


@rule
def nobody_was_stopped_otherwise(e: Moment) -> bool:
    """QPID-QUEUE-8: since the queue last became overfull, no full store has stopped a channel."""
    otherwise = total(1 if e.kind == Kind.STOP and e.cause != STOPPED_CHANNEL else 0, per=())
    return otherwise == latest(otherwise, when=filled(e), per=(e.destination,))


@rule
def tells_of_channels(e: Moment) -> bool:
    """QPID-QUEUE-8: the log has lines of the logger of channels."""
    return total(1 if e.kind == Kind.STOP or e.kind == Kind.RELEASE else 0, per=()) > 0


@rule
def ends_a_cycle(e: Moment) -> bool:
    """QPID-QUEUE-8: the queue becomes underfull, and became overfull in the same run of the broker."""
    return (
        has_room_again(e) and underfull_since_overfull(e) == 1 and last_filled(e) > 0 and life_when_filled(e) == life(e)
    )


@rule
def last_filled(e: Moment) -> int:
    """QPID-QUEUE-2: the last line that says that the queue is overfull."""
    return latest(e.seq, when=filled(e), per=(e.destination,))


@rule
def last_room(e: Moment) -> int:
    """QPID-QUEUE-2: the last line that says that the queue is underfull."""
    return latest(e.seq, when=has_room_again(e), per=(e.destination,))


@rule
def overfull_since_underfull(e: Moment) -> int:
    """QPID-QUEUE-11: the number of overfull lines of the queue or store since its last underfull line."""
    times = total(1 if e.kind == Kind.OVERFULL else 0, per=(e.destination,))
    return times - latest(times, when=e.kind == Kind.UNDERFULL, per=(e.destination,))


@rule
def full_places(e: Moment) -> int:
    """QPID-QUEUE-11: the number of overfull queues and stores; each may hold a channel without a line."""
    fills = e.kind == Kind.OVERFULL and overfull_since_underfull(e) == 1
    empties = e.kind == Kind.UNDERFULL and underfull_since_overfull(e) == 1 and last_overfull(e) > 0
    return total((1 if fills else 0) - (1 if empties else 0), per=())


@rule
def was_full_alone(e: Moment) -> bool:
    """QPID-QUEUE-11: the log is complete, and nothing else was full when the queue last became overfull."""
    return begins_with_a_start(e) and latest(full_places(e), when=filled(e), per=(e.destination,)) == 1


@rule
def ms_since_any_room(e: Moment) -> int:
    """QPID-QUEUE-11: the ms since the last line that says that some queue or store is underfull."""
    return e.time - latest(e.time, when=e.kind == Kind.UNDERFULL, per=())


@rule
def first_told_to_stop(e: Moment) -> int:
    """QPID-QUEUE-11: the queue's last stop line that found the channel free."""
    is_first = e.cause == STOPPED_CHANNEL and stops_of_channel(e) == 1
    return latest(e.seq, when=is_first, per=(e.channel, e.destination))


@rule
def life_of_stop(e: Moment) -> int:
    """QPID-QUEUE-11: the broker's run with the queue's last stop line that found the channel free."""
    is_first = e.cause == STOPPED_CHANNEL and stops_of_channel(e) == 1
    return latest(life(e), when=is_first, per=(e.channel, e.destination))


@rule
def last_let_go(e: Moment) -> int:
    """QPID-QUEUE-11: the last release or closing of the channel."""
    return latest(e.seq, when=is_ended(e), per=(e.channel,))


@rule
def last_told_to_stop(e: Moment) -> int:
    """QPID-QUEUE-2: the last stop line of the channel."""
    return latest(e.seq, when=e.kind == Kind.STOP, per=(e.channel,))


@trace_rule
def nobody_is_released_before_its_queue_is_underfull(e: Moment) -> bool:
    """QPID-QUEUE-2: between the stop of a channel and CHN-1006, the queue that stopped it becomes underfull."""
    given(e.kind == Kind.RELEASE and (last_filled(e) > 0 or last_room(e) > 0))
    return last_room(e) > last_told_to_stop(e)


@trace_rule
def a_queue_that_is_filled_has_stopped_its_sender(e: Moment) -> bool:
    """QPID-QUEUE-8: if a free channel made a queue overfull, that channel is stopped before the queue is underfull."""
    is_by_queue = its_sender_was_free(e) and nobody_was_stopped_otherwise(e)
    given(ends_a_cycle(e) and tells_of_channels(e) and is_by_queue)
    return sender_stops_since_filled(e) > 0


@trace_rule
def everybody_was_released_a_cycle_later(e: Moment) -> bool:
    """QPID-QUEUE-11: at QUE-1004, each channel that the queue stopped in its previous cycle was released or closed."""
    is_second = has_room_again(e) and life_of_cycle_before(e) == life(e)
    given(is_second and was_full_alone(e) and told_twice(e) == 0)
    return ends_of(e) >= ends_due(e)


@trace_rule
def nobody_is_stopped_again_without_a_release(e: Moment) -> bool:
    """QPID-QUEUE-11: if a queue has room after a stop of a channel, it releases the channel before the next stop."""
    stands_stopped = first_told_to_stop(e) > last_let_go(e) and stops_of_channel(e) > 1
    given(e.cause == STOPPED_CHANNEL and stands_stopped and life_of_stop(e) == life(e))
    return last_room(e) < first_told_to_stop(e)


@trace_rule
def nobody_is_closed_long_after_room(e: Moment) -> bool:
    """QPID-QUEUE-11: no stopped channel is closed a second or more after the last full queue had room again."""
    given(e.kind == Kind.CLOSE and last_filled(e) > 0 and begins_with_a_start(e) and full_places(e) == 0)
    return last_room(e) < last_told_to_stop(e) or ms_since_any_room(e) < LINES_ARE_APART_MS
