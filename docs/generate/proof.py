"""The pages of all claims: one for each module of proofs, with a short name, a formula and a verdict for each claim."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import groupby

from generate.claim_text import written
from generate.evidence import results
from generate.markup import boxed, fence, literal, paragraphs, table
from tidegate.conformance import proofs
from tidegate.conformance.proofs.claims import Claim
from tidegate.conformance.proofs.solver import Result
from tidegate.record.counts import counted

FOLDER = "proofs"


def modules_with_counts() -> str:
    """A table of the pages, with the subject of each and its number of claims."""
    settled = results()
    theorems = sum(result.claim.is_theorem for result in settled)
    count = f"{counted(theorems, 'theorems')} proved, {counted(len(settled) - theorems, 'claims')} refuted as expected."
    rows = [
        (f"[{title(module)}](/{page_of(module)})", _about(module), str(_proved(claims)), str(_refuted(claims)))
        for module, claims in by_module().items()
    ]
    return paragraphs(count, table(["page", "about", "proved", "refuted"], rows))


def pages() -> Iterator[tuple[str, str]]:
    """The path below the docs folder and the Markdown of each module's page."""
    for module, claims in by_module().items():
        counts = f"{counted(_proved(claims), 'theorems')}, {counted(_refuted(claims), 'refuted claims')}."
        yield page_of(module), paragraphs(f"# {title(module)}", _about(module), counts, *map(_claim, claims)) + "\n"


def paths() -> list[str]:
    """The pages, in the order of the claims."""
    return [page_of(module) for module, _ in groupby(proofs.claims(), key=_module_of)]


@cache
def by_module() -> Mapping[str, tuple[Result, ...]]:
    """The settled claims, by the name of their module."""
    groups = groupby(results(), key=lambda result: _module_of(result.claim))
    return {module: tuple(group) for module, group in groups}


def places() -> Mapping[str, str]:
    """The page and anchor of each claim, by its id."""
    return {claim.id: f"/{page_of(_module_of(claim))}#{claim.id}" for claim in proofs.claims()}


def page_of(module: str) -> str:
    """The page of a module, as a path from the docs folder."""
    return f"{FOLDER}/{module}.md"


def title(module: str) -> str:
    """The heading of a module's page."""
    return f"Proofs: {module.replace('_', ' ')}"


def name_of(result: Result) -> str:
    """The short name of a claim."""
    return result.claim.sentence[:1].upper() + result.claim.sentence[1:]


def _module_of(claim: Claim) -> str:
    """The name of the module that contains a claim, without its package."""
    return str(claim.definition.function.__module__).removeprefix(f"{proofs.__name__}.")


def _about(module: str) -> str:
    return (import_module(f"{proofs.__name__}.{module}").__doc__ or "").strip().partition("\n\n")[0].replace("\n", " ")


def _claim(result: Result) -> str:
    claim = result.claim
    says = claim.definition.sentence
    served = f" Serves {', '.join(claim.serves)}." if claim.serves else ""
    if claim.is_theorem:
        verdict = '<strong class="proved">✓ proved</strong>'
        outcome = ""
    else:
        verdict = '<strong class="refuted">✗ refuted</strong>'
        outcome = f"False, because {claim.because}. The smallest case: `{result.shown}`"
    return paragraphs(
        f"## {claim.id} · {literal(name_of(result))} {{ #{claim.id} .claim }}",
        f"{verdict} {says[:1].upper()}{says[1:]}{served}",
        boxed("formula", fence(written(claim))),
        outcome,
    )


def _proved(claims: Sequence[Result]) -> int:
    return sum(result.claim.is_theorem for result in claims)


def _refuted(claims: Sequence[Result]) -> int:
    return len(claims) - _proved(claims)
