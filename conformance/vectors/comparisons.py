"""The reader of boundaries: runs a rule with plain values, notes comparisons of figures, and can negate one."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tidegate.model.language.reading import Meaning, PlainWorld, Reader, Value
from tidegate.model.language.rule import Definition


@dataclass(frozen=True)
class Comparison:
    """One comparison of two figures in a run of a rule, and the name of the rule that contains it."""

    text: str
    within: str
    left: int
    right: int

    @property
    def distance(self) -> int:
        """The left side less the right side."""
        return self.left - self.right


class BoundaryReader(Reader):
    """Reads with plain values. Both sides of a connective are read, so that each run meets the same comparisons."""

    def __init__(self) -> None:
        super().__init__(PlainWorld())
        self._met: list[Comparison] = []
        self._turned: int | None = None

    def run(
        self, function: Callable[..., Any], given: Mapping[str, Value], *, turned: int | None = None
    ) -> tuple[Value, list[Comparison]]:
        """The answer of the rule, and its comparisons in order; the comparison with the number `turned` is negated."""
        self._met, self._turned = [], turned
        return self.call(function, **given), self._met

    def _meaning(self, node: ast.expr, within: Definition) -> Meaning:
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                compare = self._comparison(op)
                first, second = self._meaning(left, within), self._meaning(right, within)
                return lambda names: self._noted(node, within, compare, first(names), second(names))
            case ast.Compare():
                raise SyntaxError(f"vectors need comparisons of two values, not a chain (in {within.name})")
        return super()._meaning(node, within)

    def _noted(
        self, node: ast.expr, within: Definition, compare: Callable[[Value, Value], Value], left: Value, right: Value
    ) -> bool:
        if type(left) is not int or type(right) is not int:
            return bool(compare(left, right))
        self._met.append(Comparison(ast.unparse(node), within.name, left, right))
        return bool(compare(left, right)) is not (self._turned == len(self._met) - 1)
