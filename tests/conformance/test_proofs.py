"""The claims: all as expected, one for each rule that owes a proof, and none holds without the rules that it cites."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.draws import draws
from tests.sample import sampled
from tidegate.catalogue import catalogue
from tidegate.catalogue.formula import resolve
from tidegate.catalogue.obligations import owed
from tidegate.catalogue.rules import Form
from tidegate.conformance import proofs
from tidegate.conformance.proofs.arbitrary import arguments
from tidegate.conformance.proofs.claims import Claim, Falsified, OutsideTheClaim, assume, possible, prove
from tidegate.conformance.proofs.solver import ClaimReader, Judge, Outcome
from tidegate.conformance.proofs.terms import Table, Value, expression
from tidegate.conformance.proofs.world import SolverWorld
from tidegate.model.language.reading import PlainWorld, Reader
from tidegate.model.language.rule import Definition, definitions

CLAIMS = proofs.claims()
THEOREMS = [claim for claim in CLAIMS if claim.is_theorem]
REFUTED = [claim for claim in CLAIMS if not claim.is_theorem]
CALLS = count(1)
CITED = [(claim, rule_id) for claim in THEOREMS for rule_id in claim.serves]


def claim_id(claim: Claim) -> str:
    return claim.id


def module(claim: Claim) -> str:
    """The module that states a claim."""
    return claim.definition.function.__module__


def test_every_module_that_states_claims_is_read() -> None:
    stating = {
        path.stem
        for path in Path(proofs.__file__).parent.glob("*.py")
        if re.search(r"^@(theorem|refuted)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert stating == set(proofs.MODULES)


@pytest.mark.parametrize("claim", sampled(CLAIMS, 2, kind=module, name=claim_id), ids=claim_id)
def test_ends_as_expected(claim: Claim) -> None:
    result = Judge().settle(claim)
    assert result.as_expected, f"{claim.sentence}: {result.outcome}, {result.shown}"


def test_every_rule_that_owes_a_proof_has_a_theorem() -> None:
    served = proofs.served()
    assert not [rule.id for rule in catalogue().values() if Form.PROOF in owed(rule) and not served[rule.id]]


def test_claims_serve_rules_of_the_spec() -> None:
    assert {rule_id for claim in CLAIMS for rule_id in claim.serves} <= set(catalogue())


@pytest.mark.parametrize("claim", sampled(THEOREMS, 2, kind=module, name=claim_id), ids=claim_id)
def test_a_theorem_holds_plainly_in_the_cases_that_it_calls_possible(claim: Claim) -> None:
    for number, case in enumerate(Judge().witnesses(claim)):
        assert case is not None
        said: list[bool] = []
        ignored = dict.fromkeys((assume, prove), partial(keep, []))
        reader = PlainClaimReader({**ignored, possible: partial(keep, said)})
        reader.read(claim.definition, dict(case.arguments))
        assert said[number] is True
        claim.definition.function(**case.arguments)


@pytest.mark.parametrize("claim", sampled(THEOREMS, 2, kind=module, name=claim_id), ids=claim_id)
@settings(max_examples=draws(10, explored=50), deadline=None)
@given(data=st.data())
def test_no_plain_case_falsifies_a_theorem(claim: Claim, data: st.DataObject) -> None:
    case = data.draw(arguments(claim.definition.function))
    with suppress(OutsideTheClaim):
        claim.definition.function(**case)


@pytest.mark.parametrize("claim", REFUTED, ids=claim_id)
def test_the_counterexample_falsifies_the_plain_claim(claim: Claim) -> None:
    case = Judge().settle(claim).case
    with pytest.raises(Falsified):
        claim.definition.function(**case)


def test_the_smallest_counterexamples_in_domain_words() -> None:
    shown = {claim.id: Judge().settle(claim).shown for claim in REFUTED}
    assert shown["GATE-R1"] == "gate.high=0, gate.low=2, level=1"
    assert shown["QQ-R1"] == "queue.capacity=1, queue.resume=3, queue.bytes=2"
    assert "broker.holds[channel1][queue2]=yes" in shown["QQ-R3"]
    assert shown["CREDIT-R1"] == "window.size=2, window.low=1, left=1"


@pytest.mark.parametrize(("claim", "rule_id"), CITED, ids=lambda each: getattr(each, "id", each))
def test_a_theorem_fails_without_the_rule_that_it_cites(
    claim: Claim, rule_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An arbitrary function replaces the rule: a theorem that still holds is not about the rule."""
    for names, name, value in constants_defining(rule_id, claim):
        monkeypatch.setitem(names, name, SolverWorld().symbol(type(value), f"any {name}"))
    instead = dict.fromkeys(functions_behind(rule_id), anything_at_all)
    assert refutable(claim, instead)


