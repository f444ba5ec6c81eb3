"""Claims about rules, in the rule language: theorems, which must be proved, and claims that must be refuted.

A claim is a function whose name reads as a sentence. Its parameters stand for every value of their type, with
any number of keys in a table. The statements `assume`, `possible` and `prove` follow one another, and an
assumption counts for what comes after it. Run plainly, on one case, a claim raises what it finds out.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tidegate.model.language.rule import Definition, Function, define, definition_of, primitive

STATEMENTS = ("assume", "possible", "prove")


class OutsideTheClaim(Exception):
    """A plain run: the case does not meet an assumption, so the claim says nothing about it."""


class Falsified(AssertionError):
    """A plain run: the claim is false in this case."""


@primitive
def assume(condition: bool) -> None:
    """The claim is only about cases in which this holds. In any other case a plain run raises OutsideTheClaim."""
    if not condition:
        raise OutsideTheClaim


@primitive
def possible(condition: bool) -> None:
    """Some case that meets the assumptions so far meets this too, which one plain run cannot tell."""


@primitive
def prove(condition: bool) -> None:
    """This holds in every case assumed so far. In a case in which it does not, a plain run raises Falsified."""
    if not condition:
        raise Falsified


@dataclass(frozen=True)
class Claim:
    """A theorem, or a claim that must be refuted (`because`); `serves` are ids of rules of the spec."""

    definition: Definition
    serves: tuple[str, ...]
    because: str | None = None
    loose: str = ""
    """Why one of its bounds could be tighter; empty if none could."""

    @property
    def id(self) -> str:
        """The id with which the claim's docstring starts."""
        return self.definition.rule_id

    @property
    def sentence(self) -> str:
        """The claim's name as a sentence."""
        return self.definition.name.replace("_", " ")

    @property
    def is_theorem(self) -> bool:
        """Whether the claim must be proved."""
        return self.because is None


_claims: dict[str, Claim] = {}
_notions: dict[Callable[..., Any], Definition] = {}


def theorem(claim_id: str, *, serves: tuple[str, ...] = (), loose: str = "") -> Callable[[Function], Function]:
    """A claim that must be proved; a `possible` in it states at least one case to which it applies.

    Each of its bounds is sharp, unless `loose` says why it is not.
    """

    def keep(function: Function) -> Function:
        _keep(claim_id, Claim(_definition(function, claim_id, {"possible", "prove"}), serves, loose=loose))
        return function

    return keep


def refuted(claim_id: str, *, because: str, serves: tuple[str, ...] = ()) -> Callable[[Function], Function]:
    """A claim that must turn out false; `because` says why, and a counterexample shows it."""

    def keep(function: Function) -> Function:
        _keep(claim_id, Claim(_definition(function, claim_id, {"prove"}), serves, because))
        return function

    return keep


def notion(function: Function) -> Function:
    """A function of the rule language that only claims use, such as an invariant."""
    _notions[function] = define(function)
    return function


def definition_in_claims(function: object) -> Definition | None:
    """The definition of a rule or a notion; None for anything else."""
    return definition_of(function) or _notions.get(function)  # type: ignore[call-overload]


def claims() -> tuple[Claim, ...]:
    """Every claim imported so far, in the order of definition."""
    return tuple(_claims.values())


def _definition(function: Callable[..., Any], claim_id: str, needed: set[str]) -> Definition:
    definition = define(function, also=(ast.Expr,))
    used = set()
    for statement in definition.body:
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in STATEMENTS:
                used.add(name)
            case ast.Assign():
                pass
            case _:
                raise _refusal("only assignments, assume, possible and prove", definition, statement.lineno)
    first_line = definition.body[0].lineno
    if missing := needed - used:
        raise _refusal(f"at least one {' and one '.join(sorted(missing))}", definition, first_line)
    if definition.rule_id != claim_id:
        raise _refusal(f"a docstring that starts with its id {claim_id!r}", definition, first_line)
    return definition


def _refusal(expected: str, definition: Definition, line: int) -> SyntaxError:
    return SyntaxError(f"a claim has {expected} (in {definition.name})", (definition.file, line, None, None))


def _keep(claim_id: str, claim: Claim) -> None:
    if claim_id in _claims:
        raise ValueError(
            f"{claim_id} is claimed twice, as {_claims[claim_id].definition.name} and {claim.definition.name}"
        )
    _claims[claim_id] = claim
