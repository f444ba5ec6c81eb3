"""Where the model says that producers of ActiveMQ Classic come to stand, for one destination with a memory limit."""

from collections import deque
from dataclasses import replace

from tidegate.adapters.base import Limits, Outcome, Standing
from tidegate.model import classic


class MemoryLimitPrediction:
    """One destination; sends that wait are let go in the order in which they came."""

    def __init__(self, limits: Limits):
        assert limits.limit_bytes is not None
        self._destination = classic.Destination(limits.limit_bytes, True, 0)
        self._stored: deque[int] = deque()
        self._waiting: deque[tuple[str, int]] = deque()

    def opened(self, producer: str) -> None:
        """Nobody is held back for being there."""

    def sent(self, producer: str, size: int, outcome: Outcome) -> None:
        if outcome is Outcome.ACCEPTED:
            self._store(size)
        elif outcome is Outcome.UNSETTLED:
            self._waiting.append((producer, size))

    def removed(self, count: int) -> None:
        for _ in range(min(count, len(self._stored))):
            self._destination = classic.after_removal(self._destination, self._stored.popleft())
            self._let_go()

    def changed(self, limits: Limits) -> None:
        assert limits.limit_bytes is not None
        self._destination = replace(self._destination, limit=limits.limit_bytes)
        self._let_go()

    def closed(self, producer: str) -> None:
        self._waiting = deque(each for each in self._waiting if each[0] != producer)

    def ordered(self, stop: bool) -> None:
        raise NotImplementedError("a memory limit knows no order of management")

    def agrees(self, producer: str, seen: Standing) -> bool:
        return seen.stopped == any(name == producer for name, _ in self._waiting)

    def _store(self, size: int) -> None:
        self._stored.append(size)
        self._destination = classic.after_storing(self._destination, size)

    def _let_go(self) -> None:
        while self._waiting and classic.stored(self._destination):
            self._store(self._waiting.popleft()[1])
