"""Readers say what the plain function says: the shared walk with Python's values, and with solver terms."""

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NewType, get_args, get_type_hints

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import tidegate.model
from tests.draws import draws
from tests.sample import sampled
from tidegate.conformance.proofs.annotations import key_types, key_word, parameter_types
from tidegate.conformance.proofs.arbitrary import arguments
from tidegate.conformance.proofs.terms import Table, Term, Value, expression
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.reading import PlainWorld, Reader
from tidegate.model.language.rule import Definition, definition_of, definitions, is_primitive
from tidegate.model.mechanisms.qpid import Queue, underfull
from tidegate.record.events import Moment

for module in walk_packages(tidegate.model.__path__, "tidegate.model."):
    import_module(module.name)

Rule = Callable[..., Any]


def uses_primitives(definition: Definition) -> bool:
    """Whether the rule, or one that it calls, speaks of past events: then no single call can answer."""
    called = [
        definition.scope[node.func.id]
        for statement in definition.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in definition.scope
    ]
    inner = [found for function in called if (found := definition_of(function))]
    return any(map(is_primitive, called)) or any(map(uses_primitives, inner))


def where(rule: Rule) -> str:
    """The module that defines a rule."""
    return rule.__module__


def full_name(rule: Rule) -> str:
    """A rule as module:name."""
    return f"{rule.__module__}:{rule.__name__}"


PLAIN_RULES = [each.function for each in definitions() if not uses_primitives(each)]
SOLVED_RULES = [rule for rule in PLAIN_RULES if Moment not in parameter_types(rule).values()]


def test_there_are_rules_of_every_kind() -> None:
    assert len(SOLVED_RULES) >= 30
    assert len(PLAIN_RULES) > len(SOLVED_RULES)
    assert len(definitions()) > len(PLAIN_RULES)


@pytest.mark.parametrize("rule", sampled(PLAIN_RULES, 4, kind=where, name=full_name), ids=full_name)
@settings(max_examples=draws(10, explored=30), deadline=None)
@given(data=st.data())
def test_the_shared_walk_agrees_with_the_plain_function(rule: Rule, data: st.DataObject) -> None:
    given_values = data.draw(arguments(rule))
    assert Reader(PlainWorld()).call(rule, **given_values) == rule(**given_values)


@pytest.mark.parametrize("rule", sampled(SOLVED_RULES, 4, kind=where, name=full_name), ids=full_name)
@settings(max_examples=draws(10, explored=30), deadline=None)
@given(data=st.data())
def test_solver_terms_agree_with_the_plain_function(rule: Rule, data: st.DataObject) -> None:
    given_values = data.draw(arguments(rule))
    assert solved(rule, given_values) == rule(**given_values)


class CarelessWorld(PlainWorld):
    """Takes `or` for `and`."""

    def either(self, left: bool, right: bool) -> bool:
        return left and right


def test_a_connective_with_another_meaning_is_noticed() -> None:
    """The agreement can fail: a world that takes `or` for `and` says something else."""
    queue = Queue(capacity=1000, resume=800, bytes=799)
    assert underfull(queue)
    assert not Reader(CarelessWorld()).call(underfull, queue)


def test_a_comparison_read_the_other_way_is_noticed() -> None:
    """The agreement can fail: with `<` for `>` the solver's answer differs from the plain one."""
    rule = next(rule for rule in SOLVED_RULES if rule.__name__ == "past_high")
    definition = definition_of(rule)
    assert definition is not None
    mutant = definition.with_body(tuple(ast.parse("gate.high > level").body))
    gate, level = Term(z3.IntVal(3)), Term(z3.IntVal(4))
    answer = Reader(SolverWorld()).read(mutant, {"gate": type("", (), {"high": gate}), "level": level})
    assert z3.is_false(z3.simplify(answer.expression))
    assert rule(type("", (), {"high": 3}), 4)


def solved(rule: Rule, given_values: Mapping[str, Any]) -> Value:
    """The rule read with terms that are literals, and its answer as a plain value."""
    hints = parameter_types(rule)
    keys = dict(keys_within(given_values.values(), hints.values()))
    sizes = {kind: len(keys[kind]) for hint in get_type_hints(rule).values() for kind in key_types(hint)}
    world = SolverWorld(sizes)
    lifted = {name: lift(world, hints[name], value) for name, value in given_values.items()}
    return world.plain(Reader(world).call(rule, **lifted), lambda term: z3.simplify(term.expression))


def lift(world: SolverWorld, hint: Any, value: Value) -> Value:
    """A plain value as terms."""
    if isinstance(value, Mapping):
        key_type, entry = get_args(hint)
        entries = {key: lift(world, entry, each) for key, each in value.items()}
        reader = Reader(world)

        def at(wanted: Term) -> Value:
            *others, last = entries
            found = entries[last]
            for key in reversed(others):
                found = reader.choose(wanted == key_term(world, key_type, key), entries[key], found)
            return found

        return Table(world.sort(key_type), at)
    if is_dataclass(value) and not isinstance(value, type):
        hints = get_type_hints(type(value))
        lifted = {part.name: lift(world, hints[part.name], getattr(value, part.name)) for part in fields(value)}
        return replace(value, **lifted)
    if isinstance(hint, NewType):
        return key_term(world, hint, value)
    return Term(expression(value))


def key_term(world: SolverWorld, key_type: Any, name: str) -> Term:
    """The key of that name."""
    sort = world.sort(key_type)
    return Term(sort.constructor(int(name.removeprefix(key_word(key_type))) - 1)())


def keys_within(values: Any, hints: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The keys of each type in plain values; a type that occurs in no table has the most keys there can be."""
    for kind in {kind for hint in hints for kind in key_types(hint)}:
        yield kind, tuple(f"{key_word(kind)}{number}" for number in range(1, 4))
    for value, hint in zip(values, hints, strict=True):
        yield from keys_of_tables(value, hint)


def keys_of_tables(value: Value, hint: Any) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """The keys of each type in one plain value."""
    if isinstance(value, Mapping):
        key_type, entry = get_args(hint)
        yield key_type, tuple(value)
        for each in value.values():
            yield from keys_of_tables(each, entry)
    elif is_dataclass(value):
        hints = get_type_hints(type(value))
        for part in fields(value):
            yield from keys_of_tables(getattr(value, part.name), hints[part.name])
