"""A state for which two rules differ, as facts for a reader: one for each figure, and the answer of either rule."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass

from tidegate.conformance.proofs.differing import Differing
from tidegate.conformance.proofs.words import ANSWERS, FIELDS, OF_RULE, PARAMETERS, PARTS, WHOSE, Say

Named = Mapping[str, str]
"""The name of a setting in a configuration file, by its name in the model."""


@dataclass(frozen=True)
class Facts:
    """The given figures, a sentence each, and the answers of both rules; of states only the differences."""

    given: tuple[str, ...]
    before: str
    after: str

    def lines(self, before: str = "before", after: str = "after") -> tuple[str, ...]:
        """One line for each fact."""
        return (*self.given, f"{before}: {self.before}", f"{after}: {self.after}")

    def __str__(self) -> str:
        return f"{', '.join(self.given)}; before: {self.before}; after: {self.after}"


def facts(rule: str, found: Differing, named: Named | None = None) -> Facts:
    """The facts of a case; ValueError if there is none."""
    if found.case is None:
        raise ValueError(f"expected a case for which {rule} differs")
    arguments = found.case.arguments
    given = [said for name, value in arguments.items() for said in _given(rule, name, value)]
    before, after = _answers(rule, found.before, found.after)
    return Facts(
        tuple(_renamed(said, named or {}) for said in given),
        _renamed(before, named or {}),
        _renamed(after, named or {}),
    )


def _given(rule: str, name: str, value: object) -> Iterator[str]:
    whose = f"{WHOSE[rule, name]}: " if (rule, name) in WHOSE else ""
    own = OF_RULE.get((rule, name)) or PARAMETERS.get(name)
    yield from (f"{whose}{said}" for said in _leaves(value, name, own, name).values())


def _answers(rule: str, before: object, after: object) -> tuple[str, str]:
    """The answers of both rules; states show only the figures in which they differ."""
    own = ANSWERS.get(rule)
    name = rule.replace("_", " ")
    was, now = _leaves(before, name, own, ""), _leaves(after, name, own, "")
    differ = [path for path in was if was[path] != now.get(path)] or list(was)
    return ", ".join(was[path] for path in differ), ", ".join(now.get(path, "gone") for path in differ)


def _leaves(
    value: object, name: str, say: Say | None, parameter: str, path: tuple[str, ...] = (), keys: tuple[str, ...] = ()
) -> dict[tuple[str, ...], str]:
    """The sentence of each single figure of a value, by the figure's path."""
    if is_dataclass(value) and not isinstance(value, type):
        # the keys of a table of dataclasses name the owner of the figures
        whose = "".join(f"{key}: " for key in keys)
        return {
            at: f"{whose}{said}"
            for part in fields(value)
            for at, said in _leaves(
                getattr(value, part.name),
                part.name,
                PARTS.get((parameter, part.name)) or FIELDS.get((type(value), part.name)),
                parameter,
                (*path, part.name),
            ).items()
        }
    if isinstance(value, Mapping):
        return {
            at: said
            for key, entry in value.items()
            for at, said in _leaves(entry, name, say, parameter, (*path, str(key)), (*keys, str(key))).items()
        }
    return {path: say(value, *keys) if say is not None else f"{' '.join((name, *keys))} {in_words(value)}"}


def in_words(value: object) -> str:
    """A value without words of its own: yes or no for a truth value, otherwise the figure."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _renamed(said: str, named: Named) -> str:
    for name, there in named.items():
        said = re.sub(rf"\b{name}\b", there, said)
    return said
