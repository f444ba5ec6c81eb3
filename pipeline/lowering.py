"""The column reader: lowers trace rules to terms over columns, for every engine alike; no rule is written twice.

Each occurrence of a past-time operator becomes a column of its own, computed in as many stages as operators are
nested; occurrences that say the same, in whatever rule, share one. How an engine computes such a column is its own.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import SimpleNamespace
from typing import Any, NamedTuple, get_type_hints

from tidegate.model.language.past import OPERATORS
from tidegate.model.language.reading import Reader, Site
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.language.tracing import given
from tidegate.pipeline.schema import FIELDS, is_number
from tidegate.pipeline.terms import Sign, Sort, Term, chosen, column, joined, negated, term

SOURCE = column("source", Sort.TEXT)
SORTS: Mapping[type, Sort] = {int: Sort.NUMBER, bool: Sort.TRUTH, str: Sort.TEXT}


@dataclass(frozen=True, eq=False)
class Occurrence:
    """A past-time operator over terms: its arguments by name, and the keys within a source that it is apart for."""

    operator: Callable[..., Any]
    arguments: Mapping[str, Term]
    keys: tuple[Term, ...]

    @property
    def text(self) -> str:
        """What it says, as text; occurrences of equal text are equal."""
        arguments = ", ".join(f"{name}={value.sql}" for name, value in self.arguments.items())
        return f"{self.operator.__name__}({arguments}) per ({self.keyed})"

    @property
    def keyed(self) -> str:
        """Its keys as text; occurrences of equal keys are apart for the same events."""
        return ", ".join(key.sql for key in self.keys)

    @property
    def depth(self) -> int:
        """How many operators are nested here, itself included."""
        return 1 + max(part.depth for part in (*self.arguments.values(), *self.keys))


class Lowered(NamedTuple):
    """A trace rule in columns: which events it judges, and whether it holds there."""

    rule: Definition
    judged: Term
    holds: Term


Stages = tuple[Mapping[str, Occurrence], ...]
"""Column to operator, one mapping for each depth, from the innermost outwards."""


class ColumnWorld:
    """The connectives over terms."""

    def both(self, left: object, right: object) -> Term:
        """`left and right`."""
        return joined(Sign.AND, left, right, Sort.TRUTH)

    def either(self, left: object, right: object) -> Term:
        """`left or right`."""
        return joined(Sign.OR, left, right, Sort.TRUTH)

    def negate(self, value: object) -> Term:
        """`not value`."""
        return negated(value)

    def choose(self, test: object, then: object, otherwise: object) -> Term:
        """`then if test else otherwise`."""
        return chosen(test, then, otherwise)

    def for_every(self, table: Iterable[Any], body: Callable[[Any], object]) -> Term:
        """`all(body(key) for key in table)`, over a table that is known when the rule is lowered."""
        return reduce(self.both, map(body, table), term(True))

    def for_some(self, table: Iterable[Any], body: Callable[[Any], object]) -> Term:
        """`any(body(key) for key in table)`, over a table that is known when the rule is lowered."""
        return reduce(self.either, map(body, table), term(False))

    def tabulate(self, table: Iterable[Any], body: Callable[[Any], object]) -> Mapping[Any, object]:
        """`{key: body(key) for key in table}`."""
        return {key: body(key) for key in table}


class Lowering:
    """Lowers rules one after the other; operators that occurred before are found again by their text."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._stages: dict[int, dict[str, Occurrence]] = {}

    def lower(self, rule: Definition) -> Lowered:
        """The two columns of a trace rule. Raises TypeError where it joins values that no column can hold."""
        conditions: list[object] = []
        row = SimpleNamespace(**{name: column(name, sort_of(name)) for name in FIELDS})
        operators = {function: self._remember(function) for function in OPERATORS}
        reader = Reader(ColumnWorld(), {**operators, given: lambda _, condition: conditions.append(condition)})
        holds = term(reader.read(rule, rule.bind(row)))
        return Lowered(rule, reduce(ColumnWorld().both, map(term, conditions or [True])), holds)

    def stages(self) -> Stages:
        """The operators so far."""
        return tuple(self._stages[depth] for depth in sorted(self._stages))

    def _remember(self, operator: Callable[..., Any]) -> Callable[..., Term]:
        def now(_: Site, *values: object, per: tuple[object, ...], **named: object) -> Term:
            found = occurrence(operator, *values, per=per, **named)
            name = self._names.setdefault(found.text, f"past_{len(self._names)}")
            self._stages.setdefault(found.depth, {})[name] = found
            return column(name, Sort.NUMBER, found.depth)

        return now


def occurrence(operator: Callable[..., Any], *values: object, per: tuple[object, ...], **named: object) -> Occurrence:
    """An operator over these arguments, bound as its part is; TypeError for an argument of the wrong sort."""
    part_of = definition_of(OPERATORS[operator].part_of)
    assert part_of is not None
    hints = get_type_hints(part_of.function)
    arguments = {name: term(value) for name, value in part_of.bind(*values, **named).items()}
    for name, found in arguments.items():
        if found.sort is not SORTS[hints[name]]:
            needed = SORTS[hints[name]].value
            raise TypeError(f"{operator.__name__} needs {needed} as {name}, {found.sql} is {found.sort.value}")
    # an operator looks at one source only, so the source as a key says nothing more
    keys = {key.sql: key for key in map(term, per) if key.sql != SOURCE.sql}
    return Occurrence(operator, arguments, tuple(keys[text] for text in sorted(keys)))


def sort_of(field: str) -> Sort:
    """The sort of an event's field."""
    return Sort.NUMBER if is_number(field) else Sort.TEXT
