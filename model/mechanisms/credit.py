"""Credit: permission to send, granted in advance, spent by sending and refilled at a low watermark."""

from dataclasses import dataclass

from tidegate.model.language.rule import rule


@dataclass(frozen=True)
class Window:
    """The credit of a producer after a refill, and the low watermark at which it is refilled, both in credits."""

    size: int
    low: int


@rule
def at_low_mark(window: Window, left: int) -> bool:
    """CREDIT-1: the credit left has reached the low mark."""
    return left <= window.low


@rule
def spent(left: int, cost: int) -> int:
    """CREDIT-2: sending takes its cost off the credit left."""
    return left - cost


@rule
def refill(window: Window, left: int) -> int:
    """CREDIT-3: a refill at the low mark brings the credit up to the window; above the low mark there is none."""
    return window.size - left if at_low_mark(window, left) else 0


@rule
def refill_by_window(window: Window, left: int) -> int:
    """CREDIT-4: the other reading, in which a refill adds a whole window to the credit left."""
    return window.size if at_low_mark(window, left) else 0
