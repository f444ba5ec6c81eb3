"""Watches logs for their metrics: one process, one thread that reads, and whoever asks gets what was seen last."""

import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event

from tidegate.pipeline.metrics.destinations import Destinations
from tidegate.pipeline.metrics.figures import Seen
from tidegate.pipeline.metrics.log import GrowingLog
from tidegate.pipeline.read.inputs import Input


class MetricsWatch:
    """A watch over logs; the first `most` destinations have figures of their own."""

    def __init__(self, logs: Sequence[Input], most: int):
        destinations = Destinations(most)
        self._logs = [GrowingLog(log, destinations) for log in logs]
        self._seen = Seen()

    def seen(self) -> Seen:
        """What was seen at the last look that ended; no logs before the first has, for half a log has half a count."""
        return self._seen

    def look(self, is_over: Callable[[], bool] = lambda: False) -> Iterator[str]:
        """Read what is new of all logs; gives what somebody has to know, as sentences. Ends early once it `is_over`."""
        for log in self._logs:
            yield from log.look(_wall_ms(), is_over)
            if is_over():
                return
        wall = _wall_ms()
        self._seen = Seen(tuple(log.figures(wall) for log in self._logs), wall / 1000)

    def keep_looking(self, over: Event, every: float, looks: int | None, tell: Callable[[str], object]) -> None:
        """Look every so many seconds until it is over, or so many times."""
        taken = 0
        while not over.is_set():
            begun = time.monotonic()
            for sentence in self.look(over.is_set):
                tell(sentence)
            taken += 1
            if taken == looks:
                return
            over.wait(max(every - (time.monotonic() - begun), 0))


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