def test_anything_at_all_leaves_alone_what_is_not_cited() -> None:
    """The check above can fail: a theorem about the low threshold still holds without another rule."""
    claim = next(claim for claim in THEOREMS if claim.id == "GATE-T4")
    unrelated = next(each.function for each in definitions() if each.name == "refill")
    assert not refutable(claim, {unrelated: anything_at_all})


class PlainClaimReader(ClaimReader):
    """Reads claims with Python's own values."""

    def __init__(self, meanings: dict[Callable[..., Any], Callable[..., Value]]):
        Reader.__init__(self, PlainWorld(), meanings)
        self._instead = {}


def keep(said: list[bool], site: object, condition: bool) -> None:
    assert site
    said.append(condition)


def refutable(claim: Claim, instead: dict[Callable[..., Any], Any]) -> bool:
    """Whether some case refutes a `prove` of the claim."""
    statements = Judge(instead).read(claim, SolverWorld())
    for refutation in statements.refutations:
        solver = z3.SimpleSolver()
        solver.add(refutation)
        if solver.check() == z3.sat:
            return True
    return Judge(instead).settle(claim).outcome is Outcome.REFUTED


def anything_at_all(reader: ClaimReader, definition: Definition, given_values: dict[str, Value]) -> Value:
    """An arbitrary value of the rule's type, the same for the same arguments where these are no tables."""
    figures = [figure for value in given_values.values() for figure in single_figures(value)]
    name = f"any {definition.name}"
    if None in figures:
        name += f" {next(CALLS)}"
    known = tuple(figure for figure in figures if figure is not None)
    return reader.world.symbol(get_type_hints(definition.function)["return"], name, known)


def single_figures(value: Value) -> Iterator[z3.ExprRef | None]:
    """The figures of a value; None for a table, whose number of figures is open."""
    if isinstance(value, Table):
        yield None
    elif is_dataclass(value):
        for part in fields(value):
            yield from single_figures(getattr(value, part.name))
    else:
        yield expression(value)


def functions_behind(rule_id: str) -> set[Callable[..., Any]]:
    """The functions that define the rule; if none does, as for a bound, all functions of its mechanism's modules."""
    rule = catalogue()[rule_id]
    behind = {each.function for each in definitions() if each.rule_id == rule_id or rule.owns(each.qualified_name)}
    if behind or is_figure(constant(rule.defined_by)):
        return behind
    mechanism = rule_id.rpartition("-")[0]
    modules = {each.function.__module__ for each in definitions() if each.rule_id.rpartition("-")[0] == mechanism}
    return {each.function for each in definitions() if each.function.__module__ in modules}


def constants_defining(rule_id: str, claim: Claim) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """The places of the constant that defines the rule: the names of a module, the name of the constant, its value."""
    defined_by = catalogue()[rule_id].defined_by
    module, _, name = (defined_by or "").partition(":")
    if is_figure(value := constant(defined_by)):
        for names in (vars(import_module(module)), claim.definition.function.__globals__):
            if names.get(name) is value:
                yield names, name, value


def constant(defined_by: str | None) -> object:
    return resolve(defined_by) if defined_by else None


def is_figure(value: object) -> bool:
    """Whether a constant is a figure, or a dataclass of figures."""
    return isinstance(value, int) or (is_dataclass(value) and not isinstance(value, type))
