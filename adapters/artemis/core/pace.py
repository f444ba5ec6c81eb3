"""Whether this machine is fast enough for its measurements of a rate to be valid."""

import time
from collections.abc import Callable

from tidegate.adapters.base import TooLate

LONG_MS = 100
"""The least time in ms that a scenario lets pass on purpose, longer than a measurement."""


class Pace:
    """The time since a scenario last let time pass, or since the first measurement: the scenario assumes it to be
    zero."""

    def __init__(self, most_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`most_ms` is the longest allowed time in ms; `clock` gives seconds."""
        self._most_ms = most_ms
        self._clock = clock
        self._since: float | None = None

    def passed(self, ms: int) -> None:
        """Note that the scenario let this time pass."""
        if ms >= LONG_MS:
            self._since = self._clock()

    def begin(self) -> float:
        """Begin a measurement; the result is the time from which the clock counts, now if this is the first."""
        if self._since is None:
            self._since = self._clock()
        return self._since

    def check(self, what: str) -> None:
        """Check a measurement of `what`. TooLate if it comes so late that a second may have ended meanwhile."""
        since = self.begin()
        late_ms = (self._clock() - since) * 1000
        if late_ms > self._most_ms:
            raise TooLate(
                f"this machine is too slow to tell {what}: "
                f"its looks took {late_ms:.0f} ms, more than {self._most_ms} ms"
            )
