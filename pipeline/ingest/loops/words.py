"""Distinct texts and pairs, and their numbers in the order in which they were met."""

import numpy as np

from tidegate.pipeline.compiling import compiled, inlined
from tidegate.pipeline.ingest.loops.chunks import CHUNK, byte, lowest, same
from tidegate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers, Table

FACTOR = 0x100000001B3
"""FNV-1a's, by which texts are spread over a table."""
PAIR = 2


def free_table(most: int) -> Numbers:
    """A table of so many numbers, all of whose places are free; it is never more than half full."""
    return np.full(1 << (2 * most).bit_length(), NONE, np.int64)


@inlined
def place_in(table: Numbers, spread: int) -> int:
    """The first place of a table to look at for what is spread so; a table has a power of two of places."""
    return (spread ^ (spread >> 29)) & (len(table) - 1)


@inlined
def are_same(text: Bytes, at: int, other: Bytes, place: int, length: int) -> bool:
    """Whether so many bytes from here on are the same as those of another text."""
    for n in range(0, length, CHUNK):
        differ = ~same(text, at + n, other, place + n)
        if differ != 0 and n + lowest(differ) < length:
            return False
    return True


@inlined
def word(text: Bytes, begin: int, end: int, table: Numbers, words: Table, letters: Bytes, count: int) -> int:
    """The number of a text among those met before; `count`, the next one, where it is new.

    `letters` holds them one behind the other: nearer to each other than where they were met, they are reached faster.
    `words` says where each begins and ends there, and `table` holds their numbers, NONE in free places.
    """
    length = end - begin
    spread = length
    at = begin
    while at + 4 <= end:
        four = byte(text, at) | byte(text, at + 1) << 8 | byte(text, at + 2) << 16 | byte(text, at + 3) << 24
        spread = (spread ^ four) * FACTOR
        at += 4
    while at < end:
        spread = (spread ^ byte(text, at)) * FACTOR
        at += 1
    place = place_in(table, spread)
    while table[place] != NONE:
        met = int(table[place])
        if words[met, 1] - words[met, 0] == length and are_same(text, begin, letters, words[met, 0], length):
            return met
        place = (place + 1) & (len(table) - 1)
    table[place] = count
    first = words[count - 1, 1] if count else 0
    for n in range(length):
        letters[first + n] = byte(text, begin + n)
    words[count, 0], words[count, 1] = first, first + length
    return count


@compiled
def distinct_pairs(left: Numbers, right: Numbers, table: Numbers, pairs: Table, numbers: Numbers) -> int:
    """Number the distinct pairs of two numbers in a row, and return how many they are.

    Fills `numbers` with the number of each pair, and `pairs` with what each number stands for.
    """
    count = 0
    for n in range(len(left)):
        place = place_in(table, (left[n] * FACTOR ^ right[n]) * FACTOR)
        while table[place] != NONE and (pairs[table[place], 0] != left[n] or pairs[table[place], 1] != right[n]):
            place = (place + 1) & (len(table) - 1)
        if table[place] == NONE:
            table[place] = count
            pairs[count, 0], pairs[count, 1] = left[n], right[n]
            count += 1
        numbers[n] = table[place]
    return count
