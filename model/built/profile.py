"""What a profile of a released version is: replacements of rules and defaults, each with its evidence."""

from collections.abc import Callable
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


@dataclass(frozen=True)
class Profile:
    """A released version: its report's folder, and what its model replaces."""

    name: str
    replacements: tuple[Replacement, ...]

    @property
    def linker(self) -> Linker:
        """The model of this version."""
        rules = {each.stands_for: each.instead for each in self.replacements if callable(each.stands_for)}
        defaults = {each.stands_for: each.instead for each in self.replacements if isinstance(each.stands_for, tuple)}
        return Linker(rules, defaults)  # type: ignore[arg-type]
