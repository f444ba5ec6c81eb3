"""What judging counts: how many events a rule judges, of how many it does not hold, and which these are."""

from typing import NamedTuple

from tidegate.model.language.rule import Definition
from tidegate.pipeline.findings import Evidence


class Tally(NamedTuple):
    """How many events of an input a rule's definition judges, and of how many of those it does not hold."""

    judged: int
    violated: int

    def plus(self, more: "Tally") -> "Tally":
        """Both together."""
        return Tally(self.judged + more.judged, self.violated + more.violated)


NO_TALLY = Tally(0, 0)
Place = tuple[str, Definition]
"""A definition of a rule over the input of this name."""
Tallies = dict[Place, Tally]
Witnesses = dict[Place, tuple[Evidence, ...]]
