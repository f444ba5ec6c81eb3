"""The conditions and limits of a random sequence.

Every second or third sequence runs with the plain setup of its mechanism.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, repeat
from random import Random

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.conformance.conditions.weaving import each_alone
from tidegate.conformance.stateful.setup import Setup

VARIED = ("destination", "addressing", "persistence", "protocol", "figures", "elsewhere")
"""The conditions that leave the prediction as it is, and give each producer its own connection."""


@dataclass(frozen=True)
class Variation:
    """The conditions and limits by which a sequence differs from others of its mechanism."""

    weave: Weave
    limits: Limits
    keeps_data: bool = False

    def of(self, setup: Setup) -> Setup:
        """The setup with these limits, and with data that is kept or not."""
        return replace(setup, limits=self.limits, keeps_data=self.keeps_data)


def variations(setup: Setup, capabilities: Collection[str], *, restarts: bool = False) -> tuple[Variation, ...]:
    """The variations for an implementation with these capabilities, the plain one first.

    If `restarts`, the broker is started again in some of them, which takes long in real time.
    """
    limits = [setup.limits, *(further for needed, further in setup.further if needed in capabilities)]
    conditions = [] if setup.usage else [each for each in CONDITIONS if each.name in VARIED]
    # costly values leave time for fewer sequences; a full neighbour would be judged before the mechanism
    alone = [each for each in each_alone(conditions, capabilities) if not each.has_costly]
    kept = restarts and "restarts-broker" in capabilities and setup.usage is None
    restarted = [Variation(PLAIN, setup.limits, keeps_data=True)] if kept else []
    by_limits = [Variation(PLAIN, each) for each in limits]
    return (*by_limits, *restarted, *(Variation(each, setup.limits) for each in alone))


def in_turn(found: Sequence[Variation], random: Random) -> Iterator[Variation]:
    """By turns the plain variation, one of other limits, and one of other conditions, both in a drawn order."""
    plain, *others = found
    kinds = [[each for each in others if (each.limits != plain.limits) == by_limits] for by_limits in (True, False)]
    for some in kinds:
        random.shuffle(some)
    turns = [repeat(plain), *(cycle(some) for some in kinds if some)]
    for turn in cycle(turns):
        yield next(turn)
