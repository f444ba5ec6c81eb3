"""The rules that the profile of a released version changes, each with the smallest state in which it differs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from tidegate.catalogue.formula import formula_of
from tidegate.conformance.proofs.differing import Differing, differing, has_states
from tidegate.conformance.proofs.facts import Facts, facts
from tidegate.conformance.proofs.natural import naturally
from tidegate.model.built.profile import Profile, Replacement
from tidegate.model.language.linker import Linker
from tidegate.model.language.rule import Definition, definition_of, definitions
from tidegate.record.errors import TidegateError

MODEL = "tidegate.model."
FURTHER = (
    "tidegate.model.mechanisms.general_queue_gate",
    "tidegate.model.mechanisms.general_address",
    "tidegate.model.mechanisms.qpid_disk",
)
"""Modules whose rules call rules of other modules."""


@dataclass(frozen=True)
class Changed:
    """A rule that two models define differently, and whether its answers differ for some state."""

    rule: Definition
    before: tuple[str, ...]
    """The rule's formula in the first model."""
    after: tuple[str, ...]
    found: Differing

    @property
    def facts(self) -> Facts | None:
        """The smallest state for which both differ, in words; None if there is none, or the solver does not know."""
        return None if self.found.case is None else facts(self.rule.name, self.found)

    @property
    def is_same(self) -> bool:
        """Whether both models have the same formula, and the same answer for every state."""
        return self.found.known and self.found.case is None and self.before == self.after

    def smallest(self, before: str, after: str) -> tuple[str, ...]:
        """The lines of these facts, with names for the two models; without facts, one line with the reason."""
        if self.facts is not None:
            return self.facts.lines(before, after)
        return ("the same for every state" if self.found.known else "the solver does not know",)


@cache
def replaced(profile: Profile) -> tuple[tuple[Replacement, tuple[Changed, ...]], ...]:
    """Each replacement of a profile with the documents' rules that it alone changes.

    For a default these are the rules that name it; none if only adapters read it.
    """
    return tuple(_replaced(profile))


def _replaced(profile: Profile) -> Iterator[tuple[Replacement, tuple[Changed, ...]]]:
    for replacement in profile.replacements:
        alone = Profile(profile.name, (replacement,)).linker
        if callable(replacement.stands_for):
            yield replacement, (_changed(replacement.stands_for, Linker({}), profile.linker),)
        else:
            _, name = replacement.stands_for
            named = (each for each in _rules_of_the_model() if name in each.function.__code__.co_names)
            yield (
                replacement,
                tuple(
                    _changed(each.function, Linker({}), alone)
                    for each in named
                    if alone.linked(each.function) is not each.function
                ),
            )


def between(before: Linker, after: Linker) -> Iterator[Changed]:
    """Every rule over states that two models define differently, by whichever replacement."""
    for each in _rules_of_the_model():
        one, other = before.linked(each.function), after.linked(each.function)
        if one is not other:
            changed = _changed(each.function, before, after)
            # a rule that only calls other rules is linked anew, and may be what it was
            if not changed.is_same:
                yield changed


def _rules_of_the_model() -> Iterator[Definition]:
    """Every rule of the documents over states, including rules of modules that no profile imports."""
    for module in FURTHER:
        import_module(module)
    found = (each for each in definitions() if each.function.__module__.startswith(MODEL))
    return (each for each in found if has_states(each.function))


def _changed(rule: Callable[..., Any], before: Linker, after: Linker) -> Changed:
    one, other = before.linked(rule), after.linked(rule)
    definition = definition_of(rule)
    if definition is None:
        raise TidegateError(f"{rule!r} is no rule of the model")
    found = differing(one, other, naturally)
    # two definitions may differ only in states that no broker reaches; then such a state is the example
    return Changed(definition, _formula(one), _formula(other), found if found.case else differing(one, other))


def _formula(rule: Callable[..., Any]) -> tuple[str, ...]:
    definition = definition_of(rule)
    return () if definition is None else tuple(str(line) for line in formula_of(definition))
