"""The target of an attack: the limits of a destination, its producers, and the stated bound."""

from collections.abc import Iterable
from dataclasses import dataclass

from tidegate.adapters.base import Limits

QUEUE_GATE, AMQP_CREDIT, CORE_WINDOW, MEMORY_LIMIT = "queue-gate", "amqp-credit", "core-window", "memory-limit"
POLICIES, SUSPENDED = "policies", "suspended-connections"
MECHANISMS = (AMQP_CREDIT, CORE_WINDOW, QUEUE_GATE, POLICIES, MEMORY_LIMIT, SUSPENDED)
"""The capabilities for which a bound on a limit in bytes is stated."""


@dataclass(frozen=True)
class Aim:
    """A destination and its producers. Sizes are in bytes as the broker charges them."""

    mechanism: str
    limits: Limits
    producers: int
    size: int
    bound: int
    """The stated bound: the most bytes that the destination may hold."""
    open_messages: int
    """The most messages with which the destination still takes more, as stated."""
    window: int | None = None
    """The bytes for which a producer asks credit at once."""
    moments: tuple[int, int] | None = None
    """By the model, after how many consumed messages each other producer, and the first one, has most credit."""


@dataclass(frozen=True)
class Attack:
    """The highest level that one strategy reached, and its steps."""

    strategy: str
    reached: int
    """The most bytes that the destination was seen to hold."""
    messages: int
    steps: tuple[str, ...]


def limits_of(
    mechanism: str, limit: int, resume: int | None, reject: int | None, credit: int | None, low: int | None
) -> Limits:
    """The limits of a destination; levels in bytes, credits in messages, None for what is not configured."""
    return Limits(
        limit_bytes=limit,
        resume_bytes=resume,
        policy="BLOCK" if mechanism in (AMQP_CREDIT, CORE_WINDOW) else None,
        reject_bytes=reject,
        credit=credit,
        credit_low=low,
        cursor="memory" if mechanism == MEMORY_LIMIT else None,
    )


def mechanism_of(capabilities: Iterable[str]) -> str | None:
    """The first mechanism with a stated bound among these capabilities; None if there is none."""
    claimed = frozenset(capabilities)
    return next((each for each in MECHANISMS if each in claimed), None)
