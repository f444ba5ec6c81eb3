"""Rules over the log of an Artemis broker: its lines about an address agree with one another.

A log may begin at any time: an address whose first line unblocks it may have been blocked before, unless the log has
the start of the broker before it. A broker that starts blocks no address without a line. Several threads that free
space at the same moment may each log that they unblock the address.
"""

from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import rule
from tidegate.model.language.tracing import given, trace_rule
from tidegate.model.mechanisms.artemis import NO_LIMIT, AddressLimits, full
from tidegate.model.traces.log_begin import run
from tidegate.record.events import Kind, Moment

BY_SIZE = "size"
BY_MESSAGES = "messages"
BY_GLOBAL_SIZE = "global-size"
"""The causes of a blocked address: its own bytes, its own messages, or the bytes of all addresses together."""
BY_DISK = "disk"
BY_MANAGEMENT = "management"
"""Further causes: the disk is full, or management ordered it."""
PAGING = "paging"
DROPPING = "dropping"
"""The policies of a full address that is not blocked: it pages, or it drops messages sent to it."""
SAME_MOMENT_MS = 100
"""The longest time between lines of threads that free space at the same moment."""


@rule
def by_a_limit(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the line is about blocking, and has the figures of an address."""
    return e.cause == BY_SIZE or e.cause == BY_MESSAGES or e.cause == BY_GLOBAL_SIZE


@rule
def is_blocked(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the line says that the address is blocked; AMQ221046 has to follow."""
    return e.kind == Kind.OVERFULL and (by_a_limit(e) or e.cause == BY_DISK)


@rule
def is_unblocked(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the line is AMQ221046, which unblocks the address."""
    return e.kind == Kind.UNDERFULL and by_a_limit(e)


@rule
def full_by_its_figures(e: Moment) -> bool:
    """ARTEMIS-BLOCK-1: the size in the line has reached the maximum size in the line."""
    return full(AddressLimits(max_size=e.limit, reject_threshold=NO_LIMIT, blocks=True), e.bytes)


@rule
def unblocked_since_blocked(e: Moment) -> int:
    """ARTEMIS-AMQP-6: the number of lines that unblock the address since the last line that blocked it."""
    times = total(1 if is_unblocked(e) else 0, per=(e.destination,))
    return times - latest(times, when=is_blocked(e), per=(e.destination,))


@rule
def unblocks_first(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the line is the first that unblocks the address since it was blocked."""
    return is_unblocked(e) and unblocked_since_blocked(e) == 1


@rule
def is_of_another_thread(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the line comes at the moment of the first one that unblocks the address, and is not that line."""
    first_ms = latest(e.time, when=unblocks_first(e), per=(e.destination,))
    first_bytes = latest(e.bytes, when=unblocks_first(e), per=(e.destination,))
    is_repeated = e.time == first_ms and e.bytes == first_bytes
    return e.time <= first_ms + SAME_MOMENT_MS and not is_repeated


@rule
def was_blocked(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the address was blocked in this run of the broker, or may have been before the log began."""
    run_of_block = latest(run(e), when=is_blocked(e), per=(e.destination,))
    return (unblocks_first(e) or is_of_another_thread(e)) and run_of_block == run(e)


@trace_rule
def a_blocked_address_is_full(e: Moment) -> bool:
    """ARTEMIS-BLOCK-1: the size in AMQ222183 has reached the maximum size, unless another limit blocks the address."""
    given(e.kind == Kind.OVERFULL and e.cause == BY_SIZE)
    return full_by_its_figures(e)


@trace_rule
def an_unblocked_address_is_not_full_and_was_blocked(e: Moment) -> bool:
    """ARTEMIS-AMQP-6: the size in AMQ221046 is below the maximum size, and the address was blocked before."""
    given(is_unblocked(e))
    return not full_by_its_figures(e) and was_blocked(e)
