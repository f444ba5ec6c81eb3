"""Makes a proposal from a report: picks the model for its implementation and searches for explanations there."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tidegate.adapters.base import Adapter
from tidegate.conformance.bench import Bench, Make, at_the_bench
from tidegate.conformance.propose.search import Found, Limits, search
from tidegate.conformance.report.accept import WITH_FIGURES, name_of
from tidegate.conformance.report.store import read_report
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, Implementation

Resolve = Callable[[str], dict[str, Callable[[], Adapter]]]
BUILT = "built:"
MADE_OF_A_MODEL = (BUILT, "reference:")
"""The prefixes of implementations that are made of rules."""


@dataclass(frozen=True)
class Proposal:
    """The result, with the folder of its report and the version of its implementation."""

    found: Found
    folder: str
    version: str


def propose(path: Path, profile: str | None, limits: Limits, resolve: Resolve) -> Proposal:
    """Find replacements that explain the failing checks of a report.json.

    BadInput if the file is no report, covers several implementations, or its version has no profile.
    """
    report = read_report(path)
    if len(report.implementations) != 1:
        raise BadInput("expected the report of one implementation", file=path)
    (judged,) = report.implementations
    name = adapter_for(judged.implementation, profile, path)
    real = [check for verdict in judged.verdicts for check in verdict.checks if check.kind in WITH_FIGURES]
    make: Make = resolve(name)[name]  # type: ignore[assignment]
    found = at_the_bench(name, make, real, partial(_search, real, limits))
    return Proposal(found, path.resolve().parent.name, judged.implementation.version)


def adapter_for(implementation: Implementation, profile: str | None, path: Path) -> str:
    """The name of the model that stands for a report's implementation. BadInput if there is none."""
    if profile is not None:
        return f"{BUILT}{name_of(profile)}"
    own = implementation.profile
    if own.startswith(MADE_OF_A_MODEL):
        return own
    try:
        return f"{BUILT}{name_of(own.replace(':', '-'))}"
    except BadInput as error:
        raise BadInput(f"{error.expected}; name one by --profile", file=path, field="profile") from error


def _search(real: list[Check], limits: Limits, bench: Bench) -> Found:
    missing = dict.fromkeys(check.check for check in real if check.check not in bench.real)
    return search(bench, tuple(missing), limits)
