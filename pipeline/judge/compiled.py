"""Loops compiled by numba, where it is installed; they are kept in a cache, since compiling takes seconds."""

import ast
import hashlib
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from tidegate.pipeline.judge.loop import NAME, Loop, interpreted
from tidegate.pipeline.judge.lowering import STATE
from tidegate.pipeline.read.tables import is_number
from tidegate.record.cache import cache_folder, put
from tidegate.record.events import MOST

LOOPS = "loops"
"""The folder of compiled loops in the cache."""


def can_compile() -> bool:
    """Whether numba is installed."""
    return find_spec("numba") is not None


@lru_cache(maxsize=64)
def compiled(loop: Loop) -> Any:
    """The function of a loop over arrays: numbers in 64 bit, codes of texts and rows of keys in 32 bit."""
    from numba import njit, types

    def each_event(kind: Any) -> Any:
        return types.Array(kind, 1, "C", readonly=True)

    codes, numbers = each_event(types.uint32), each_event(types.int64)
    fields = [numbers if is_number(name) else codes for name in loop.fields]
    keys, memory = [codes] * len(loop.keys), [types.int64[::1]] * len(loop.keys)
    given = [types.int64, types.int64, codes, types.uint8[::1], *fields, *keys, *memory]
    signature = types.int64(*given)
    try:
        return njit(signature, cache=True)(_from_file(_kept(loop.source)))
    except OSError:
        # without a cache the loop is compiled each time
        return njit(signature)(interpreted(loop))


def _kept(source: str) -> Path:
    """The file of a loop in the cache, written if it is missing. OSError where it cannot be written."""
    path = cache_folder(LOOPS) / f"loop_{hashlib.blake2b(source.encode(), digest_size=16).hexdigest()}.py"
    if not path.is_file() or path.read_text(encoding="utf-8") != source:
        put(path, source.encode())
    return path


def _from_file(path: Path) -> Any:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # numba looks the module up by its name when it reads its cache
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return getattr(module, NAME)


def fits(loop: Loop, events: int, fields: Mapping[str, int], remembered: int) -> bool:
    """Whether no number that a loop computes over `events` events exceeds 64 bit.

    `fields` are the largest sizes of the fields, and `remembered` is the largest size of the operators' earlier values.
    """
    sizes = _Sizes(fields)
    for operator in loop.operators:
        step = operator.step.text
        sizes.of[STATE] = 0
        alone = sizes.size(step)
        sizes.of[STATE] = either = max(remembered, alone)
        # a value that exceeds both the remembered and the new one is a sum over all events
        adds_up = sizes.size(step) > either
        sizes.of[STATE] = remembered + (events - 1) * alone if adds_up else either
        sizes.of[operator.name] = sizes.size(step)
    for rule in loop.rules:
        sizes.size(rule.judged.text)
        sizes.size(rule.holds.text)
    return max(sizes.largest, remembered) <= MOST


class _Sizes:
    """The largest size of an expression, and the largest of all expressions asked about."""

    def __init__(self, of: Mapping[str, int]):
        self.of = dict(of)
        self.largest = max(of.values(), default=0)

    def size(self, text: str) -> int:
        """The largest absolute value of an expression, 0 if it is no number; each number in it is noted."""
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
