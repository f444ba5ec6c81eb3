"""Narrows the steps of rules to the events of one kind and cause, for which most steps change nothing.

Such an event decides the comparisons of its kind and its cause. What follows is worked out once: a choice has one
branch, a sum with 0 is its other part, and a memory that keeps its value needs no step.
"""

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

OTHER = object()
"""The value of a name whose text differs from all texts with which it is compared."""
UNKNOWN = object()


def texts_compared(steps: Sequence[ast.stmt], name: str, constants: Mapping[str, Any]) -> frozenset[str]:
    """The constant texts with which the steps compare a name."""
    compared = (node for step in steps for node in ast.walk(step) if isinstance(node, ast.Compare))
    sides = ((node.left, *node.comparators) for node in compared)
    beside = [side for each in sides if any(_is_named(side, name) for side in each) for side in each]
    return frozenset(text for text in (_value(side, constants) for side in beside) if isinstance(text, str))


def narrowed(steps: Sequence[ast.stmt], known: Mapping[str, Any]) -> list[ast.stmt]:
    """The steps that are left where names have these values; other names may have any value."""
    folding = _Folding(known)
    folded = [folding.visit(step) for step in map(deepcopy, steps)]
    return _needed([step for step in folded if step is not None])


def _needed(steps: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The steps without assignments to names that no later step reads."""
    read: set[str] = set()
    kept: list[ast.stmt] = []
    for step in reversed(steps):
        match step:
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in read:
                continue
        read |= {part.id for part in ast.walk(step) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
        kept.append(step)
    return kept[::-1]


class _Folding(ast.NodeTransformer):
    """Works out what known values decide. No part of a step changes anything but the step's own target."""

    def __init__(self, known: Mapping[str, Any]):
        self._known = dict(known)
        self._copies: dict[str, str] = {}
        """By name, the text of the place in a memory whose value it has."""

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        node.value = self.visit(node.value)
        value = ast.unparse(node.value)
        match node.targets:
            case [ast.Name(id=name)]:
                if isinstance(node.value, ast.Constant):
                    self._known[name] = node.value.value
                elif isinstance(node.value, ast.Subscript):
                    self._copies[name] = value
            case [ast.Subscript() as place] if self._copies.get(value, value) == ast.unparse(place):
                return None
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        value = self._known.get(node.id, UNKNOWN)
        return ast.Constant(value) if value is None or isinstance(value, int) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as sign], comparators=[right]):
                one, other = _value(left, self._known), _value(right, self._known)
                if UNKNOWN not in (one, other):
                    return ast.Constant((one == other) is isinstance(sign, ast.Eq))
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        deciding = isinstance(node.op, ast.Or)
        left = [each for each in node.values if _truth(each) in (None, deciding)]
        if any(_truth(each) is deciding for each in left):
            return ast.Constant(deciding)
        if len(left) < 2:
            return left[0] if left else ast.Constant(not deciding)
        node.values = left
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        truth = _truth(node.operand) if isinstance(node.op, ast.Not) else None
        return node if truth is None else ast.Constant(not truth)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        match _truth(node.test):
            case None:
                return node
            case truth:
                return node.body if truth else node.orelse

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=0)):
                return left
            case ast.BinOp(left=ast.Constant(value=0), op=ast.Add(), right=right):
                return right
        return node


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """The value of a node, UNKNOWN where it is not known to be a text or a number."""
    if isinstance(node, ast.Constant):
        return node.value
    value = known.get(node.id, UNKNOWN) if isinstance(node, ast.Name) else UNKNOWN
    return value if value is OTHER or isinstance(value, str | int) else UNKNOWN


def _truth(node: ast.expr) -> bool | None:
    """The value of a condition that is worked out; None for any other expression."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None
