"""Converts Broker-J's resume level between bytes and the broker's form, a percentage of the capacity."""

import math

from tidegate.adapters.base import Unsupported

HIGHEST = 100.0


def resume_level(percent: float, capacity: int) -> int:
    """The level in bytes that Broker-J computes, in its own arithmetic; -1 without a capacity."""
    return math.ceil(percent / 100.0 * capacity) if capacity >= 0 else -1


def percent_for(resume: int, capacity: int) -> float:
    """The percentage from which the broker computes exactly this resume level.

    Raises Unsupported where no allowed percentage gives the level: a level above the capacity would need more than 100.
    """
    # where rounding spoils the plain quotient, the quotient for half a byte less is rounded up to the level
    choices = (resume * 100 / capacity, (resume - 0.5) * 100 / capacity) if capacity > 0 else (0.0,)
    for percent in choices:
        if 0 <= percent <= HIGHEST and resume_level(percent, capacity) == resume:
            return percent
    raise Unsupported(f"no percentage up to 100 of a capacity of {capacity} bytes is a resume level of {resume} bytes")
