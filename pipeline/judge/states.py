"""What judging counts, and what it remembers, in a form that a file can hold."""

from dataclasses import dataclass

from tidegate.pipeline.findings.reports import Evidence

MOST_EVIDENCE = 5
"""Events shown for each trace rule of an input."""


@dataclass(frozen=True)
class Counted:
    """How many events of an input a trace rule judges, of how many it does not hold, and the first of these."""

    judged: int = 0
    violated: int = 0
    evidence: tuple[Evidence, ...] = ()
    """By source and number."""

    def plus(self, more: "Counted", most: int = MOST_EVIDENCE) -> "Counted":
        """Both together, with the first `most` events of which the rule does not hold."""
        both = sorted((*self.evidence, *more.evidence), key=lambda event: (event.source, event.seq))
        return Counted(self.judged + more.judged, self.violated + more.violated, tuple(both[:most]))


NO_EVENTS = Counted()
Place = tuple[str, str]
"""An input, and a trace rule over it, by their names."""
Counts = dict[Place, Counted]


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
