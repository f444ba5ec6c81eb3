"""Reads claims with the rules of a released version as it is built, instead of the rules of the documents."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from tidegate.conformance import proofs
from tidegate.conformance.proofs.claims import Claim
from tidegate.model.language.linker import Linker

if TYPE_CHECKING:
    from tidegate.conformance.proofs.solver import Result


def claims_under(model: Linker, ids: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with these ids, in which every call of a rule calls the model's rule."""
    wanted = set(ids)
    return tuple(
        replace(claim, definition=model.definition(claim.definition)) for claim in proofs.claims() if claim.id in wanted
    )


def results_under(model: Linker, ids: Iterable[str]) -> "list[Result]":
    """The results of these claims with the rules of the model; needs the extra `proofs`."""
    return proofs.results(claims_under(model, ids))
