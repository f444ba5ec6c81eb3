"""Cases: the smallest possible values that the solver found for the parameters of a claim."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.terms import Term, Value
from tidegate.conformance.proofs.world import SolverWorld, plain_literal

Symbols = Mapping[str, Value]
FEW_FIGURES = 5
MOST_STEPS = 5_000_000
"""The solver's effort for one question, in its own steps; a time limit would depend on the machine."""


@dataclass(frozen=True)
class Case:
    """The claim's arguments as plain values, and every single figure in them by its path."""

    arguments: Mapping[str, Any]
    figures: Mapping[str, int | bool | str]

    def __str__(self) -> str:
        """Every figure if there are few; otherwise the figures that are neither 0 nor false."""
        few = len(self.figures) <= FEW_FIGURES
        shown = [f"{path}={_shown(figure)}" for path, figure in self.figures.items() if few or figure]
        return ", ".join(shown if few else [*shown, "all else 0 or no"])


def answer_to(constraints: list[z3.BoolRef]) -> z3.CheckSatResult:
    """Whether the constraints can be met together: sat, unsat or unknown."""
    return _solver(constraints).check()


def any_case(world: SolverWorld, symbols: Symbols, constraints: list[z3.BoolRef]) -> Case | None:
    """A case that meets the constraints; None if the solver has none in this world of few and named keys."""
    solver = _solver(constraints)
    return _case(world, symbols, solver.model()) if solver.check() == z3.sat else None


def smallest_case(world: SolverWorld, symbols: Symbols, constraints: list[z3.BoolRef]) -> Case | None:
    """The smallest case that meets the constraints; None if there is none.

    All integers are bounded as closely as possible; then each figure in turn is made as small as possible.
    """
    solver = _solver(constraints)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    leaves = [term.expression for name, value in symbols.items() for _, term in world.leaves(value, name)]
    model = _bounded(solver, model, [leaf for leaf in leaves if z3.is_int(leaf)])
    for leaf in leaves:
        model = _settled(solver, model, leaf)
    return _case(world, symbols, model)


def _solver(constraints: list[z3.BoolRef]) -> z3.Solver:
    solver = z3.SimpleSolver()
    solver.set("rlimit", MOST_STEPS)
    solver.add(constraints)
    return solver


def _case(world: SolverWorld, symbols: Symbols, model: z3.ModelRef) -> Case:
    def settle(term: Term) -> z3.ExprRef:
        return _literal(model, term.expression)

    leaves = [leaf for name, value in symbols.items() for leaf in world.leaves(value, name)]
    return Case(
        arguments={name: world.plain(value, settle) for name, value in symbols.items()},
        figures={path: plain_literal(settle(term)) for path, term in leaves},
    )


def _bounded(solver: z3.Solver, model: z3.ModelRef, integers: list[z3.ArithRef]) -> z3.ModelRef:
    """Bound the size of all integers by the smallest number with a case; the model of that case."""
    low, high = 0, max((_size(model, integer) for integer in integers), default=0)
    while low < high:
        middle = (low + high) // 2
        found = _with(solver, [_within(integer, middle) for integer in integers])
        if found is None:
            low = middle + 1
        else:
            high, model = middle, found
    solver.add([_within(integer, high) for integer in integers])
    return model


def _settled(solver: z3.Solver, model: z3.ModelRef, leaf: z3.ExprRef) -> z3.ModelRef:
    """Fix one figure to the smallest value with a case: false before true, and 0, 1, -1, 2, -2, …"""
    if z3.is_int(leaf):
        model = _bounded(solver, model, [leaf])
        preferred = z3.IntVal(_size(model, leaf))
    elif z3.is_bool(leaf):
        preferred = z3.BoolVal(False)
    else:
        preferred = leaf.sort().constructor(0)()
    found = _with(solver, [leaf == preferred])
    model = model if found is None else found
    solver.add(leaf == _literal(model, leaf))
    return model


def _with(solver: z3.Solver, constraints: list[z3.BoolRef]) -> z3.ModelRef | None:
    solver.push()
    solver.add(constraints)
    found = solver.model() if solver.check() == z3.sat else None
    solver.pop()
    return found


def _within(integer: z3.ArithRef, bound: int) -> z3.BoolRef:
    return z3.And(-bound <= integer, integer <= bound)


def _size(model: z3.ModelRef, integer: z3.ArithRef) -> int:
    return abs(int(_literal(model, integer).as_long()))


def _literal(model: z3.ModelRef, leaf: z3.ExprRef) -> z3.ExprRef:
    return model.eval(leaf, model_completion=True)


def _shown(figure: int | bool | str) -> str:
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    return str(figure)
