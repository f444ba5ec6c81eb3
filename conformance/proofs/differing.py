"""Whether two rules with the same parameters differ for some state, with the smallest such state."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.annotations import parameter_types
from tidegate.conformance.proofs.cases import Case, answer_to, smallest_case
from tidegate.conformance.proofs.solver import ClaimReader, key_sizes
from tidegate.conformance.proofs.terms import Table, Value, truth
from tidegate.conformance.proofs.world import SolverWorld

Rule = Callable[..., Any]


@dataclass(frozen=True)
class Differing:
    """The result for two rules: a smallest case with both answers, or None if they agree in every state."""

    case: Case | None
    before: object = None
    after: object = None
    known: bool = True
    """Whether the solver knows the answer."""


Given = Callable[[SolverWorld, Mapping[str, Value]], list[z3.BoolRef]]
"""The constraints on the parameters, in a world."""


def _anything(_: SolverWorld, __: Mapping[str, Value]) -> list[z3.BoolRef]:
    return []


def differing(before: Rule, after: Rule, given: Given = _anything) -> Differing:
    """Whether two rules with the same parameters differ where `given` holds.

    Solver and Python must agree about the case.

    Raises TypeError if the solver has no values for the type of a parameter.
    """
    for sizes in key_sizes(before):
        world = SolverWorld(sizes)
        symbols, unequal = _unequal(before, after, world)
        case = smallest_case(world, symbols, [unequal, *given(world, symbols)])
        if case is not None:
            answers = before(**case.arguments), after(**case.arguments)
            return Differing(case, *answers, known=answers[0] != answers[1])
    world = SolverWorld()
    symbols, unequal = _unequal(before, after, world)
    return Differing(None, known=answer_to([unequal, *given(world, symbols)]) == z3.unsat)


@cache
def has_states(rule: Rule) -> bool:
    """Whether the solver has values for every parameter of a rule; it has none for the events of a trace."""
    world = SolverWorld(next(key_sizes(rule)))
    try:
        for name, hint in parameter_types(rule).items():
            world.symbol(hint, name)
    except TypeError:
        return False
    return True


def _unequal(before: Rule, after: Rule, world: SolverWorld) -> tuple[dict[str, Value], z3.BoolRef]:
    reader = ClaimReader(world, {})
    symbols = {name: world.symbol(hint, name) for name, hint in parameter_types(before).items()}
    same = _same(world, reader.call(before, **symbols), reader.call(after, **symbols))
    return symbols, z3.Not(truth(same))


def _same(world: SolverWorld, left: Value, right: Value) -> Value:
    if isinstance(left, Table):
        return world.for_every(left, lambda key: _same(world, left[key], right[key]))
    if is_dataclass(left) and not isinstance(left, type):
        same: Value = True
        for part in fields(left):
            same = world.both(same, _same(world, getattr(left, part.name), getattr(right, part.name)))
        return same
    return left == right
