"""What the log of an ActiveMQ Classic broker must show: who is held back is held back by something that is full.

Only lines with both figures are judged: what is used and what may be. Classic reads them a moment after it has held
a send back. It writes no line when it lets one go.
"""

from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.classic import Destination, full
from tidegate.record.events import Kind, Moment

BY_MEMORY = "memory"
BY_ALL_MEMORY = "all memory"
BY_STORE = "store"
BY_TEMP = "temp"
BY_JOB_STORE = "job store"
"""What is full: memory, the destination's or that of all, the store, temporary files, the store of scheduled jobs."""
REFUSED = "rejected"
NO_PRODUCER = ""


@rule
def carries_figures(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the line is about one producer, and carries what is used and a limit."""
    return e.producer != NO_PRODUCER and e.limit > 0


@rule
def memory_is_full(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the destination is full by the usage and the limit in the line."""
    return full(Destination(limit=e.limit, controlled=True, bytes=e.bytes))


@trace_rule
def a_producer_held_back_by_memory_meets_a_full_destination(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: a line that says that a producer waits for a destination's memory shows that as used up."""
    given(e.kind == Kind.STOP and e.cause == BY_MEMORY and carries_figures(e))
    return memory_is_full(e)
