"""Where the model says that publishers of WSO2 Message Broker come to stand, for a memory of 1,000 bytes."""

from collections import deque

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import andes

TOTAL = 1000
LINE = andes.ConnectionName("line")


class MemoryRatioPrediction:
    """The documented ratios; publishes that wait are let go in the order in which they came."""

    def __init__(self, limits: Limits):
        self._broker = andes.Broker(
            andes.DEFAULT_LIMITS, andes.Memory(TOTAL, 0), closed=False, messages={LINE: 0}, held={LINE: False}
        )
        self._stored: deque[int] = deque()
        self._waiting: deque[int] = deque()

    def opened(self, producer: str) -> None:
        """A publisher stands as all others do."""

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.ACCEPTED:
            self._publish(size)
        elif outcome is Outcome.UNSETTLED:
            self._waiting.append(size)

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._broker = andes.after_removal(self._broker, LINE, self._stored.popleft())
            self._broker = andes.after_check(self._broker)
            while self._waiting and not andes.publisher_stopped(self._broker, LINE):
                self._publish(self._waiting.popleft())

    def changed(self, limits: Limits) -> None:
        raise NotImplementedError("the memory ratio is no limit of a destination")

    def closed(self, producer: str) -> None:
        raise NotImplementedError("the memory ratio knows publishers only as a whole")

    def ordered(self, stop: bool) -> None:
        raise NotImplementedError("the memory ratio knows no order of management")

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.stopped == andes.publisher_stopped(self._broker, LINE)

    def _publish(self, size: int) -> None:
        self._stored.append(size)
        self._broker = andes.after_publish(self._broker, LINE, size)
