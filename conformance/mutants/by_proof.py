"""Hunts mutants with the claims of the proofs."""

import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from tidegate.conformance.mutants.changes import Mutant, mutants_of
from tidegate.model.language.rule import Definition, definitions
from tidegate.record.errors import TidegateError

if TYPE_CHECKING:
    from tidegate.conformance.proofs.claims import Claim


@dataclass(frozen=True)
class Proved:
    """The result of the proofs for a mutant: the id of the claim that notices it, and whether it is the same rule."""

    claim: str = ""
    same: bool = False


def hunt(rules: list[Definition], at_once: int) -> dict[str, Proved]:
    """The result of the proofs by the name of each mutant; `at_once` processes run in parallel."""
    names = [rule.qualified_name for rule in rules]
    with ProcessPoolExecutor(at_once, mp_context=get_context("fork"), initializer=_leave_ctrl_c_to_the_parent) as pool:
        found = list(pool.map(_hunt_in, names))
    return {name: proved for part in found for name, proved in part.items()}


def _leave_ctrl_c_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _hunt_in(rule_name: str) -> dict[str, Proved]:
    (rule,) = (each for each in definitions() if each.qualified_name == rule_name)
    return {mutant.name: _proved(mutant) for mutant in mutants_of(rule)}


def _proved(mutant: Mutant) -> Proved:
    from tidegate.conformance.proofs.noticing import notices, says_the_same

    for claim in _readers().get(mutant.original.function, ()):
        if notices(claim, mutant.changed):
            _require_that_it_holds(claim.id)
            return Proved(claim.id)
    return Proved(same=says_the_same(mutant.original, mutant.changed))


@cache
def _readers() -> "dict[Any, list[Claim]]":
    from tidegate.conformance.proofs.noticing import readers

    return readers()


@cache
def _require_that_it_holds(claim_id: str) -> None:
    """TidegateError if the claim fails without a change, since then it cannot notice one."""
    from tidegate.conformance import proofs
    from tidegate.conformance.proofs.noticing import comes_out_otherwise

    (claim,) = (each for each in proofs.claims() if each.id == claim_id)
    if comes_out_otherwise(claim, {}):
        raise TidegateError(f"{claim_id} does not come out as expected although no rule was changed")
