"""What a profile of a released version is: replacements of rules and defaults, each with its evidence."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from tidegate.model.language.linker import Default, Linker
from tidegate.model.language.rule import definition_of, other_rule

Function = TypeVar("Function", bound=Callable[..., Any])


def as_built(function: Function) -> Function:
    """Keep the definition of a rule of a released version; its docstring is that of an `other_rule`."""
    return other_rule(function)


@dataclass(frozen=True)
class Evidence:
    """What a committed report holds of the real version: the report's folder, a check, and the figure seen there."""

    report: str
    check: str
    seen: str

    @property
    def version(self) -> str:
        """The version that showed it."""
        return self.report.rpartition("-")[2]


def seen(check: str, figure: str, *reports: str) -> tuple[Evidence, ...]:
    """Evidence that several reports share: a check and the figure that was seen."""
    return tuple(Evidence(report, check, figure) for report in reports)


@dataclass(frozen=True)
class Replacement:
    """A rule or a default of the documents, and what stands for it in the versions from `since` to `until`.

    Both are the ends of what was tried, not of what may be so.
    """

    stands_for: Callable[..., Any] | Default
    instead: object
    since: str
    until: str
    evidence: tuple[Evidence, ...]
    rules: tuple[str, ...] = ()
    """The rules that it changes; none where they are the one that its docstring names and those that it defines."""
    says: str = ""
    """One sentence about a default; a rule has its docstring."""

    @property
    def name(self) -> str:
        """The `module:name` of what is replaced, as a spec section's `defined_by` cites it."""
        if isinstance(self.stands_for, tuple):
            module, name = self.stands_for
            return f"{module.__name__}:{name}"
        return f"{self.stands_for.__module__}:{self.stands_for.__name__}"

    @property
    def sentence(self) -> str:
        """What is so in these versions."""
        definition = definition_of(self.instead)
        return self.says if definition is None else definition.sentence

    def holds_in(self, version: str) -> bool:
        """Whether a version is among these."""
        return _parts(self.since) <= _parts(version) <= _parts(self.until)

    def of_version(self, version: str) -> tuple[Evidence, ...]:
        """What one version showed."""
        return tuple(evidence for evidence in self.evidence if evidence.version == version)


@dataclass(frozen=True)
class Profile:
    """A released version: its report's folder, and what its model replaces."""

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
    """The profile of a version, named as its report's folder: the replacements that hold in it."""
    return Profile(name, tuple(each for each in replacements if each.holds_in(name.rpartition("-")[2])))


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
