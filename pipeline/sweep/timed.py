"""Time: how long producers that send at their rate wait for consumers that drain at theirs, on a virtual clock."""

from collections import deque
from dataclasses import dataclass
from heapq import heappop, heappush

from tidegate.pipeline.sweep.configuration import Configuration
from tidegate.pipeline.sweep.stepping import empty_destination

SECOND = 1_000_000_000
"""The clock counts nanoseconds, so that no rate drifts."""
MILLISECOND = 1_000_000


@dataclass(frozen=True)
class TimeStopped:
    """What waiting came to: of all producers together and at most of one in ms, how often, and what went through."""

    stopped_ms: int
    longest_stop_ms: int
    cycles: int
    """How often, while nobody waited, somebody came to wait."""
    messages_through: int


class _Clockwork:
    """The producers of one destination, each either due to send at some time or waiting to be let."""

    def __init__(self, configuration: Configuration):
        self._destination = empty_destination(configuration)
        self._gap = SECOND // configuration.send_rate
        self.due = [(0, producer) for producer in range(configuration.producers)]
        self.waiting: deque[tuple[int, int]] = deque()
        self.stopped = self.longest = self.cycles = self.through = 0

    def send_what_is_due(self) -> None:
        """The next producer that is due sends, or begins to wait."""
        now, producer = heappop(self.due)
        if not self._sends(now, producer):
            self.cycles += not self.waiting
            self.waiting.append((now, producer))

    def remove(self, now: int) -> None:
        """A consumer takes a message, if there is one; who waited goes on in turn, if it may."""
        if self._destination.bytes == 0:
            return
        self._destination.remove()
        self.through += 1
        for _ in range(len(self.waiting)):
            since, producer = self.waiting.popleft()
            if self._sends(now, producer):
                self._count(now - since)
            else:
                self.waiting.append((since, producer))

    def end(self, now: int) -> None:
        """Who still waits has waited until now."""
        for since, _ in self.waiting:
            self._count(now - since)

    def _sends(self, now: int, producer: int) -> bool:
        self._destination.ask(producer)
        if not self._destination.may_send(producer):
            return False
        self._destination.send(producer)
        heappush(self.due, (now + self._gap, producer))
        return True

    def _count(self, waited: int) -> None:
        self.stopped += waited
        self.longest = max(self.longest, waited)


def time_stopped(configuration: Configuration) -> TimeStopped:
    """Run the configuration for its seconds, from empty; of what falls together, sends come before removals."""
    clockwork = _Clockwork(configuration)
    end = configuration.seconds * SECOND
    removals = configuration.seconds * configuration.drain_rate
    for number in range(1, removals + 1):
        now = number * SECOND // configuration.drain_rate
        while clockwork.due and clockwork.due[0][0] <= now and clockwork.due[0][0] < end:
            clockwork.send_what_is_due()
        clockwork.remove(now)
    clockwork.end(end)
    return TimeStopped(
        clockwork.stopped // MILLISECOND, clockwork.longest // MILLISECOND, clockwork.cycles, clockwork.through
    )
