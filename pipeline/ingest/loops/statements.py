"""Lines that are just as their statement says."""

from typing import NamedTuple

from tidegate.pipeline.compiling import compiled, inlined
from tidegate.pipeline.ingest.log_form import LONGEST_LINE
from tidegate.pipeline.ingest.loops.chunks import byte
from tidegate.pipeline.ingest.loops.figures import NOT_PLAIN, figure, figure_end, moment
from tidegate.pipeline.ingest.loops.patterns import (
    AT,
    BEGIN,
    BEHIND,
    CARRIED,
    END,
    FIGURES,
    FIRST_FIELD,
    IS_PLAIN,
    KIND,
    LAST_FIELD,
    MARK,
    MARK_WITHIN,
    MAY_CONTINUE,
    NAME,
    NONE,
    OPENING,
    QUOTED,
    STOP,
    SUBJECT,
    WHICH,
    Bytes,
    Flags,
    Numbers,
    Patterns,
    Table,
)
from tidegate.pipeline.ingest.loops.pieces import find_piece, is_ascii, is_piece, last_piece, next_of
from tidegate.pipeline.ingest.loops.words import word

TAB, RETURN, SPACE, LAST_SHOWN, COMMA, FIRST_CAPITAL, LAST_CAPITAL, OPEN, CLOSED = map(ord, "\t\r ~,AZ()")
SOUGHT = LINE, FROM, STANDS = range(3)
"""The columns of a piece that was looked for: the number of the line, from where on, where it first stands."""


class Lines(NamedTuple):
    """What is read of lines with a mark; of lines that are not read, only that they are not."""

    statements: Numbers
    """Which statement a line is, NONE where it is not read."""
    times: Numbers
    """ms since the epoch."""
    is_local: Flags
    """Whether that is in the local time, taken for UTC."""
    figures: Table
    """By the fields of the statement, its number where it is one."""
    spelled: Table
    """By the fields of the statement, which of the distinct texts it holds; the last column has the one in which the
    subject stands."""
    words: Table
    """Where in `letters` each of the distinct texts begins and ends."""
    letters: Bytes
    """The distinct texts one behind the other."""
    table: Numbers
    """The distinct texts by what their bytes are spread to."""


@inlined
def first_met(
    text: Bytes, at: int, end: int, piece: int, pieces: Bytes, bounds: Numbers, line: int, sought: Table
) -> int:
    """Where the piece first stands in a line from `at` on; NONE where it does not.

    `sought` remembers where it was looked for last.
    """
    stands: int = sought[piece, STANDS]
    if sought[piece, LINE] != line or at < sought[piece, FROM] or NONE < stands < at:
        stands = find_piece(text, at, end, piece, pieces, bounds)
        sought[piece, LINE], sought[piece, FROM], sought[piece, STANDS] = line, at, stands
    return stands


@compiled
def may_read(
    text: Bytes, begin: int, end: int, statement: Numbers, patterns: Patterns, line: int, sought: Table
) -> bool:
    """Whether the pieces of a statement stand in a line in their order, and the last one at its end if it has to."""
    pieces, bounds = patterns.text, patterns.bounds
    at = begin
    for n in range(statement[FIRST_FIELD] - 1, statement[LAST_FIELD]):
        piece = statement[OPENING] if n < statement[FIRST_FIELD] else patterns.fields[n, BEHIND]
        if bounds[piece] == bounds[piece + 1]:
            continue
        stands = first_met(text, at, end, piece, pieces, bounds, line, sought)
        if stands == NONE:
            return False
        at = stands + bounds[piece + 1] - bounds[piece]
    return bool(statement[MAY_CONTINUE]) or is_piece(
        text, end - (bounds[piece + 1] - bounds[piece]), end, piece, pieces, bounds
    )


