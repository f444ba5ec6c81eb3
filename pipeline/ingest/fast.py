"""The fast reader of a log: the same as the careful one, over all lines of a block at once.

Compiled loops look for marks in the whole block, and read the lines that are just as their statement says. A line that
is not, in whatever respect, is left to the careful reader. So there is one definition of what a line is.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC

import numpy as np
import polars as pl

from tidegate.pipeline.ingest.careful import CarefulReader, decoded
from tidegate.pipeline.ingest.columns import EventColumns, Rows
from tidegate.pipeline.ingest.line_form import SEPARATORS, SHAPES
from tidegate.pipeline.ingest.local_times import in_utc
from tidegate.pipeline.ingest.log_form import LogForm, Statement
from tidegate.pipeline.ingest.loops.marks import find_marked_lines
from tidegate.pipeline.ingest.loops.patterns import (
    BEGIN,
    END,
    MARKED,
    NONE,
    NTH,
    USUAL_SEPARATOR,
    Patterns,
    Table,
    fields_carried,
    patterns_of,
)
from tidegate.pipeline.ingest.loops.statements import SOUGHT, Lines, read_marked_lines
from tidegate.pipeline.ingest.loops.words import PAIR, free_table
from tidegate.pipeline.schema import LINE, OFFSET

GROUPS = re.compile(rf"(?<=\d)[{SEPARATORS}](?=\d{{3}}(?!\d))", re.ASCII)
FIRST_LINES = 20
"""Lines with a mark that are looked at for what groups figures in a block."""


@dataclass(frozen=True, eq=False)
class Read:
    """What was read of a text: how many of its lines end, its events, and the other lines that have a mark.

    Beside fields of an event the columns are LINE, the number of the line from 0, and OFFSET, the byte of the text at
    which it begins. A line that is left is its number, where it begins, and where it ends.
    """

    lines: int
    columns: pl.DataFrame
    left: Sequence[Sequence[int]]


def read_lines(text: bytes, reader: CarefulReader) -> Read:
    """What can be read of a text without care."""
    lines, marked, are_text = _marked_lines(text, reader.form)
    rows, columns = _read(text, marked, are_text, reader, reader.separator or _likely_separator(text, marked))
    places = {LINE: marked[NTH][rows], OFFSET: marked[BEGIN][rows]}
    left = np.delete(marked, rows, axis=1)[[NTH, BEGIN, END]].T.tolist()
    return Read(lines, pl.DataFrame(places | columns), left)


def _likely_separator(text: bytes, marked: Table) -> str:
    """What groups figures in the first lines with a mark; a guess, on which only speed depends."""
    lines = (decoded(text[begin:end]) for begin, end in marked[[BEGIN, END], :FIRST_LINES].T.tolist())
    seen = Counter(found for line in lines for found in GROUPS.findall(line))
    return seen.most_common(1)[0][0] if seen else USUAL_SEPARATOR


def _marked_lines(text: bytes, form: LogForm) -> tuple[int, Table, bool]:
    """How many lines of a text end; the lines that have a mark of the form, by MARKED; and whether these are text.

    They are, each where all of the text is UTF-8, and each that is ASCII.
    """
    # room for lines of nothing but the shortest mark and their end; memory is taken only for those that are filled
    found = np.empty((len(MARKED), len(text) // (len(form.marks[-1]) + 1) + 1), np.int64)
    count, lines, are_ascii = find_marked_lines(
        np.frombuffer(text, np.uint8), patterns_of(form, USUAL_SEPARATOR), found
    )
    return lines, found[:, :count], are_ascii or _is_text(text)


def _is_text(text: bytes) -> bool:
    try:
        return bool(text.decode())
    except UnicodeDecodeError:
        return False


def _read(
    text: bytes, marked: Table, are_text: bool, reader: CarefulReader, separator: str
) -> tuple[Rows, dict[str, pl.Series]]:
    """Which lines that have a mark can be read, if figures are grouped by this, and the fields of their events."""
    lines = _room(reader.form, marked.shape[1], len(text))
    patterns = patterns_of(reader.form, separator)
    stops, sought = np.empty((lines.figures.shape[1], PAIR), np.int64), _unsought(patterns)
    count = read_marked_lines(np.frombuffer(text, np.uint8), marked, patterns, are_text, lines, stops, sought)
    if reader.zone is not UTC:
        rows = np.flatnonzero((lines.statements != NONE) & lines.is_local)
        lines.times[rows], known = in_utc(lines.times[rows], reader.zone)
        lines.statements[rows[~known]] = NONE
    letters = lines.letters[: lines.words[count - 1, 1] if count else 0].tobytes()
    texts = (letters[begin:end].decode() for begin, end in lines.words[:count].tolist())
    return EventColumns(reader.form, lines, texts).read()


def _room(form: LogForm, count: int, size: int) -> Lines:
    """Room for what is read of so many lines of a text of so many bytes; memory is taken only for what is filled."""
    fields = max(len(each.text.types) for each in form.statements)
    # the subject is a text as well
    texts = max(map(_texts_carried, form.statements)) + 1
    return Lines(
        np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.bool_),
        np.empty((count, fields), np.int64), np.empty((count, fields + 1), np.int64),
        np.empty((texts * count, PAIR), np.int64), np.empty(size, np.uint8), free_table(texts * count),
    )  # fmt: skip


def _unsought(patterns: Patterns) -> Table:
    return np.full((len(patterns.bounds) - 1, len(SOUGHT)), NONE, np.int64)


def _texts_carried(statement: Statement) -> int:
    carried = fields_carried(statement)
    return sum(name in carried and not SHAPES[kind].number for name, kind in statement.text.types.items())
