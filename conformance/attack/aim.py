"""What is attacked: the limits of a destination, who sends, and the bound that is stated for them."""

from collections.abc import Iterable
from dataclasses import dataclass

from tidegate.adapters.base import Limits

QUEUE_GATE, AMQP_CREDIT, CORE_WINDOW, MEMORY_LIMIT = "queue-gate", "amqp-credit", "core-window", "memory-limit"
POLICIES, SUSPENDED = "policies", "suspended-connections"
MECHANISMS = (AMQP_CREDIT, CORE_WINDOW, QUEUE_GATE, POLICIES, MEMORY_LIMIT, SUSPENDED)
"""The capabilities that give a limit in bytes a bound that is stated."""


@dataclass(frozen=True)
class Aim:
    """A destination and those who send to it. Sizes are in bytes as the broker charges them."""

    mechanism: str
    limits: Limits
    producers: int
    size: int
    bound: int
    """The most bytes that the destination may hold, as it is stated."""
    open_messages: int
    """The most messages with which it is open, as it is stated."""
    window: int | None = None
    """Bytes that a producer asks credit for at once."""
    moments: tuple[int, int] | None = None
    """After how many consumed messages each other producer has the most credit, and the first one, by the model."""


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
    """What is configured for a destination; levels in bytes, credits in messages, None where nothing is."""
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
    """The first mechanism with a stated bound among these capabilities; None where there is none."""
    claimed = frozenset(capabilities)
    return next((each for each in MECHANISMS if each in claimed), None)
