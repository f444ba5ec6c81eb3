"""The counts and the memory of judging, in a form that a file can hold."""

from dataclasses import dataclass

from tidegate.pipeline.findings.reports import Evidence

MOST_EVIDENCE = 5
"""The most events shown for each trace rule of an input."""


@dataclass(frozen=True)
class Counted:
    """How many events of an input a trace rule judges, how many of them violate it, and the first violating events."""

    judged: int = 0
    violated: int = 0
    evidence: tuple[Evidence, ...] = ()
    """The first events that violate the rule, by source and number."""

    def plus(self, more: "Counted", most: int = MOST_EVIDENCE) -> "Counted":
        """Both counts together, with the first `most` events that violate the rule."""
        both = sorted((*self.evidence, *more.evidence), key=lambda event: (event.source, event.seq))
        return Counted(self.judged + more.judged, self.violated + more.violated, tuple(both[:most]))


NO_EVENTS = Counted()
Place = tuple[str, str]
"""The names of an input and of a trace rule that judges it."""
Counts = dict[Place, Counted]


@dataclass(frozen=True)
class KeyStates:
    """The remembered values of each row of keys. The first key is the source; the values may have any size."""

    keys: tuple[tuple[str | int, ...], ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class States:
    """The values of operators, in the order of `Loop.keys`, and the stopped channels with their destinations."""

    past: tuple[KeyStates, ...]
    stopped: KeyStates
