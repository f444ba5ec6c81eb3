"""A chunk of a text's bytes at once: which of them are so, as the bits of one number, the lowest for the first byte.

Processors compare so many bytes by one or two instructions. A compiler finds these for a loop that asks whether any
byte is so, and not for one that asks which; hence they are named here, in the terms of LLVM.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # it comes with numba, and without types
from numba import extending, types
from numba.np import arrayobj

from tidegate.pipeline.compiling import inlined
from tidegate.pipeline.ingest.loops.patterns import Bytes

CHUNK = 64
"""Bytes of a chunk, and bits of a number."""
FIRST_ODD = 128
"""The first byte that is not ASCII."""
ZERO, TEN = ord("0"), 10
BYTE, INDEX, BITS = ir.IntType(8), ir.IntType(32), ir.IntType(CHUNK)
BYTES, INDICES = ir.VectorType(BYTE, CHUNK), ir.VectorType(INDEX, CHUNK)
FOR_ZERO_TOO = ir.IntType(1)(0)
intrinsic: Any = extending.intrinsic
make_array: Any = arrayobj.make_array


def _chunk(context: Any, builder: Any, kind: Any, text: Any, at: Any) -> Any:
    """The chunk of an array that begins here."""
    begin = builder.gep(make_array(kind)(context, builder, text).data, [at])
    return builder.load(builder.bitcast(begin, BYTES.as_pointer()), align=1)


def _each(builder: Any, value: Any) -> Any:
    """A chunk of nothing but the lowest byte of a number."""
    one = builder.insert_element(BYTES(ir.Undefined), builder.trunc(value, BYTE), INDEX(0))
    return builder.shuffle_vector(one, BYTES(ir.Undefined), INDICES([0] * CHUNK))


def _are_between(_: Any, text: Any, at: Any, least: Any, count: Any) -> tuple[Any, Any]:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        above_least = builder.sub(_chunk(context, builder, text, *given[:2]), _each(builder, given[2]))
        return builder.bitcast(builder.icmp_unsigned("<", above_least, _each(builder, given[3])), BITS)

    return types.int64(text, types.int64, types.int64, types.int64), code


def _are_same(_: Any, text: Any, at: Any, other: Any, place: Any) -> tuple[Any, Any]:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        here, there = _chunk(context, builder, text, *given[:2]), _chunk(context, builder, other, *given[2:])
        return builder.bitcast(builder.icmp_unsigned("==", here, there), BITS)

    return types.int64(text, types.int64, other, types.int64), code


def _counted(name: str, *further: Any) -> Callable[[int], int]:
    """One of LLVM's instructions that count bits of a number."""

    def typed(_: Any, bits: Any) -> tuple[Any, Any]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return getattr(builder, name)(*given, *further)

        return types.int64(types.int64), code

    made: Callable[[int], int] = intrinsic(typed)
    return made


_between: Callable[[Bytes, int, int, int], int] = intrinsic(_are_between)
_same: Callable[[Bytes, int, Bytes, int], int] = intrinsic(_are_same)
lowest = _counted("cttz", FOR_ZERO_TOO)
"""Which bit is the lowest that is set."""
unset_above = _counted("ctlz", FOR_ZERO_TOO)
"""How many bits are above the highest that is set."""
how_many = _counted("ctpop")
"""How many bits are set."""


@inlined
def byte(text: Bytes, at: int) -> int:
    """The byte here; never one counted from the end, which takes a loop half its time to ask."""
    here: int = text[np.uint64(at)]
    return here


@inlined
def between(text: Bytes, at: int, least: int, count: int) -> int:
    """Which bytes of the chunk here are one of so many from the least on."""
    if at + CHUNK <= len(text):
        return _between(text, at, least, count)
    bits = 0
    for n in range(len(text) - at):
        bits |= (least <= byte(text, at + n) < least + count) << n
    return bits


@inlined
def equal(text: Bytes, at: int, sought: int) -> int:
    """Which bytes of the chunk here are this one."""
    return between(text, at, sought, 1)


@inlined
def decimal(text: Bytes, at: int) -> int:
    """Which bytes of the chunk here are digits."""
    return between(text, at, ZERO, TEN)


@inlined
def odd(text: Bytes, at: int) -> int:
    """Which bytes of the chunk here are not ASCII."""
    return between(text, at, FIRST_ODD, FIRST_ODD)


@inlined
def same(text: Bytes, at: int, other: Bytes, place: int) -> int:
    """Which bytes of the chunk here are the same as those of a chunk of another text."""
    if at + CHUNK <= len(text) and place + CHUNK <= len(other):
        return _same(text, at, other, place)
    bits = 0
    for n in range(min(len(text) - at, len(other) - place)):
        bits |= (byte(text, at + n) == byte(other, place + n)) << n
    return bits
