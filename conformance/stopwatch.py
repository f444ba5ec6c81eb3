"""The time that a send has waited: exact on a virtual clock, and on a real one kept clear of the next due moment.

A scenario says that 1,999 ms pass, and means: just before something falls due after 2,000. On a real clock nobody can
look so close to a moment. An adapter declares the distance that a look must keep, and the look is taken there.
"""

import time
from collections.abc import Callable

from tidegate.adapters.base import DEFAULT_OPTIONS, ProducerOptions

MS_PER_SECOND = 1000


class Stopwatch:
    """Started by a send that waits; figures in ms."""

    def __init__(
        self, advance: Callable[[int], None], clock_ms: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock_ms` is the distance that a look must keep before a due moment; 0 on a virtual clock, which `advance`
        moves.

        `now` is the clock, in s.
        """
        self._advance = advance
        self._clock_ms = clock_ms
        self._now = now
        self._options = DEFAULT_OPTIONS
        self._passed_ms = 0
        self._began: float | None = None

    def start(self, options: ProducerOptions, began: float) -> None:
        """Start at `began`, on the real clock in s, when a send of a client with these options begins to wait."""
        self._options, self._began, self._passed_ms = options, began, 0

    def pass_time(self, ms: int) -> int:
        """Let the scenario's time since the send began grow by `ms`; on a real clock stay clear of the next due moment.

        The time that has really passed counts, including time spent to see that nothing changes. If no send waits, `ms`
        count from now. The ms that were really let pass.
        """
        self._passed_ms = ms if self._began is None else self._passed_ms + ms
        due_ms = self._next_due_ms()
        look_ms = self._passed_ms if due_ms is None else min(self._passed_ms, due_ms - self._clock_ms)
        left_ms = look_ms if self._began is None else max(look_ms - self.waited_ms, 0)
        self._advance(left_ms)
        return left_ms

    @property
    def is_late(self) -> bool:
        """Whether the next due moment is already over, although the scenario has not reached it."""
        due_ms = self._next_due_ms()
        return bool(self._clock_ms) and due_ms is not None and self.waited_ms >= due_ms

    @property
    def waited_ms(self) -> int:
        """The ms since the send began."""
        if self._began is None:
            return self._passed_ms
        return round((self._now() - self._began) * MS_PER_SECOND)

    def _next_due_ms(self) -> int | None:
        """The moment, after the scenario's time, at which the next notice, failure, or message of a rate falls due.

        Rates are per second: a scenario that stops 1 ms short of a whole second means to look before it is over.
        """
        due: list[int] = []
        if self._passed_ms % MS_PER_SECOND == MS_PER_SECOND - 1:
            due.append(self._passed_ms + 1)
        if self._options.wait_ms is not None and self._options.wait_ms > self._passed_ms:
            due.append(self._options.wait_ms)
        if self._options.notify_ms:
            due.append((self._passed_ms // self._options.notify_ms + 1) * self._options.notify_ms)
        return min(due, default=None)
