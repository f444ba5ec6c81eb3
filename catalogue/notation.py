"""Formulas as text: a term knows its text and its binding, so no bracket is superfluous."""

from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from typing import Any

MINUS = "\N{MINUS SIGN}"
COMPLEMENT = {"=": "≠", "≠": "=", "<": "≥", "≥": "<", ">": "≤", "≤": ">"}


class Binding(IntEnum):
    """The binding of a term, from the loosest to the tightest."""

    CHOICE = 0
    OR = 1
    AND = 2
    NOT = 3
    COMPARISON = 4
    SUM = 5
    PRODUCT = 6
    SIGN = 7
    ATOM = 8


class Term:
    """A piece of a formula. Operators and comparisons of Python build larger ones; fields build paths."""

    def __init__(self, text: str, binding: Binding = Binding.ATOM, complement: str | None = None):
        self.text = text
        self.binding = binding
        self.complement = complement
        """The opposite of the comparison as text; None for other terms."""

    def within(self, binding: Binding) -> str:
        """The text for a place that needs at least this binding, in brackets if the term binds less tightly."""
        return self.text if self.binding >= binding else f"({self.text})"

    def __add__(self, other: object) -> "Term":
        added = term(other)
        if added.binding is Binding.SIGN:
            return Term(f"{self.within(Binding.SUM)} {MINUS} {added.text.removeprefix(MINUS)}", Binding.SUM)
        return _joined(self, "+", added, Binding.SUM)

    def __radd__(self, other: object) -> "Term":
        return _joined(other, "+", self, Binding.SUM)

    def __sub__(self, other: object) -> "Term":
        return _joined(self, MINUS, other, Binding.SUM)

    def __rsub__(self, other: object) -> "Term":
        return _joined(other, MINUS, self, Binding.SUM)

    def __mul__(self, other: object) -> "Term":
        return _joined(self, "×", other, Binding.PRODUCT)

    def __rmul__(self, other: object) -> "Term":
        return _joined(other, "×", self, Binding.PRODUCT)

    def __neg__(self) -> "Term":
        return Term(f"{MINUS}{self.within(Binding.ATOM)}", Binding.SIGN)

    def __lt__(self, other: object) -> "Term":
        return compared(self, "<", other)

    def __le__(self, other: object) -> "Term":
        return compared(self, "≤", other)

    def __gt__(self, other: object) -> "Term":
        return compared(self, ">", other)

    def __ge__(self, other: object) -> "Term":
        return compared(self, "≥", other)

    def __eq__(self, other: object) -> "Term":  # type: ignore[override]
        return compared(self, "=", other)

    __hash__ = object.__hash__

    def __bool__(self) -> bool:
        raise TypeError(f"the formula {self.text} is neither true nor false by itself")


class Table(Mapping[Any, Any]):
    """A table of unknown keys: `domain` is the text for their set, `entry` gives the value of a key."""

    def __init__(self, domain: str, key_name: str, entry: Callable[[Term], Any]):
        self.domain = domain
        self.key_name = key_name
        self.entry = entry

    def __getitem__(self, key: Any) -> Any:
        return self.entry(term(key))

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"the keys of {self.domain} are not known")

    def __len__(self) -> int:
        raise TypeError(f"the number of keys of {self.domain} is not known")


def term(value: object) -> Term:
    """A value of a rule as a term: terms as they are, numbers, truth values and texts as constants."""
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        return Term("true" if value else "false")
    if isinstance(value, int):
        return Term(f"{value}") if value >= 0 else Term(f"{MINUS}{-value}", Binding.SIGN)
    if isinstance(value, str):
        return Term(f'"{value}"')
    raise TypeError(f"{value!r} has no notation")


def compared(left: object, sign: str, right: object) -> Term:
    """A comparison by one of = ≠ < ≤ > ≥."""
    first, second = term(left).within(Binding.SUM), term(right).within(Binding.SUM)
    return Term(f"{first} {sign} {second}", Binding.COMPARISON, f"{first} {COMPLEMENT[sign]} {second}")


def _joined(left: object, sign: str, right: object, binding: Binding) -> Term:
    tighter = Binding(binding + 1)
    return Term(f"{term(left).within(binding)} {sign} {term(right).within(tighter)}", binding)
