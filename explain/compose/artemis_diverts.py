"""The effect of diverts of Artemis on the limits of addresses.

A divert routes a message on after its producer had credit for the address to which it was sent. So BLOCK at the
address behind a divert holds no producer back: messages are stored there past the limit. PAGE, FAIL and DROP act on
each message.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from tidegate.explain.read.artemis_file import ArtemisFile, Divert
from tidegate.explain.vocabulary import Bound, Destination, Flow, Limit, Word

_BEHIND = {
    "BLOCK": "whose limit stops no producer of this address",
    "PAGE": "where messages past the limit go to disk",
    "FAIL": "where messages past the limit are refused, and with them the send",
    "DROP": "where messages past the limit are lost without a word",
    None: "whose policy is not known",
}
"""By policy of the address behind a divert, what happens there once it is full."""


class HasPolicy(Protocol):
    """The settings in force at an address."""

    @property
    def policy(self) -> Word:
        """The policy of a full address."""


def with_diverts(read: ArtemisFile, found: Destination, in_force: Callable[[str], HasPolicy]) -> Destination:
    """The explanation of an address, with the effect of diverts from it and to it."""
    behind = [each for each in read.diverts if each.address == found.name]
    to_here = [each for each in read.diverts if found.name in each.targets and each.address != found.name]
    if behind:
        found = _passed_on(found, behind, in_force)
    if to_here and in_force(found.name).policy.value == "BLOCK":
        found = _past_the_limit(found, to_here)
    return found


def _passed_on(found: Destination, diverts: list[Divert], in_force: Callable[[str], HasPolicy]) -> Destination:
    """The explanation of an address from which messages are diverted."""
    targets = dict.fromkeys(target for each in diverts for target in each.targets)
    parts = [f"{target}, {_BEHIND[in_force(target).policy.value]}" for target in targets]
    limits = (*_limits(diverts), *found.limits)
    emptied = next((each for each in diverts if each.keeps_nothing), None)
    if emptied is None:
        verdict = f"{found.verdict}; diverts pass messages on to {'; '.join(parts)}"
        return replace(found, verdict=verdict, limits=limits)
    why = f"nothing stays here: {emptied.origin.part or 'a divert'} passes each message on"
    first = "only global-max-size can stop its producers"
    flows = tuple(Flow(each.producers, first, Bound(0, 0, why, ())) for each in found.flows)
    return replace(found, verdict=f"keeps nothing: a divert passes each message on to {'; '.join(parts)}",
                   limits=limits, flows=flows)  # fmt: skip


def _limits(diverts: list[Divert]) -> Iterator[Limit]:
    for each in diverts:
        does = (
            "Each message goes there instead." if each.keeps_nothing else "Messages go there too, or some do instead."
        )
        yield Limit(each.origin.part, ", ".join(each.targets), each.origin, does, "", ())


def _past_the_limit(found: Destination, diverts: list[Divert]) -> Destination:
    """The explanation of an address with BLOCK to which messages are diverted."""
    sources = ", ".join(dict.fromkeys(each.address for each in diverts))
    verdict = f"{found.verdict}; messages diverted from {sources} come past the limit: it stops no producer there"
    why = "producers had credit for the address to which they sent, and the limit of this one holds no message back"
    open_ended = Bound(None, None, why, (), (f"producers send to {sources}", "each message is stored here as well"))
    first = "no limit of this address"
    flow = Flow(f"producers to {sources}, whose messages are diverted here", first, open_ended)
    return replace(found, verdict=verdict, flows=(*found.flows, flow))
