"""Single bytes of a text, and pieces of literal text in it."""

import numpy as np

from headgate.pipeline.compiling import inlined
from headgate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers


@inlined
def byte(text: Bytes, at: int) -> int:
    """The byte here; never one counted from the end, which takes a loop half its time to ask."""
    here: int = text[np.uint64(at)]
    return here


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
def last_piece(text: Bytes, begin: int, end: int, piece: int, pieces: Bytes, bounds: Numbers) -> int:
    """Where the piece stands for the last time between `begin` and `end`; NONE where it does not."""
    first = pieces[bounds[piece]]
    at: int = end - (bounds[piece + 1] - bounds[piece])
    while at >= begin:
        if byte(text, at) == first and is_piece(text, at, end, piece, pieces, bounds):
            return at
        at -= 1
    return NONE
