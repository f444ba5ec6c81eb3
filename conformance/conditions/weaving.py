"""Which weaves each scenario runs under: covering arrays over the values that an implementation can establish.

The scenarios of one feature together meet each value (strength 1), each pair of values (2) or each triple (3). Each
also runs plain, which is the control of all its weaves.
"""

import importlib.metadata
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from tidegate.catalogue import catalogue
from tidegate.conformance.conditions.condition import PLAIN, Condition, Value, Weave
from tidegate.conformance.conditions.known import CONDITIONS, NOT_TOGETHER
from tidegate.conformance.feature_files import Scenario, scenarios
from tidegate.record.cache import cached
from tidegate.record.errors import BadInput

WEAVE_IN_NAME = re.compile(r" \((?P<values>[^()]+)\)$")
ROWS_OF_EACH = 2
"""How many weaves each general scenario runs under. One weave may miss a fault that another shows."""
WITH_EACH_ALONE = 2
"""How many general scenarios run with each value alone. Those with the most open conditions come first."""
OF_EVERY_MECHANISM = "general"
"""The feature whose scenarios are tried under costly values too."""
IN_USE = re.compile(r"^two producers send until none may, and then a third|takes all messages and is closed$")
"""A step of a scenario that is tried under each value alone: what it goes through, any bug of a condition disturbs."""
MESSAGE = re.compile(r"messages? of (\d+|<\w+>)( and (\d+|<\w+>))? bytes")
"""The size of a message, which is no level."""


MOST_ARRAYS = 4096
"""Covering arrays that are kept; a profile of the reference has some 50, and each takes a few thousand bytes."""
SO_MANY = re.compile(r"further destinations|^(\d+|<rounds>) times")
"""Steps with so many destinations or rounds that a scenario runs as it is written only."""

Names = Sequence[Sequence[str]]
"""The names of the values of several conditions."""
Apart = Sequence[tuple[tuple[int, int], Sequence[tuple[str, str]]]]
"""Two conditions by number, with pairs of their values."""
Choice = tuple[tuple[str, str], ...]
"""Values of different conditions, each as condition and value."""


@dataclass(frozen=True)
class Woven:
    """A scenario as weaving sees it."""

    check: str
    """The name of its check."""
    conditions: frozenset[str]
    """The names of the conditions that its rules and steps leave open."""
    feature: str = ""
    """The mechanism whose scenarios meet the values together."""
    rules: tuple[str, ...] = ()
    """The rules that the check decides."""
    steps: tuple[str, ...] = ()
    is_boundary: bool = False
    """It has figures at a level, below it and above it."""

    @cached_property
    def open_ones(self) -> tuple[Condition, ...]:
        """The conditions that it leaves open, each without the values that its steps rule out."""
        return tuple(self._without_ruled_out(each) for each in CONDITIONS if each.name in self.conditions)

    def _without_ruled_out(self, condition: Condition) -> Condition:
        values = (each for each in condition.values if not any(map(each.ruled_out_by.search, self.steps)))
        return replace(condition, values=tuple(values))


def values_of(condition: Condition, capabilities: Collection[str], *, costly: bool = True) -> tuple[Value, ...]:
    """The values of a condition that can be established, without those that are costly unless these are wanted."""
    return tuple(
        value for value in condition.values if value.needs <= frozenset(capabilities) and (costly or not value.costly)
    )


def rows(
    conditions: Sequence[Condition], capabilities: Collection[str], strength: int, seed: str, *, costly: bool = True
) -> list[Weave]:
    """The weaves of a covering array, without the plain one; none where there is nothing to vary."""
    factors = tuple((each.name, values_of(each, capabilities, costly=costly)) for each in conditions)
    return list(_array(tuple((name, values) for name, values in factors if len(values) > 1), strength, seed))


@lru_cache(maxsize=MOST_ARRAYS)
def _array(factors: tuple[tuple[str, tuple[Value, ...]], ...], strength: int, seed: str) -> tuple[Weave, ...]:
    """The rows over these values; a process that runs the suite again draws the same ones."""
    if not factors:
        return ()
    names = [[value.name for value in values] for _, values in factors]
    found = _drawn(names, _apart(names), min(strength, len(factors)), seed)
    return tuple(weave for row in found if (weave := _weave(row, factors)) != PLAIN)


