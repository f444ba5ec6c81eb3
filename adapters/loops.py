"""Loops in place of lines that repeat, so that a script of a thousand sends stays readable."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

MOST_LINES = 16
"""The most lines in the body of a loop."""
FEWEST_ROUNDS = 4
"""The fewest rounds of a loop; fewer repetitions stay as lines."""
STEP = "step"
"""The variable of a loop, counted from 0."""
_PLACE = "\0"
"""The sign in place of a whole number in the form of a line."""


@dataclass(frozen=True)
class _Line:
    """A call in two parts: its form without whole numbers, and the numbers in their order."""

    form: str
    numbers: tuple[int, ...]


def with_loops(lines: Sequence[str]) -> Iterator[str]:
    """The lines of a script, with a loop wherever the same calls repeat with figures that grow evenly.

    A loop makes the same calls in the same order as the lines.
    """
    parts = [_line(line) for line in lines]
    at = 0
    while at < len(lines):
        width, rounds = _repeated(parts, at)
        if rounds < FEWEST_ROUNDS:
            yield lines[at]
            at += 1
            continue
        yield f"for {STEP} in range({rounds}):"
        for place in range(at, at + width):
            yield f"    {_in_a_loop(lines[place], parts[place], parts[place + width])}"
        at += width * rounds


def _repeated(parts: Sequence[_Line | None], at: int) -> tuple[int, int]:
    """The width and the rounds of the loop that replaces most lines from here on; 1 and 0 where nothing repeats."""
    found = ((width, _rounds(parts, at, width)) for width in range(1, MOST_LINES + 1))
    return max(found, key=lambda each: (each[0] * each[1] if each[1] >= FEWEST_ROUNDS else 0, -each[0]))


def _rounds(parts: Sequence[_Line | None], at: int, width: int) -> int:
    """How often the next `width` lines occur in a row, the first time included; 0 if only once."""
    for round_ in count(1):
        for place in range(at, at + width):
            if not _goes_on(parts, place, width, round_):
                return round_ if round_ > 1 else 0
    raise AssertionError("a list of lines ends")


def _goes_on(parts: Sequence[_Line | None], place: int, width: int, round_: int) -> bool:
    """Whether a line recurs in this round, with each number growing as from the first round to the second."""
    if place + width * round_ >= len(parts):
        return False
    first, second, now = parts[place], parts[place + width], parts[place + width * round_]
    if first is None or second is None or now is None or not first.form == second.form == now.form:
        return False
    each = zip(first.numbers, second.numbers, now.numbers, strict=True)
    return all(number == start + round_ * (after - start) for start, after, number in each)


@cache
def _line(text: str) -> _Line | None:
    """The form and the numbers of a call; None for a line without a call, such as a comment."""
    try:
        call = ast.parse(text, mode="eval")
    except SyntaxError:
        return None
    numbers: list[int] = []

    class Takes(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            if type(node.value) is int:
                numbers.append(node.value)
                return ast.Constant(_PLACE)
            if isinstance(node.value, str):
                words = _words(node.value)
                numbers.extend(word for word in words if isinstance(word, int))
                return ast.Constant("".join(_PLACE if isinstance(word, int) else word for word in words))
            return node

    return _Line(ast.dump(Takes().visit(call)), tuple(numbers))


def _words(text: str) -> list[str | int]:
    """The pieces of a text, with whole numbers as ints; a number with leading zeros stays text."""
    words: list[str | int] = []
    digits = ""
    for sign in f"{text}\0":
        if sign.isascii() and sign.isdigit():
            digits += sign
            continue
        if digits:
            words.append(int(digits) if str(int(digits)) == digits else digits)
        digits = ""
        words.append(sign)
    return words[:-1]


def _in_a_loop(text: str, first: _Line | None, second: _Line | None) -> str:
    """A line of the first round, rewritten for every round."""
    assert first is not None
    assert second is not None
    figures = iter([_figure(*each) for each in zip(first.numbers, second.numbers, strict=True)])

    class Counts(ast.NodeTransformer):
        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            if type(node.value) is int:
                return next(figures)
            if not isinstance(node.value, str):
                return node
            pieces = [next(figures) if isinstance(word, int) else ast.Constant(word) for word in _words(node.value)]
            if all(isinstance(piece, ast.Constant) for piece in pieces):
                return node
            return ast.JoinedStr([_as_text(piece) for piece in pieces])

    return ast.unparse(ast.fix_missing_locations(Counts().visit(ast.parse(text, mode="eval"))))


def _figure(start: int, after: int) -> ast.expr:
    """A number that is `start` in the first round and `after` in the second."""
    if start == after:
        return ast.Constant(start)
    by = abs(after - start)
    step = ast.Name(STEP) if by == 1 else ast.BinOp(ast.Constant(by), ast.Mult(), ast.Name(STEP))
    if after < start:
        return ast.BinOp(ast.Constant(start), ast.Sub(), step)
    return step if start == 0 else ast.BinOp(ast.Constant(start), ast.Add(), step)


def _as_text(piece: ast.expr) -> ast.expr:
    return ast.Constant(str(piece.value)) if isinstance(piece, ast.Constant) else ast.FormattedValue(piece, -1)
