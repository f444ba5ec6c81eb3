"""Variants of claims with less assumed, or with a bound tighter by one, which a sharp theorem does not survive."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from tidegate.conformance.mutants.changes import put, with_other
from tidegate.conformance.proofs.claims import Claim

Variant = tuple[str, Claim]
"""The text of the changed part, and the changed claim."""


def without_each_assumption(claim: Claim) -> Iterator[Variant]:
    """The claim without each part of each `assume`; parts are joined by `and`, or by a chain of comparisons."""
    for condition in _said(claim, "assume"):
        parts = list(_parts(condition))
        for left_out in parts:
            rest = [part for part in parts if part is not left_out]
            yield ast.unparse(left_out), _with(claim, condition, _joined(rest))


def with_each_bound_tighter(claim: Claim) -> Iterator[Variant]:
    """The claim with each bound in each `prove` tighter by one."""
    for condition in _said(claim, "prove"):
        for bound, tighter in _tightened(condition):
            yield ast.unparse(tighter), _with(claim, bound, tighter)


def _said(claim: Claim, statement: str) -> Iterator[ast.expr]:
    for each in claim.definition.body:
        match each:
            case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=[condition])) if name == statement:
                yield condition


def _parts(condition: ast.expr) -> Iterator[ast.expr]:
    match condition:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _parts(value)
        case ast.Compare(left=first, ops=ops, comparators=others):
            operands = [first, *others]
            for left, op, right in zip(operands, ops, others, strict=False):
                yield ast.Compare(left, [op], [right])
        case _:
            yield condition


def _joined(parts: list[ast.expr]) -> ast.expr:
    if not parts:
        return ast.Constant(True)
    return parts[0] if len(parts) == 1 else ast.BoolOp(ast.And(), parts)


def _tightened(condition: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each comparison that the condition requires, and the same comparison with its bound tighter by one."""
    match condition:
        case ast.BoolOp(values=values):
            for value in values:
                yield from _tightened(value)
        case ast.IfExp(body=then, orelse=otherwise):
            yield from _tightened(then)
            yield from _tightened(otherwise)
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.GeneratorExp(elt=claim)]):
            yield from _tightened(claim)
        case ast.Compare(left=first, ops=ops, comparators=others):
            for place, op in enumerate(ops):
                if (room := _with_less_room(op, others[place])) is not None:
                    other_op, other = room
                    yield condition, ast.Compare(first, put(ops, place, other_op), put(others, place, other))


def _with_less_room(op: ast.cmpop, bound: ast.expr) -> tuple[ast.cmpop, ast.expr] | None:
    one = ast.Constant(1)
    match op:
        case ast.LtE():
            return ast.Lt(), bound
        case ast.GtE():
            return ast.Gt(), bound
        case ast.Lt():
            return op, ast.BinOp(bound, ast.Sub(), one)
        case ast.Gt():
            return op, ast.BinOp(bound, ast.Add(), one)
    return None


def _with(claim: Claim, part: ast.expr, other: ast.expr) -> Claim:
    return replace(claim, definition=claim.definition.with_body(with_other(claim.definition.body, part, other)))