def _drawn(names: Names, apart: Apart, strength: int, seed: str) -> list[list[str]]:
    """The rows as names, one of each condition in turn; drawn once for all runs, for a profile's take seconds."""
    sources = (names, apart, strength, seed, importlib.metadata.version("covertable"))

    def draw() -> bytes:
        # imported here, for most runs find their rows drawn
        from covertable import make  # type: ignore[import-untyped]

        # conditions go by number: covertable takes a name apart at its dots each time it looks one up
        numbered = dict(enumerate(names))
        found = make(numbered, strength=strength, salt=seed, constraints=list(map(_constraint, apart)))
        return json.dumps([[row[number] for number in numbered] for row in found]).encode()

    said = cached("covering arrays", [json.dumps(sources).encode()], draw, MOST_ARRAYS)
    drawn: list[list[str]] = json.loads(said)
    return drawn


def each_alone(conditions: Sequence[Condition], capabilities: Collection[str]) -> list[Weave]:
    """One weave for each value alone. In a row of several values, one may hide a fault that another shows."""
    factors = {each.name: values_of(each, capabilities) for each in conditions}
    return [Weave(((each.name, value),)) for each in conditions for value in factors[each.name] if value != each.plain]


def weaves(
    scenarios: Sequence[Woven], capabilities: Collection[str], strength: int, seed: str
) -> Mapping[str, tuple[Weave, ...]]:
    """For each check, the weaves that the scenario runs under beside the plain one. Strength 0 weaves nothing.

    Scenarios of a feature that leave the same conditions open share one array, whose rows they take in turn; a row that
    meets nothing new is left out. Of what every mechanism owes each scenario takes several rows, each time others. Each
    rule meets each kind of subject alone, and first of all.
    """
    taken: dict[str, list[Weave]] = {each.check: [] for each in scenarios}
    for feature in dict.fromkeys(each.feature for each in scenarios) if strength else ():
        of_feature = [each for each in scenarios if each.feature == feature]
        owed_by_all = feature in ("", OF_EVERY_MECHANISM)
        met: set[Choice] = set()
        times: Counter[Weave] = Counter()
        for open_ones in _widest_first(each.open_ones for each in of_feature):
            alike = [each.check for each in of_feature if each.open_ones == open_ones]
            found = rows(open_ones, capabilities, strength, seed, costly=owed_by_all)
            new = [row for row in found if _adds(row, open_ones, strength, met)]
            least = ROWS_OF_EACH * len(alike) if owed_by_all else 0
            for number in range(max(len(new), least)) if found else ():
                # one more after each time all rows were taken, so that each scenario comes to other rows than before
                row = new[number] if number < len(new) else found[(number + number // len(found)) % len(found)]
                taken[alike[number % len(alike)]].append(row)
            for check in alike[:WITH_EACH_ALONE] if owed_by_all else ():
                alone = [weave for weave in each_alone(open_ones, capabilities) if times[weave] < WITH_EACH_ALONE]
                taken[check] += alone
                times.update(alone)
        for check, weave in reversed(list(_each_rule_alone(of_feature, capabilities))):
            taken[check].insert(0, weave)
    for each in scenarios if strength else ():
        taken[each.check] += _owed_to(each, capabilities)
    return {check: tuple(dict.fromkeys(found)) for check, found in taken.items()}


def _owed_to(scenario: Woven, capabilities: Collection[str]) -> Iterator[Weave]:
    """The weaves of each value alone that the scenario is tried under for what its steps or its figures say."""
    owed_by_all = scenario.feature in ("", OF_EVERY_MECHANISM)
    for weave in each_alone(scenario.open_ones, capabilities):
        ((_, value),) = weave.values
        is_owed = (owed_by_all or not value.costly) and any(map(value.owed_to.search, scenario.steps))
        at_boundary = scenario.is_boundary and value.at_boundaries
        if is_owed or at_boundary or any(map(IN_USE.search, scenario.steps)):
            yield weave


def _each_rule_alone(scenarios: Sequence[Woven], capabilities: Collection[str]) -> Iterator[tuple[str, Weave]]:
    """For each rule and each kind of subject one scenario that leaves the kind open, with the weave of that alone."""
    met: set[tuple[str, Value]] = set()
    for each in scenarios:
        for weave in each_alone(each.open_ones, capabilities):
            ((_, value),) = weave.values
            new = {(rule, value) for rule in each.rules if value.kind} - met
            if new:
                met |= new
                yield each.check, weave


def _widest_first(conditions: Iterable[tuple[Condition, ...]]) -> list[tuple[Condition, ...]]:
    """Each set of open conditions once, the largest set first."""
    return sorted(dict.fromkeys(conditions), key=len, reverse=True)


def _adds(row: Weave, conditions: Sequence[Condition], strength: int, met: set[Choice]) -> bool:
    """Whether a row meets a choice of so many values that was not met before; what it meets is met from now on."""
    values = dict(row.values)
    whole = [(each.name, values.get(each.name, each.plain).name) for each in conditions]
    choices = set(combinations(whole, min(strength, len(whole))))
    is_new = not choices <= met
    met |= choices
    return is_new


def woven_scenarios(
    claims: Callable[[tuple[str, ...], frozenset[str]], bool],
    capabilities: Collection[str],
    strength: int,
    seed: str,
    wanted: Callable[[tuple[str, ...]], bool] = lambda rules: True,
) -> Mapping[str, tuple[Weave, ...]]:
    """The weaves of every scenario whose rules an implementation claims.

    None are drawn, which takes seconds, where no scenario has rules that are `wanted`. Where one has, all are: which
    example of an outline runs under a weave follows from all of them, and a part must run what the whole does.
    """
    claimed = [each for each in scenarios() if claims(each.rules, each.needs)]
    found = claimed if any(wanted(each.rules) for each in claimed) else []
    return weaves([as_woven(each) for each in found], capabilities, strength, seed)


def as_woven(scenario: Scenario) -> Woven:
    """A scenario as weaving sees it."""
    is_boundary = scenario.has_three_points and scenario.feature != OF_EVERY_MECHANISM
    conditions, steps = open_conditions(scenario), tuple(scenario.steps)
    return Woven(scenario.check, conditions, scenario.feature, scenario.rules, steps, is_boundary)


def with_named(woven: Mapping[str, tuple[Weave, ...]], checks: Sequence[str]) -> Mapping[str, tuple[Weave, ...]]:
    """The same with the weaves that the names of these checks end with, whatever the array has."""
    named: dict[str, tuple[Weave, ...]] = dict(woven)
    for check in checks:
        if found := WEAVE_IN_NAME.search(check):
            scenario = check[: found.start()].partition("[")[0]
            weave = weave_named(found["values"].split(", "))
            named[scenario] = tuple(dict.fromkeys((*named.get(scenario, ()), weave)))
    return named


def weave_named(names: Sequence[str]) -> Weave:
    """The weave of values with these names. BadInput where there is no such value."""
    known = {value.name: (condition.name, value) for condition in CONDITIONS for value in condition.values}
    for name in names:
        if name not in known:
            raise BadInput(f"expected a value of a condition ({', '.join(known)}), not {name!r}")
    return Weave(tuple(known[name] for name in names))


def open_conditions(scenario: Scenario) -> frozenset[str]:
    """The conditions of which neither its rules' sentences nor its own steps speak; none where it takes long anyway."""
    if any(map(SO_MANY.search, scenario.steps)):
        return frozenset()
    spoken_of = {condition for rule in scenario.rules for condition in catalogue()[rule].speaks_of}
    steps = [MESSAGE.sub("a message", step) for step in scenario.steps]
    return frozenset(
        each.name
        for each in CONDITIONS
        if each.name not in spoken_of and not any(each.stated_by.search(step) for step in steps)
    )


def _weave(row: Sequence[str], factors: Sequence[tuple[str, tuple[Value, ...]]]) -> Weave:
    chosen = (
        (name, next(value for value in values if value.name == said))
        for said, (name, values) in zip(row, factors, strict=True)
    )
    plain = {each.name: each.plain for each in CONDITIONS}
    return Weave(tuple((name, value) for name, value in chosen if value != plain[name]))


def _apart(names: Names) -> Apart:
    """Each two conditions that have values which cannot be established together, with these pairs of values."""
    holder = {value: number for number, values in enumerate(names) for value in values}
    apart: dict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
    for pair in NOT_TOGETHER:
        if all(value in holder for value in pair):
            first, second = sorted(pair, key=holder.__getitem__)
            apart[holder[first], holder[second]].append((first, second))
    return list(apart.items())


def _constraint(apart: tuple[tuple[int, int], Sequence[tuple[str, str]]]) -> dict[str, Any]:
    """What covertable is told of two conditions that have values which cannot be established together.

    It asks each of these millions of times. A function takes half the time of the same said by its own operators.
    """
    (first, second), pairs = apart[0], frozenset(apart[1])

    def is_kept(row: Mapping[int, str]) -> bool:
        return (row[first], row[second]) not in pairs

    return {"operator": "fn", "requires": [first, second], "evaluate": is_kept}
