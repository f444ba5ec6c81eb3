"""Finds the replacements in the profile of a version that make a check fail."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from tidegate.catalogue import Rule
from tidegate.model.built.profile import Replacement
from tidegate.model.language.rule import definition_of

Replacements = tuple[Replacement, ...]
Name = TypeVar("Name")
EndAlike = Callable[[Replacements, Sequence[Name]], frozenset[Name]]
"""Given replacements and checks, the checks that end on the changed model as on the real version."""


def causes(replacements: Replacements, names: Sequence[Name], end_alike: EndAlike[Name]) -> dict[Name, Replacements]:
    """The replacements that make each named check fail; checks that the profile does not explain are left out.

    So are checks that fail alike without any replacement, by the adapter of the version itself. Each replacement that
    suffices alone is a cause. If none does, the causes are a minimal set that suffices.
    """
    alike = end_alike(replacements, names) - end_alike((), names)
    explained = [name for name in names if name in alike]
    alone: dict[Name, list[Replacement]] = defaultdict(list)
    for each in replacements if explained else ():
        for name in end_alike((each,), explained):
            alone[name].append(each)
    return {
        name: tuple(alone[name]) if name in alone else _together(replacements, name, end_alike) for name in explained
    }


def _together(replacements: Replacements, name: Name, end_alike: EndAlike[Name]) -> Replacements:
    """A minimal set of replacements with which the check ends as on the real version."""
    kept = replacements
    for each in replacements:
        fewer = tuple(one for one in kept if one is not each)
        if name in end_alike(fewer, [name]):
            kept = fewer
    return kept


def rules_of(replacement: Replacement, rules: Mapping[str, Rule]) -> tuple[str, ...]:
    """The ids of the rules that a replacement changes.

    Without explicit ids: the rule in the replacement's docstring, and every rule whose definition or step is replaced.
    """
    if replacement.rules:
        return replacement.rules
    definition = definition_of(replacement.instead)
    said = [definition.rule_id] if definition is not None and definition.rule_id in rules else []
    defined = [rule.id for rule in rules.values() if rule.owns(replacement.name)]
    return tuple(dict.fromkeys([*said, *defined]))
