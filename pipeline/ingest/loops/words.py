"""Distinct texts and pairs, and their numbers in the order in which they were met."""

from headgate.pipeline.compiling import compiled, inlined
from headgate.pipeline.ingest.loops.patterns import NONE, Bytes, Numbers, Table
from headgate.pipeline.ingest.loops.pieces import byte

FACTOR = 0x100000001B3
"""FNV-1a's, by which texts are spread over a table."""


@inlined
def place_in(table: Numbers, spread: int) -> int:
    """The first place of a table to look at for what is spread so; a table has a power of two of places."""
    return (spread ^ (spread >> 29)) & (len(table) - 1)


@compiled
def word(text: Bytes, begin: int, end: int, table: Numbers, words: Table, count: int) -> int:
    """The number of a text among those met before; `count`, the next one, where it is new.

    `words` says where each begins and ends, and `table` holds their numbers, NONE in free places.
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
        at, same = words[met, 0], words[met, 1] - words[met, 0] == length
        n = 0
        while same and n < length:
            same = byte(text, at + n) == byte(text, begin + n)
            n += 1
        if same:
            return met
        place = (place + 1) & (len(table) - 1)
    table[place] = count
    words[count, 0], words[count, 1] = begin, end
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
