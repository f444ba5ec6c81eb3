"""WSO2 Message Broker (Andes): all publishers are stopped by its memory, a connection by its messages.

Composes two gates: one over the used memory, one over the messages of a connection. A stopped client goes through the
wait.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NewType

from tidegate.model.language.rule import rule
from tidegate.model.mechanisms.gate import Gate, settled
from tidegate.model.mechanisms.wait import Wait, expired

ConnectionName = NewType("ConnectionName", str)

NO_LIMIT = -1
WHOLE = 100
"""The per cent of the whole memory."""


@dataclass(frozen=True)
class Memory:
    """The memory of the broker in bytes, in total and used."""

    total: int
    used: int


@dataclass(frozen=True)
class Limits:
    """The per cent of the memory that must be free to go on, and to resume; and the most messages of a connection."""

    threshold: int
    recovery: int
    messages: int


@dataclass(frozen=True)
class Broker:
    """The memory and whether it has closed; for each connection, its messages on the broker and whether it is held."""

    limits: Limits
    memory: Memory
    closed: bool
    messages: Mapping[ConnectionName, int]
    held: Mapping[ConnectionName, bool]


DEFAULT_THRESHOLD = 40
"""ANDES-MEMORY-4: per cent of the memory, a ratio of 0.4."""
DEFAULT_RECOVERY = 50
"""ANDES-MEMORY-5: per cent of the memory, a ratio of 0.5."""
DEFAULT_LIMITS = Limits(DEFAULT_THRESHOLD, DEFAULT_RECOVERY, NO_LIMIT)
NOT_SET = -1
DEFAULT_WAIT = Wait(timeout_ms=120_000, notify_ms=5000)
"""ANDES-CLIENT-4, ANDES-CLIENT-5: how long a publish waits, and how often it says so."""


@rule
def configured(threshold: int, recovery: int, messages: int) -> Limits:
    """ANDES-MEMORY-4: ratios that are not set (NOT_SET) are those of an unconfigured broker."""
    return Limits(
        threshold=DEFAULT_THRESHOLD if threshold == NOT_SET else threshold,
        recovery=DEFAULT_RECOVERY if recovery == NOT_SET else recovery,
        messages=messages,
    )


@rule
def memory_gate(limits: Limits, total: int) -> Gate:
    """ANDES-MEMORY-1: the two ratios of free memory as one gate over a hundred times the bytes used."""
    return Gate(high=total * (WHOLE - limits.threshold), low=total * (WHOLE - limits.recovery))


@rule
def closes(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: publishers are stopped once less of the memory is free than the memory threshold."""
    return settled(memory_gate(limits, memory.total), False, memory.used * WHOLE)


@rule
def recovered(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: the memory is recovered once more of it is free than the recovery threshold."""
    return not settled(memory_gate(limits, memory.total), True, memory.used * WHOLE)


@rule
def closed_after(limits: Limits, memory: Memory, closed: bool) -> bool:
    """ANDES-MEMORY-2: whether publishers are stopped by the memory, given whether they were before."""
    return not recovered(limits, memory) if closed else closes(limits, memory)


@rule
def over_count(limits: Limits, messages: int) -> bool:
    """ANDES-COUNT-1: a connection is held while more of its messages are on the broker than the count allows."""
    return limits.messages != NO_LIMIT and settled(Gate(limits.messages, limits.messages + 1), False, messages)


@rule
def stopped_by_count(broker: Broker, connection: ConnectionName) -> bool:
    """ANDES-COUNT-2: the count of a connection stops whoever publishes over that connection, and nobody else."""
    return broker.held[connection]


@rule
def still_over_count(limits: Limits, held: bool, messages: int) -> bool:
    """ANDES-COUNT-3: a connection that its count holds goes on once no more messages than that are left."""
    return held and over_count(limits, messages)


@rule
def publisher_stopped(broker: Broker, connection: ConnectionName) -> bool:
    """ANDES-MEMORY-3: whoever publishes is stopped by the memory, whoever it is, or by the count of its connection."""
    return broker.closed or stopped_by_count(broker, connection)


@rule
def publish_waits(wait: Wait, stopped: bool, waited_ms: int) -> bool:
    """ANDES-CLIENT-1: a publish waits as long as its publisher is stopped, until it fails."""
    return stopped and not expired(wait, waited_ms)


@rule
def publish_failed(wait: Wait, stopped: bool, waited_ms: int) -> bool:
    """ANDES-CLIENT-2: a publish whose publisher is still stopped fails once it has waited for its whole timeout."""
    return stopped and expired(wait, waited_ms)


@rule
def connected_after(connected: bool, failed: bool) -> bool:
    """ANDES-CLIENT-3: a client is connected as long as no publish of it has failed."""
    return connected and not failed


@rule
def after_publish(broker: Broker, sender: ConnectionName, size: int) -> Broker:
    """ANDES-MEMORY-1: a message takes memory and counts for its connection; then both are looked at."""
    memory = replace(broker.memory, used=broker.memory.used + size)
    messages = {
        connection: broker.messages[connection] + 1 if connection == sender else broker.messages[connection]
        for connection in broker.messages
    }
    return replace(
        broker,
        memory=memory,
        messages=messages,
        closed=closed_after(broker.limits, memory, broker.closed),
        held={
            connection: over_count(broker.limits, messages[connection])
            if connection == sender
            else broker.held[connection]
            for connection in broker.held
        },
    )


@rule
def after_removal(broker: Broker, sender: ConnectionName, size: int) -> Broker:
    """ANDES-MEMORY-6: a message that leaves gives its memory back; nobody is told of it before the next check."""
    return replace(
        broker,
        memory=replace(broker.memory, used=broker.memory.used - size),
        messages={
            connection: broker.messages[connection] - 1 if connection == sender else broker.messages[connection]
            for connection in broker.messages
        },
    )


@rule
def after_check(broker: Broker) -> Broker:
    """ANDES-MEMORY-6: the background check lets go whom neither the memory nor the count holds any more."""
    return replace(
        broker,
        closed=broker.closed and closed_after(broker.limits, broker.memory, True),
        held={
            connection: still_over_count(broker.limits, broker.held[connection], broker.messages[connection])
            for connection in broker.held
        },
    )
