"""The grammar of candidates: every other form that a rule or a default of the documents may take.

A candidate is one change of a rule, or of one part of a default:

- each small change of a mutant: a comparison turned around or shifted by one, `and` for `or`, a dropped condition,
  and so on;
- a constant replaced by a figure that a failing check showed;
- a constant or a field replaced by another field or parameter of the same type;
- a field replaced by a percentage of a field, if one figure of a failing check is that share of another;
- a default, or a part of it, replaced by what a failing check of it showed, or negated if it is a truth value.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain
from types import FunctionType
from typing import Any, get_type_hints

from tidegate.conformance.mutants.changes import mutants_of, with_other
from tidegate.conformance.mutants.in_place import code_of
from tidegate.conformance.propose.figures import WHOLE, Figures
from tidegate.model.language.linker import Default, Rule, assigned_in
from tidegate.model.language.rule import Definition, definition_of, keep_definition

Target = Rule | Default
COST_OF_A_MUTANT, COST_OF_A_FIELD, COST_OF_A_FIGURE, COST_OF_A_SHARE = 1, 2, 3, 4
"""The cost of a change by its kind: among changes that explain equally much, the cheapest is proposed."""


@dataclass(frozen=True)
class Candidate:
    """One change of a rule or default, with the text of the changed part before and after."""

    target: Target
    instead: object
    """The rule or value that replaces the target."""
    was: str
    now: str
    cost: int
    shown_by: frozenset[str] | None = None
    """The checks that showed the constant of the change; None if it has none."""

    @property
    def name(self) -> str:
        """The `module:name` of the replaced rule or default."""
        return name_of(self.target)


def name_of(target: Target) -> str:
    """The `module:name` of a rule or of a default."""
    if isinstance(target, tuple):
        return f"{target[0].__name__}:{target[1]}"
    return f"{target.__module__}:{target.__name__}"


def of_rule(target: Rule, now: Rule, figures: Figures) -> Iterator[Candidate]:
    """Every change of `now`, which is the current form of the documents' rule `target`."""
    definition = definition_of(now)
    assert definition is not None
    told = {_text(definition.body)}
    mutants = ((each.was, each.now, each.changed.body, COST_OF_A_MUTANT, None) for each in mutants_of(definition))
    others = (
        (ast.unparse(was), ast.unparse(now), with_other(definition.body, was, now), cost, shown_by)
        for was, now, cost, shown_by in _changes(definition, figures)
    )
    for was_text, now_text, body, cost, shown_by in chain(mutants, others):
        if _text(body) not in told:
            told.add(_text(body))
            yield Candidate(target, made(definition, body), was_text, now_text, cost, shown_by)


def _text(body: tuple[ast.stmt, ...]) -> str:
    return "\n".join(map(ast.unparse, body))


def of_default(target: Default, now: object, figures: Figures) -> Iterator[Candidate]:
    """Every change of `now`, which is the current value of a default."""
    for value, was, then, shown_by in _other_values(now, figures):
        yield Candidate(target, value, was, then, COST_OF_A_FIGURE, shown_by)


def made(definition: Definition, body: tuple[ast.stmt, ...]) -> Rule:
    """A new rule with another body; the original rule stays as it is."""
    function = definition.function
    code = code_of(definition, body)
    rule = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    rule.__doc__, rule.__annotations__ = function.__doc__, function.__annotations__
    rule.__module__, rule.__qualname__ = function.__module__, function.__qualname__
    keep_definition(replace(definition.with_body(body), function=rule))
    return rule


def defaults_named_in(rules: Iterable[Definition]) -> Iterator[Default]:
    """The constants of the model that rules name and that their own modules assign."""
    for definition in rules:
        module = inspect.getmodule(definition.function)
        assert module is not None
        own = assigned_in(module)
        for part in definition.body:
            for node in ast.walk(part):
                if isinstance(node, ast.Name) and node.id in own and node.id not in definition.local_names:
                    yield module, node.id


Change = tuple[ast.expr, ast.expr, int, frozenset[str] | None]


