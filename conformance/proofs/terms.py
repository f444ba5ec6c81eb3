"""Solver terms: numbers, truth values and keys of tables, whose truth Python must not evaluate."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import z3  # type: ignore[import-untyped]

Value = Any


class Term:
    """An integer, a truth value or a key in the solver.

    `bool(term)` raises TypeError: z3 itself would give False for an equality that is merely undecided.
    """

    __slots__ = ("expression",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expression: z3.ExprRef):
        self.expression = expression

    def __bool__(self) -> bool:
        raise TypeError(f"Python cannot take the truth of the term {self.expression}")

    def __repr__(self) -> str:
        return f"Term({self.expression})"

    def __add__(self, other: object) -> "Term":
        return Term(number(self) + number(other))

    def __radd__(self, other: object) -> "Term":
        return Term(number(other) + number(self))

    def __sub__(self, other: object) -> "Term":
        return Term(number(self) - number(other))

    def __rsub__(self, other: object) -> "Term":
        return Term(number(other) - number(self))

    def __mul__(self, other: object) -> "Term":
        return Term(number(self) * number(other))

    def __rmul__(self, other: object) -> "Term":
        return Term(number(other) * number(self))

    def __neg__(self) -> "Term":
        return Term(-number(self))

    def __lt__(self, other: object) -> "Term":
        return Term(number(self) < number(other))

    def __le__(self, other: object) -> "Term":
        return Term(number(self) <= number(other))

    def __gt__(self, other: object) -> "Term":
        return Term(number(self) > number(other))

    def __ge__(self, other: object) -> "Term":
        return Term(number(self) >= number(other))

    def __eq__(self, other: object) -> "Term":  # type: ignore[override]
        left, right = self.expression, expression(other)
        if left.sort() != right.sort():
            raise TypeError(f"{left} is compared with {right}, which is of another kind")
        return Term(left == right)

    def __ne__(self, other: object) -> "Term":  # type: ignore[override]
        return Term(z3.Not((self == other).expression))


class Table(Mapping[Value, Value]):
    """A table over every key of a sort; the number of keys is open, so the table cannot be iterated."""

    def __init__(self, keys: z3.SortRef, entry: Callable[[Value], Value]):
        self.keys_sort = keys
        self._entry = entry
        self._known: dict[int, tuple[z3.ExprRef, Value]] = {}

    def __getitem__(self, key: Value) -> Value:
        """The entry, made once for each key. The key is kept with it, because z3 may reuse the id of a lost key."""
        term = expression(key)
        number = term.get_id()
        if number not in self._known:
            if term.sort() != self.keys_sort:
                raise TypeError(f"{key!r} is no key of a table over {self.keys_sort}")
            self._known[number] = term, self._entry(key)
        return self._known[number][1]

    def __iter__(self) -> Iterator[Value]:
        raise TypeError("the keys of a table of terms cannot be gone through")

    def __len__(self) -> int:
        raise TypeError("the keys of a table of terms cannot be counted")

    def __eq__(self, other: object) -> bool:
        raise TypeError("tables of terms are compared entry by entry")

    __hash__ = None  # type: ignore[assignment]


def expression(value: object) -> z3.ExprRef:
    """The solver's expression for a term, an int or a bool; TypeError for anything else."""
    match value:
        case Term():
            return value.expression
        case bool():
            return z3.BoolVal(value)
        case int():
            return z3.IntVal(value)
    raise TypeError(f"{value!r} is no integer, truth value or key")


def number(value: object) -> z3.ArithRef:
    """The expression of an integer; TypeError for any other kind."""
    found = expression(value)
    if not z3.is_int(found):
        raise TypeError(f"{value!r} is no integer")
    return found


def truth(value: object) -> z3.BoolRef:
    """The expression of a truth value; TypeError for any other kind."""
    found = expression(value)
    if not z3.is_bool(found):
        raise TypeError(f"{value!r} is no truth value")
    return found
