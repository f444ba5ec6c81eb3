"""Rules over a trace of a Qpid broker with a disk quota, per source, since all producers share the store.

A trace does not show the space of messages on disk. So these rules require only that all producers are treated alike,
and that an empty store releases every producer.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.record.events import Kind, Moment

QUOTA = "disk-quota"
"""The cause of a `limits` event that sets the two limits of a store, in bytes."""
STOPPED = "stopped"
ACCEPTED = "accepted"


@rule
def under_quota(e: Moment) -> bool:
    """QPID-DISK-3: a disk quota is set, so that not only queues can stop a channel."""
    return total(1 if e.kind == Kind.LIMITS and e.cause == QUOTA else 0, per=(e.source,)) > 0


@rule
def by_quota_alone(e: Moment) -> bool:
    """QPID-DISK-3: a disk quota is set, and no queue has a capacity."""
    capacities = total(1 if e.kind == Kind.LIMITS and e.cause != QUOTA and e.limit > 0 else 0, per=(e.source,))
    return under_quota(e) and capacities == 0


@rule
def last_change(e: Moment) -> int:
    """QPID-DISK-3: the last event that may have changed a limit or the space of messages."""
    comes = e.kind == Kind.SEND or e.kind == Kind.SETTLED
    goes = e.kind == Kind.ACKNOWLEDGE or e.kind == Kind.PURGE
    return latest(e.seq, when=comes or goes or e.kind == Kind.LIMITS, per=(e.source,))


@rule
def last_seen_stopped(e: Moment) -> int:
    """QPID-DISK-3: the last event at which some producer was seen stopped."""
    return latest(e.seq, when=e.kind == Kind.CHANNEL and e.outcome == STOPPED, per=(e.source,))


@rule
def last_seen_free(e: Moment) -> int:
    """QPID-DISK-3: the last event at which some producer was seen free."""
    return latest(e.seq, when=e.kind == Kind.CHANNEL and e.outcome != STOPPED, per=(e.source,))


@rule
def messages_left(e: Moment) -> int:
    """QPID-DISK-4: the number of accepted messages that no consumer has acknowledged."""
    answer = e.kind == Kind.SEND or e.kind == Kind.SETTLED
    came = total(1 if answer and e.outcome == ACCEPTED else 0, per=(e.source,))
    return came - total(1 if e.kind == Kind.ACKNOWLEDGE else 0, per=(e.source,))


@rule
def is_purged(e: Moment) -> bool:
    """QPID-DISK-4: a destination was purged, so messages are gone without an acknowledgement."""
    return total(1 if e.kind == Kind.PURGE else 0, per=(e.source,)) > 0


@rule
def resume_level(e: Moment) -> int:
    """QPID-DISK-4: the underfull limit last set, in bytes."""
    return latest(e.resume, when=e.kind == Kind.LIMITS and e.cause == QUOTA, per=(e.source,))


@trace_rule
def all_producers_fare_alike(e: Moment) -> bool:
    """QPID-DISK-3: with nothing sent or consumed in between, no producer is free beside one that is stopped."""
    given(by_quota_alone(e) and e.kind == Kind.CHANNEL)
    return not (last_seen_stopped(e) > last_change(e) and last_seen_free(e) > last_change(e))


@trace_rule
def an_empty_store_lets_everybody_go(e: Moment) -> bool:
    """QPID-DISK-4: once every accepted message was acknowledged, no producer is stopped."""
    given(by_quota_alone(e) and e.kind == Kind.CHANNEL and messages_left(e) == 0 and not is_purged(e))
    return e.outcome != STOPPED or resume_level(e) <= 0
