"""Where marks are."""

from tidegate.pipeline.compiling import compiled, inlined
from tidegate.pipeline.ingest.loops.chunks import CHUNK, equal, how_many, lowest, unset_above
from tidegate.pipeline.ingest.loops.patterns import (
    AT,
    BEGIN,
    END,
    FIRST,
    NONE,
    NTH,
    SECOND,
    WHICH,
    WITHIN,
    Bytes,
    Numbers,
    Patterns,
    Table,
)
from tidegate.pipeline.ingest.loops.pieces import is_ascii, is_piece

NEW_LINE = ord("\n")


@inlined
def next_new_line(text: Bytes, at: int) -> int:
    """Where the line ends that this byte is in."""
    while at < len(text):
        ends = equal(text, at, NEW_LINE)
        if ends != 0:
            return at + lowest(ends)
        at += CHUNK
    return len(text)


@inlined
def may_be_marks(text: Bytes, at: int, signs: Table) -> int:
    """At which bytes of the chunk here a mark with one of these signs may begin."""
    met = 0
    for n in range(len(signs)):
        stands = at + signs[n, WITHIN]
        met |= equal(text, stands, signs[n, FIRST]) & equal(text, stands + 1, signs[n, SECOND])
    return met


@inlined
def mark_at(text: Bytes, at: int, marks: Numbers, pieces: Bytes, bounds: Numbers) -> int:
    """The number of the mark that stands here, NONE where none does."""
    for n in range(len(marks)):
        if is_piece(text, at, len(text), marks[n], pieces, bounds):
            return n
    return NONE


@compiled
def find_marked_lines(text: Bytes, patterns: Patterns, found: Table) -> tuple[int, int, bool]:
    """Fill `found` with the lines that have a mark.

    Return how many they are, how many lines end at all, and whether those with a mark are nothing but ASCII.
    """
    pieces, bounds, marks, signs = patterns.text, patterns.bounds, patterns.marks, patterns.signs
    size, are_ascii = len(text), True
    count = line = begin = at = 0
    while at < size:
        which, mark, met = NONE, at + CHUNK, may_be_marks(text, at, signs)
        while met != 0 and which == NONE:
            mark = at + lowest(met)
            which = mark_at(text, mark, marks, pieces, bounds)
            met &= met - 1
        ends = equal(text, at, NEW_LINE)
        if which != NONE:
            # those in front of the mark
            ends &= (1 << (mark - at)) - 1
        line += how_many(ends)
        if ends != 0:
            begin = at + CHUNK - unset_above(ends)
        at += CHUNK
        if which != NONE:
            end = next_new_line(text, mark)
            found[NTH, count], found[BEGIN, count], found[AT, count] = line, begin, mark
            found[END, count], found[WHICH, count] = end, which
            are_ascii &= is_ascii(text, begin, end)
            count += 1
            # only the first mark of a line counts
            at = begin = end + 1
            line += 1
    # the last line may have no end
    return count, line - (begin > size), are_ascii
