"""The possible figures of a state: no queue holds fewer than 0 bytes, and no message is empty."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.terms import Table, Term, Value, truth
from tidegate.conformance.proofs.world import SolverWorld

NATURAL = ("bytes", "level", "left", "messages", "used", "unanswered", "buffered", "waiting", "store", "temp", "held")
"""Fields and parameters that are never below 0."""
POSITIVE = ("size", "asked")
"""Parameters that are at least one byte: the sizes of messages and of requests."""


def naturally(world: SolverWorld, symbols: Mapping[str, Value]) -> list[z3.BoolRef]:
    """The constraints on parameters under any configuration."""
    return [truth(term) for name, value in symbols.items() for term in _holds(world, name, value)]


def bounds(name: str, value: Value) -> Iterator[Value]:
    """The constraints on a single figure by its name."""
    if isinstance(value, Term) and z3.is_int(value.expression):
        if name in NATURAL:
            yield value >= 0
        if name in POSITIVE:
            yield value >= 1


def _holds(world: SolverWorld, name: str, value: Value) -> Iterator[Value]:
    if isinstance(value, Table):
        yield world.for_every(value, lambda key: _all(world, _holds(world, name, value[key])))
    elif is_dataclass(value) and not isinstance(value, type):
        for part in fields(value):
            yield from _holds(world, part.name, getattr(value, part.name))
    else:
        yield from bounds(name, value)


def _all(world: SolverWorld, terms: Iterator[Value]) -> Value:
    found: Value = True
    for term in terms:
        found = world.both(found, term)
    return found
