"""The small changes of a rule's syntax tree, each of which makes a mutant."""

import ast
import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from inspect import signature
from typing import Any

from tidegate.model.language.rule import Definition
from tidegate.record.events import Moment


class Kind(StrEnum):
    """The kind of a change."""

    THRESHOLD = "threshold"
    """A change of whether the edge itself is inside, or of a figure at the edge."""
    COMPARISON = "comparison"
    ARITHMETIC = "arithmetic"
    CONNECTIVE = "connective"
    PART = "dropped part"
    QUANTIFIER = "quantifier"
    NEGATION = "negation"
    FIGURE = "figure"
    BRANCH = "branch"


@dataclass(frozen=True)
class Mutant:
    """A rule with one change: its number and kind, the expression before and after, and the rule before and after."""

    number: int
    kind: Kind
    was: str
    now: str
    original: Definition
    changed: Definition

    @property
    def name(self) -> str:
        """`module:function` and its number, the same in every run on the same source."""
        return f"{self.original.qualified_name}#{self.number}"


EDGE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
OPPOSITE: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.Gt, ast.GtE),
    ast.LtE: (ast.GtE, ast.Gt),
    ast.Gt: (ast.Lt, ast.LtE),
    ast.GtE: (ast.LtE, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
OTHER_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
}
QUANTIFIERS = {"any": "all", "all": "any"}


def is_over_states(definition: Definition) -> bool:
    """Whether a rule is about states and figures; otherwise it is about the events of a trace."""
    parameters = signature(definition.function, eval_str=True).parameters.values()
    return all(parameter.annotation is not Moment for parameter in parameters)


def mutants_of(definition: Definition) -> Iterator[Mutant]:
    """Every change of one operator, connective, negation, branch or figure of a rule, in the order of the tree."""
    nodes = [node for statement in definition.body for node in ast.walk(statement)]
    edges = {
        id(operand)
        for node in nodes
        if isinstance(node, ast.Compare) and any(type(op) in EDGE for op in node.ops)
        for operand in (node.left, *node.comparators)
    }
    number = 0
    for node in nodes:
        if isinstance(node, ast.expr):
            for kind, other in _changes(node, definition, at_edge=id(node) in edges):
                number += 1
                body = with_other(definition.body, node, other)
                changed = definition.with_body(body)
                yield Mutant(number, kind, ast.unparse(node), ast.unparse(other), definition, changed)


def _changes(node: ast.expr, within: Definition, *, at_edge: bool) -> Iterator[tuple[Kind, ast.expr]]:
    """The other forms of an expression, each with the kind of the change."""
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for place, op in enumerate(ops):
                if type(op) in EDGE:
                    yield Kind.THRESHOLD, ast.Compare(left, put(ops, place, EDGE[type(op)]()), others)
                for opposite in OPPOSITE[type(op)]:
                    yield Kind.COMPARISON, ast.Compare(left, put(ops, place, opposite()), others)
        case ast.BinOp(left=left, op=op, right=right):
            yield from (
                (Kind.ARITHMETIC, ast.BinOp(left, other(), right)) for other in OTHER_ARITHMETIC.get(type(op), ())
            )
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield Kind.CONNECTIVE, ast.BoolOp(other, values)
            for place, part in enumerate(values):
                rest = [*values[:place], *values[place + 1 :]]
                yield Kind.PART, rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
                yield Kind.NEGATION, ast.BoolOp(op, put(values, place, _negated(part)))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield Kind.NEGATION, operand
        case ast.IfExp(test=test, body=then, orelse=otherwise):
            yield Kind.BRANCH, ast.IfExp(test, otherwise, then)
            yield from ((Kind.BRANCH, branch) for branch in (then, otherwise))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in QUANTIFIERS:
            yield Kind.QUANTIFIER, ast.Call(ast.Name(QUANTIFIERS[name], ast.Load()), arguments, [])
        case ast.Constant(value=bool() as truth):
            yield Kind.FIGURE, ast.Constant(not truth)
        case ast.Constant() | ast.Name():
            figure = _figure(node, within)
            kind = Kind.THRESHOLD if at_edge else Kind.FIGURE
            if figure is not None:
                yield from ((kind, ast.Constant(other)) for other in (figure - 1, figure + 1))


def _figure(node: ast.Constant | ast.Name, within: Definition) -> int | None:
    """The integer that an expression gives, as a literal or by the name of a module's constant; else None."""
    match node:
        case ast.Name(id=name) if name in within.local_names:
            return None
        case ast.Name(id=name):
            value: Any = within.scope.get(name)
        case ast.Constant(value=value):
            pass
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _negated(part: ast.expr) -> ast.expr:
    match part:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
    return ast.UnaryOp(ast.Not(), part)


def put(values: Iterable[Any], place: int, other: Any) -> list[Any]:
    """The values, with the one at this place replaced."""
    return [other if index == place else value for index, value in enumerate(values)]


def with_other(body: tuple[ast.stmt, ...], node: ast.expr, other: ast.expr) -> tuple[ast.stmt, ...]:
    """A copy of the body in which `other` stands in the place of the node."""
    copies: dict[int, Any] = {}
    copied = copy.deepcopy(body, copies)
    place = _Replacement(copies[id(node)], ast.copy_location(copy.deepcopy(other), node))
    return tuple(ast.fix_missing_locations(place.visit(statement)) for statement in copied)


class _Replacement(ast.NodeTransformer):
    """Replaces one node by another."""

    def __init__(self, node: ast.AST, other: ast.AST):
        self._node = node
        self._other = other

    def visit(self, node: ast.AST) -> Any:
        return self._other if node is self._node else super().visit(node)
