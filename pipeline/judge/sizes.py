"""How large figures may become, so that a compiled loop, which has 64 bit, is used only where nothing passes them."""

import ast
from collections.abc import Mapping

from tidegate.pipeline.judge.loop import Loop
from tidegate.pipeline.judge.lowering import STATE
from tidegate.record.events import MOST


def fits(loop: Loop, events: int, fields: Mapping[str, int], remembered: int) -> bool:
    """Whether nothing that a loop computes over so many events passes 64 bit.

    `fields` are the largest sizes of fields, and `remembered` that of what operators said before.
    """
    sizes = _Sizes(fields)
    for operator in loop.operators:
        step = operator.step.text
        sizes.of[STATE] = 0
        alone = sizes.size(step)
        sizes.of[STATE] = either = max(remembered, alone)
        # what comes of two figures may be one of these, or more than both, and then it adds up
        adds_up = sizes.size(step) > either
        sizes.of[STATE] = remembered + (events - 1) * alone if adds_up else either
        sizes.of[operator.name] = sizes.size(step)
    for rule in loop.rules:
        sizes.size(rule.judged.text)
        sizes.size(rule.holds.text)
    return max(sizes.largest, remembered) <= MOST


class _Sizes:
    """The largest size that an expression may have, and the largest of all that were asked for."""

    def __init__(self, of: Mapping[str, int]):
        self.of = dict(of)
        self.largest = max(of.values(), default=0)

    def size(self, text: str) -> int:
        """The largest size of a number; 0 for anything else, whose numbers are noted all the same."""
        return self._size(ast.parse(text, mode="eval").body)

    def _size(self, node: ast.expr) -> int:
        match node:
            case ast.Name(id=name):
                found = self.of.get(name, 0)
            case ast.Constant(value=int() as value):
                found = abs(value)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self._size(operand)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                found = self._size(left) * self._size(right)
            case ast.BinOp(left=left, right=right):
                found = self._size(left) + self._size(right)
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                self._size(test)
                found = max(self._size(then), self._size(otherwise))
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self._size(child)
                found = 0
        self.largest = max(self.largest, found)
        return found
