"""Terms: the values of the world of loops, as texts of Python over an event; equal texts are equal terms."""

import ast
from collections.abc import Callable
from enum import Enum

from tidegate.pipeline.read.tables import is_number


class Sort(Enum):
    """The sort of a term's value; never null, because events are filled before they are judged."""

    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "a truth value"


class Term:
    """An expression, longer by each `==`, order or sign. Not a dataclass, since a reader reads fields of these."""

    __slots__ = ("sort", "text")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, text: str, sort: Sort):
        self.text = text
        self.sort = sort

    def __eq__(self, other: object) -> "Term":  # type: ignore[override]
        return joined(self, "==", other, Sort.TRUTH)

    def __neg__(self) -> "Term":
        return Term(f"(-{self.text})", Sort.NUMBER)

    def __bool__(self) -> bool:
        raise TypeError(f"a term has no truth value outside of a loop: {self.text}")


def _sign(sign: str, sort: Sort, *, turned: bool = False) -> Callable[[Term, object], Term]:
    def written(self: Term, other: object) -> Term:
        if sort is Sort.TRUTH and self.sort is Sort.TEXT:
            raise TypeError(f"texts have no order: {self.text}")
        return joined(other, sign, self, sort) if turned else joined(self, sign, other, sort)

    return written


for _name, _written in {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Term, f"__{_name}__", _sign(_written, Sort.TRUTH))
for _name, _written in {"add": "+", "sub": "-", "mul": "*"}.items():
    setattr(Term, f"__{_name}__", _sign(_written, Sort.NUMBER))
    setattr(Term, f"__r{_name}__", _sign(_written, Sort.NUMBER, turned=True))


def field_term(name: str) -> Term:
    """A field of the event."""
    return Term(name, Sort.NUMBER if is_number(name) else Sort.TEXT)


def term(value: object) -> Term:
    """The term itself, or a literal for a Python value; TypeError for a value that no event holds."""
    match value:
        case Term():
            return value
        case bool():
            return Term(repr(value), Sort.TRUTH)
        case int():
            return Term(repr(value) if value >= 0 else f"({value!r})", Sort.NUMBER)
        case str():
            return Term(repr(str(value)), Sort.TEXT)
    raise TypeError(f"no event holds {value!r}")


def joined(left: object, sign: str, right: object, sort: Sort) -> Term:
    """`left sign right` in brackets; TypeError if both have different sorts."""
    first, second = _alike(left, right)
    return Term(f"({first.text} {sign} {second.text})", sort)


def chosen(test: object, then: object, otherwise: object) -> Term:
    """`then` if the test holds, else `otherwise`; TypeError if both have different sorts."""
    first, second = _alike(then, otherwise)
    return Term(f"({first.text} if {term(test).text} else {second.text})", first.sort)


def names_in(*terms: Term) -> frozenset[str]:
    """The fields and operators that terms use."""
    trees = (ast.parse(each.text, mode="eval") for each in terms)
    return frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))


def _alike(left: object, right: object) -> tuple[Term, Term]:
    first, second = term(left), term(right)
    if first.sort is not second.sort:
        raise TypeError(f"{first.text} is {first.sort.value}, {second.text} is {second.sort.value}")
    return first, second
