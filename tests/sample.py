"""Draws the variants that the tests of every change try; `tox -e nightly` tries them all.

A hash of the names draws them: nobody picks the easy ones, and a new variant replaces one other at most.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

from tidegate.conformance.selection import Selection
from tidegate.record.report import CheckKind

Variant = TypeVar("Variant")


def alike(_: object) -> Hashable:
    """The kind of any variant if all variants are alike."""
    return None


def name_of(variant: object) -> str:
    """The id of a parameter, the name of a class or function, or the text of anything else."""
    if isinstance(variant, ParameterSet):
        return str(variant.id or variant.values)
    return getattr(variant, "__name__", None) or str(variant)


def nightly(value: object) -> ParameterSet:
    """A parameter that only `tox -e nightly` tries."""
    if isinstance(value, ParameterSet):
        return value._replace(marks=(*value.marks, pytest.mark.nightly))
    return pytest.param(value, marks=pytest.mark.nightly)


def drawn(
    variants: Iterable[Variant],
    most: int = 1,
    *,
    kind: Callable[[Variant], Hashable] = alike,
    name: Callable[[Variant], str] = name_of,
) -> list[Variant]:
    """At most `most` variants of each kind, in the given order."""
    given = list(variants)
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place in sorted(range(len(given)), key=lambda place: sha256(name(given[place]).encode()).digest()):
        places[kind(given[place])].append(place)
    return [given[place] for place in sorted(place for its in places.values() for place in its[:most])]


def sampled(
    variants: Iterable[Variant],
    most: int = 1,
    *,
    kind: Callable[[Variant], Hashable] = alike,
    name: Callable[[Variant], str] = name_of,
) -> list[object]:
    """Every variant as a parameter of a test; variants that are not drawn run nightly only."""
    given = list(variants)
    now = drawn(given, most, kind=kind, name=name)
    return [each if each in now else nightly(each) for each in given]


@dataclass(frozen=True)
class Share(Selection):
    """One in `one_in` checks of the suite, for tests that need no verdict of a rule."""

    one_in: int = 1

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        return super().takes(rules, check, kind) and int.from_bytes(sha256(check.encode()).digest()) % self.one_in == 0


def wanted(request: pytest.FixtureRequest, parameter: str) -> list[Any]:
    """The distinct values of a parameter with which tests of this module run in this session."""
    found: list[Any] = []
    for item in request.session.items:
        values = getattr(item, "callspec", None)
        if item.path == request.path and values and parameter in values.params:
            value = values.params[parameter]
            found += [] if value in found else [value]
    return found
