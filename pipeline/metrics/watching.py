"""Watches logs for their metrics: one process, one thread that reads, and whoever asks gets what was seen last."""

from collections.abc import Callable, Iterator, Sequence

from tidegate.pipeline.metrics.destinations import Destinations
from tidegate.pipeline.metrics.figures import Seen
from tidegate.pipeline.metrics.log import GrowingLog
from tidegate.pipeline.read.inputs import Input
from tidegate.pipeline.stream.following import wall_ms


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
            yield from log.look(wall_ms(), is_over)
            if is_over():
                return
        wall = wall_ms()
        self._seen = Seen(tuple(log.figures(wall) for log in self._logs), wall / 1000)
