"""Chooses the weaves of each scenario: covering arrays over the values that an implementation can establish.

The scenarios of one feature together meet each value (strength 1), each pair of values (2) or each triple (3). Each
also runs plain, as the control of all its weaves.
"""

import importlib.metadata
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from tidegate.catalogue import catalogue
from tidegate.conformance.conditions.condition import PLAIN, Condition, Value, Weave
from tidegate.conformance.conditions.known import CONDITIONS, NOT_TOGETHER, go_together
from tidegate.conformance.feature_files import Scenario, scenarios
from tidegate.record.cache import cached
from tidegate.record.errors import BadInput

WEAVE_IN_NAME = re.compile(r" \((?P<values>[^()]+)\)$")
ROWS_OF_EACH = 2
"""The number of weaves of each general scenario. One weave may hide a fault that another shows."""
WITH_EACH_ALONE = 2
"""The number of general scenarios that run with each value alone, those with the most open conditions first."""
AFTER_EACH = 2
"""The number of scenarios of each rule that meet each costly history, where it has so many: one may hide a fault."""
OF_EVERY_MECHANISM = "general"
"""The feature whose scenarios run under costly values too."""
MESSAGE = re.compile(r"messages? of (\d+|<\w+>)( and (\d+|<\w+>))? bytes")
"""The size of a message, which is not a level."""


MOST_ARRAYS = 4096
"""The most covering arrays that are cached; a profile of the reference has some 50, each of a few thousand bytes."""
SO_MANY = re.compile(r"further destinations|each kind of producer|^all destinations share|^(\d+|<rounds>) times")
"""Steps with so many destinations or rounds, or with limits of all, that the scenario runs only as it is written."""

Names = Sequence[Sequence[str]]
"""The value names of several conditions."""
Apart = Sequence[tuple[tuple[int, int], Sequence[tuple[str, str]]]]
"""Pairs of conditions by number, each with the pairs of their values that exclude each other."""
Choice = tuple[tuple[str, str], ...]
"""Values of different conditions, each as condition and value."""


@dataclass(frozen=True)
class Woven:
    """A scenario with the data that weaving needs."""

    check: str
    """The name of its check."""
    conditions: frozenset[str]
    """The names of the conditions that the scenario's rules and steps leave open."""
    feature: str = ""
    """The mechanism whose scenarios together meet the values."""
    rules: tuple[str, ...] = ()
    """The rules that the check judges."""
    steps: tuple[str, ...] = ()
    is_boundary: bool = False
    """Whether the scenario has examples at a level, below it and above it."""
    each_value_alone: bool = False
    """Whether the scenario runs under each value alone, and under each pair of kinds."""

    @cached_property
    def open_ones(self) -> tuple[Condition, ...]:
        """The open conditions, each without the values that the steps rule out."""
        return tuple(self._without_ruled_out(each) for each in CONDITIONS if each.name in self.conditions)

    def _without_ruled_out(self, condition: Condition) -> Condition:
        return replace(condition, values=tuple(each for each in condition.values if each.may_run(self.steps)))


def values_of(condition: Condition, capabilities: Collection[str], *, costly: bool = True) -> tuple[Value, ...]:
    """The values of a condition that can be established; the costly ones only with `costly`."""
    claimed = frozenset(capabilities)
    return tuple(value for value in condition.values if value.fits(claimed) and (costly or not value.costly))


def rows(
    conditions: Sequence[Condition], capabilities: Collection[str], strength: int, seed: str, *, costly: bool = True
) -> list[Weave]:
    """The weaves of a covering array, without the plain one; none if there is nothing to vary."""
    factors = tuple((each.name, values_of(each, capabilities, costly=costly)) for each in conditions)
    return list(_array(tuple((name, values) for name, values in factors if len(values) > 1), strength, seed))


@lru_cache(maxsize=MOST_ARRAYS)
def _array(factors: tuple[tuple[str, tuple[Value, ...]], ...], strength: int, seed: str) -> tuple[Weave, ...]:
    """The rows over these values, cached so that another run in the same process gets the same."""
    if not factors:
        return ()
    names = [[value.name for value in values] for _, values in factors]
    found = _drawn(names, _apart(names), min(strength, len(factors)), seed)
    return tuple(weave for row in found if (weave := _weave(row, factors)) != PLAIN)


