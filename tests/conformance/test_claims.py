"""The forms of claims, and the refusal of a solver term as a plain truth value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NewType

import pytest
import z3

from tests.sample import sampled
from tidegate.conformance import proofs
from tidegate.conformance.mutants.weaker_claims import with_each_bound_tighter, without_each_assumption
from tidegate.conformance.proofs.claims import (
    Claim,
    Falsified,
    OutsideTheClaim,
    assume,
    notion,
    possible,
    prove,
    refuted,
    theorem,
)
from tidegate.conformance.proofs.noticing import is_refuted
from tidegate.conformance.proofs.solver import Judge, Outcome
from tidegate.conformance.proofs.terms import Table, Term, number, truth
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.rule import define
from tidegate.model.mechanisms.gate import Gate, past_high

ThingName = NewType("ThingName", str)


@dataclass(frozen=True)
class Shelf:
    """Things and how many there are of each."""

    count: Mapping[ThingName, int]


@notion
def all_are_few(shelf: Shelf) -> bool:
    """TEST: no count is above 2."""
    return all(shelf.count[thing] <= 2 for thing in shelf.count)


def claim_of(function: Callable[..., Any], because: str | None = None) -> Claim:
    """A claim that no registry keeps."""
    import ast

    return Claim(define(function, also=(ast.Expr,)), (), because)


def proves_nothing(level: int) -> None:
    """TEST-1: a theorem without a claim."""
    possible(level == 1)


def is_vacuous(level: int) -> None:
    """TEST-2: a theorem that does not say when it says something."""
    prove(level == level)


def has_another_id(level: int) -> None:
    """TEST-4: an id that differs."""
    possible(level == 1)
    prove(level == level)


def returns(level: int) -> bool:
    """TEST-5: a return."""
    possible(level == 1)
    prove(level == level)
    return level == 1


@pytest.mark.parametrize(
    ("function", "claim_id", "expected"),
    [
        (proves_nothing, "TEST-1", "at least one prove"),
        (is_vacuous, "TEST-2", "at least one possible"),
        (has_another_id, "TEST-3", "starts with its id 'TEST-3'"),
        (returns, "TEST-5", "only assignments, assume, possible and prove"),
    ],
)
def test_refuses_what_is_no_theorem(function: Callable[..., Any], claim_id: str, expected: str) -> None:
    with pytest.raises(SyntaxError, match=expected) as caught:
        theorem(claim_id)(function)
    assert caught.value.filename == __file__
    assert caught.value.lineno is not None


def test_a_claim_that_must_be_refuted_needs_no_possible() -> None:
    with pytest.raises(SyntaxError, match="at least one prove"):
        refuted("TEST-1", because="there is none")(proves_nothing)


def test_no_id_is_claimed_twice() -> None:
    def again(gate: Gate) -> None:
        """GATE-T1: once more."""
        possible(gate.high == 1)
        prove(gate.high == gate.high)

    from tidegate.conformance import proofs

    assert proofs.claims()
    with pytest.raises(ValueError, match="GATE-T1 is claimed twice"):
        theorem("GATE-T1")(again)


def false_below_zero(level: int) -> None:
    """TEST-6: false for -1."""
    possible(level == 3)
    prove(level >= 0)


def assumes_the_impossible(level: int) -> None:
    """TEST-7: says nothing about anything."""
    assume(level > 3 and level < 4)
    possible(level == level)
    prove(level == 17)


def too_hard(base: int, other: int, third: int) -> None:
    """TEST-8: more than the solver can know."""
    assume(base > 2 and other > 2 and third > 2)
    possible(base == 3)
    prove(base * base * base + other * other * other != third * third * third)


def false_with_two_things(shelf: Shelf, one: ThingName, other: ThingName) -> None:
    """TEST-9: false as soon as there are two things."""
    possible(all_are_few(shelf))
    prove(one == other or shelf.count[one] == shelf.count[other])


def true_of_every_thing(shelf: Shelf, one: ThingName) -> None:
    """TEST-10: true of any number of things."""
    assume(all_are_few(shelf))
    possible(shelf.count[one] == 2)
    prove(shelf.count[one] < 3 and not any(shelf.count[thing] > 2 for thing in shelf.count))


@pytest.mark.parametrize(
    ("function", "outcome", "shown"),
    [
        (false_below_zero, Outcome.REFUTED, "level=-1"),
        (assumes_the_impossible, Outcome.EMPTY, "there is no case of possible 1"),
        (too_hard, Outcome.UNKNOWN, "the solver does not know about prove 1"),
        (
            false_with_two_things,
            Outcome.REFUTED,
            "shelf.count[thing1]=0, shelf.count[thing2]=1, one=thing1, other=thing2",
        ),
        (true_of_every_thing, Outcome.PROVED, ""),
    ],
)
def test_only_what_is_proved_passes_for_a_theorem(function: Callable[..., Any], outcome: Outcome, shown: str) -> None:
    result = Judge().settle(claim_of(function))
    assert (result.outcome, result.shown) == (outcome, shown)
    assert result.as_expected == (outcome is Outcome.PROVED)


def test_only_what_is_refuted_passes_for_a_claim_that_must_be() -> None:
    assert Judge().settle(claim_of(false_below_zero, "it is false")).as_expected
    assert not Judge().settle(claim_of(true_of_every_thing, "it is true")).as_expected
    assert not Judge().settle(claim_of(assumes_the_impossible, "it says nothing")).as_expected


def test_a_claim_runs_plainly_on_one_case() -> None:
    false_below_zero(1)
    with pytest.raises(Falsified):
        false_below_zero(-1)
    with pytest.raises(OutsideTheClaim):
        assumes_the_impossible(1)


def test_python_cannot_take_the_truth_of_a_term() -> None:
    one, other = Term(z3.Int("one")), Term(z3.Int("other"))
    assert bool(z3.Int("one") == z3.Int("other")) is False
    for taken in (
        lambda: bool(one == other),
        lambda: one if one < other else other,
        lambda: (one, 1) == (other, 1),
    ):
        with pytest.raises(TypeError, match="truth"):
            taken()


def test_the_plain_function_cannot_run_on_terms() -> None:
    with pytest.raises(TypeError, match="truth"):
        bool(past_high(Gate(Term(z3.Int("high")), 0), 3))  # type: ignore[arg-type]


def test_terms_of_different_kinds_do_not_mix() -> None:
    level, closed = Term(z3.Int("level")), Term(z3.Bool("closed"))
    for mixed in (
        lambda: level == closed,
        lambda: level + closed,
        lambda: truth(level),
        lambda: number(closed),
    ):
        with pytest.raises(TypeError):
            mixed()
    with pytest.raises(TypeError):
        _ = level == "thing1"


def test_a_table_of_terms_is_not_gone_through() -> None:
    table = SolverWorld().symbol(Mapping[ThingName, int], "count")
    assert isinstance(table, Table)
    for gone_through in (
        lambda: list(table),
        lambda: len(table),
        lambda: table == table,
        lambda: table["thing1"],
    ):
        with pytest.raises(TypeError):
            gone_through()


THEOREMS = [claim for claim in proofs.claims() if claim.is_theorem]


def claim_id(claim: Claim) -> str:
    return claim.id


@pytest.mark.parametrize("claim", sampled(THEOREMS, 60, name=claim_id), ids=claim_id)
def test_a_theorem_assumes_nothing_that_it_does_not_need(claim: Claim) -> None:
    assert [part for part, weaker in without_each_assumption(claim) if not is_refuted(weaker)] == []


@pytest.mark.parametrize("claim", sampled(THEOREMS, 60, name=claim_id), ids=claim_id)
def test_a_bound_is_sharp_unless_it_is_declared_loose(claim: Claim) -> None:
    loose = [bound for bound, tighter in with_each_bound_tighter(claim) if not is_refuted(tighter)]
    assert bool(loose) is bool(claim.loose), loose


def assumes_more_than_it_needs(level: int, other: int) -> None:
    """TEST-11: neither the lower bound nor the other level is needed."""
    assume(0 <= level <= 10 and other > 3)
    possible(level == 10)
    prove(level < 12 or other == 0)


def test_the_parts_of_an_assumption_are_left_out_one_by_one() -> None:
    parts = {part: is_refuted(weaker) for part, weaker in without_each_assumption(claim_of(assumes_more_than_it_needs))}
    assert parts == {"0 <= level": False, "level <= 10": True, "other > 3": False}


def test_a_bound_that_could_be_tighter_is_found() -> None:
    tighter = list(with_each_bound_tighter(claim_of(assumes_more_than_it_needs)))
    assert [(bound, is_refuted(claim)) for bound, claim in tighter] == [("level < 12 - 1", False)]
    ((bound, sharp),) = with_each_bound_tighter(claim_of(true_of_every_thing))
    assert (bound, is_refuted(sharp)) == ("shelf.count[one] < 3 - 1", True)
