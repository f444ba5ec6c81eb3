"""The constants that a replacement may have: figures seen in failing checks."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from tidegate.record.report import Check

Key = TypeVar("Key")

FIGURE = re.compile(r"(?<![\w.,-])-?\d+(?:,\d{3})*(?![\w.])")
"""A whole number in a text, also with commas for thousands; not a part of a name such as QUE-1003."""
WHOLE = 100
"""Per cent."""


@dataclass(frozen=True)
class Figures:
    """Figures in checks, each with the names of the checks that show it."""

    seen: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Figures that were seen and not expected."""
    percent: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Percentages between 0 and 100 that one figure of a check is of another, shown by at least two checks."""
    texts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The whole texts of what was seen."""


def figures_of(failing: Iterable[Check]) -> Figures:
    """The figures of failing checks."""
    seen: dict[int, set[str]] = defaultdict(set)
    percent: dict[int, set[str]] = defaultdict(set)
    texts: dict[str, set[str]] = defaultdict(set)
    for check in failing:
        texts[check.seen].add(check.check)
        shown = numbers_in(check.seen)
        for figure in shown - numbers_in(check.expected):
            seen[figure].add(check.check)
        for share in _shares(shown.union(numbers_in(check.expected), *map(numbers_in, check.done))):
            percent[share].add(check.check)
    in_two = {share: checks for share, checks in percent.items() if len(checks) > 1}
    return Figures(_frozen(seen), _frozen(in_two), _frozen(texts))


def numbers_in(text: str) -> set[int]:
    """Every whole number in a text."""
    return {int(number.replace(",", "")) for number in FIGURE.findall(text)}


def _shares(figures: Iterable[int]) -> set[int]:
    positive = sorted(figure for figure in figures if figure > 0)
    pairs = ((part, whole) for part in positive for whole in positive if part < whole)
    return {WHOLE * part // whole for part, whole in pairs if WHOLE * part % whole == 0}


def _frozen(found: Mapping[Key, set[str]]) -> dict[Key, frozenset[str]]:
    return {key: frozenset(checks) for key, checks in found.items()}