def _drawn(names: Names, apart: Apart, strength: int, seed: str) -> list[list[str]]:
    """The rows as names, one of each condition in order; cached across runs, for a profile's rows take seconds."""
    sources = (names, apart, strength, seed, importlib.metadata.version("covertable"))

    def draw() -> bytes:
        # imported here, because most runs find their rows in the cache
        from covertable import make  # type: ignore[import-untyped]

        # conditions go by number: covertable takes a name apart at its dots each time it looks one up
        numbered = dict(enumerate(names))
        found = make(numbered, strength=strength, salt=seed, constraints=list(map(_constraint, apart)))
        return json.dumps([[row[number] for number in numbered] for row in found]).encode()

    said = cached("covering arrays", [json.dumps(sources).encode()], draw, MOST_ARRAYS)
    drawn: list[list[str]] = json.loads(said)
    return drawn


def rows_of_each_value(conditions: Sequence[Condition], capabilities: Collection[str], seed: str) -> list[Weave]:
    """Rows that together meet each value that costs little, beside other values drawn by the seed.

    They are a covering array of strength 1. Each scenario has one of its own, which covertable would take too long for.
    """
    draw = random.Random(seed)  # noqa: S311
    factors = {each: values_of(each, capabilities, costly=False) for each in conditions}
    left = {each: draw.sample(values, len(values)) for each, values in factors.items()}
    found: list[Weave] = []
    while any(value != each.plain for each, values in left.items() for value in values):
        row: dict[Condition, Value] = {}
        for each in draw.sample(list(factors), len(factors)):
            others = draw.sample(factors[each], len(factors[each]))
            fitting = (
                value
                for value in (*left[each], *others)
                if all(go_together(value.name, chosen.name) for chosen in row.values())
            )
            row[each] = next(fitting)
            if row[each] in left[each]:
                left[each].remove(row[each])
        found.append(Weave(tuple((each.name, row[each]) for each in conditions if row[each] != each.plain)))
    return found


def each_alone(conditions: Sequence[Condition], capabilities: Collection[str]) -> list[Weave]:
    """One weave for each value alone. In a row of several values, one value may hide a fault that another shows."""
    factors = {each.name: values_of(each, capabilities) for each in conditions}
    return [Weave(((each.name, value),)) for each in conditions for value in factors[each.name] if value != each.plain]


