"""Configurations to try: a mechanism, its limits, who sends to it and who drains it; and grids of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import prod
from typing import Any

from tidegate.model.mechanisms.artemis import DEFAULT_WINDOW
from tidegate.record.errors import BadInput


class Mechanism(StrEnum):
    """Which documented mechanism stops the producers."""

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
    """Of every message."""
    capacity: int
    """The upper level: a queue's capacity, an address' maximum size, a destination's memory limit."""
    send_rate: int
    """Of each producer that is not stopped."""
    drain_rate: int
    """Of all consumers together."""
    seconds: int
    """How long it is run, in virtual time."""
    resume: int | None = None
    """The resume level of a queue gate."""
    resume_percent: int | None = None
    """The resume level in percent of the capacity."""
    credits: int | None = None
    """The window of an AMQP producer, in messages."""
    credits_low: int | None = None
    """The low mark of an AMQP producer, in messages."""
    window: int | None = None
    """The window of a Core producer."""


@dataclass(frozen=True)
class Axis:
    """A figure that a sweep may vary: its value where none is given (None: not configured), and its least value."""

    default: int | None
    least: int
    only: frozenset[Mechanism] = frozenset(Mechanism)
    """The mechanisms that have such a figure."""


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
"""The fields of a configuration that are figures, in the order in which they are shown."""


def resume_level(configuration: Configuration) -> int | None:
    """The resume level in bytes, however it was given; None where it was not."""
    if configuration.resume_percent is None:
        return configuration.resume
    return configuration.capacity * configuration.resume_percent // 100


def messages(configuration: Configuration) -> int:
    """At most how many messages a run has to step through, roughly: what a sweep costs."""
    ahead = max(configuration.credits or 0, (configuration.window or 0) // configuration.size, 1)
    at_once = configuration.capacity // configuration.size + configuration.producers * ahead
    per_second = configuration.producers * configuration.send_rate + configuration.drain_rate
    return at_once + configuration.seconds * per_second


MOST_RUNS = 10_000
"""Runs of a sweep for which nobody asked for more."""
MOST_MESSAGES = 10_000_000
"""Messages of one run; a run of as many takes minutes."""


@dataclass(frozen=True)
class Grid:
    """The mechanisms, and the values of each figure that somebody gave."""

    mechanisms: tuple[Mechanism, ...]
    values: Mapping[str, tuple[int, ...]]

    def of(self, mechanism: Mechanism) -> dict[str, tuple[int, ...]]:
        """The values of every figure that the mechanism has and that is configured."""
        found: dict[str, tuple[int, ...]] = {}
        for name, axis in AXES.items():
            if mechanism in axis.only and name in self.values:
                found[name] = self.values[name]
            elif mechanism in axis.only and axis.default is not None:
                found[name] = (axis.default,)
        return found

    @property
    def runs(self) -> int:
        """How many configurations it makes."""
        return sum(prod(map(len, self.of(mechanism).values())) for mechanism in self.mechanisms)

    def varied(self, mechanism: Mechanism) -> tuple[str, ...]:
        """The figures that have more than one value."""
        return tuple(name for name, values in self.of(mechanism).items() if len(values) > 1)


def configurations(grid: Grid, most_runs: int = MOST_RUNS) -> tuple[Configuration, ...]:
    """Every combination, in the order of the figures. BadInput where they are too many, or a run is too long."""
    if grid.runs > most_runs:
        raise BadInput(f"expected a grid of at most {most_runs:,} runs, and this one has {grid.runs:,}")
    found = tuple(_combinations(grid))
    longest = max(found, key=messages)
    if messages(longest) > MOST_MESSAGES:
        raise BadInput(
            f"expected runs of at most {MOST_MESSAGES:,} messages, and one has about {messages(longest):,}; "
            "take larger messages, a smaller capacity or window, a lower rate, or fewer seconds"
        )
    return found


def warnings(grid: Grid) -> tuple[str, ...]:
    """What no document forbids and yet is likely to be a mistake, a sentence each."""
    above = [each for each in _combinations(grid) if (resume_level(each) or 0) > each.capacity]
    if not above:
        return ()
    first = above[0]
    return (
        f"in {len(above):,} of {grid.runs:,} runs the resume level is above the capacity, for instance "
        f"{resume_level(first):,} above {first.capacity:,} bytes: producers are released while the queue is overfull",
    )


def _combinations(grid: Grid) -> Iterator[Configuration]:
    for mechanism in grid.mechanisms:
        axes: dict[str, Any] = grid.of(mechanism)
        for values in product(*axes.values()):
            yield Configuration(mechanism=mechanism, **dict(zip(axes, values, strict=True)))
