"""Counts the values of conditions, and the pairs of them, that the woven scenarios of an implementation meet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tidegate.adapters.capabilities import with_implied
from tidegate.catalogue import catalogue
from tidegate.conformance.conditions.condition import PLAIN, Weave
from tidegate.conformance.conditions.known import CONDITIONS, go_together
from tidegate.conformance.conditions.weaving import open_conditions, values_of, woven_scenarios
from tidegate.conformance.feature_files import scenarios

Place = tuple[str, str]
"""A condition and one of its values."""


@dataclass(frozen=True)
class Met:
    """The values and pairs that scenarios meet, of all values and pairs that the implementation can establish."""

    values: int
    of_values: int
    pairs: int
    of_pairs: int


def met(capabilities: frozenset[str], strength: int, seed: str = "") -> Met:
    """The counts for an implementation with these capabilities; an empty `seed` is the seed of every plain run."""

    capabilities = with_implied(capabilities)

    def claims(rules: tuple[str, ...], needs: frozenset[str]) -> bool:
        return needs.union(*(catalogue()[rule].needs for rule in rules)) <= capabilities

    woven = woven_scenarios(claims, capabilities, strength, seed)
    found = [places for weave, opened in _runs(woven) for places in [_places(weave, opened)]]
    there = [(each.name, [value.name for value in values_of(each, capabilities)]) for each in CONDITIONS]
    wanted = [(name, value) for name, values in there if len(values) > 1 for value in values]
    pairs = [pair for pair in combinations(wanted, 2) if _go_together(*pair)]
    return Met(
        sum(any(value in each for each in found) for value in wanted), len(wanted),
        sum(any(one in each and other in each for each in found) for one, other in pairs), len(pairs),
    )  # fmt: skip


def _runs(woven: Mapping[str, Sequence[Weave]]) -> Iterator[tuple[Weave, frozenset[str]]]:
    """Each weave of a scenario, with the conditions that the scenario leaves open."""
    for scenario in scenarios():
        if scenario.check in woven:
            for weave in (PLAIN, *woven[scenario.check]):
                yield weave, open_conditions(scenario)


def _places(weave: Weave, opened: frozenset[str]) -> frozenset[Place]:
    # a weave may have several histories
    chosen = {(name, value.name) for name, value in weave.values if name in opened}
    varied = {name for name, _ in chosen}
    plain = {(each.name, each.plain.name) for each in CONDITIONS if each.name in opened - varied}
    return frozenset(chosen | plain)


def _go_together(one: Place, other: Place) -> bool:
    return one[0] != other[0] and go_together(one[1], other[1])
