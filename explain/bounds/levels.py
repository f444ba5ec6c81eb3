"""The highest level at which a rule of the model lets producers send, and the messages that fit below a level."""

from collections.abc import Callable

MOST = 1 << 62
"""A level, in bytes, that no destination reaches."""
NEVER_OPEN = -1
"""Stands for the level if producers may not send even to an empty destination."""


def last_level(is_open: Callable[[int], bool]) -> int | None:
    """The highest level from 0 on at which a rule is true; NEVER_OPEN if it is false at 0, None if it is always true.

    The rule is true up to some level and false above it.
    """
    if not is_open(0):
        return NEVER_OPEN
    if is_open(MOST):
        return None
    low, high = 0, MOST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_open(middle) else (low, middle)
    return low


def fitting(level: int | None, size: int) -> int | None:
    """The most messages whose bytes do not exceed a level; None for no limit."""
    return None if level is None else level // size


def least(*counts: int | None) -> int | None:
    """The least count; None stands for no limit."""
    known = [count for count in counts if count is not None]
    return min(known) if known else None


def reached(limit: int, size: int) -> int | None:
    """The number of messages that reach a limit in bytes; None if there is no limit."""
    return None if limit < 0 else -(-limit // size)
