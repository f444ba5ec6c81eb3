"""Configurations of a sweep: a mechanism, its limits, its producers and consumers; and grids of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import prod
from typing import Any

from tidegate.model.mechanisms.artemis import DEFAULT_WINDOW
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput


class Mechanism(StrEnum):
    """The documented mechanism that stops the producers."""

    QPID_QUEUE = "qpid-queue"
    """The queue gate of the Qpid Java broker: capacity and resume level."""
    ARTEMIS_AMQP = "artemis-amqp"
    """An Artemis address under BLOCK, its AMQP producers on credit in messages."""
    ARTEMIS_CORE = "artemis-core"
    """An Artemis address under BLOCK, its Core producers on credit in bytes."""
    CLASSIC_MEMORY = "classic-memory"
    """The memory limit of an ActiveMQ Classic destination."""


@dataclass(frozen=True)
class Configuration:
    """One run of a sweep. Sizes and levels are in bytes, rates in messages a second; None where not configured."""

    mechanism: Mechanism
    producers: int
    size: int
    """The size of every message in bytes."""
    capacity: int
    """The upper level: a queue's capacity, an address' maximum size, a destination's memory limit."""
    send_rate: int
    """The rate of each producer that is not stopped."""
    drain_rate: int
    """The rate of all consumers together."""
    seconds: int
    """The duration of the run, in virtual time."""
    resume: int | None = None
    """The resume level of a queue gate."""
    resume_percent: int | None = None
    """The resume level in percent of the capacity."""
    credits: int | None = None
    """The window of an AMQP producer, in messages."""
    credits_low: int | None = None
    """The low watermark of an AMQP producer's credit, in messages."""
    window: int | None = None
    """The window of a Core producer."""


@dataclass(frozen=True)
class Axis:
    """A figure that a sweep may vary: its default (None: not configured) and its least value."""

    default: int | None
    least: int
    only: frozenset[Mechanism] = frozenset(Mechanism)
    """The mechanisms that have the figure."""


_QPID = frozenset({Mechanism.QPID_QUEUE})
_AMQP = frozenset({Mechanism.ARTEMIS_AMQP})
_CORE = frozenset({Mechanism.ARTEMIS_CORE})

AXES: Mapping[str, Axis] = {
    "producers": Axis(1, 1),
    "size": Axis(1000, 1),
    "capacity": Axis(100_000, 1),
    "resume": Axis(None, 0, _QPID),
    "resume_percent": Axis(None, 0, _QPID),
    "credits": Axis(DEFAULT_WINDOW.size, 1, _AMQP),
    "credits_low": Axis(DEFAULT_WINDOW.low, 0, _AMQP),
    "window": Axis(65_536, 1, _CORE),
    "send_rate": Axis(100, 1),
    "drain_rate": Axis(100, 1),
    "seconds": Axis(60, 1),
}
"""The figures of a configuration, in the order in which they are shown."""


def resume_level(configuration: Configuration) -> int | None:
    """The resume level in bytes, from bytes or from percent; None where it is not configured."""
    if configuration.resume_percent is None:
        return configuration.resume
    return configuration.capacity * configuration.resume_percent // 100


def messages(configuration: Configuration) -> int:
    """About the most messages that a run has to step through: the cost of the run."""
    ahead = max(configuration.credits or 0, (configuration.window or 0) // configuration.size, 1)
    at_once = configuration.capacity // configuration.size + configuration.producers * ahead
    per_second = configuration.producers * configuration.send_rate + configuration.drain_rate
    return at_once + configuration.seconds * per_second


MOST_RUNS = 10_000
"""The most runs of a sweep by default."""
MOST_MESSAGES = 10_000_000
"""The most messages of one run, which takes minutes."""


@dataclass(frozen=True)
class Grid:
    """The mechanisms, and the given values of each figure."""

    mechanisms: tuple[Mechanism, ...]
    values: Mapping[str, tuple[int, ...]]

    def of(self, mechanism: Mechanism) -> dict[str, tuple[int, ...]]:
        """The values of every figure that the mechanism has and that is given or has a default."""
        found: dict[str, tuple[int, ...]] = {}
        for name, axis in AXES.items():
            if mechanism in axis.only and name in self.values:
                found[name] = self.values[name]
            elif mechanism in axis.only and axis.default is not None:
                found[name] = (axis.default,)
        return found

    @property
    def runs(self) -> int:
        """How many configurations the grid has."""
        return sum(prod(map(len, self.of(mechanism).values())) for mechanism in self.mechanisms)

    def varied(self, mechanism: Mechanism) -> tuple[str, ...]:
        """The figures that have more than one value."""
        return tuple(name for name, values in self.of(mechanism).items() if len(values) > 1)


def configurations(grid: Grid, most_runs: int = MOST_RUNS) -> tuple[Configuration, ...]:
    """Every combination, in the order of the figures. BadInput where there are too many, or a run is too long."""
    if grid.runs > most_runs:
        raise BadInput(f"expected a grid of at most {counted(most_runs, 'runs')}, not {grid.runs:,}")
    found = tuple(_combinations(grid))
    longest = max(found, key=messages)
    if messages(longest) > MOST_MESSAGES:
        raise BadInput(
            f"expected runs of at most {MOST_MESSAGES:,} messages, and one has about {messages(longest):,}; "
            "take larger messages, a smaller capacity or window, a lower rate, or fewer seconds"
        )
    return found


def warnings(grid: Grid) -> tuple[str, ...]:
    """Sentences on combinations that no document forbids and that are probably mistakes."""
    above = [each for each in _combinations(grid) if (resume_level(each) or 0) > each.capacity]
    if not above:
        return ()
    first = above[0]
    return (
        f"in {len(above):,} of {counted(grid.runs, 'runs')} the resume level is above the capacity, for instance "
        f"{resume_level(first):,} above {counted(first.capacity, 'bytes')}: producers are released while "
        f"the queue is overfull",
    )


def _combinations(grid: Grid) -> Iterator[Configuration]:
    for mechanism in grid.mechanisms:
        axes: dict[str, Any] = grid.of(mechanism)
        for values in product(*axes.values()):
            yield Configuration(mechanism=mechanism, **dict(zip(axes, values, strict=True)))
