"""Settles claims: proves a theorem for any number of keys, finds the smallest case that refutes a claim."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Any

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.annotations import key_types, parameter_types
from tidegate.conformance.proofs.cases import Case, answer_to, any_case, smallest_case
from tidegate.conformance.proofs.claims import (
    Claim,
    Falsified,
    OutsideTheClaim,
    assume,
    definition_in_claims,
    possible,
    prove,
)
from tidegate.conformance.proofs.terms import Value, truth
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.reading import Reader
from tidegate.model.language.rule import Definition

MOST_KEYS = 3
"""The most keys of each kind in a case."""


class Outcome(StrEnum):
    """The outcome of a claim."""

    PROVED = "proved"
    REFUTED = "refuted"
    EMPTY = "empty"
    """The claim calls a case possible that does not exist."""
    UNKNOWN = "unknown"
    """The solver does not know; never a pass."""


@dataclass(frozen=True)
class Result:
    """The outcome of one claim, the evidence (a counterexample, or the fault), and the time in ms."""

    claim: Claim
    outcome: Outcome
    shown: str = ""
    case: Mapping[str, Any] = field(default_factory=dict)
    """The counterexample as the claim's arguments."""
    ms: float = 0.0

    @property
    def as_expected(self) -> bool:
        """Whether a theorem was proved and a claim that must be refuted was refuted."""
        return self.outcome is (Outcome.PROVED if self.claim.is_theorem else Outcome.REFUTED)


@dataclass
class Statements:
    """A claim read as terms: the conditions of `possible` and `prove`, each with the assumptions before it."""

    symbols: Mapping[str, Value]
    assumed: list[z3.BoolRef] = field(default_factory=list)
    possible: list[list[z3.BoolRef]] = field(default_factory=list)
    refutations: list[list[z3.BoolRef]] = field(default_factory=list)
    """For each `prove`, the constraints on a counterexample."""


class ClaimReader(Reader):
    """Reads claims, which call rules and notions. `instead` gives some rules another meaning."""

    world: SolverWorld

    def __init__(
        self,
        world: SolverWorld,
        primitives: Mapping[Callable[..., Any], Callable[..., Value]],
        instead: "Mapping[Callable[..., Any], ReadRule] | None" = None,
    ):
        super().__init__(world, primitives)
        self._instead = instead or {}

    def call(self, function: Callable[..., Any], *values: Value, **named: Value) -> Value:
        """The value of a rule or a notion."""
        definition = definition_in_claims(function)
        if definition is None:
            raise TypeError(f"{function!r} is neither a rule nor a notion")
        arguments = definition.bind(*values, **named)
        if function in self._instead:
            return self._instead[function](self, definition, arguments)
        return self.read(definition, arguments)


ReadRule = Callable[[ClaimReader, Definition, dict[str, Value]], Value]
"""A replacement for reading a rule: given the reader, the rule's definition and its arguments."""


class Judge:
    """Settles claims, with `instead` as replacements of some rules."""

    def __init__(self, instead: Mapping[Callable[..., Any], ReadRule] | None = None):
        self._instead = instead or {}

    def settle(self, claim: Claim) -> Result:
        """The result of a claim."""
        started = time.perf_counter()
        outcome, shown, case = self._proof(claim) if claim.is_theorem else self._refutation(claim)
        ms = (time.perf_counter() - started) * 1000
        return Result(claim, outcome, shown, case.arguments if case else {}, ms)

    def witnesses(self, claim: Claim) -> list[Case | None]:
        """For each `possible` of a theorem a case that shows it; None if there is none."""
        found: list[Case | None] = []
        for world, statements in self._readings(claim):
            found = found or [None] * len(statements.possible)
            for number, constraints in enumerate(statements.possible):
                if found[number] is None:
                    found[number] = any_case(world, statements.symbols, constraints)
            if None not in found:
                break
        return found

    def _proof(self, claim: Claim) -> tuple[Outcome, str, Case | None]:
        answers = [answer_to(refutation) for refutation in self.read(claim, SolverWorld()).refutations]
        if z3.sat in answers:
            return self._refutation(claim)
        if z3.unknown in answers:
            return (
                Outcome.UNKNOWN,
                f"the solver does not know about prove {answers.index(z3.unknown) + 1}",
                None,
            )
        witnesses = self.witnesses(claim)
        if None in witnesses:
            return Outcome.EMPTY, f"there is no case of possible {witnesses.index(None) + 1}", None
        return Outcome.PROVED, "", None

    def _refutation(self, claim: Claim) -> tuple[Outcome, str, Case | None]:
        for world, statements in self._readings(claim):
            for refutation in statements.refutations:
                case = smallest_case(world, statements.symbols, refutation)
                if case is not None and (self._instead or falls(claim, case)):
                    return Outcome.REFUTED, str(case), case
                if case is not None:
                    return Outcome.UNKNOWN, f"the plain function and the solver disagree about {case}", case
        answers = [answer_to(refutation) for refutation in self.read(claim, SolverWorld()).refutations]
        if all(answer == z3.unsat for answer in answers):
            return Outcome.PROVED, "it holds in every case", None
        if z3.sat in answers:
            return Outcome.REFUTED, f"only with more than {MOST_KEYS} keys of a kind", None
        return Outcome.UNKNOWN, "the solver does not know", None

    def _readings(self, claim: Claim) -> Iterator[tuple[SolverWorld, Statements]]:
        for sizes in sizes_of(claim):
            world = SolverWorld(sizes)
            yield world, self.read(claim, world)

    def read(self, claim: Claim, world: SolverWorld) -> Statements:
        """The claim with an arbitrary value for each parameter."""
        parameters = parameter_types(claim.definition.function)
        symbols = {name: world.symbol(hint, name) for name, hint in parameters.items()}
        statements = Statements(symbols)

        def on_assume(_: object, condition: Value) -> None:
            statements.assumed.append(truth(condition))

        def on_possible(_: object, condition: Value) -> None:
            statements.possible.append([*statements.assumed, truth(condition)])

        def on_prove(_: object, condition: Value) -> None:
            statements.refutations.append([*statements.assumed, z3.Not(truth(condition))])

        meanings = {assume: on_assume, possible: on_possible, prove: on_prove}
        ClaimReader(world, meanings, self._instead).read(claim.definition, dict(symbols))
        return statements


def falls(claim: Claim, case: Case) -> bool:
    """Whether the claim's plain function is false in this case too."""
    try:
        claim.definition.function(**case.arguments)
    except Falsified:
        return True
    except OutsideTheClaim:
        return False
    return False


def sizes_of(claim: Claim) -> Iterator[dict[Any, int]]:
    """The numbers of keys of each kind to try, the fewest first; {} for a claim without keys."""
    yield from key_sizes(claim.definition.function)


def key_sizes(function: Callable[..., Any]) -> Iterator[dict[Any, int]]:
    """The sizes to try for the key domains of a function of the rule language."""
    parameters = parameter_types(function).values()
    kinds = list(dict.fromkeys(kind for hint in parameters for kind in key_types(hint)))
    combinations = product(range(1, MOST_KEYS + 1), repeat=len(kinds))
    for numbers in sorted(combinations, key=lambda found: (sum(found), found)):
        yield dict(zip(kinds, numbers, strict=True))
