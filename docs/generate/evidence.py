"""The forms of each rule for the site: theorems, refuted claims, scenarios, trace rules and vectors."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from generate.scenarios import Scenario, scenarios
from tidegate.catalogue import catalogue
from tidegate.conformance import proofs, vectors
from tidegate.conformance.proofs.claims import Claim, definition_in_claims
from tidegate.conformance.proofs.solver import Result
from tidegate.conformance.vectors.form import Vector
from tidegate.model.language.rule import Definition
from tidegate.model.traces.log_rules import OF_LOGS
from tidegate.model.traces.run_rules import OF_RUNS
from tidegate.record.errors import TidegateError

CLAIM_ID = re.compile(r"\b[A-Z]+-[TR]\d+\b")


@dataclass
class Evidence:
    """The forms of one rule."""

    theorems: list[Result] = field(default_factory=list)
    refutations: list[Result] = field(default_factory=list)
    scenarios: list[Scenario] = field(default_factory=list)
    traces: list[Definition] = field(default_factory=list)
    logs: list[Definition] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)


@cache
def results() -> tuple[Result, ...]:
    """Every claim, settled. TidegateError if a claim is not as expected: the site shows nothing that does not hold."""
    settled = tuple(proofs.results())
    for result in settled:
        if not result.as_expected:
            raise TidegateError(f"{result.claim.id} is {result.outcome}: {result.shown}; see tidegate prove")
    return settled


@cache
def evidence() -> Mapping[str, Evidence]:
    """The forms of each rule, by its id."""
    gathered: dict[str, Evidence] = defaultdict(Evidence)
    theorems = {result.claim.id: result.claim for result in results() if result.claim.is_theorem}
    for result in results():
        if result.claim.is_theorem:
            for rule_id in result.claim.serves:
                gathered[rule_id].theorems.append(result)
        else:
            for rule_id in _rules_about(result.claim, theorems):
                gathered[rule_id].refutations.append(result)
    for rule_id, scenario in scenarios():
        gathered[rule_id].scenarios.append(scenario)
    for rule in OF_RUNS:
        gathered[rule.rule_id].traces.append(rule)
    for rule in OF_LOGS:
        gathered[rule.rule_id].logs.append(rule)
    for vector in vectors.vectors():
        for rule_id in vector.rules:
            gathered[rule_id].vectors.append(vector)
    return gathered


def module_of(rule: Definition) -> str:
    """The module of the model that contains a rule, without its package."""
    module: str = rule.function.__module__
    return module.rpartition(".")[2]


def _rules_about(refuted: Claim, theorems: Mapping[str, Claim]) -> tuple[str, ...]:
    """The rules that a refuted claim is about.

    They are the rules that it serves; else the rules of the theorem that its docstring calls its original; else the
    rules whose definitions it calls.
    """
    varied = [theorems[name] for name in CLAIM_ID.findall(refuted.definition.sentence) if name in theorems]
    served = [*refuted.serves] or [rule for claim in varied for rule in claim.serves]
    about = served or [rule for rule in _called(refuted) if rule in catalogue()]
    return tuple(dict.fromkeys(about))


def _called(claim: Claim) -> Iterator[str]:
    for statement in claim.definition.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                definition = definition_in_claims(claim.definition.scope.get(node.func.id))
                if definition is not None:
                    yield definition.rule_id
