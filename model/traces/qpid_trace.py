"""Rules over a trace of a Qpid broker, per queue and channel."""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.qpid import Queue, overfull, underfull
from tidegate.model.traces.general_causes import closed_by_bytes_alone
from tidegate.model.traces.qpid_disk_trace import under_quota
from tidegate.record.events import Kind, Moment

STOPPED = "stopped"
CAPACITY = "capacity"
SEND = "send"
SETTLED = "settled"


@rule
def queue_at(e: Moment, level: int) -> Queue:
    """QPID-QUEUE-1: the event's queue, with the limits last set for the queue and these bytes."""
    sets = e.kind == Kind.LIMITS and e.cause == CAPACITY
    return Queue(
        capacity=latest(e.limit, when=sets, per=(e.destination,)),
        resume=latest(e.resume, when=sets, per=(e.destination,)),
        bytes=level,
    )


@rule
def is_own_send(e: Moment) -> bool:
    """QPID-QUEUE-8: the event is a look at the queue right after a message of the event's channel was stored."""
    return e.kind == Kind.LEVEL and (e.cause == SEND or e.cause == SETTLED)


@rule
def is_removal(e: Moment) -> bool:
    """QPID-QUEUE-2: the event is a look at the queue right after something other than a send."""
    return e.kind == Kind.LEVEL and e.cause != SEND and e.cause != SETTLED


@rule
def last_sent_past_capacity(e: Moment) -> int:
    """QPID-QUEUE-7: the last time that the channel's own message left the queue overfull."""
    past = is_own_send(e) and overfull(queue_at(e, e.bytes))
    return latest(e.seq, when=past, per=(e.destination, e.channel))


@rule
def last_sent_to_overfull(e: Moment) -> int:
    """QPID-QUEUE-7: the last time that the channel sent to a queue that was already overfull."""
    size = latest(e.bytes, when=e.kind == Kind.SEND, per=(e.producer,))
    onto = is_own_send(e) and overfull(queue_at(e, e.bytes - size))
    return latest(e.seq, when=onto, per=(e.destination, e.channel))


@rule
def lets_go(e: Moment) -> bool:
    """QPID-QUEUE-2: a look shows an underfull queue, unless an arriving message also made it overfull."""
    queue = queue_at(e, e.bytes)
    return e.kind == Kind.LEVEL and underfull(queue) and not (is_own_send(e) and overfull(queue))


@rule
def last_underfull(e: Moment) -> int:
    """QPID-QUEUE-2: the last look at which the queue was underfull."""
    return latest(e.seq, when=lets_go(e), per=(e.destination,))


@rule
def crossed(e: Moment) -> bool:
    """QPID-QUEUE-8: the channel's message left the queue overfull, and the queue was not underfull since."""
    return last_sent_past_capacity(e) > last_underfull(e)


@rule
def last_seen_stopped(e: Moment) -> int:
    """QPID-QUEUE-8: the last look that showed the channel stopped after its message left the queue overfull."""
    return latest(e.seq, when=e.outcome == STOPPED and crossed(e), per=(e.destination, e.channel))


@rule
def held(e: Moment) -> bool:
    """QPID-QUEUE-10: the queue has stopped the channel, and was not underfull since.

    It stops who sends to it while it is overfull. A look shows if it stops the sender of the crossing message, too.
    """
    return last_sent_to_overfull(e) > last_underfull(e) or last_seen_stopped(e) > last_underfull(e)


@rule
def last_own_send(e: Moment) -> int:
    """QPID-QUEUE-8: the last send of the channel to the queue."""
    return latest(e.seq, when=is_own_send(e), per=(e.destination, e.channel))


@rule
def last_removal(e: Moment) -> int:
    """QPID-QUEUE-2: the last look at the queue right after something other than a send."""
    return latest(e.seq, when=is_removal(e), per=(e.destination,))


@rule
def last_level(e: Moment) -> int:
    """QPID-QUEUE-10: the bytes in the queue at the last look."""
    return latest(e.bytes, when=e.kind == Kind.LEVEL, per=(e.destination,))


@rule
def opened_once(e: Moment) -> bool:
    """QPID-QUEUE-1: the channel has had exactly one destination."""
    return total(1 if e.kind == Kind.OPEN else 0, per=(e.channel,)) == 1


