"""The disk space of messages in ActiveMQ Classic, and the limit of the broker that holds each of them back.

Beside the memory of its destinations a broker has a store, for persistent messages, and temporary files, for other
messages that a cursor keeps out of memory. All destinations share both.
"""

from dataclasses import dataclass, replace

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.classic import NO_LIMIT

GIGABYTE = 1024 * 1024 * 1024


@dataclass(frozen=True)
class Disk:
    """Bytes of the store and of the temporary files: either used bytes or limits (NO_LIMIT for none)."""

    store: int
    temp: int


@dataclass(frozen=True)
class Placement:
    """Whether a message is persistent, and whether the cursor of its destination keeps waiting messages in memory."""

    persistent: bool
    in_memory: bool


DEFAULT_DISK = Disk(store=100 * GIGABYTE, temp=10 * GIGABYTE)
"""CLASSIC-USAGE-6, CLASSIC-USAGE-7: the limits of an unconfigured broker."""
DEFAULT_MEMORY = 64 * 1024 * 1024
"""CLASSIC-USAGE-5: the bytes of memory for all messages together, of an unconfigured broker."""
DEFAULT_CURSOR = "file"
"""CLASSIC-USAGE-8: the cursor of a queue, unless one is configured."""


@rule
def kept_in_memory(by_memory_cursor: bool, limit: int) -> bool:
    """CLASSIC-USAGE-8: only the memory cursor keeps waiting messages in memory, whatever the memory limit."""
    return by_memory_cursor


@rule
def heeds_cursor(topic: bool) -> bool:
    """CLASSIC-MEMORY-7: the cursor decides where waiting messages are kept, for topics and queues alike."""
    return True


@rule
def takes_memory(placement: Placement) -> bool:
    """CLASSIC-USAGE-9: a message takes memory of its destination if the cursor keeps the message in memory."""
    return placement.in_memory


@rule
def takes_store(placement: Placement) -> bool:
    """CLASSIC-USAGE-1: a persistent message takes space in the store."""
    return placement.persistent


@rule
def takes_temp(placement: Placement) -> bool:
    """CLASSIC-USAGE-2: a message that is not persistent takes temporary space, unless the cursor keeps it in memory."""
    return not placement.persistent and not placement.in_memory


@rule
def exhausted(limit: int, used: int) -> bool:
    """CLASSIC-USAGE-1: a shared limit is full once the used bytes reach the limit."""
    return limit != NO_LIMIT and used >= limit


@rule
def held_back_by_disk(limits: Disk, used: Disk, placement: Placement) -> bool:
    """CLASSIC-USAGE-3: a limit of the disk holds back only messages that take space of this limit."""
    by_store = takes_store(placement) and exhausted(limits.store, used.store)
    return by_store or (takes_temp(placement) and exhausted(limits.temp, used.temp))


@rule
def temp_limit_while_waiting(began: int, now: int) -> int:
    """CLASSIC-USAGE-10: for a waiting send the current limit of temporary space applies, not the one at its begin."""
    return now


@rule
def store_limit_while_waiting(began: int, now: int, topic: bool) -> int:
    """CLASSIC-USAGE-11: for a waiting send the current limit of the store applies, at a queue and at a topic."""
    return now


@rule
def after_writing(used: Disk, placement: Placement, size: int) -> Disk:
    """CLASSIC-USAGE-1: a stored message takes its bytes of the store or of the temporary space."""
    return replace(
        used,
        store=used.store + (size if takes_store(placement) else 0),
        temp=used.temp + (size if takes_temp(placement) else 0),
    )


@rule
def after_deleting(used: Disk, placement: Placement, size: int) -> Disk:
    """CLASSIC-USAGE-4: a consumed message gives its disk space back."""
    return after_writing(used, placement, -size)