@inlined
def read_fields(
    text: Bytes,
    begin: int,
    end: int,
    statement: int,
    line: int,
    statements: Table,
    fields: Table,
    pieces: Bytes,
    bounds: Numbers,
    separator: Bytes,
    figures: Table,
    stops: Table,
) -> bool:
    """Whether a statement whose first piece is at `begin` reads to the end of its line.

    Fills `figures` of the line with the numbers in its fields, and `stops` with where each field begins and ends.
    """
    at = begin + bounds[statements[statement, OPENING] + 1] - bounds[statements[statement, OPENING]]
    first = statements[statement, FIRST_FIELD]
    for field in range(statements[statement, LAST_FIELD] - first):
        kind, behind = fields[first + field, KIND], fields[first + field, BEHIND]
        length = bounds[behind + 1] - bounds[behind]
        if kind in FIGURES:
            stop = figure_end(text, at, end, kind, separator)
            if length > 0:
                stop -= fields[first + field, STOP]
                if stop < at or not is_piece(text, stop, end, behind, pieces, bounds):
                    return False
            elif stop < end and stop > at and text[stop] == SPACE and text[stop - 1] == COMMA:
                # a comma may group digits, but this one is in front of further fields
                stop -= 1
            number = figure(text, at, stop, kind, separator)
            if number == NOT_PLAIN:
                return False
            figures[line, field] = number
        else:
            is_last = first + field + 1 == statements[statement, LAST_FIELD]
            if is_last and length > 0 and not statements[statement, MAY_CONTINUE]:
                # what ends the text ends the line, wherever else it stands
                stop = end - length
                if stop < at or not is_piece(text, stop, end, behind, pieces, bounds):
                    return False
            else:
                stop = find_piece(text, at, end, behind, pieces, bounds) if length > 0 else end
            if stop == NONE or (kind in (NAME, QUOTED) and stop == at):
                return False
            if kind == NAME and next_of(text, at, stop, OPEN, CLOSED) < stop:
                return False
        stops[field, 0], stops[field, 1] = at, stop
        at = stop + length
    if at == end:
        return True
    further = statements[statement, MAY_CONTINUE] and at + 2 < end and text[at] == COMMA and text[at + 1] == SPACE
    return bool(further) and FIRST_CAPITAL <= text[at + 2] <= LAST_CAPITAL


@compiled
def read_marked_lines(
    text: Bytes, marked: Table, patterns: Patterns, are_text: bool, lines: Lines, stops: Table, sought: Table
) -> int:
    """Read the lines that are as they should be, and return how many distinct texts are in their fields.

    Without `are_text`, bytes that are not ASCII may be no text, and their lines are not read. `stops` has room for
    where each field of a line begins and ends, and `sought` for each piece, by SOUGHT, with NONE for all lines.
    """
    # arrays by themselves are reached faster than within others
    pieces, bounds, statements, separator = patterns.text, patterns.bounds, patterns.statements, patterns.separator
    fields = patterns.fields
    chosen, times, is_local = lines.statements, lines.times, lines.is_local
    figures, spelled = lines.figures, lines.spelled
    words, letters, table = lines.words, lines.letters, lines.table
    count = 0
    for line in range(marked.shape[1]):
        begin, mark, end, which = marked[BEGIN, line], marked[AT, line], marked[END, line], marked[WHICH, line]
        chosen[line] = NONE
        if end - begin > LONGEST_LINE:
            continue
        if not are_text and not is_ascii(text, begin, end):
            continue
        time, zoned = moment(text, begin)
        if time == NONE:
            continue
        times[line], is_local[line] = time, not zoned
        stop = end
        while stop > begin and byte(text, stop - 1) in (SPACE, TAB, RETURN):
            stop -= 1
        if not SPACE < byte(text, stop - 1) <= LAST_SHOWN:
            # only the careful reader knows all blanks that may end a line
            continue
        for n in range(len(statements)):
            if statements[n, MARK] != which:
                continue
            opening, start = statements[n, OPENING], mark - statements[n, MARK_WITHIN]
            if statements[n, MARK_WITHIN] == NONE:
                start = first_met(text, begin, stop, opening, pieces, bounds, line, sought)
            if not (
                statements[n, IS_PLAIN]
                and start >= begin
                and is_piece(text, start, stop, opening, pieces, bounds)
                and read_fields(
                    text, start, stop, n, line, statements, fields, pieces, bounds, separator, figures, stops
                )
            ):
                if may_read(text, begin, stop, statements[n], patterns, line, sought):
                    break
                continue
            if statements[n, SUBJECT] != NONE:
                about = last_piece(text, begin, start, statements[n, SUBJECT], pieces, bounds)
                if about == NONE:
                    continue
                met = word(text, about, start, table, words, letters, count)
                spelled[line, -1] = met
                count = max(count, met + 1)
            first = statements[n, FIRST_FIELD]
            for field in range(statements[n, LAST_FIELD] - first):
                if fields[first + field, CARRIED] and fields[first + field, KIND] not in FIGURES:
                    met = word(text, stops[field, 0], stops[field, 1], table, words, letters, count)
                    spelled[line, field] = met
                    count = max(count, met + 1)
            chosen[line] = n
            break
    return count