def _changes(definition: Definition, figures: Figures) -> Iterator[Change]:
    types = _Types(definition)
    called = {id(node.func) for part in definition.body for node in ast.walk(part) if isinstance(node, ast.Call)}
    for part in definition.body:
        for node in ast.walk(part):
            if not isinstance(node, ast.expr) or id(node) in called or not types.is_leaf(node):
                continue
            kind = types.of(node)
            if types.is_constant(node):
                for figure, shown_by in figures.seen.items() if kind is int else ():
                    if figure != types.value_of(node):
                        yield node, _constant(figure), COST_OF_A_FIGURE, shown_by
            for leaf in types.leaves(kind):
                if ast.unparse(leaf) != ast.unparse(node):
                    yield node, leaf, COST_OF_A_FIELD, None
                if kind is int and not types.is_constant(node):
                    for share, shown_by in figures.percent.items():
                        yield node, _share(leaf, share), COST_OF_A_SHARE, shown_by


def _constant(figure: int) -> ast.expr:
    return ast.Constant(figure) if figure >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-figure))


def _share(whole: ast.expr, percent: int) -> ast.expr:
    product = ast.BinOp(whole, ast.Mult(), ast.Constant(percent))
    return ast.BinOp(product, ast.FloorDiv(), ast.Constant(WHOLE))


class _Types:
    """The types of a rule's expressions, and the names and fields that the rule may use."""

    def __init__(self, definition: Definition):
        self._scope = definition.scope
        hints = get_type_hints(definition.function)
        self._names = {name: hints[name] for name in definition.parameters}
        self._parameters = dict(self._names)
        for part in definition.body:
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                self._names[part.targets[0].id] = self.of(part.value)
        bound = (node for part in definition.body for node in ast.walk(part) if isinstance(node, ast.comprehension))
        self._bound = {each.target.id for each in bound if isinstance(each.target, ast.Name)}

    def of(self, node: ast.expr) -> Any:
        """The type of an expression; None if it is unknown."""
        match node:
            case ast.Constant(value=value):
                return type(value)
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.Name(id=name):
                value = self._scope.get(name)
                return type(value) if isinstance(value, int | str) else None
            case ast.Attribute(value=owner, attr=attribute):
                kind = self.of(owner)
                return get_type_hints(kind).get(attribute) if is_dataclass(kind) else None
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return self.of(operand)
            case ast.BinOp(left=left):
                return self.of(left)
            case ast.IfExp(body=body):
                return self.of(body)
            case ast.Call(func=ast.Name(id=name)):
                called = self._scope.get(name)
                return get_type_hints(called).get("return") if inspect.isfunction(called) else None
        return None

    def is_leaf(self, node: ast.expr) -> bool:
        """Whether the expression is a constant, a name or a field, read, of type int or bool."""
        names_one = isinstance(node, ast.Constant | ast.Name | ast.Attribute) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        )
        return names_one and self.of(node) in {int, bool}

    def is_constant(self, node: ast.expr) -> bool:
        """Whether the expression is a literal, or a name that its module defines."""
        return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id not in self._names)

    def value_of(self, node: ast.expr) -> Any:
        """The value of a constant."""
        return node.value if isinstance(node, ast.Constant) else self._scope.get(getattr(node, "id", ""))

    def leaves(self, kind: Any) -> Iterator[ast.expr]:
        """Every parameter of this type, and every field of this type of a parameter."""
        for name, own in self._parameters.items():
            if own is kind:
                yield ast.Name(name, ast.Load())
            if is_dataclass(own):
                for field, of_field in get_type_hints(own).items():
                    if of_field is kind:
                        yield ast.Attribute(ast.Name(name, ast.Load()), field, ast.Load())


Values = Iterator[tuple[object, str, str, frozenset[str] | None]]


def _other_values(now: object, figures: Figures) -> Values:
    """Every other value of a default, with the text of the changed part before and after."""
    match now:
        case bool():
            yield not now, repr(now), repr(not now), None
        case int():
            for figure, shown_by in figures.seen.items():
                if figure != now:
                    yield figure, repr(now), repr(figure), shown_by
        case str():
            for text, shown_by in figures.texts.items():
                if text != now:
                    yield text, repr(now), repr(text), shown_by
        case _ if is_dataclass(now) and not isinstance(now, type) and not hasattr(now, "render"):
            for each in fields(now):
                for value, was, then, shown in _other_values(getattr(now, each.name), figures):
                    yield replace(now, **{each.name: value}), f"{each.name}={was}", f"{each.name}={then}", shown
