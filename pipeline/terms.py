"""Terms: the values of the column world, expressions over the columns of an event, built without any engine.

A term is held as a tree, which each engine reads in its own way, and as Spark SQL text; equal texts are equal terms,
which is how an operator that occurs in many rules becomes one column.
"""

from enum import Enum
from typing import Any


class Sort(Enum):
    """What kind of value a term has; never null, because events are filled before they are judged."""

    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "a truth value"


class Sign(Enum):
    """What a term is made by; the value of a joining sign is what stands between its two operands."""

    COLUMN = "column"
    LITERAL = "literal"
    CASE = "case"
    NOT = "not"
    MINUS = "minus"
    AND = "AND"
    OR = "OR"
    EQUAL = "="
    BELOW = "<"
    AT_MOST = "<="
    ABOVE = ">"
    AT_LEAST = ">="
    PLUS = "+"
    LESS = "-"
    TIMES = "*"


class Term:
    """An expression; `depth` counts the past-time operators on the longest way down to a field of the event.

    `operands` are terms; of a column its name alone, of a literal its value. Not a dataclass, for a reader takes
    those apart field by field.
    """

    __slots__ = ("depth", "operands", "sign", "sort", "sql")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, sql: str, sort: Sort, sign: Sign, operands: tuple[object, ...], depth: int = 0):
        self.sql = sql
        self.sort = sort
        self.sign = sign
        self.operands = operands
        self.depth = depth

    def __eq__(self, other: object) -> "Term":  # type: ignore[override]
        return joined(Sign.EQUAL, self, other, Sort.TRUTH)

    def __lt__(self, other: object) -> "Term":
        return joined(Sign.BELOW, self, other, Sort.TRUTH)

    def __le__(self, other: object) -> "Term":
        return joined(Sign.AT_MOST, self, other, Sort.TRUTH)

    def __gt__(self, other: object) -> "Term":
        return joined(Sign.ABOVE, self, other, Sort.TRUTH)

    def __ge__(self, other: object) -> "Term":
        return joined(Sign.AT_LEAST, self, other, Sort.TRUTH)

    def __add__(self, other: object) -> "Term":
        return joined(Sign.PLUS, self, other, Sort.NUMBER)

    def __radd__(self, other: object) -> "Term":
        return joined(Sign.PLUS, other, self, Sort.NUMBER)

    def __sub__(self, other: object) -> "Term":
        return joined(Sign.LESS, self, other, Sort.NUMBER)

    def __rsub__(self, other: object) -> "Term":
        return joined(Sign.LESS, other, self, Sort.NUMBER)

    def __mul__(self, other: object) -> "Term":
        return joined(Sign.TIMES, self, other, Sort.NUMBER)

    def __rmul__(self, other: object) -> "Term":
        return joined(Sign.TIMES, other, self, Sort.NUMBER)

    def __neg__(self) -> "Term":
        return Term(f"(- {self.sql})", Sort.NUMBER, Sign.MINUS, (self,), self.depth)

    def __bool__(self) -> bool:
        raise TypeError(f"a term has no truth value outside of an engine: {self.sql}")


def column(name: str, sort: Sort, depth: int = 0) -> Term:
    """The column of this name."""
    return Term(f"`{name}`", sort, Sign.COLUMN, (name,), depth)


def term(value: object) -> Term:
    """The term itself, or a literal for a Python value; TypeError for anything that no column can hold."""
    match value:
        case Term():
            return value
        case bool():
            return Term("true" if value else "false", Sort.TRUTH, Sign.LITERAL, (value,))
        case int():
            return Term(f"{value}L" if value >= 0 else f"({value}L)", Sort.NUMBER, Sign.LITERAL, (value,))
        case str():
            escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
            return Term(f"'{escaped}'", Sort.TEXT, Sign.LITERAL, (str(value),))
    raise TypeError(f"no column holds {value!r}")


def columns_of(*terms: Term) -> frozenset[str]:
    """The columns that terms look at."""
    found: set[str] = set()
    waiting: list[Any] = list(terms)
    while waiting:
        each = waiting.pop()
        if each.sign is Sign.COLUMN:
            found.add(each.operands[0])
        elif each.sign is not Sign.LITERAL:
            waiting += each.operands
    return frozenset(found)


def joined(sign: Sign, left: object, right: object, sort: Sort) -> Term:
    """`left sign right` in brackets; TypeError where the two are of different sorts."""
    first, second = _alike(left, right)
    depth = max(first.depth, second.depth)
    return Term(f"({first.sql} {sign.value} {second.sql})", sort, sign, (first, second), depth)


def negated(value: object) -> Term:
    """Not `value`."""
    found = term(value)
    return Term(f"(NOT {found.sql})", Sort.TRUTH, Sign.NOT, (found,), found.depth)


def chosen(test: object, then: object, otherwise: object) -> Term:
    """`then` where the test holds, else `otherwise`; TypeError where the two are of different sorts."""
    condition = term(test)
    first, second = _alike(then, otherwise)
    sql = f"CASE WHEN {condition.sql} THEN {first.sql} ELSE {second.sql} END"
    depth = max(condition.depth, first.depth, second.depth)
    return Term(sql, first.sort, Sign.CASE, (condition, first, second), depth)


def _alike(left: object, right: object) -> tuple[Term, Term]:
    first, second = term(left), term(right)
    if first.sort is not second.sort:
        raise TypeError(f"{first.sql} is {first.sort.value}, {second.sql} is {second.sort.value}")
    return first, second
