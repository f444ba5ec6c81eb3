"""Bytes that are looked at together are found to be what each of them is by itself, at the end of a text as well."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tidegate.pipeline.compiling import inlined
from tidegate.pipeline.ingest.loops.chunks import (
    CHUNK,
    decimal,
    equal,
    how_many,
    lowest,
    odd,
    same,
    unset_above,
)
from tidegate.pipeline.ingest.loops.patterns import Bytes

BYTES = st.sampled_from(b"/09:a\x00\x7f\x80\xff")
TEXTS = st.one_of(
    st.lists(BYTES, max_size=2 * CHUNK).map(bytes), st.lists(BYTES, min_size=CHUNK, max_size=3 * CHUNK).map(bytes)
)
PLACES = st.integers(0, 3 * CHUNK)
NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)


def array(text: bytes) -> Bytes:
    return np.frombuffer(text, np.uint8)


@inlined
def counted(number: int) -> tuple[int, int, int]:
    """The three counts, which only compiled code can take."""
    return how_many(number), lowest(number), unset_above(number)


def set_bits(number: int) -> list[int]:
    return [n for n in range(CHUNK) if number >> n & 1]


@settings(deadline=None)  # compiling takes a second
@given(TEXTS, PLACES, BYTES)
def test_each_byte_of_a_chunk_is_compared_by_itself(text: bytes, at: int, sought: int) -> None:
    chunk = text[at : at + CHUNK]
    assert set_bits(equal(array(text), at, sought)) == [n for n, byte in enumerate(chunk) if byte == sought]
    assert set_bits(decimal(array(text), at)) == [n for n, byte in enumerate(chunk) if chr(byte) in "0123456789"]
    assert set_bits(odd(array(text), at)) == [n for n, byte in enumerate(chunk) if byte >= 128]


@settings(deadline=None)
@given(TEXTS, PLACES, TEXTS, PLACES)
def test_chunks_of_two_texts_are_the_same_where_their_bytes_are(one: bytes, at: int, other: bytes, place: int) -> None:
    pairs = zip(one[at : at + CHUNK], other[place : place + CHUNK], strict=False)
    expected = [n for n, (here, there) in enumerate(pairs) if here == there]
    assert set_bits(same(array(one), at, array(other), place)) == expected


@settings(deadline=None)
@given(NUMBERS)
@example(0)
@example(-1)
@example(-(1 << 63))
def test_bits_are_counted(number: int) -> None:
    bits = set_bits(number)
    assert counted(number) == (len(bits), min(bits, default=CHUNK), CHUNK - 1 - max(bits, default=-1))