@rule
def only_queue(e: Moment) -> bool:
    """QPID-QUEUE-1: only the bytes of one queue can stop the channel, so its state shows that queue."""
    return opened_once(e) and not under_quota(e) and closed_by_bytes_alone(e)


@rule
def queues_holding(e: Moment) -> int:
    """QPID-QUEUE-11: the number of queues that hold the channel, by the latest looks at the channel."""
    towards_queue = e.kind == Kind.STANDING
    ever = total(1 if towards_queue and held(e) else 0, per=(e.channel,))
    since_last = ever - latest(ever, when=e.kind == Kind.CHANNEL, per=(e.channel,))
    return latest(since_last, when=towards_queue, per=(e.channel,))


@rule
def queues_with_other_causes(e: Moment) -> int:
    """QPID-QUEUE-11: the number of queues that more than bytes can close, by the latest looks at the channel."""
    towards_queue = e.kind == Kind.STANDING
    ever = total(1 if towards_queue and not closed_by_bytes_alone(e) else 0, per=(e.channel,))
    since_last = ever - latest(ever, when=e.kind == Kind.CHANNEL, per=(e.channel,))
    return latest(since_last, when=towards_queue, per=(e.channel,))


@rule
def was_held(e: Moment) -> bool:
    """QPID-QUEUE-11: some queue held the channel before."""
    return total(1 if e.kind == Kind.STANDING and held(e) else 0, per=(e.channel,)) > 0


@rule
def judged_after_send(e: Moment) -> bool:
    """QPID-QUEUE-1: the suite looks at the channel, and the queue's last change was the channel's own send."""
    return e.kind == Kind.STANDING and last_own_send(e) > last_removal(e)


@rule
def judged_after_removal(e: Moment) -> bool:
    """QPID-QUEUE-2: the suite looks at the channel, and the queue's last change was a removal."""
    return e.kind == Kind.STANDING and last_removal(e) > last_own_send(e)


@trace_rule
def a_sender_is_stopped_exactly_past_the_capacity(e: Moment) -> bool:
    """QPID-QUEUE-1: after its own send a channel is stopped if it left the queue overfull, and free if not."""
    given(judged_after_send(e) and only_queue(e))
    return (e.outcome == STOPPED) == held(e)


@trace_rule
def nobody_is_released_before_underfull(e: Moment) -> bool:
    """QPID-QUEUE-2: after a removal a channel that the queue holds is still stopped."""
    given(judged_after_removal(e) and last_sent_past_capacity(e) > 0)
    return e.outcome == STOPPED or not held(e)


@trace_rule
def a_sender_to_an_overfull_queue_is_stopped(e: Moment) -> bool:
    """QPID-QUEUE-7: a channel that sent to an overfull queue is stopped."""
    given(judged_after_send(e) and last_sent_to_overfull(e) > last_underfull(e))
    return e.outcome == STOPPED


@trace_rule
def the_sender_of_the_crossing_message_is_stopped(e: Moment) -> bool:
    """QPID-QUEUE-8: a channel whose message took the queue past its capacity is stopped."""
    given(judged_after_send(e) and crossed(e) and last_sent_past_capacity(e) > last_sent_to_overfull(e))
    return e.outcome == STOPPED


@trace_rule
def nothing_changes_between_the_levels(e: Moment) -> bool:
    """QPID-QUEUE-10: while the queue is neither overfull nor underfull, a channel stands as it stood before."""
    queue = queue_at(e, last_level(e))
    between = not overfull(queue) and not underfull(queue)
    given(e.kind == Kind.STANDING and last_own_send(e) > 0 and between and only_queue(e))
    return (e.outcome == STOPPED) == held(e)


@trace_rule
def a_channel_that_nothing_holds_is_released(e: Moment) -> bool:
    """QPID-QUEUE-11: a channel that was held is stopped as long as one of its queues holds it, and then no longer."""
    decided = queues_holding(e) > 0 or queues_with_other_causes(e) == 0
    given(e.kind == Kind.CHANNEL and was_held(e) and not under_quota(e) and decided)
    return (e.outcome == STOPPED) == (queues_holding(e) > 0)
