"""What judging counts, and what it remembers, in a form that a file can hold."""

from dataclasses import dataclass
from typing import NamedTuple

from tidegate.pipeline.findings.reports import Evidence


class Tally(NamedTuple):
    """How many events of an input a trace rule judges, and of how many of those it does not hold."""

    judged: int
    violated: int

    def plus(self, more: "Tally") -> "Tally":
        """Both together."""
        return Tally(self.judged + more.judged, self.violated + more.violated)


NO_TALLY = Tally(0, 0)
Place = tuple[str, str]
"""An input, and a trace rule over it, by their names."""
Tallies = dict[Place, Tally]
Witnesses = dict[Place, tuple[Evidence, ...]]


@dataclass(frozen=True)
class KeyStates:
    """What is remembered of each row of keys, its source first: by row so many values, in any size."""

    keys: tuple[tuple[str | int, ...], ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class States:
    """What operators remember, by row of fields in the order of `Loop.keys`, and which channels are stopped by whom."""

    past: tuple[KeyStates, ...]
    stopped: KeyStates
