"""The column reader: lowers trace rules to Spark columns, two for each; no rule is written twice.

Spark does not nest window functions. Each occurrence of a past-time operator becomes a column of its own,
computed in one select for each depth of nesting; occurrences that say the same, in whatever rule, share one.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from types import SimpleNamespace
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from headgate.model.language import Definition
from headgate.model.past import OPERATORS
from headgate.model.reading import Reader, Site
from headgate.model.tracing import given
from headgate.pipeline.schema import FIELDS, INPUT, LINE, is_number
from headgate.pipeline.windows.operators import STREAM, windowed
from headgate.pipeline.windows.terms import Sort, Term, chosen, joined, term
from headgate.record.events import EMPTY

EVENT = "event"
"""The column that keeps the event as it came, with its nulls."""


@dataclass(frozen=True)
class Lowered:
    """A trace rule in columns: which events it judges, and whether it holds there."""

    rule: Definition
    judged: Term
    holds: Term


@dataclass(frozen=True)
class Plan:
    """The columns of several rules; `stages` are those of the operators, one mapping for each depth."""

    stages: tuple[Mapping[str, Term], ...]
    rules: tuple[Lowered, ...]

    def over(self, events: DataFrame) -> DataFrame:
        """The events with the columns `judged_N` and `holds_N` for the N-th rule, neither ever null."""
        frame = filled(events)
        for stage in self.stages:
            frame = frame.select("*", *(sf.expr(column.sql).alias(name) for name, column in stage.items()))
        return frame.select(
            *(*STREAM, "seq", LINE, EVENT),
            *(sf.expr(lowered.judged.sql).alias(f"judged_{n}") for n, lowered in enumerate(self.rules)),
            *(sf.expr(lowered.holds.sql).alias(f"holds_{n}") for n, lowered in enumerate(self.rules)),
        )


class ColumnWorld:
    """The connectives over terms."""

    def both(self, left: object, right: object) -> Term:
        """`left and right`."""
        return joined("AND", left, right, Sort.TRUTH)

    def either(self, left: object, right: object) -> Term:
        """`left or right`."""
        return joined("OR", left, right, Sort.TRUTH)

    def negate(self, value: object) -> Term:
        """`not value`."""
        negated = term(value)
        return Term(f"(NOT {negated.sql})", Sort.TRUTH, negated.depth)

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
        self._stages: dict[int, dict[str, Term]] = {}

    def lower(self, rule: Definition) -> Lowered:
        """The two columns of a trace rule. Raises TypeError where it joins values that no column can hold."""
        conditions: list[object] = []
        row = SimpleNamespace(**{name: Term(f"`{name}`", sort_of(name)) for name in FIELDS})
        operators = {function: self._remember(function) for function in OPERATORS}
        reader = Reader(ColumnWorld(), {**operators, given: lambda _, condition: conditions.append(condition)})
        holds = term(reader.read(rule, rule.bind(row)))
        return Lowered(rule, reduce(ColumnWorld().both, map(term, conditions or [True])), holds)

    def stages(self) -> tuple[Mapping[str, Term], ...]:
        """The columns of all operators so far, from the innermost outwards."""
        return tuple(self._stages[depth] for depth in sorted(self._stages))

    def _remember(self, operator: Callable[..., Any]) -> Callable[..., Term]:
        def column(_: Site, *values: object, per: tuple[object, ...], **named: object) -> Term:
            window = windowed(operator, *values, per=per, **named)
            name = self._names.setdefault(window.sql, f"past_{len(self._names)}")
            self._stages.setdefault(window.depth, {})[name] = window
            return Term(name, window.sort, window.depth)

        return column


def lower(rules: Iterable[Definition]) -> Plan:
    """The plan that judges these rules together."""
    lowering = Lowering()
    lowered = tuple(lowering.lower(rule) for rule in rules)
    return Plan(lowering.stages(), lowered)


def filled(events: DataFrame) -> DataFrame:
    """Events without nulls, 0 or the empty text instead; each as it came in the column `event`."""
    raw = sf.struct(*FIELDS).alias(EVENT)
    values = (sf.expr(f"coalesce(`{name}`, {term(empty).sql})").alias(name) for name, empty in EMPTY.items())
    return events.select(INPUT, LINE, raw, *values)


def sort_of(field: str) -> Sort:
    """The sort of an event's field."""
    return Sort.NUMBER if is_number(field) else Sort.TEXT
