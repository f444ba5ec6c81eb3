"""Limits that mean the same for every mechanism, and stop a producer after few messages."""

from collections.abc import Collection
from dataclasses import replace

from tidegate.adapters.base import Limits

FILL_LIMITS = Limits(limit_bytes=1000, resume_bytes=800, policy="BLOCK", credit=100, credit_low=30, cursor="memory")
SMALL_WINDOW = replace(FILL_LIMITS, credit=10, credit_low=3)
"""Limits with a small window, for implementations whose window can be configured."""
FILL_SIZE = 400
"""The bytes of a message; three of these messages exceed the limits."""


def small_limits(capabilities: Collection[str]) -> Limits:
    """The limits for an implementation with these capabilities."""
    return SMALL_WINDOW if "any-credit-window" in capabilities else FILL_LIMITS
