"""The world of formulas: the connectives of the rule language, written as text."""

from collections.abc import Callable

from tidegate.catalogue.notation import Binding, Table, Term, term
from tidegate.model.language.reading import Value


class FormulaWorld:
    """The seven connectives over formulas."""

    def __init__(self) -> None:
        self._bound: list[str] = []

    def both(self, left: Value, right: Value) -> Value:
        """`left ∧ right`."""
        return _joined(left, "∧", right, Binding.AND)

    def either(self, left: Value, right: Value) -> Value:
        """`left ∨ right`."""
        return _joined(left, "∨", right, Binding.OR)

    def negate(self, value: Value) -> Value:
        """`¬ value`; a comparison turns into its opposite."""
        if isinstance(value, bool):
            return not value
        if value.complement is not None:
            return Term(value.complement, Binding.COMPARISON, value.text)
        return Term(f"¬ {value.within(Binding.NOT)}", Binding.NOT)

    def choose(self, test: Value, then: Value, otherwise: Value) -> Value:
        """`then if test else otherwise`; both branches alike need no test."""
        first, second = term(then), term(otherwise)
        if first.text == second.text:
            return then
        tighter = Binding(Binding.CHOICE + 1)
        chosen = f"{first.within(tighter)} if {test.within(tighter)} else {second.text}"
        return Term(chosen, Binding.CHOICE)

    def for_every(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """`∀ key ∈ table (body)`."""
        return self._quantified("∀", table, body)

    def for_some(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """`∃ key ∈ table (body)`."""
        return self._quantified("∃", table, body)

    def tabulate(self, table: Value, body: Callable[[Value], Value]) -> Value:
        """A table over the same keys."""
        return Table(table.domain, table.key_name, body)

    def key_of(self, table: Table) -> str:
        """A name for a key of the table that is not in use around it."""
        name = table.key_name
        while name in self._bound:
            name += "_"
        return name

    def _quantified(self, sign: str, table: Table, body: Callable[[Value], Value]) -> Term:
        name = self.key_of(table)
        self._bound.append(name)
        try:
            return Term(f"{sign} {name} ∈ {table.domain} ({term(body(Term(name))).text})")
        finally:
            self._bound.pop()


def _joined(left: Value, sign: str, right: Value, binding: Binding) -> Term:
    return Term(f"{term(left).within(binding)} {sign} {term(right).within(binding)}", binding)
