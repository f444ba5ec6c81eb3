"""Pieces of literal text in a text."""

from tidegate.pipeline.compiling import inlined
from tidegate.pipeline.ingest.loops.chunks import CHUNK, byte, equal, lowest, odd, unset_above
from tidegate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers


@inlined
def is_ascii(text: Bytes, begin: int, end: int) -> bool:
    """Whether all bytes from `begin` to `end` are ASCII."""
    for at in range(begin, end, CHUNK):
        met = odd(text, at)
        if met != 0 and at + lowest(met) < end:
            return False
    return True


@inlined
def next_of(text: Bytes, begin: int, end: int, one: int, other: int) -> int:
    """Where one of two bytes first stands from `begin` on; `end` where none does before."""
    for at in range(begin, end, CHUNK):
        met = equal(text, at, one) | equal(text, at, other)
        if met != 0:
            return min(at + lowest(met), end)
    return end


@inlined
def is_piece(text: Bytes, at: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> bool:
    """Whether the piece stands here, and ends before `end`."""
    begin, length = bounds[piece], bounds[piece + 1] - bounds[piece]
    if at < 0 or at + length > end:
        return False
    for n in range(length):  # noqa: SIM110 - a loop is compiled, a generator is not
        if byte(text, at + n) != byte(pieces, begin + n):
            return False
    return True


@inlined
def may_begin(text: Bytes, at: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """At which bytes of the chunk here the piece may stand, by the first two bytes of it."""
    opening, further = bounds[piece], int(bounds[piece + 1] - bounds[piece] > 1)
    return equal(text, at, pieces[opening]) & equal(text, at + further, pieces[opening + further])


@inlined
def find_piece(text: Bytes, begin: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """Where the piece stands for the first time between `begin` and `end`; NONE where it does not."""
    behind: int = end - (bounds[piece + 1] - bounds[piece]) + 1
    for at in range(begin, behind, CHUNK):
        met = may_begin(text, at, piece, pieces, bounds)
        while met != 0:
            stands = at + lowest(met)
            if is_piece(text, stands, end, piece, pieces, bounds):
                return stands
            met &= met - 1
    return NONE


@inlined
def last_piece(text: Bytes, begin: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """Where the piece stands for the last time between `begin` and `end`; NONE where it does not."""
    behind: int = end - (bounds[piece + 1] - bounds[piece]) + 1
    while behind > begin:
        at = max(begin, behind - CHUNK)
        met = may_begin(text, at, piece, pieces, bounds)
        while met != 0:
            highest = CHUNK - 1 - unset_above(met)
            if is_piece(text, at + highest, end, piece, pieces, bounds):
                return at + highest
            met ^= 1 << highest
        behind = at
    return NONE
