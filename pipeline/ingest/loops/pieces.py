"""Single bytes of a text, and pieces of literal text in it."""

import numpy as np

from headgate.pipeline.compiling import compiled, inlined
from headgate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers

CHUNK = 64
"""Bytes that are looked at together."""
FIRST_ODD = 128
"""The first byte that is not ASCII."""


@inlined
def byte(text: Bytes, at: int) -> int:
    """The byte here; never one counted from the end, which takes a loop half its time to ask."""
    here: int = text[np.uint64(at)]
    return here


@inlined
def is_ascii(text: Bytes, begin: int, end: int) -> bool:
    """Whether all bytes from `begin` to `end` are ASCII."""
    odd = False
    for at in range(begin, end):
        odd |= byte(text, at) >= FIRST_ODD
    return not odd


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


@compiled
def find_piece(text: Bytes, begin: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """Where the piece stands for the first time between `begin` and `end`; NONE where it does not.

    Chunks without its first two bytes are passed over.
    """
    opening, length = bounds[piece], bounds[piece + 1] - bounds[piece]
    first, second = pieces[opening], pieces[opening + (length > 1)]
    behind: int = end - length + 1
    at = begin
    while at < behind:
        if length > 1 and at + CHUNK < len(text) and not has_pair(text, at, first, second):
            at += CHUNK
            continue
        stop = min(at + CHUNK, behind)
        while at < stop:
            if byte(text, at) == first and is_piece(text, at, end, piece, pieces, bounds):
                return at
            at += 1
    return NONE


@inlined
def has_pair(text: Bytes, at: int, first: int, second: int) -> bool:
    """Whether these bytes stand one behind the other in the chunk here; without a branch, for many bytes at once."""
    met = False
    for n in range(CHUNK):
        met |= (byte(text, at + n) == first) & (byte(text, at + n + 1) == second)
    return met


@inlined
def last_piece(text: Bytes, begin: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """Where the piece stands for the last time between `begin` and `end`; NONE where it does not."""
    first = pieces[bounds[piece]]
    at: int = end - (bounds[piece + 1] - bounds[piece])
    while at >= begin:
        if byte(text, at) == first and is_piece(text, at, end, piece, pieces, bounds):
            return at
        at -= 1
    return NONE
