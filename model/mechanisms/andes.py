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
    """The memory of the broker in bytes: the total and the used part."""

    total: int
    used: int


@dataclass(frozen=True)
class Limits:
    """The per cent of free memory below which publishers stop and above which they resume, and the message count."""

    threshold: int
    recovery: int
    messages: int


@dataclass(frozen=True)
class Broker:
    """The limits and the memory; whether memory stops all publishers; the messages and the stop of each connection."""

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
    """ANDES-MEMORY-4: a ratio that is not set (NOT_SET) has its default."""
    return Limits(
        threshold=DEFAULT_THRESHOLD if threshold == NOT_SET else threshold,
        recovery=DEFAULT_RECOVERY if recovery == NOT_SET else recovery,
        messages=messages,
    )


@rule
def memory_gate(limits: Limits, total: int) -> Gate:
    """ANDES-MEMORY-1: the two ratios of free memory as one gate over 100 times the used bytes."""
    return Gate(high=total * (WHOLE - limits.threshold), low=total * (WHOLE - limits.recovery))


@rule
def closes(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-1: memory stops all publishers once the free part is below the memory threshold."""
    return settled(memory_gate(limits, memory.total), False, memory.used * WHOLE)


@rule
def recovered(limits: Limits, memory: Memory) -> bool:
    """ANDES-MEMORY-2: the memory has recovered once the free part is above the recovery threshold."""
    return not settled(memory_gate(limits, memory.total), True, memory.used * WHOLE)


@rule
def closed_after(limits: Limits, memory: Memory, closed: bool) -> bool:
    """ANDES-MEMORY-2: whether memory stops the publishers now, given whether it stopped them before."""
    return not recovered(limits, memory) if closed else closes(limits, memory)


@rule
def over_count(limits: Limits, messages: int) -> bool:
    """ANDES-COUNT-1: a connection is stopped while it has more messages on the broker than the count allows."""
    return limits.messages != NO_LIMIT and settled(Gate(limits.messages, limits.messages + 1), False, messages)


@rule
def stopped_by_count(broker: Broker, connection: ConnectionName) -> bool:
    """ANDES-COUNT-2: the count of a connection stops the publishers on this connection, and no others."""
    return broker.held[connection]


@rule
def still_over_count(limits: Limits, held: bool, messages: int) -> bool:
    """ANDES-COUNT-3: a connection that its count stopped goes on once its messages are within the count."""
    return held and over_count(limits, messages)


@rule
def publisher_stopped(broker: Broker, connection: ConnectionName) -> bool:
    """ANDES-MEMORY-3: a publisher is stopped by the memory of the broker or by the count of its connection."""
    return broker.closed or stopped_by_count(broker, connection)


@rule
def publish_waits(wait: Wait, stopped: bool, waited_ms: int) -> bool:
    """ANDES-CLIENT-1: a publish waits as long as its publisher is stopped, until the publish fails."""
    return stopped and not expired(wait, waited_ms)


@rule
def publish_failed(wait: Wait, stopped: bool, waited_ms: int) -> bool:
    """ANDES-CLIENT-2: a publish fails if its publisher is still stopped when the timeout is over."""
    return stopped and expired(wait, waited_ms)


@rule
def connected_after(connected: bool, failed: bool) -> bool:
    """ANDES-CLIENT-3: a client is connected as long as none of its publishes has failed."""
    return connected and not failed


@rule
def after_publish(broker: Broker, sender: ConnectionName, size: int) -> Broker:
    """ANDES-MEMORY-1: a message takes memory and counts for its connection; then the broker checks both limits."""
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
    """ANDES-MEMORY-6: a message that leaves gives its memory back; no publisher is released before the next check."""
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
    """ANDES-MEMORY-6: the background check releases each publisher that neither memory nor the count stops any more."""
    return replace(
        broker,
        closed=broker.closed and closed_after(broker.limits, broker.memory, True),
        held={
            connection: still_over_count(broker.limits, broker.held[connection], broker.messages[connection])
            for connection in broker.held
        },
    )
