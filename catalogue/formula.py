"""The reader of the documentation: shows a rule's function as a formula.

Calls of other rules are written out; in a long formula, each of them has its name and a line of its own. A field is
shown without its owner where no other field has the same name, and where a rule gives a new state only the changed
fields are shown.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from typing import Any

from tidegate.catalogue.formula_world import FormulaWorld
from tidegate.catalogue.notation import Table, Term, term
from tidegate.catalogue.symbols import symbols_of
from tidegate.model.language.past import greatest, latest, total
from tidegate.model.language.reading import Reader, Site, Value, World
from tidegate.model.language.rule import Definition, definition_of
from tidegate.model.language.tracing import given, trace_rules
from tidegate.record.errors import BadInput

LONGEST = 350
"""The most characters of a line in which calls of other rules are written out."""
CONSTANTS = (["true"], ["false"])
"""The formulas that say nothing without a name."""
SHORT = 30
"""The most characters of a call that is written out in any line."""


@dataclass(frozen=True)
class Line:
    """One line of a formula: the defined name (empty for a rule that answers with one value) and its formula."""

    target: str
    formula: str

    def __str__(self) -> str:
        return f"{self.target} ← {self.formula}" if self.target else self.formula


def formula(defined_by: str) -> tuple[Line, ...]:
    """The formula of a definition, `module:name`: a rule's function or a value; empty for a log message.

    Raises BadInput when there is no such definition.
    """
    found = resolve(defined_by)
    definition = _definition(found)
    if definition is not None:
        return formula_of(definition)
    if is_dataclass(found) and not isinstance(found, type) and not hasattr(found, "render"):
        return tuple(Line(path, value.text) for path, value in _leaves("", found, FormulaWorld()))
    return ()


def resolve(defined_by: str) -> object:
    """The object that a section's `defined_by` names; raises BadInput when there is none of that name."""
    module_name, _, name = defined_by.partition(":")
    try:
        return getattr(importlib.import_module(module_name), name)
    except (ModuleNotFoundError, AttributeError) as error:
        raise BadInput(f"expected a definition as module:name, not {defined_by!r}") from error


def formula_of(definition: Definition) -> tuple[Line, ...]:
    """The formula of a rule or trace rule; a long one ends with a line for each rule that it names.

    A rule that is always true, or never, has its own name in front.
    """
    lines = _read(definition, Reader)
    if [str(line) for line in lines] in CONSTANTS:
        return (Line(definition.function.__name__, lines[0].formula),)
    if all(len(str(line)) <= LONGEST for line in lines):
        return lines
    named: dict[str, str] = {}
    return (*_read(definition, partial(_NamingReader, named)), *(Line(*each) for each in reversed(named.items())))


class _NamingReader(Reader):
    """Reads a call of a rule as the rule's name, if the call has one value; `named` gets the formula of each name."""

    def __init__(
        self, named: dict[str, str], world: World, primitives: Mapping[Callable[..., Any], Callable[..., Value]]
    ):
        super().__init__(world, primitives)
        self._named = named

    def call(self, function: Callable[..., Any], *values: Value, **named: Value) -> Value:
        """The name of the rule; its formula if that is short, or if the name has another one already."""
        value = super().call(function, *values, **named)
        if not isinstance(value, Term) or len(value.text) <= SHORT:
            return value
        name = function.__name__
        return Term(name) if self._named.setdefault(name, value.text) == value.text else value


def _read(definition: Definition, reader: Callable[..., Reader]) -> tuple[Line, ...]:
    world = FormulaWorld()
    judged: list[str] = []
    past: dict[Callable[..., Any], Callable[..., Value]] = {
        given: lambda _site, condition: judged.append(term(condition).text),
        latest: partial(_counted, "latest"),
        total: _total,
        greatest: partial(_counted, "greatest"),
    }
    answer = reader(world, past).read(definition, symbols_of(definition.function))
    lines = tuple(Line(path, value.text) for path, value in _leaves("", answer, world) if path != value.text)
    return (*(Line("", f"given {condition}") for condition in judged), *lines)


def _definition(function: object) -> Definition | None:
    for definition in trace_rules():
        if definition.function is function:
            return definition
    return definition_of(function)


def _leaves(path: str, value: Value, world: FormulaWorld) -> Iterator[tuple[str, Term]]:
    if is_dataclass(value) and not isinstance(value, type):
        prefix = f"{path}." if path else ""
        for part in fields(value):
            yield from _leaves(prefix + part.name, getattr(value, part.name), world)
    elif isinstance(value, Table):
        name = world.key_of(value)
        yield from _leaves(f"{path}[{name}]", value[Term(name)], world)
    else:
        yield path, term(value)


def _counted(name: str, _site: Site, value: Value, *, when: Value, per: tuple[Value, ...]) -> Term:
    return Term(f"{name}({term(value).text}, when {term(when).text}, per {_keys(per)})")


def _total(_site: Site, value: Value, *, per: tuple[Value, ...]) -> Term:
    return Term(f"total({term(value).text}, per {_keys(per)})")


def _keys(per: tuple[Value, ...]) -> str:
    return " and ".join(term(key).text for key in per)
