"""The conditions and limits of a random sequence.

Every second or third sequence runs with the plain setup of its mechanism. On a virtual clock all sequences after the
first ones run on two destinations.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, repeat
from random import Random

from tidegate.adapters.base import Limits
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.known import CONDITIONS
from tidegate.conformance.conditions.weaving import each_alone
from tidegate.conformance.stateful.setup import Setup

VARIED = (
    *("destination", "addressing", "sending", "persistence", "protocol", "acknowledgement"),
    *("consumption", "order", "figures", "elsewhere"),
)
"""The conditions that leave the prediction as it is, and give each producer its own connection."""


HAVE_ONE = 40
"""The sequences on one destination, before those on two."""


@dataclass(frozen=True)
class Variation:
    """The conditions and limits by which a sequence differs from others of its mechanism."""

    weave: Weave
    limits: Limits
    keeps_data: bool = False
    has_two_destinations: bool = False
    shares_connection: bool = False

    @property
    def alone(self) -> "Variation":
        """The same conditions and limits on one destination, whose broker is not started again."""
        return Variation(self.weave, self.limits)

    def of(self, setup: Setup) -> Setup:
        """The setup with these limits, with data that is kept or not, and with these destinations and connections."""
        own = {name: getattr(self, name) for name in ("keeps_data", "has_two_destinations", "shares_connection")}
        return replace(setup, limits=self.limits, **own)


def variations(setup: Setup, capabilities: Collection[str]) -> tuple[Variation, ...]:
    """The variations for an implementation with these capabilities, the plain one first."""
    limits = [setup.limits, *(further for needed, further in setup.further if needed in capabilities)]
    conditions = [] if setup.usage else [each for each in CONDITIONS if each.name in VARIED]
    # costly values leave time for fewer sequences; a full neighbour would be judged before the mechanism
    alone = [each for each in each_alone(conditions, capabilities) if not each.has_costly]
    by_limits = [Variation(PLAIN, each) for each in limits]
    return (*by_limits, *(Variation(each, setup.limits) for each in alone))


def in_turn(
    found: Sequence[Variation], setup: Setup, capabilities: Collection[str], random: Random, *, is_virtual: bool
) -> Iterator[Variation]:
    """By turns the plain variation, one of other limits, and one of other conditions, both in a drawn order.

    On a virtual clock the sequences after the first ones have two destinations, and clients that share a connection, if
    the implementation offers that. In every second round there the broker can be started again, which takes long in
    real time. A setup with limits on all destinations has neither.
    """
    plain, *others = found
    kinds = [[each for each in others if (each.limits != plain.limits) == by_limits] for by_limits in (True, False)]
    for some in kinds:
        random.shuffle(some)
    turns = [repeat(plain), *(cycle(some) for some in kinds if some)]
    shares, keeps = "shared-connections" in capabilities, is_virtual and "restarts-broker" in capabilities
    drawn = chain.from_iterable(zip(*turns, strict=True))
    for number, variation in enumerate(drawn):
        has_two = number >= HAVE_ONE and is_virtual and setup.usage is None
        kept = keeps and setup.usage is None and number // len(turns) % 2 == 1
        yield replace(
            variation,
            # a producer elsewhere would end with the broker, unseen
            keeps_data=kept and not variation.weave.bystander,
            has_two_destinations=has_two,
            shares_connection=has_two and shares,
        )
