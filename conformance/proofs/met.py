"""Finds the rules of two models whose answers differ for a state that a destination with given figures can reach."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.as_built import Changed, between
from tidegate.conformance.proofs.differing import Differing, Rule, differing
from tidegate.conformance.proofs.facts import Facts, Named, facts
from tidegate.conformance.proofs.natural import bounds
from tidegate.conformance.proofs.terms import Table, Term, Value, truth
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.linker import Linker, called_by

Known = Mapping[type | str, Sequence[Any]]
"""The settings of a configuration: the possible values of each dataclass of the model and of each parameter."""


@dataclass(frozen=True)
class Met:
    """A rule that two models define differently, and whether a configuration reaches a state that shows it."""

    changed: Changed
    found: Differing

    def facts(self, named: Named) -> Facts:
        """The smallest state that shows the difference, in words, with the settings' names in the file."""
        return facts(self.changed.rule.name, self.found, named)


def met(before: Linker, after: Linker, known: Known) -> Iterator[Met]:
    """Every rule that differs by itself between the models; `known` are the figures of the configuration.

    A rule that differs only through a rule that it calls is covered by that rule. A rule with differing callers shows a
    difference only if its outermost callers do: they may never ask it about the state in which it differs.
    """
    found = {changed.rule.function: changed for changed in between(before, after)}

    def differ(rule: Rule, other: Linker) -> Differing:
        return differing(before.linked(rule), other.linked(rule), lambda world, symbols: _set(world, symbols, known))

    for rule, changed in found.items():
        by_itself = before.replaces(rule) or after.replaces(rule) or not any(each in found for each in called_by(rule))
        if by_itself:
            with_it_alone = before.with_rule_of(after, rule)
            by_callers = [differ(each, with_it_alone) for each in _first_callers(rule, found)]
            asked = next((each for each in by_callers if each.case is not None or not each.known), None)
            yield Met(changed, by_callers[0] if by_callers and asked is None else differ(rule, after))


def _first_callers(rule: Rule, among: Collection[Rule]) -> list[Rule]:
    """The rules that reach a rule by calls and that no other rule reaches; none if no rule calls it."""
    callers = [each for each in among if each is not rule and rule in _reached(each)]
    return [each for each in callers if not any(each in _reached(other) for other in callers if other is not each)]


def _reached(rule: Rule) -> set[Rule]:
    """All rules that a rule calls, directly or through other rules."""
    found: set[Rule] = set()
    left = [rule]
    while left:
        new = [called for called in called_by(left.pop()) if called not in found]
        found.update(new)
        left += new
    return found


def _set(world: SolverWorld, symbols: Mapping[str, Value], known: Known) -> list[z3.BoolRef]:
    return [
        truth(term)
        for name, value in symbols.items()
        for term in (*_holds(world, name, value, known), *_of_parameter(world, name, value, known))
    ]


def _holds(world: SolverWorld, name: str, value: Value, known: Known) -> Iterator[Value]:
    """The constraints on a value and its parts."""
    if isinstance(value, Table):
        yield world.for_every(value, lambda key: _all(world, list(_holds(world, name, value[key], known))))
    elif is_dataclass(value) and not isinstance(value, type):
        candidates = known.get(type(value), ())
        if candidates:
            yield _any(world, [_same(world, value, each) for each in candidates])
        for part in fields(value):
            yield from _holds(world, part.name, getattr(value, part.name), known)
    else:
        yield from bounds(name, value)


def _of_parameter(world: SolverWorld, name: str, value: Value, known: Known) -> Iterator[Value]:
    if isinstance(value, Term) and known.get(name):
        yield _any(world, [value == figure for figure in known[name]])


def _same(world: SolverWorld, value: Value, figures: Mapping[str, Any]) -> Value:
    return _all(world, [getattr(value, name) == figure for name, figure in figures.items()])


def _all(world: SolverWorld, terms: list[Value]) -> Value:
    found: Value = True
    for term in terms:
        found = world.both(found, term)
    return found


def _any(world: SolverWorld, terms: list[Value]) -> Value:
    found: Value = False
    for term in terms:
        found = world.either(found, term)
    return found
