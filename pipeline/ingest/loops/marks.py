"""Where marks are."""

from headgate.pipeline.compiling import compiled, inlined
from headgate.pipeline.ingest.loops.patterns import (
    AT,
    BEGIN,
    DEEPEST,
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
from headgate.pipeline.ingest.loops.pieces import CHUNK, byte, has_pair, is_piece

NEW_LINE = ord("\n")


@compiled
def new_lines(text: Bytes) -> int:
    """How many lines end in a text."""
    count = 0
    for each in text:
        count += each == NEW_LINE
    return count


@inlined
def next_new_line(text: Bytes, at: int) -> int:
    """Where the line ends that this byte is in; chunks without an end are passed over without a branch in them."""
    size = len(text)
    while at + CHUNK <= size:
        met = False
        for n in range(CHUNK):
            met |= byte(text, at + n) == NEW_LINE
        if met:
            break
        at += CHUNK
    while at < size and byte(text, at) != NEW_LINE:
        at += 1
    return at


@inlined
def may_hold(text: Bytes, at: int, signs: Bytes) -> bool:
    """Whether a mark with one of these signs may begin in the chunk here."""
    met = False
    for n in range(len(signs)):
        met |= has_pair(text, at + signs[n, WITHIN], signs[n, FIRST], signs[n, SECOND])
    return met


@inlined
def mark_at(text: Bytes, at: int, marks: Numbers, pieces: Bytes, bounds: Numbers) -> int:
    """The number of the mark that stands here, NONE where none does."""
    for n in range(len(marks)):
        if is_piece(text, at, len(text), marks[n], pieces, bounds):
            return n
    return NONE


@compiled
def find_marked_lines(text: Bytes, patterns: Patterns, found: Table) -> tuple[int, int]:
    """Fill `found` with the lines that have a mark, and return how many they are, and how many lines end at all."""
    pieces, bounds, marks = patterns.text, patterns.bounds, patterns.marks
    signs, starts_mark = patterns.signs, patterns.starts_mark
    size = len(text)
    count = line = counted = at = 0
    while at < size:
        if at + CHUNK + DEEPEST < size and not may_hold(text, at, signs):
            at += CHUNK
            continue
        which, stop = NONE, min(at + CHUNK, size)
        while at < stop:
            if starts_mark[byte(text, at)]:
                which = mark_at(text, at, marks, pieces, bounds)
                if which != NONE:
                    break
            at += 1
        if which == NONE:
            continue
        before = new_lines(text[counted:at])
        line += before
        begin = at if before else counted
        while begin > counted and byte(text, begin - 1) != NEW_LINE:
            begin -= 1
        end = next_new_line(text, at)
        found[count, NTH], found[count, BEGIN], found[count, AT] = line, begin, at
        found[count, END], found[count, WHICH] = end, which
        count += 1
        # only the first mark of a line counts
        at = counted = end + 1
        line += 1
    # the last line may have no end
    return count, line + new_lines(text[counted:]) - (counted > size)
