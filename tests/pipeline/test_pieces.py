"""Pieces of text are found where Python finds them, wherever chunks begin and whatever is remembered of a line."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headgate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers
from headgate.pipeline.ingest.loops.pieces import CHUNK, find_piece
from headgate.pipeline.ingest.loops.statements import SOUGHT, first_met

PIECES = (b"ab", b"ba", b"a", b"abb", b"bab")
FAR = 3 * CHUNK
TEXTS = st.lists(st.sampled_from([b"a", b"b", b"bb", b"." * 7, b"." * CHUNK]), max_size=20).map(b"".join)
"""Long stretches without a piece, and places where one nearly stands."""
PLACES = st.integers(0, FAR)


def as_arrays(pieces: Sequence[bytes]) -> tuple[Bytes, Numbers]:
    """The pieces one behind the other, and their bounds."""
    return np.frombuffer(b"".join(pieces), np.uint8), np.array([0, *accumulate(map(len, pieces))])


@settings(deadline=None)  # compiling takes a second
@given(TEXTS, PLACES, PLACES, st.integers(0, len(PIECES) - 1))
def test_a_piece_is_found_where_it_first_stands(text: bytes, begin: int, end: int, piece: int) -> None:
    begin, end = min(begin, len(text)), min(end, len(text))
    found = find_piece(np.frombuffer(text, np.uint8), begin, end, piece, *as_arrays(PIECES))
    assert found == text.find(PIECES[piece], begin, end)


def test_a_piece_is_found_wherever_it_stands_in_a_chunk() -> None:
    for piece, stands in ((piece, stands) for piece in range(len(PIECES)) for stands in range(FAR)):
        text = b"." * stands + PIECES[piece] + b"." * (FAR - stands)
        assert find_piece(np.frombuffer(text, np.uint8), 0, len(text), piece, *as_arrays(PIECES)) == stands


@settings(deadline=None)  # compiling takes a second
@given(TEXTS, st.lists(st.tuples(st.integers(0, 1), PLACES, st.integers(0, len(PIECES) - 1)), max_size=12))
@example(b"ab.ab", [(0, 3, 0), (0, 0, 0)])
@example(b"ab.ab", [(0, 0, 0), (0, 3, 0)])
def test_what_is_remembered_of_a_line_says_where_a_piece_first_stands(
    line: bytes, asked: list[tuple[int, int, int]]
) -> None:
    text = np.frombuffer(line + b"\n" + line[::-1], np.uint8)
    bounds = ((0, len(line)), (len(line) + 1, len(text)))
    sought = np.full((len(PIECES), len(SOUGHT)), NONE)
    for number, place, piece in asked:
        begin, end = bounds[number]
        at = min(begin + place, end)
        found = first_met(text, at, end, piece, *as_arrays(PIECES), number, sought)
        assert found == text.tobytes().find(PIECES[piece], at, end)