def weaves(
    scenarios: Sequence[Woven], capabilities: Collection[str], strength: int, seed: str
) -> Mapping[str, tuple[Weave, ...]]:
    """For each check, the weaves of its scenario beside the plain one; none with strength 0.

    Scenarios of a feature with the same open conditions share one array and take its rows in turn; a row that meets no
    new choice is left out. Scenarios of the general feature take several rows each, other ones each time. Each rule
    meets each kind of subject alone, before all other weaves, and at last each other value, the costly ones together.
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
                # shifted by one after each pass over all rows, so that each scenario takes other rows than before
                row = new[number] if number < len(new) else found[(number + number // len(found)) % len(found)]
                taken[alike[number % len(alike)]].append(row)
            for check in alike[:WITH_EACH_ALONE] if owed_by_all else ():
                alone = [weave for weave in each_alone(open_ones, capabilities) if times[weave] < WITH_EACH_ALONE]
                taken[check] += alone
                times.update(alone)
        kinds = _each_rule_alone(of_feature, capabilities, lambda value: value.kind)
        for check, weave in reversed(list(kinds)):
            taken[check].insert(0, weave)
    for each in scenarios if strength else ():
        taken[each.check] += _owed_to(each, capabilities)
    in_rounds = _each_rule_alone(scenarios, capabilities, lambda value: value.in_rounds)
    for check, weave in in_rounds if strength else ():
        taken[check].append(weave)
    for check, weave in _owed_to_rules(scenarios, capabilities, seed, taken) if strength else ():
        taken[check].append(weave)
    for check, weave in _costly_to_rules(scenarios, capabilities, taken) if strength else ():
        taken[check].append(weave)
    return {check: tuple(dict.fromkeys(found)) for check, found in taken.items()}


def _owed_to(scenario: Woven, capabilities: Collection[str]) -> Iterator[Weave]:
    """The weaves of single values under which the scenario must run because of its steps or its figures."""
    owed_by_all = scenario.feature in ("", OF_EVERY_MECHANISM)
    for weave in each_alone(scenario.open_ones, capabilities):
        ((_, value),) = weave.values
        is_owed = (owed_by_all or not value.costly) and any(map(value.owed_to.search, scenario.steps))
        at_boundary = scenario.is_boundary and value.at_boundaries
        if is_owed or at_boundary or scenario.each_value_alone:
            yield weave
    if scenario.each_value_alone:
        yield from _pairs_of_kinds(scenario.open_ones, capabilities)


def _pairs_of_kinds(conditions: Sequence[Condition], capabilities: Collection[str]) -> Iterator[Weave]:
    """One weave for each pair of kinds of subject, such as a topic with a limit in messages.

    A broker often has separate code for one kind, and this code forgets another kind.
    """
    kinds = [weave for weave in each_alone(conditions, capabilities) if weave.is_a_kind]
    for one, other in combinations(kinds, 2):
        ((first, value),), ((second, its),) = one.values, other.values
        if first != second and go_together(value.name, its.name):
            yield Weave((*one.values, *other.values))


def _each_rule_alone(
    scenarios: Sequence[Woven], capabilities: Collection[str], owed: Callable[[Value], bool]
) -> Iterator[tuple[str, Weave]]:
    """For each rule and owed value, one scenario that leaves the condition open, with the weave of that value alone."""
    met: set[tuple[str, Value]] = set()
    for each in scenarios:
        for weave in each_alone(each.open_ones, capabilities):
            ((_, value),) = weave.values
            new = {(rule, value) for rule in each.rules if owed(value)} - met
            if new:
                met |= new
                yield each.check, weave


def _owed_to_rules(
    scenarios: Sequence[Woven], capabilities: Collection[str], seed: str, taken: Mapping[str, Collection[Weave]]
) -> Iterator[tuple[str, Weave]]:
    """Rows for scenarios, so that each rule meets each value that costs little and that its scenarios leave open.

    `taken` are the weaves in which rules meet values already.
    """
    met = set(_met_by_rules(scenarios, taken))
    for each in scenarios:
        for row in rows_of_each_value(each.open_ones, capabilities, f"{seed}{each.check}"):
            new = {(rule, value) for rule in each.rules for _, value in row.values} - met
            if new:
                met |= new
                yield each.check, row


def _costly_to_rules(
    scenarios: Sequence[Woven], capabilities: Collection[str], taken: Mapping[str, Collection[Weave]]
) -> Iterator[tuple[str, Weave]]:
    """Weaves for scenarios, so that each rule meets each costly value that its scenarios leave open.

    Scenarios that leave most of them open come first, and each weave has as many of them as go together.
    """
    met = _met_by_rules(scenarios, taken)
    costly = {
        each.check: [weave for weave in each_alone(each.open_ones, capabilities) if weave.has_costly]
        for each in scenarios
    }
    for each in sorted(scenarios, key=lambda one: -len(costly[one.check])):
        wanted = [
            weave.values[0]
            for weave in costly[each.check]
            if any(met[rule, weave.values[0][1]] < _owed_times(weave.values[0][1]) for rule in each.rules)
        ]
        met.update((rule, value) for rule in each.rules for _, value in wanted)
        while wanted:
            chosen: list[tuple[str, Value]] = []
            for one in wanted:
                if all(_follow(one, other) for other in chosen):
                    chosen.append(one)
            wanted = [one for one in wanted if one not in chosen]
            yield each.check, Weave(tuple(chosen))


def _owed_times(value: Value) -> int:
    return AFTER_EACH if value.history is not None else 1


def _follow(one: tuple[str, Value], other: tuple[str, Value]) -> bool:
    """Whether a scenario can run under both values; one history can follow another of the same condition."""
    (condition, value), (its, other_value) = one, other
    both_are_histories = value.history is not None and other_value.history is not None
    return (condition != its or both_are_histories) and go_together(value.name, other_value.name)


def _met_by_rules(scenarios: Sequence[Woven], taken: Mapping[str, Collection[Weave]]) -> Counter[tuple[str, Value]]:
    """By rule and value, the number of scenarios of the rule that run under the value."""
    return Counter(
        (rule, value)
        for each in scenarios
        for value in {value for weave in taken[each.check] for _, value in weave.values}
        for rule in each.rules
    )


def _widest_first(conditions: Iterable[tuple[Condition, ...]]) -> list[tuple[Condition, ...]]:
    """Each set of open conditions once, the largest first."""
    return sorted(dict.fromkeys(conditions), key=len, reverse=True)


def _adds(row: Weave, conditions: Sequence[Condition], strength: int, met: set[Choice]) -> bool:
    """Whether a row meets a new choice of `strength` values; adds all its choices to `met`."""
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

    If no scenario has `wanted` rules, no weaves are drawn, which would take seconds. Otherwise all are drawn, because
    the example of an outline that runs under a weave follows from all of them, and a part must run the same as the
    whole.
    """
    claimed = [each for each in scenarios() if claims(each.rules, each.needs)]
    found = claimed if any(wanted(each.rules) for each in claimed) else []
    return weaves([as_woven(each) for each in found], capabilities, strength, seed)


