"""The profile of a released version: replacements of rules and defaults, each with its evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from tidegate.model.language.linker import Default, Linker
from tidegate.model.language.rule import definition_of, other_rule

Function = TypeVar("Function", bound=Callable[..., Any])


def as_built(function: Function) -> Function:
    """Keep the definition of a rule as a released version has it; its docstring has the form of an `other_rule`."""
    return other_rule(function)


@dataclass(frozen=True)
class Evidence:
    """Evidence from the real version in a committed report: the report's folder, a check, and the figure seen there."""

    report: str
    check: str
    seen: str

    @property
    def version(self) -> str:
        """The version that showed it."""
        return self.report.rpartition("-")[2]


def seen(check: str, figure: str, *reports: str) -> tuple[Evidence, ...]:
    """Evidence that several reports share: a check and the seen figure."""
    return tuple(Evidence(report, check, figure) for report in reports)


@dataclass(frozen=True)
class Replacement:
    """A rule or a default of the documents, and its replacement in the versions from `since` to `until`.

    Both are the ends of the tried versions; the replacement may hold beyond them.
    """

    stands_for: Callable[..., Any] | Default
    instead: object
    since: str
    until: str
    evidence: tuple[Evidence, ...]
    rules: tuple[str, ...] = ()
    """The rules that it changes; empty where they are the rule that its docstring names and the rules that it
    defines."""
    says: str = ""
    """One sentence about a default; a rule has its docstring."""

    @property
    def name(self) -> str:
        """The `module:name` of the replaced rule or default, as a spec section's `defined_by` cites it."""
        if isinstance(self.stands_for, tuple):
            module, name = self.stands_for
            return f"{module.__name__}:{name}"
        return f"{self.stands_for.__module__}:{self.stands_for.__name__}"

    @property
    def sentence(self) -> str:
        """The sentence that holds in these versions."""
        definition = definition_of(self.instead)
        return self.says if definition is None else definition.sentence

    def holds_in(self, version: str) -> bool:
        """Whether a version is among these."""
        return _parts(self.since) <= _parts(version) <= _parts(self.until)

    def of_version(self, version: str) -> tuple[Evidence, ...]:
        """The evidence from one version."""
        return tuple(evidence for evidence in self.evidence if evidence.version == version)


@dataclass(frozen=True)
class Profile:
    """A released version: the folder of its report, and the replacements of its model."""

    name: str
    replacements: tuple[Replacement, ...]

    @property
    def version(self) -> str:
        """The version alone."""
        return self.name.rpartition("-")[2]

    @property
    def linker(self) -> Linker:
        """The model of this version."""
        rules = {each.stands_for: each.instead for each in self.replacements if callable(each.stands_for)}
        defaults = {each.stands_for: each.instead for each in self.replacements if isinstance(each.stands_for, tuple)}
        return Linker(rules, defaults)  # type: ignore[arg-type]


def profile_of(name: str, replacements: Iterable[Replacement]) -> Profile:
    """The profile of a version, named after its report's folder: the replacements that hold in the version."""
    return Profile(name, tuple(each for each in replacements if each.holds_in(name.rpartition("-")[2])))


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
