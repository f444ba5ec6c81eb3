"""Rules over the log of an ActiveMQ Classic broker about limits on disk and refusals, where the log has lines about
these.

A broker need not run out of disk, nor refuse a send.
"""

from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.classic_usage import exhausted
from tidegate.model.traces.classic_log_trace import BY_MEMORY, BY_STORE, BY_TEMP, REFUSED, carries_figures
from tidegate.record.events import Kind, Moment


@rule
def disk_is_full(e: Moment) -> bool:
    """CLASSIC-USAGE-1: the usage of the disk in the line has reached the limit in the line."""
    return exhausted(e.limit, e.bytes)


@trace_rule
def a_producer_held_back_by_the_store_meets_a_full_store(e: Moment) -> bool:
    """CLASSIC-USAGE-1: if a line says that a producer waits for the store, its figures show the store as full."""
    given(e.kind == Kind.STOP and e.cause == BY_STORE and carries_figures(e))
    return disk_is_full(e)


@trace_rule
def a_producer_held_back_by_temporary_space_meets_it_full(e: Moment) -> bool:
    """CLASSIC-USAGE-2: if a line says that a producer waits for temporary space, its figures show it as full."""
    given(e.kind == Kind.STOP and e.cause == BY_TEMP and carries_figures(e))
    return disk_is_full(e)


@trace_rule
def a_send_is_refused_only_for_want_of_space(e: Moment) -> bool:
    """CLASSIC-FAIL-1: if a line says that a send was refused, its figures show the resource as full."""
    refused = e.kind == Kind.SEND and e.outcome == REFUSED
    given(refused and (e.cause == BY_MEMORY or e.cause == BY_STORE or e.cause == BY_TEMP) and carries_figures(e))
    return disk_is_full(e)
