"""Runs of a sweep: the worst case and the time stopped of each configuration, by any runner."""

from collections import deque
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from tidegate.pipeline.work.engines import Runner
from tidegate.sweep.configuration import Configuration, messages
from tidegate.sweep.stepping import Destination, empty_destination


@dataclass(frozen=True)
class Worst:
    """The most bytes that the destination held, and whether nothing releases the stopped producers."""

    bytes: int
    never_released: bool


def worst_case(configuration: Configuration) -> Worst:
    """The worst case of a configuration: producers send and consumers remove until a state recurs, so that nothing new
    can happen.

    The order is the worst possible: all producers take the credit they can get before anybody sends, and then one after
    the other sends for as long as it may; a message is removed only once all producers are stopped.
    """
    destination = empty_destination(configuration)
    seen: set[Hashable] = set()
    most = 0
    while destination.state not in seen:
        seen.add(destination.state)
        _all_send(destination, configuration.producers)
        most = max(most, destination.bytes)
        if not _drained_until_somebody_may_send(destination, configuration.producers):
            return Worst(most, never_released=True)
    return Worst(most, never_released=False)


def _all_send(destination: Destination, producers: int) -> None:
    for producer in range(producers):
        destination.ask(producer)
    for producer in range(producers):
        while destination.may_send(producer):
            destination.send(producer)
            destination.ask(producer)


def _drained_until_somebody_may_send(destination: Destination, producers: int) -> bool:
    """Remove messages until a producer may send again; whether one may, at the latest once the destination is empty."""
    while destination.bytes > 0:
        destination.remove()
        for producer in range(producers):
            destination.ask(producer)
        if any(destination.may_send(producer) for producer in range(producers)):
            return True
    return False


SECOND = 1_000_000_000
"""The ns of a second: the clock counts nanoseconds, so that no rate drifts."""
MILLISECOND = 1_000_000


@dataclass(frozen=True)
class TimeStopped:
    """The time that producers waited, in ms, in total and at most at a stretch; how often; and the messages removed."""

    stopped_ms: int
    longest_stop_ms: int
    cycles: int
    """How often a producer began to wait while no other waited."""
    messages_through: int


class _Clockwork:
    """The producers of one destination; each is due to send at some time or waits for permission."""

    def __init__(self, configuration: Configuration):
        self._destination = empty_destination(configuration)
        self._gap = SECOND // configuration.send_rate
        self.due = [(0, producer) for producer in range(configuration.producers)]
        self.waiting: deque[tuple[int, int]] = deque()
        self.stopped = self.longest = self.cycles = self.through = 0

    def send_what_is_due(self) -> None:
        """Let the next due producer send, or begin to wait."""
        now, producer = heappop(self.due)
        if not self._sends(now, producer):
            self.cycles += not self.waiting
            self.waiting.append((now, producer))

    def remove(self, now: int) -> None:
        """Remove a message, if there is one; waiting producers then send in turn, if they may."""
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
        """Count the waits of the producers that still wait."""
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
    """The time stopped in a run of the configuration, from empty; at equal times, sends come before removals."""
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


BATCHES = 64
"""The pieces of work of a sweep; to hand out a piece costs more than a small run."""
LIGHT_MESSAGES = 1_000_000
"""A sweep with fewer messages is done before Spark would have started."""


@dataclass(frozen=True)
class Run:
    """The findings about one configuration."""

    configuration: Configuration
    worst: Worst
    time: TimeStopped

    @property
    def overshoot_bytes(self) -> int:
        """How far, in bytes, the destination exceeded its capacity in the worst case."""
        return max(self.worst.bytes - self.configuration.capacity, 0)

    @property
    def overshoot_percent(self) -> float:
        """The overshoot in percent of the capacity."""
        return 100 * self.overshoot_bytes / self.configuration.capacity

    @property
    def stopped_percent(self) -> float:
        """The percent of their time that the producers waited."""
        return self.time.stopped_ms / (10 * self.configuration.seconds * self.configuration.producers)

    @property
    def cycles_per_hour(self) -> float:
        """How often in an hour a producer began to wait while no other waited."""
        return 3600 * self.time.cycles / self.configuration.seconds


def sweep(configurations: Sequence[Configuration], runner: Runner) -> list[Run]:
    """A run of each configuration, in their order."""
    # neighbours cost alike, so a batch takes every BATCHES-th configuration
    batches = [tuple(configurations[first::BATCHES]) for first in range(min(BATCHES, len(configurations)))]
    done = list(runner.each(run_batch, batches))
    return [done[number % BATCHES][number // BATCHES] for number in range(len(configurations))]


def run_batch(configurations: Sequence[Configuration]) -> list[Run]:
    """A run of each configuration, one after the other."""
    return [Run(each, worst_case(each), time_stopped(each)) for each in configurations]


def is_light(configurations: Sequence[Configuration]) -> bool:
    """Whether a sweep is so small that this process alone does it at once."""
    return sum(map(messages, configurations)) < LIGHT_MESSAGES
