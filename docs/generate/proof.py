"""The page of all claims, by module."""

from collections.abc import Iterator
from importlib import import_module
from itertools import groupby

from generate.evidence import results
from generate.markup import paragraphs, plural
from generate.sections import what_it_says
from tidegate.conformance import proofs
from tidegate.conformance.proofs.solver import Result


def claims_by_module() -> str:
    """Every claim with its id as an anchor: what it serves, and for a refuted one the counterexample."""
    return "\n\n".join(_modules())


def _modules() -> Iterator[str]:
    settled = results()
    theorems = sum(result.claim.is_theorem for result in settled)
    yield f"{plural(theorems, 'theorem')} proved, {plural(len(settled) - theorems, 'claim')} refuted as they must be."
    for module, group in groupby(settled, key=lambda result: str(result.claim.definition.function.__module__)):
        about = (import_module(module).__doc__ or "").strip()
        yield paragraphs(f"## {module.removeprefix(proofs.__name__ + '.')}", about, "\n".join(map(_claim, group)))


def _claim(result: Result) -> str:
    claim = result.claim
    verdict = "proved" if claim.is_theorem else "refuted"
    served = f" Serves {', '.join(claim.serves)}." if claim.serves else ""
    return f'- <strong id="{claim.id}" class="{verdict}">{claim.id}</strong> {what_it_says(result)}{served}'
