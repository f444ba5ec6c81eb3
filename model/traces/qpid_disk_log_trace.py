"""Rules over the operational log of a Qpid broker about a disk quota: its two lines alternate.

A log may begin at any time: a store that its first line clears may have been overfull before, unless the log has the
start of the broker before it. A store that is opened anew may be logged as overfull again, although no line cleared it.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.qpid_disk import STORE_CLEARED, STORE_OVERFULL
from tidegate.model.traces.log_begin import run
from tidegate.record.events import Kind, Moment

OVERFULL_STORE = STORE_OVERFULL.code
CLEARED_STORE = STORE_CLEARED.code
"""The causes of lines about the state of the store of a virtual host."""


@rule
def store_lines_so_far(e: Moment) -> int:
    """QPID-DISK-9: the number of lines about the store of the virtual host so far."""
    return total(1 if e.cause == OVERFULL_STORE or e.cause == CLEARED_STORE else 0, per=(e.destination,))


@rule
def overfull_since_cleared(e: Moment) -> int:
    """QPID-DISK-8: the number of overfull lines of the store since it was last cleared or opened."""
    times = total(1 if e.cause == OVERFULL_STORE else 0, per=(e.destination,))
    return times - latest(times, when=e.cause == CLEARED_STORE or e.kind == Kind.START, per=(e.destination,))


@rule
def cleared_since_overfull(e: Moment) -> int:
    """QPID-DISK-9: the number of lines that clear the store since its last overfull line."""
    times = total(1 if e.cause == CLEARED_STORE else 0, per=(e.destination,))
    return times - latest(times, when=e.cause == OVERFULL_STORE, per=(e.destination,))


@rule
def became_overfull_in_this_run(e: Moment) -> bool:
    """QPID-DISK-9: the store became overfull since the broker started, or may have been so before the log began."""
    return latest(run(e), when=e.cause == OVERFULL_STORE, per=(e.destination,)) == run(e)


@trace_rule
def only_a_store_that_is_not_overfull_becomes_so(e: Moment) -> bool:
    """QPID-DISK-8: between two MST-1008 lines of a store, the store is cleared or opened."""
    given(e.cause == OVERFULL_STORE)
    return overfull_since_cleared(e) == 1


@trace_rule
def only_an_overfull_store_is_cleared(e: Moment) -> bool:
    """QPID-DISK-9: between two MST-1009 lines of a store, or its opening and the first, the store becomes overfull."""
    given(e.cause == CLEARED_STORE and (store_lines_so_far(e) > 1 or run(e) > 0))
    return cleared_since_overfull(e) == 1 and became_overfull_in_this_run(e)
