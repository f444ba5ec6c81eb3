"""The conditions and limits of a random sequence: every second one runs as its mechanism is set up."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.conformance.conditions.weaving import each_alone
from tidegate.conformance.stateful.setup import Setup

VARIED = ("destination", "addressing", "persistence", "protocol", "figures", "elsewhere")
"""The conditions that change nothing of what is predicted, and leave a producer a connection of its own."""


@dataclass(frozen=True)
class Variation:
    """How a sequence differs from others of its mechanism."""

    weave: Weave
    limits: Limits

    def of(self, setup: Setup) -> Setup:
        """The setup with these limits."""
        return replace(setup, limits=self.limits)


def variations(setup: Setup, capabilities: Collection[str]) -> tuple[Variation, ...]:
    """What an implementation with these capabilities can be tried under, the plain one first."""
    limits = [setup.limits, *(further for needed, further in setup.further if needed in capabilities)]
    conditions = [] if setup.usage else [each for each in CONDITIONS if each.name in VARIED]
    alone = each_alone(conditions, capabilities)
    return (*(Variation(PLAIN, each) for each in limits), *(Variation(each, setup.limits) for each in alone))


def in_turn(found: Sequence[Variation], random: Random) -> Iterator[Variation]:
    """The plain one and another by turns, the others in an order that is drawn."""
    plain, *others = found
    random.shuffle(others)
    while True:
        for other in others or [plain]:
            yield plain
            yield other