def as_woven(scenario: Scenario) -> Woven:
    """The scenario with the data that weaving needs."""
    is_boundary = scenario.has_three_points and scenario.feature != OF_EVERY_MECHANISM
    return Woven(
        scenario.check,
        open_conditions(scenario),
        scenario.feature,
        scenario.rules,
        tuple(scenario.steps),
        is_boundary,
        scenario.each_value_alone,
    )


def with_named(
    woven: Mapping[str, tuple[Weave, ...]], checks: Sequence[str], capabilities: Collection[str]
) -> Mapping[str, tuple[Weave, ...]]:
    """The weaves, with the weaves at the end of these checks' names added, whatever the array holds.

    A weave that the implementation cannot establish is left out, and its check does not run.
    """
    named: dict[str, tuple[Weave, ...]] = dict(woven)
    for check in checks:
        if found := WEAVE_IN_NAME.search(check):
            scenario = check[: found.start()].partition("[")[0]
            weave = weave_named(found["values"].split(", "))
            if weave.fits(frozenset(capabilities)):
                named[scenario] = tuple(dict.fromkeys((*named.get(scenario, ()), weave)))
    return named


def weave_named(names: Sequence[str]) -> Weave:
    """The weave of the values with these names. BadInput if there is no value of a name."""
    known = {value.name: (condition.name, value) for condition in CONDITIONS for value in condition.values}
    for name in names:
        if name not in known:
            raise BadInput(f"expected a value of a condition ({', '.join(known)}), not {name!r}")
    return Weave(tuple(known[name] for name in names))


def open_conditions(scenario: Scenario) -> frozenset[str]:
    """The conditions that neither the rules' sentences nor the steps state; none if the scenario takes long anyway."""
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
    """Each pair of conditions that have values which exclude each other, with the pairs of these values."""
    holder = {value: number for number, values in enumerate(names) for value in values}
    apart: dict[tuple[int, int], list[tuple[str, str]]] = defaultdict(list)
    for pair in NOT_TOGETHER:
        if all(value in holder for value in pair):
            first, second = sorted(pair, key=holder.__getitem__)
            apart[holder[first], holder[second]].append((first, second))
    return list(apart.items())


def _constraint(apart: tuple[tuple[int, int], Sequence[tuple[str, str]]]) -> dict[str, Any]:
    """A constraint for covertable: the pairs of values of two conditions that exclude each other.

    covertable evaluates it millions of times. A function takes half the time of its own operators.
    """
    (first, second), pairs = apart[0], frozenset(apart[1])

    def is_kept(row: Mapping[int, str]) -> bool:
        return (row[first], row[second]) not in pairs

    return {"operator": "fn", "requires": [first, second], "evaluate": is_kept}
