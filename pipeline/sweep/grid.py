"""Grids: the values of each figure that a sweep tries, and all their combinations."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from tidegate.pipeline.sweep.configuration import AXES, Configuration, Mechanism, messages, resume_level
from tidegate.record.errors import BadInput

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
