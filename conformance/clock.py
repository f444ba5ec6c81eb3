"""The clock of an implementation: a real one, or a virtual one, which goes on only when it is told to."""

import time
from collections.abc import Callable

from tidegate.adapters.base import Adapter

MS_PER_SECOND = 1000
TELLING_MS = 1000
"""A jump of this length or more that takes nearly as long was no jump."""


class Clock:
    """One implementation's clock, whatever scenario runs on it."""

    def __init__(self, adapter: Adapter, call: Callable[[Callable[[int], None], int], None] | None = None):
        """`call` calls `advance` with ms; None calls it directly."""
        self._adapter = adapter
        self._call = call or _directly
        self._passed_ms = 0
        self._began_ms = time.time_ns() // 1_000_000
        self.sleeps = False
        """Whether `advance` sleeps although the adapter says that its clock is virtual."""

    @property
    def is_virtual(self) -> bool:
        """Whether time passes by `advance` alone, at no cost."""
        return self._adapter.parameters.has_virtual_clock and not self.sleeps

    @property
    def now_s(self) -> float:
        """Seconds since some moment, by this clock."""
        return self._passed_ms / MS_PER_SECOND if self.is_virtual else time.monotonic()

    @property
    def time_ms(self) -> int:
        """What events are stamped with: ms since the epoch; those of a virtual clock go on from where the run began."""
        return self._began_ms + self._passed_ms if self.is_virtual else time.time_ns() // 1_000_000

    def advance(self, ms: int) -> None:
        """Let so much time pass."""
        began = time.monotonic()
        self._call(self._adapter.advance, ms)
        self._passed_ms += ms
        took_ms = (time.monotonic() - began) * MS_PER_SECOND
        self.sleeps = self.sleeps or (self.is_virtual and ms >= TELLING_MS and took_ms >= 0.9 * ms)


def _directly(verb: Callable[[int], None], ms: int) -> None:
    verb(ms)
