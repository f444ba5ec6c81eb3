"""Pieces of text are found where Python finds them, wherever chunks begin and whatever is remembered of a line."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.ingest.careful import marked_lines
from tidegate.pipeline.ingest.loops.chunks import CHUNK
from tidegate.pipeline.ingest.loops.marks import find_marked_lines
from tidegate.pipeline.ingest.loops.patterns import BEGIN, END, MARKED, NONE, NTH, Bytes, Numbers, patterns_of
from tidegate.pipeline.ingest.loops.pieces import find_piece, is_ascii, last_piece, next_of
from tidegate.pipeline.ingest.loops.statements import SOUGHT, first_met
from tidegate.pipeline.ingest.loops.words import PAIR, free_table, word

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


@settings(deadline=None)
@given(TEXTS, PLACES, PLACES, st.integers(0, len(PIECES) - 1))
def test_a_piece_is_found_where_it_last_stands(text: bytes, begin: int, end: int, piece: int) -> None:
    begin, end = min(begin, len(text)), min(end, len(text))
    found = last_piece(np.frombuffer(text, np.uint8), begin, end, piece, *as_arrays(PIECES))
    assert found == text.rfind(PIECES[piece], begin, end)


def test_a_piece_is_found_wherever_it_stands_in_a_chunk() -> None:
    for piece, stands in ((piece, stands) for piece in range(len(PIECES)) for stands in range(FAR)):
        text = np.frombuffer(b"." * stands + PIECES[piece] + b"." * (FAR - stands), np.uint8)
        assert find_piece(text, 0, len(text), piece, *as_arrays(PIECES)) == stands
        assert last_piece(text, 0, len(text), piece, *as_arrays(PIECES)) == stands


@settings(deadline=None)
@given(TEXTS, PLACES, PLACES)
def test_the_next_of_two_bytes_is_found_or_the_end(text: bytes, begin: int, end: int) -> None:
    begin, end = min(begin, len(text)), min(end, len(text))
    stands = [place for place in range(begin, end) if text[place : place + 1] in (b"a", b"b")]
    assert next_of(np.frombuffer(text, np.uint8), begin, end, *b"ab") == min(stands, default=end)


@settings(deadline=None)
@given(TEXTS, PLACES, PLACES, PLACES)
def test_a_part_of_a_text_is_ascii_whatever_stands_around_it(text: bytes, begin: int, end: int, other: int) -> None:
    begin, end = min(begin, len(text)), min(end, len(text))
    text = text[:other] + "é".encode() + text[other:]
    assert is_ascii(np.frombuffer(text, np.uint8), begin, end) == text[begin:end].isascii()


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=12))
@example([b"a" * CHUNK + b"a", b"a" * CHUNK + b"b", b"a" * CHUNK + b"a", b"a" * CHUNK])
@example([b"a" * (CHUNK + 2) + bytes([last, 0]) for last in range(FAR)])
def test_texts_have_the_same_number_where_they_are_the_same(texts: list[bytes]) -> None:
    text = np.frombuffer(b"".join(texts), np.uint8)
    table, words, letters = free_table(len(texts)), np.empty((len(texts), PAIR), np.int64), np.empty_like(text)
    numbers: dict[bytes, int] = {}
    at = 0
    for each in texts:
        expected = numbers.setdefault(each, len(numbers))
        assert word(text, at, at + len(each), table, words, letters, max(expected, len(numbers) - 1)) == expected
        at += len(each)
    assert [letters[begin:end].tobytes() for begin, end in words[: len(numbers)]] == list(numbers)


LINES = st.lists(
    st.sampled_from([b"QUE-1003", b"CHN-1006", b"QUE-", b"QQUE-1004", b"\n", b".", b"." * 7, b"." * CHUNK, b"\xff"]),
    max_size=30,
).map(b"".join)


@settings(deadline=None)
@given(LINES)
@example(b"\nQUE-1003")
@example(b"." * (CHUNK - 4) + b"QUE-1003\n" + b"." * CHUNK + b"\nQUE-1003\n")
def test_lines_with_marks_are_found_and_all_lines_counted(text: bytes) -> None:
    form = LOG_FORMS["qpid log"]
    found = np.empty((len(MARKED), len(text) + 1), np.int64)
    count, lines, are_ascii = find_marked_lines(np.frombuffer(text, np.uint8), patterns_of(form, ","), found)
    expected = list(marked_lines(form, text))
    assert found[[NTH, BEGIN, END], :count].T.tolist() == [list(each) for each in expected]
    assert lines == text.count(b"\n")
    assert are_ascii == all(text[begin:end].isascii() for _, begin, end in expected)


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
