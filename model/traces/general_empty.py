"""Trace rules, over any mechanism: once no message is left, no producer is stopped, whatever freed the space.

These rules do not compare levels with limits. So they hold for limits of any kind, also for limits that several
destinations share, and they find charged bytes that were never given back. Only limits without room for any message
are left out.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.traces import artemis_core_trace
from tidegate.model.traces.classic_trace import SENT, TRANSACTED
from tidegate.model.traces.general import (
    BLOCKED,
    UNSETTLED,
    acceptances,
    is_acceptance,
    is_completed,
    outstanding,
    was_sent_since_purge,
)
from tidegate.model.traces.general_causes import LIFTED, ORDERED
from tidegate.model.traces.general_figures import purges_with_others
from tidegate.model.traces.general_room import stays_below
from tidegate.model.traces.qpid_disk_trace import QUOTA
from tidegate.model.traces.qpid_trace import CAPACITY, STOPPED
from tidegate.record.events import Kind, Moment

RATE = "rate"
"""The cause of an `open` event of a producer whose client limits its messages per second."""


@rule
def held_in_all(e: Moment) -> int:
    """GENERAL-3: the number of accepted messages at all destinations that are neither acknowledged nor purged."""
    came = is_acceptance(e) and acceptances(e) == 1
    left = is_completed(e) and was_sent_since_purge(e)
    before = latest(outstanding(e), when=e.kind != Kind.PURGE, per=(e.destination,))
    purged = before if e.kind == Kind.PURGE else 0
    return total((1 if came else 0) - (1 if left else 0) - purged, per=(e.source,))


@rule
def unsettled_of_gone(e: Moment) -> int:
    """GENERAL-3: the number of unanswered messages of producers that are gone; each may be stored or not."""
    waits = e.kind == Kind.SEND and e.outcome == UNSETTLED
    unsettled = total((1 if waits else 0) - (1 if e.kind == Kind.SETTLED else 0), per=(e.producer,))
    return total(unsettled if e.kind == Kind.CLOSE else 0, per=(e.source,))


@rule
def others_unknown(e: Moment) -> bool:
    """GENERAL-3: the fate of some message is unknown, so another destination may hold it."""
    unanswered = e.outcome == SENT
    elsewhere = e.cause == "move" or (e.kind == Kind.PURGE and e.cause == "expired")
    unknown = total(1 if unanswered or elsewhere else 0, per=(e.source,)) + unsettled_of_gone(e)
    return unknown + total(purges_with_others(e), per=(e.source,)) > 0


@rule
def destinations_seen(e: Moment) -> int:
    """GENERAL-3: the number of destinations that the suite has looked at."""
    looks = total(1 if e.kind == Kind.LEVEL else 0, per=(e.destination,))
    return total(1 if e.kind == Kind.LEVEL and looks == 1 else 0, per=(e.source,))


@rule
def holds_nothing(e: Moment) -> bool:
    """GENERAL-3: at the last look, the event's destination held no message."""
    return latest(e.messages, when=e.kind == Kind.LEVEL, per=(e.destination,)) == 0


@rule
def nothing_is_left(e: Moment) -> bool:
    """GENERAL-3: no destination holds a message."""
    others = not others_unknown(e) and held_in_all(e) == 0
    return holds_nothing(e) and (destinations_seen(e) == 1 or others)


@rule
def orders_in_force(e: Moment) -> int:
    """GENERAL-3: the number of stop orders of management that are in force."""
    ordered = 1 if e.kind == Kind.LEVEL and e.cause == ORDERED else 0
    lifted = 1 if e.kind == Kind.LEVEL and e.cause == LIFTED else 0
    return total(ordered - lifted, per=(e.source,))


@rule
def is_never_free(e: Moment) -> bool:
    """GENERAL-3: some limit has no room for any message, or has no level at which producers are released."""
    sets = e.kind == Kind.LIMITS
    lets_nobody_go = sets and (e.cause == CAPACITY or e.cause == QUOTA) and e.limit > 0 and e.resume <= 0
    takes_nothing = sets and e.cause != CAPACITY and e.destination != "" and e.limit == 0
    return total(1 if lets_nobody_go or takes_nothing else 0, per=(e.source,)) > 0


@rule
def waits_by_itself(e: Moment) -> bool:
    """GENERAL-3: the producer may wait for its rate, for a transaction, or for more credit than there is."""
    paced = total(1 if e.kind == Kind.OPEN and e.cause == RATE else 0, per=(e.producer,))
    transacted = total(1 if e.kind == Kind.OPEN and e.outcome == TRANSACTED else 0, per=(e.source,))
    waits = e.kind == Kind.SEND and e.outcome == UNSETTLED
    unsettled = total((1 if waits else 0) - (1 if e.kind == Kind.SETTLED else 0), per=(e.source,))
    size = latest(e.bytes, when=e.kind == Kind.SEND and e.outcome != BLOCKED, per=(e.producer,))
    return paced > 0 or (transacted > 0 and unsettled > 0) or not stays_below(e, artemis_core_trace.MAX_SIZE, size)


@rule
def rests_without_cause(e: Moment) -> bool:
    """GENERAL-3: a producer came to rest, and neither an order nor a cause of its own can stop it."""
    is_free = orders_in_force(e) <= 0 and not is_never_free(e) and not waits_by_itself(e)
    return e.kind == Kind.STANDING and is_free


@rule
def last_acknowledged(e: Moment) -> int:
    """GENERAL-3: the event at which a message was last acknowledged, at any destination."""
    return latest(e.seq, when=e.kind == Kind.ACKNOWLEDGE, per=(e.source,))


@rule
def last_emptied(e: Moment) -> int:
    """GENERAL-4: the event at which a destination was last purged."""
    return latest(e.seq, when=e.kind == Kind.PURGE, per=(e.source,))


@trace_rule
def once_all_is_consumed_nobody_is_stopped(e: Moment) -> bool:
    """GENERAL-3: once consumers have left no message, no producer stays stopped, by any kind of limit."""
    given(rests_without_cause(e) and nothing_is_left(e) and last_acknowledged(e) > last_emptied(e))
    return e.outcome != STOPPED


@trace_rule
def once_all_is_purged_nobody_is_stopped(e: Moment) -> bool:
    """GENERAL-4: once a purge has left no message, no producer stays stopped, by any kind of limit."""
    given(rests_without_cause(e) and nothing_is_left(e) and last_emptied(e) > last_acknowledged(e))
    return e.outcome != STOPPED


@trace_rule
def an_empty_destination_stops_nobody(e: Moment) -> bool:
    """GENERAL-19: a producer to an empty destination is free, whatever other destinations hold."""
    shared = total(1 if e.kind == Kind.LIMITS and e.destination == "" else 0, per=(e.source,))
    alone = total(1 if e.kind == Kind.OPEN else 0, per=(e.connection,)) == 1
    given(rests_without_cause(e) and holds_nothing(e) and not nothing_is_left(e) and shared == 0 and alone)
    return e.outcome != STOPPED
