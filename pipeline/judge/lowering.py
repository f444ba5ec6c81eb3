"""Lowers trace rules to terms over an event and the values of past-time operators at it; no rule is written twice.

Terms are the values of the world of loops: texts of Python over an event. Operators with the same arguments and keys
are one operator, in whatever rules they occur; it comes after the operators that it uses.
"""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import reduce
from types import SimpleNamespace
from typing import Any, NamedTuple, get_type_hints

from tidegate.model.language.past import OPERATORS
from tidegate.model.language.reading import Reader, Site
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.language.tracing import given
from tidegate.pipeline.read.tables import FIELDS, is_number


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


def names_in(*terms: Term) -> frozenset[str]:
    """The fields and operators that terms use."""
    trees = (ast.parse(each.text, mode="eval") for each in terms)
    return frozenset(node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name))


def _alike(left: object, right: object) -> tuple[Term, Term]:
    first, second = term(left), term(right)
    if first.sort is not second.sort:
        raise TypeError(f"{first.text} is {first.sort.value}, {second.text} is {second.sort.value}")
    return first, second


SOURCE = "source"
SORTS: Mapping[type, Sort] = {int: Sort.NUMBER, bool: Sort.TRUTH}
STATE = "before"
"""The name, in a step, of the operator's value before the event."""


class LoopWorld:
    """The connectives over terms."""

    def both(self, left: object, right: object) -> Term:
        """`left and right`."""
        return joined(left, "and", right, Sort.TRUTH)

    def either(self, left: object, right: object) -> Term:
        """`left or right`."""
        return joined(left, "or", right, Sort.TRUTH)

    def negate(self, value: object) -> Term:
        """`not value`."""
        return Term(f"(not {term(value).text})", Sort.TRUTH)

    def choose(self, test: object, then: object, otherwise: object) -> Term:
        """`then if test else otherwise`; TypeError if both have different sorts."""
        first, second = _alike(then, otherwise)
        return Term(f"({first.text} if {term(test).text} else {second.text})", first.sort)

    def for_every(self, table: Iterable[Any], body: Callable[[Any], object]) -> Term:
        """`all(body(key) for key in table)`, over a table that is known when the rule is lowered."""
        return reduce(self.both, map(body, table), term(True))

    def for_some(self, table: Iterable[Any], body: Callable[[Any], object]) -> Term:
        """`any(body(key) for key in table)`, over a table that is known when the rule is lowered."""
        return reduce(self.either, map(body, table), term(False))

    def tabulate(self, table: Iterable[Any], body: Callable[[Any], object]) -> Mapping[Any, object]:
        """`{key: body(key) for key in table}`."""
        return {key: body(key) for key in table}


class PastOperator(NamedTuple):
    """One past-time operator: the key fields by which it keeps separate values within a source, and its step.

    `step` is a term over the fields of the event, earlier operators, and STATE.
    """

    name: str
    keys: tuple[str, ...]
    initial: int
    step: Term


class LoweredRule(NamedTuple):
    """A trace rule in terms: which events it judges, and whether it holds there."""

    rule: Definition
    judged: Term
    holds: Term


def lower(rules: Sequence[Definition]) -> tuple[list[PastOperator], list[LoweredRule]]:
    """The operators of these rules, inner ones first, and the rules.

    Raises TypeError where a rule uses values that no event holds, or where a key of an operator is not a field.
    """
    operators: dict[tuple[str, tuple[str, ...]], PastOperator] = {}

    def remembered(function: Callable[..., Any]) -> Callable[..., Term]:
        def now(_: Site, *values: object, per: tuple[object, ...], **named: object) -> Term:
            step, keys = step_of(function, *values, **named), _keys(per)
            name = f"past_{len(operators)}"
            found = PastOperator(name, keys, OPERATORS[function].initial, step)
            return Term(operators.setdefault((step.text, keys), found).name, Sort.NUMBER)

        return now

    event = SimpleNamespace(**{name: field_term(name) for name in FIELDS})
    conditions: list[object] = []
    primitives = {function: remembered(function) for function in OPERATORS}
    reader = Reader(LoopWorld(), {**primitives, given: lambda _, condition: conditions.append(condition)})
    lowered = []
    for rule in rules:
        conditions.clear()
        holds = term(reader.read(rule, rule.bind(event)))
        lowered.append(LoweredRule(rule, reduce(LoopWorld().both, map(term, conditions or [True])), holds))
    return list(operators.values()), lowered


def step_of(operator: Callable[..., Any], *values: object, **named: object) -> Term:
    """The value of an operator at an event: its own step, over STATE. TypeError for an argument of the wrong sort."""
    step = definition_of(OPERATORS[operator].step)
    assert step is not None
    arguments = step.bind(Term(STATE, Sort.NUMBER), *values, **named)
    hints = get_type_hints(step.function)
    for name, found in arguments.items():
        needed = SORTS[hints[name]]
        if term(found).sort is not needed:
            given_as = f"{term(found).text} is {term(found).sort.value}"
            raise TypeError(f"{operator.__name__} needs {needed.value} as {name}, {given_as}")
    return term(Reader(LoopWorld()).read(step, arguments))


def _keys(per: Iterable[object]) -> tuple[str, ...]:
    """The key fields, sorted, without the source, since an operator sees one source only. TypeError for other keys."""
    names = {term(key).text for key in per} - {SOURCE}
    if not names <= {*FIELDS}:
        raise TypeError(f"expected fields of an event as the keys of an operator, not {', '.join(sorted(names))}")
    return tuple(sorted(names))
