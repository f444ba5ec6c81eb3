"""The world of solver terms: open, with any number of keys of each kind, or closed, with a few named keys."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, NewType, cast, get_args, get_origin

import z3  # type: ignore[import-untyped]

from tidegate.conformance.proofs.annotations import key_word, types_in
from tidegate.conformance.proofs.terms import Table, Term, Value, expression, truth

Expressions = tuple[z3.ExprRef, ...]


class SolverWorld:
    """The meanings of the seven connectives for terms.

    `sizes` maps each key type to its number of keys; None leaves it open.
    """

    def __init__(self, sizes: Mapping[Any, int] | None = None):
        self._open = sizes is None
        self._sizes = {key_word(key_type): size for key_type, size in (sizes or {}).items()}

    def both(self, left: Value, right: Value) -> Term:
        """`left and right`."""
        return Term(z3.And(truth(left), truth(right)))

    def either(self, left: Value, right: Value) -> Term:
        """`left or right`."""
        return Term(z3.Or(truth(left), truth(right)))

    def negate(self, value: Value) -> Term:
        """`not value`."""
        return Term(z3.Not(truth(value)))

    def choose(self, test: Value, then: Value, otherwise: Value) -> Term:
        """`then if test else otherwise`."""
        return Term(z3.If(truth(test), expression(then), expression(otherwise)))

    def for_every(self, table: Table, body: Callable[[Term], Value]) -> Term:
        """The body for every key of the table's sort."""
        return Term(self._quantified(z3.ForAll, z3.And, table, body))

    def for_some(self, table: Table, body: Callable[[Term], Value]) -> Term:
        """The body for some key of the table's sort."""
        return Term(self._quantified(z3.Exists, z3.Or, table, body))

    def tabulate(self, table: Table, body: Callable[[Term], Value]) -> Table:
        """A table whose entry is the body with the key inserted."""
        return Table(table.keys_sort, body)

    def symbol(self, annotation: Any, path: str, given: Expressions = ()) -> Value:
        """An arbitrary value of int, bool, a key type, a dataclass or a Mapping; it may depend on `given`."""
        if get_origin(annotation) is not None:
            key_type, entry = get_args(annotation)
            sort = self.sort(key_type)
            return Table(sort, lambda key: self.symbol(entry, f"{path}[·]", (*given, expression(key))))
        if is_dataclass(annotation):
            hints, construct = types_in(annotation), cast(Callable[..., Value], annotation)
            return construct(
                **{
                    part.name: self.symbol(hints[part.name], f"{path}.{part.name}", given)
                    for part in fields(annotation)
                }
            )
        sort = self.sort(annotation)
        return Term(
            z3.Function(path, *(part.sort() for part in given), sort)(*given) if given else z3.Const(path, sort)
        )

    def sort(self, annotation: Any) -> z3.SortRef:
        """The solver's sort for int, bool or a key type."""
        if annotation is int:
            return z3.IntSort()
        if annotation is bool:
            return z3.BoolSort()
        if isinstance(annotation, NewType):
            word = key_word(annotation)
            return z3.DeclareSort(word) if self._open else _named_keys(word, self._sizes[word])
        raise TypeError(f"{annotation!r} is no int, bool, key type, dataclass or Mapping")

    def keys(self, table: Table) -> list[Term]:
        """The keys of a table, in a closed world."""
        sort = table.keys_sort
        return [Term(sort.constructor(number)()) for number in range(sort.num_constructors())]

    def leaves(self, value: Value, path: str) -> Iterator[tuple[str, Term]]:
        """Every single term of a value with its path, in a closed world."""
        if isinstance(value, Table):
            for key in self.keys(value):
                yield from self.leaves(value[key], f"{path}[{key.expression}]")
        elif is_dataclass(value):
            for part in fields(value):
                yield from self.leaves(getattr(value, part.name), f"{path}.{part.name}")
        else:
            yield path, value

    def plain(self, value: Value, settle: Callable[[Term], z3.ExprRef]) -> Value:
        """A value as plain Python, where `settle` gives each term's literal; a key becomes its name."""
        if isinstance(value, Table):
            return {str(key.expression): self.plain(value[key], settle) for key in self.keys(value)}
        if isinstance(value, Term):
            return plain_literal(settle(value))
        if is_dataclass(value) and not isinstance(value, type):
            return replace(
                value, **{part.name: self.plain(getattr(value, part.name), settle) for part in fields(value)}
            )
        return value

    def _quantified(
        self,
        quantifier: Callable[..., z3.BoolRef],
        connective: Callable[..., z3.BoolRef],
        table: Table,
        body: Callable[[Term], Value],
    ) -> z3.BoolRef:
        if not self._open:
            return connective([truth(body(key)) for key in self.keys(table)])
        key = z3.FreshConst(table.keys_sort, "key")
        return quantifier([key], truth(body(Term(key))))


def plain_literal(literal: z3.ExprRef) -> int | bool | str:
    """Python's value for a literal of the solver; a key is its name."""
    if z3.is_int_value(literal):
        return int(literal.as_long())
    if z3.is_true(literal) or z3.is_false(literal):
        return bool(z3.is_true(literal))
    return str(literal)


@cache
def _named_keys(word: str, size: int) -> z3.SortRef:
    sort, _ = z3.EnumSort(f"{word} of {size}", [f"{word}{number}" for number in range(1, size + 1)])
    return sort
