"""Whether this machine is quick enough for its looks at a rate to say anything."""

import time
from collections.abc import Callable

from tidegate.adapters.base import AdapterError

LONG_MS = 100
"""Time that a scenario lets pass, and not only a look."""


class Pace:
    """What was done since time was last let pass, or since the first look: a scenario means it to take no time."""

    def __init__(self, most_ms: int, clock: Callable[[], float] = time.monotonic) -> None:
        """`most_ms` is how long it may take all together; `clock` tells seconds."""
        self._most_ms = most_ms
        self._clock = clock
        self._since: float | None = None

    def passed(self, ms: int) -> None:
        """So much time was let pass by now."""
        if ms >= LONG_MS:
            self._since = self._clock()

    def begin(self) -> float:
        """A look begins; when the time began that counts, which is now if this is the first."""
        if self._since is None:
            self._since = self._clock()
        return self._since

    def check(self, what: str) -> None:
        """A look at `what`. AdapterError if it comes so late that a second may have ended meanwhile."""
        since = self.begin()
        late_ms = (self._clock() - since) * 1000
        if late_ms > self._most_ms:
            raise AdapterError(
                f"this machine is too slow to say {what}: {late_ms:.0f} ms for looks, {self._most_ms} are the most"
            )
