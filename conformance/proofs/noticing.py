"""Finds the claims that notice a changed rule, and whether the change makes any difference."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import z3  # type: ignore[import-untyped]

from tidegate.conformance import proofs
from tidegate.conformance.proofs.annotations import parameter_types
from tidegate.conformance.proofs.cases import answer_to
from tidegate.conformance.proofs.claims import Claim
from tidegate.conformance.proofs.solver import ClaimReader, Judge, ReadRule, sizes_of
from tidegate.conformance.proofs.terms import Table, Term, Value, expression, truth
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.rule import Definition, definitions

Function = Callable[..., Any]


def readers() -> dict[Function, list[Claim]]:
    """For each rule, the claims that read it, theorems first."""
    found: dict[Function, list[Claim]] = {}
    for claim in sorted(proofs.claims(), key=lambda claim: not claim.is_theorem):
        for function in rules_read_by(claim):
            found.setdefault(function, []).append(claim)
    return found


def rules_read_by(claim: Claim) -> set[Function]:
    """The rules that a claim reads, directly or through other rules."""
    read: set[Function] = set()

    def note(reader: ClaimReader, definition: Definition, given: dict[str, Value]) -> Value:
        read.add(definition.function)
        return reader.read(definition, given)

    Judge({each.function: note for each in definitions()}).read(claim, SolverWorld())
    return read


def notices(claim: Claim, changed: Definition) -> bool:
    """Whether the claim comes out otherwise once the rule is changed. "Unknown" does not count."""

    def read(reader: ClaimReader, _: Definition, given: dict[str, Value]) -> Value:
        return reader.read(changed, given)

    return comes_out_otherwise(claim, {changed.function: read})


def comes_out_otherwise(claim: Claim, instead: dict[Function, ReadRule]) -> bool:
    """Whether, with these rules instead, a theorem is refuted or empty, or a claim that must be refuted is proved."""
    judge = Judge(instead)
    answers = [answer_to(refutation) for refutation in judge.read(claim, SolverWorld()).refutations]
    if not claim.is_theorem:
        return all(answer == z3.unsat for answer in answers)
    return z3.sat in answers or _is_empty(judge, claim)


def _is_empty(judge: Judge, claim: Claim) -> bool:
    """Whether some `possible` of the claim is known to have no case with any allowed number of keys."""
    empty: set[int] | None = None
    for sizes in sizes_of(claim):
        possible = judge.read(claim, SolverWorld(sizes)).possible
        candidates = range(len(possible)) if empty is None else empty
        empty = {number for number in candidates if answer_to(possible[number]) == z3.unsat}
        if not empty:
            return False
    return bool(empty)


def is_refuted(claim: Claim) -> bool:
    """Whether the solver finds a case in which a `prove` of the claim is false."""
    judge = Judge()
    if z3.sat in [answer_to(refutation) for refutation in judge.read(claim, SolverWorld()).refutations]:
        return True
    return any(
        answer_to(refutation) == z3.sat
        for sizes in sizes_of(claim)
        for refutation in judge.read(claim, SolverWorld(sizes)).refutations
    )


def says_the_same(rule: Definition, changed: Definition) -> bool:
    """Whether the solver shows that both rules agree for all arguments, with any number of keys."""
    world = SolverWorld()
    reader = ClaimReader(world, {})
    symbols = {name: world.symbol(hint, name) for name, hint in parameter_types(rule.function).items()}
    same = _same(world, reader.read(rule, symbols), reader.read(changed, symbols))
    return bool(answer_to([z3.Not(truth(same))]) == z3.unsat)


def _same(world: SolverWorld, left: Value, right: Value) -> Value:
    if isinstance(left, Table):
        return world.for_every(left, lambda key: _same(world, left[key], right[key]))
    if is_dataclass(left):
        parts = [truth(_same(world, getattr(left, part.name), getattr(right, part.name))) for part in fields(left)]
        return Term(z3.And(parts))
    return Term(expression(left) == expression(right))
