"""Runs of a sweep: what is found about each configuration, by any runner."""

from collections.abc import Sequence
from dataclasses import dataclass

from tidegate.pipeline.sweep.configuration import Configuration, messages
from tidegate.pipeline.sweep.timed import TimeStopped, time_stopped
from tidegate.pipeline.sweep.worst_case import Worst, worst_case
from tidegate.pipeline.work.engines import Runner

BATCHES = 64
"""Pieces of work that a sweep is cut into; to hand one out costs more than a small run."""
LIGHT_MESSAGES = 1_000_000
"""A sweep of fewer messages altogether is done before Spark would have started and shared it out."""


@dataclass(frozen=True)
class Run:
    """What was found about one configuration."""

    configuration: Configuration
    worst: Worst
    time: TimeStopped

    @property
    def overshoot_bytes(self) -> int:
        """How far past its capacity the destination came in the worst case."""
        return max(self.worst.bytes - self.configuration.capacity, 0)

    @property
    def overshoot_percent(self) -> float:
        """The overshoot in percent of the capacity."""
        return 100 * self.overshoot_bytes / self.configuration.capacity

    @property
    def stopped_percent(self) -> float:
        """The share of their time that the producers waited."""
        return self.time.stopped_ms / (10 * self.configuration.seconds * self.configuration.producers)

    @property
    def cycles_per_hour(self) -> float:
        """How often in an hour somebody came to wait while nobody did."""
        return 3600 * self.time.cycles / self.configuration.seconds


def sweep(configurations: Sequence[Configuration], runner: Runner) -> list[Run]:
    """A run of each configuration, in their order."""
    # neighbours cost alike, so each batch takes one of every so many
    batches = [tuple(configurations[first::BATCHES]) for first in range(min(BATCHES, len(configurations)))]
    done = runner.each(run_batch, batches)
    return [done[number % BATCHES][number // BATCHES] for number in range(len(configurations))]


def run_batch(configurations: Sequence[Configuration]) -> list[Run]:
    """A run of each configuration, one after the other."""
    return [Run(each, worst_case(each), time_stopped(each)) for each in configurations]


def is_light(configurations: Sequence[Configuration]) -> bool:
    """Whether a sweep is so little to do that it is done here at once."""
    return sum(map(messages, configurations)) < LIGHT_MESSAGES
