"""Proofs: claims about the rules of the model, for all sizes and any number of producers and queues.

Claims stand in one module for each mechanism and can be read without a solver; `results` settles them with z3.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from tidegate.conformance.proofs import claims as _claims
from tidegate.conformance.proofs.claims import Claim

if TYPE_CHECKING:
    from tidegate.conformance.proofs.solver import Result

MODULES = (
    *("gate", "credit", "wait", "sums", "past"),
    *("qpid_queue", "qpid_release", "qpid_readings", "qpid_bound", "qpid_client", "qpid_disk", "qpid942"),
    *("artemis_credit", "artemis_bound"),
    *("artemis_readings", "artemis_consumer", "rate", "artemis_producer"),
    *("classic", "classic_connection", "classic_usage", "classic_bound"),
    "explained_bound",
    "andes",
    "general",
    "general_waits",
    "left_open",
    "shown",
)
"""The modules of claims, primitives first."""


def claims() -> tuple[Claim, ...]:
    """Every claim, in the order of the modules."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
    return _claims.claims()


def served() -> Mapping[str, int]:
    """The number of theorems that serve each rule id."""
    return Counter(rule_id for claim in claims() if claim.is_theorem for rule_id in claim.serves)


def results(chosen: Iterable[Claim] | None = None) -> "list[Result]":
    """The result of each claim, or of the chosen ones; needs the extra `proofs`."""
    from tidegate.conformance.proofs.solver import Judge

    judge = Judge()
    return [judge.settle(claim) for claim in (claims() if chosen is None else chosen)]
