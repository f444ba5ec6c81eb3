"""Terms: the values of the column world, expressions over the columns of an event, held as Spark SQL text.

A term needs no Spark to be built, so a rule can be lowered, compared and printed anywhere; equal texts are
equal terms, which is how an operator that occurs in many rules becomes one column.
"""

from enum import Enum


class Sort(Enum):
    """What kind of value a term has; never null, because events are filled before they are judged."""

    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "a truth value"


class Term:
    """An expression; `depth` counts the past-time operators on the longest way down to a field of the event.

    Not a dataclass, for a reader takes those apart field by field.
    """

    __slots__ = ("depth", "sort", "sql")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, sql: str, sort: Sort, depth: int = 0):
        self.sql = sql
        self.sort = sort
        self.depth = depth

    def __eq__(self, other: object) -> "Term":  # type: ignore[override]
        return joined("=", self, other, Sort.TRUTH)

    def __lt__(self, other: object) -> "Term":
        return joined("<", self, other, Sort.TRUTH)

    def __le__(self, other: object) -> "Term":
        return joined("<=", self, other, Sort.TRUTH)

    def __gt__(self, other: object) -> "Term":
        return joined(">", self, other, Sort.TRUTH)

    def __ge__(self, other: object) -> "Term":
        return joined(">=", self, other, Sort.TRUTH)

    def __add__(self, other: object) -> "Term":
        return joined("+", self, other, Sort.NUMBER)

    def __radd__(self, other: object) -> "Term":
        return joined("+", other, self, Sort.NUMBER)

    def __sub__(self, other: object) -> "Term":
        return joined("-", self, other, Sort.NUMBER)

    def __rsub__(self, other: object) -> "Term":
        return joined("-", other, self, Sort.NUMBER)

    def __mul__(self, other: object) -> "Term":
        return joined("*", self, other, Sort.NUMBER)

    def __rmul__(self, other: object) -> "Term":
        return joined("*", other, self, Sort.NUMBER)

    def __neg__(self) -> "Term":
        return Term(f"(- {self.sql})", Sort.NUMBER, self.depth)

    def __bool__(self) -> bool:
        raise TypeError(f"a term has no truth value outside of Spark: {self.sql}")


def term(value: object) -> Term:
    """The term itself, or a literal for a Python value; TypeError for anything that no column can hold."""
    match value:
        case Term():
            return value
        case bool():
            return Term("true" if value else "false", Sort.TRUTH)
        case int():
            return Term(f"{value}L" if value >= 0 else f"({value}L)", Sort.NUMBER)
        case str():
            escaped = str(value).replace("\\", "\\\\").replace("'", "\\'")
            return Term(f"'{escaped}'", Sort.TEXT)
    raise TypeError(f"no column holds {value!r}")


def joined(sign: str, left: object, right: object, sort: Sort) -> Term:
    """`left sign right` in brackets; TypeError where the two are of different sorts."""
    first, second = term(left), term(right)
    if first.sort is not second.sort:
        raise TypeError(f"{first.sql} is {first.sort.value}, {second.sql} is {second.sort.value}")
    return Term(f"({first.sql} {sign} {second.sql})", sort, max(first.depth, second.depth))


def chosen(test: object, then: object, otherwise: object) -> Term:
    """`then` where the test holds, else `otherwise`; TypeError where the two are of different sorts."""
    condition, first, second = term(test), term(then), term(otherwise)
    if first.sort is not second.sort:
        raise TypeError(f"{first.sql} is {first.sort.value}, {second.sql} is {second.sort.value}")
    sql = f"CASE WHEN {condition.sql} THEN {first.sql} ELSE {second.sql} END"
    return Term(sql, first.sort, max(condition.depth, first.depth, second.depth))
