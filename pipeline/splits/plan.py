"""What judging a split takes: the rules lowered, and their operators in groups that are computed together."""

import ast
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any

import polars as pl

from tidegate.model.language.past import OPERATORS, Operator
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.language.tracing import trace_rules
from tidegate.pipeline.lowering import Lowered, Lowering, Occurrence, Stages
from tidegate.pipeline.schema import FIELDS
from tidegate.pipeline.splits.expressions import Expressions
from tidegate.pipeline.splits.operators import running, summed
from tidegate.pipeline.terms import Term, columns_of

SOURCE = "source"

RuleNames = tuple[str, ...]
"""Trace rules as `module:function`, which is how they travel to workers."""


@dataclass(frozen=True, eq=False)
class Group:
    """Operators of one depth that are apart for the same events: computed together, their states in one table."""

    depth: int
    keys: tuple[Term, ...]
    operators: Mapping[str, Occurrence]
    expressions: Expressions

    @cached_property
    def id(self) -> str:
        """What names the group among those of a plan."""
        return f"{self.depth} per ({self.keyed})"

    @cached_property
    def keyed(self) -> str:
        """Its keys as text."""
        return ", ".join(key.sql for key in self.keys)

    @cached_property
    def running(self) -> list[pl.Expr]:
        """The operators at every row of a frame that is sorted by key, as `operators.running` has them."""
        return [running(name, found, self.expressions) for name, found in self.operators.items()]

    @cached_property
    def summed(self) -> list[pl.Expr]:
        """The parts of the operators over the rows of a group, as `operators.summed` has them."""
        return [each for name, found in self.operators.items() for each in summed(name, found, self.expressions)]

    @cached_property
    def looks_at(self) -> frozenset[str]:
        """The columns that its operators are made of, beside those of its keys."""
        return columns_of(*self.arguments)

    @property
    def arguments(self) -> tuple[Term, ...]:
        """The arguments of all its operators."""
        return tuple(value for found in self.operators.values() for value in found.arguments.values())

    @property
    def key_columns(self) -> tuple[str, ...]:
        """The columns of its tables that tell keys apart."""
        return (SOURCE, *(f"key.{number}" for number in range(len(self.keys))))

    def only(self, names: frozenset[str]) -> "Group":
        """The same group with some of its operators."""
        kept = {name: found for name, found in self.operators.items() if name in names}
        return self if len(kept) == len(self.operators) else Group(self.depth, self.keys, kept, self.expressions)


@dataclass(frozen=True, eq=False)
class Plan:
    """Rules in columns, and the groups of their operators from the innermost outwards."""

    rules: tuple[Lowered, ...]
    stages: Stages

    @property
    def depth(self) -> int:
        """How many operators are nested at most."""
        return len(self.stages)

    @property
    def terms(self) -> tuple[Term, ...]:
        """What the rules judge, and what must hold there."""
        return tuple(term for lowered in self.rules for term in (lowered.judged, lowered.holds))

    @cached_property
    def expressions(self) -> Expressions:
        """The expressions of its terms."""
        return Expressions()

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Every operator is in one of them."""
        found: dict[tuple[int, str], dict[str, Occurrence]] = {}
        for depth, stage in enumerate(self.stages, start=1):
            for name, occurrence in stage.items():
                found.setdefault((depth, occurrence.keyed), {})[name] = occurrence
        return tuple(
            Group(depth, next(iter(operators.values())).keys, operators, self.expressions)
            for (depth, _), operators in found.items()
        )

    @cached_property
    def fingerprint(self) -> str:
        """Tells apart plans whose parts and states mean something else: another rule, or an operator's definition."""
        said = [text for each in self.rules for text in (each.judged.sql, each.holds.sql)]
        said += [f"{name} {found.text}" for stage in self.stages for name, found in stage.items()]
        said += [_source(rule) for operator in OPERATORS.values() for rule in _rules_of(operator)]
        return hashlib.blake2b("\n".join(said).encode(), digest_size=16).hexdigest()

    def at(self, depth: int) -> tuple[Group, ...]:
        """The groups of this depth."""
        return tuple(group for group in self.groups if group.depth == depth)

    def below(self, depth: int) -> tuple[Group, ...]:
        """The groups, and of each the operators, that those of this depth are made of."""
        operators = {name: found for stage in self.stages for name, found in stage.items()}
        waiting = [name for group in self.at(depth) for name in columns_of(*group.arguments, *group.keys)]
        needed: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in operators and name not in needed:
                needed.add(name)
                found = operators[name]
                waiting += columns_of(*found.arguments.values(), *found.keys)
        chosen = (group.only(frozenset(needed)) for group in self.groups)
        return tuple(group for group in chosen if group.operators)


def fields_of(groups: Iterable[Group], *terms: Term) -> frozenset[str]:
    """The fields of an event that these groups and terms look at."""
    inner = (term for group in groups for term in (*group.arguments, *group.keys))
    return columns_of(*inner, *terms) & frozenset(FIELDS)


def names_of(rules: Sequence[Definition]) -> RuleNames:
    """The rules by name."""
    return tuple(rule.qualified_name for rule in rules)


@lru_cache(maxsize=16)
def plan_of(names: RuleNames) -> Plan:
    """The plan that judges these rules together, made once for each process. LookupError for a name of no rule."""
    lowering = Lowering()
    lowered = tuple(lowering.lower(_rule_named(name)) for name in names)
    return Plan(lowered, lowering.stages())


def _rule_named(name: str) -> Definition:
    module = import_module(name.partition(":")[0])
    for rule in trace_rules():
        if rule.qualified_name == name:
            return rule
    raise LookupError(f"{name} is no trace rule of {module.__name__}")


def _rules_of(operator: Operator) -> Iterable[Callable[..., Any]]:
    values = (getattr(operator, part.name) for part in fields(operator))
    return (value for value in values if callable(value))


def _source(rule: Callable[..., Any]) -> str:
    definition = definition_of(rule)
    assert definition is not None
    return "\n".join(ast.unparse(statement) for statement in definition.body)
