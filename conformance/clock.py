"""The clock of an implementation: a real one, or a virtual one, which moves only with `advance`."""

import time
from collections.abc import Callable

from tidegate.adapters.base import Adapter

MS_PER_SECOND = 1000
TELLING_MS = 1000
"""A jump of at least this length that takes nearly as long in real time was a sleep."""


class Clock:
    """The clock of one implementation, shared by its scenarios."""

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
        """Whether time passes by `advance` alone, and at once."""
        return self._adapter.parameters.has_virtual_clock and not self.sleeps

    @property
    def now_s(self) -> float:
        """The seconds since some fixed moment, by this clock."""
        return self._passed_ms / MS_PER_SECOND if self.is_virtual else time.monotonic()

    @property
    def time_ms(self) -> int:
        """The time stamp of events, in ms since the epoch; a virtual clock counts on from the start of the run."""
        return self._began_ms + self._passed_ms if self.is_virtual else time.time_ns() // 1_000_000

    def advance(self, ms: int) -> None:
        """Let `ms` pass."""
        began = time.monotonic()
        self._call(self._adapter.advance, ms)
        self._passed_ms += ms
        took_ms = (time.monotonic() - began) * MS_PER_SECOND
        self.sleeps = self.sleeps or (self.is_virtual and ms >= TELLING_MS and took_ms >= 0.9 * ms)


def _directly(verb: Callable[[int], None], ms: int) -> None:
    verb(ms)
