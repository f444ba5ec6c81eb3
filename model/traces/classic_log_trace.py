"""Rules over the log of an ActiveMQ Classic broker: a producer is held back by a full resource only.

Only lines with both figures, usage and limit, are judged. Classic reads them a moment after it has held a send back. It
writes no line when it releases a send.
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
"""The full resource: the destination's memory, the memory of all, the store, temporary files, the store of scheduled
jobs."""
REFUSED = "rejected"
NO_PRODUCER = ""


@rule
def carries_figures(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the line is about one producer, and has the used bytes and a limit."""
    return e.producer != NO_PRODUCER and e.limit > 0


@rule
def memory_is_full(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: the usage in the line has reached the limit in the line."""
    return full(Destination(limit=e.limit, controlled=True, bytes=e.bytes))


@trace_rule
def a_producer_held_back_by_memory_meets_a_full_destination(e: Moment) -> bool:
    """CLASSIC-MEMORY-1: if a line says that a producer waits for memory, its figures show the memory as full."""
    given(e.kind == Kind.STOP and e.cause == BY_MEMORY and carries_figures(e))
    return memory_is_full(e)
