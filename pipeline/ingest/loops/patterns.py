"""A log form as arrays, which compiled loops look at: its marks, and how its statements read."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tidegate.pipeline.ingest.careful import figure_named
from tidegate.pipeline.ingest.line_form import SHAPES
from tidegate.pipeline.ingest.log_form import LogForm, Statement

Bytes = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Table = npt.NDArray[np.int64]
"""Rows and columns of numbers."""

NONE = -1
STATEMENT = MARK, OPENING, MARK_WITHIN, FIRST_FIELD, LAST_FIELD, SUBJECT, MAY_CONTINUE, IS_PLAIN = range(8)
"""The columns of a statement: the number of its mark; the piece that its text begins with, and where in that the mark
is, or NONE; its first field, and the one behind its last; the piece that its subject begins with, or NONE; whether more
fields may follow; whether a line of it is known by its bytes."""
FIELD = KIND, BEHIND, STOP, CARRIED = range(4)
"""The columns of a field: its kind; the piece behind it; how far into that piece is a byte that is in no such figure,
NONE where nothing is behind it, and for a text; whether the event carries it or depends on it."""
MARKED = NTH, BEGIN, AT, END, WHICH = range(5)
"""The rows of a table of lines with a mark, each a column: its number in the block from 0; where it begins, where its
first mark is, and where it ends; which mark that is."""
FIGURES = NUMBER, LIMIT, PLAIN, LEVEL = 0, 1, 2, 3
"""The kinds of fields that are figures. Read fast are those that surely fit a column."""
TEXTS = NAME, QUOTED, REST = 4, 5, 6
"""The kinds of fields that are texts."""
KIND_OF = {
    "number": NUMBER, "limit": LIMIT, "plain": PLAIN, "level": LEVEL, "name": NAME, "quoted": QUOTED, "rest": REST,
}  # fmt: skip
"""The kind of each type of field."""
FIELD_NAMED = re.compile(r"\{(\w+)\}")
"""A field of the line in a template of an event."""
USUAL_SEPARATOR = ","
DIGITS = b"0123456789"
SIGN = FIRST, SECOND, WITHIN = range(3)
"""By what a mark is looked for: two bytes of it, one behind the other, and how far they are behind its beginning."""
LETTERS = " etaoinsrhldcumfpgwybvkxjqz"
"""By how frequent they are in English; a guess, on which only speed depends. Other signs are taken for rarer."""


class Patterns(NamedTuple):
    """What the loops look for. A piece of literal text, such as a mark, is known by its number."""

    text: Bytes
    """All pieces, one behind the other."""
    bounds: Numbers
    """Where each piece begins in that, and where the last one ends."""
    marks: Numbers
    """The piece of each mark, the longest first."""
    signs: Table
    """Those of all marks, each once, by SIGN."""
    statements: Table
    """In the order in which they are tried, by STATEMENT."""
    fields: Table
    """Those of one statement follow each other, by FIELD."""
    separator: Bytes
    """What groups the digits of figures."""


@lru_cache(maxsize=64)
def patterns_of(form: LogForm, separator: str) -> Patterns:
    """The patterns of a form whose figures are grouped by this. ValueError for a mark of one byte."""
    pieces = _Pieces()
    marks = [pieces.number(mark) for mark in form.marks]
    statements: list[tuple[int, ...]] = []
    fields: list[tuple[int, ...]] = []
    for each in form.statements:
        first = len(fields)
        fields += _fields(each, pieces, separator)
        statements.append((
            form.marks.index(each.mark), pieces.number(each.text.opening),
            each.text.opening.encode().find(each.mark.encode()),
            first, len(fields), pieces.number(each.subject.opening) if each.subject else NONE,
            each.text.may_continue, is_plain(each, separator),
        ))  # fmt: skip
    return Patterns(
        np.frombuffer(b"".join(pieces.found), np.uint8),
        np.array([0, *accumulate(map(len, pieces.found))]),
        np.array(marks),
        np.array(sorted({_sign_of(mark.encode()) for mark in form.marks}), np.int64),
        np.array(statements, np.int64),
        np.array(fields, np.int64).reshape(-1, len(FIELD)),
        np.frombuffer(separator.encode(), np.uint8),
    )


def is_plain(statement: Statement, separator: str) -> bool:
    """Whether a line of the statement can be told by its bytes alone to read just as the careful reader reads it.

    That takes as little for each field as the rest of the line allows. So does one that takes each piece where it first
    stands behind the one before, if all of the line fits then. A piece behind a figure must hold a byte that is in no
    such figure: then where the figure ends is where the piece first stands. Only the last field may end with the line,
    a text only where no more fields may follow. And figures must be carried by themselves, not within a text.
    """
    kinds, pieces = tuple(statement.text.types.values()), statement.text.literals[1:]
    texts = [template for template in statement.carries.values() if not figure_named(template)]
    figures = {name for name, kind in statement.text.types.items() if SHAPES[kind].number}
    if figures.intersection(name for template in texts for name in FIELD_NAMED.findall(template)):
        return False
    if not all(pieces[:-1]):
        return False
    if statement.text.may_continue and kinds and not pieces[-1] and not SHAPES[kinds[-1]].number:
        return False
    return all(
        _stop(piece, kind, separator) != NONE
        for piece, kind in zip(pieces, kinds, strict=True)
        if piece and SHAPES[kind].number
    )


def fields_carried(statement: Statement) -> frozenset[str]:
    """The fields of a line that its event carries, or on which its cause depends."""
    templates = (name for template in statement.carries.values() for name in FIELD_NAMED.findall(template))
    return frozenset((*templates, *(name for each in statement.causes for name in (each.level, each.limit))))


def _sign_of(mark: bytes) -> tuple[int, int, int]:
    """The two bytes of a mark that are taken for the rarest. ValueError for a mark of one byte."""
    if len(mark) < 2:
        raise ValueError(f"expected marks of at least two bytes, not {mark.decode()!r}")
    within = max(range(len(mark) - 1), key=lambda at: _rarity(mark[at]) + _rarity(mark[at + 1]))
    return mark[within], mark[within + 1], within


def _rarity(byte: int) -> int:
    """How much rarer than others a byte is taken to be."""
    place = LETTERS.encode().find(byte)
    return place if place >= 0 else len(LETTERS)


class _Pieces:
    """Numbers texts, each distinct one once."""

    def __init__(self) -> None:
        self.found: list[bytes] = []

    def number(self, text: str) -> int:
        piece = text.encode()
        if piece not in self.found:
            self.found.append(piece)
        return self.found.index(piece)


def _fields(statement: Statement, pieces: _Pieces, separator: str) -> Iterator[tuple[int, ...]]:
    carried = fields_carried(statement)
    for (name, kind), behind in zip(statement.text.types.items(), statement.text.literals[1:], strict=True):
        yield KIND_OF[kind], pieces.number(behind), _stop(behind, kind, separator), name in carried


def _stop(piece: str, kind: str, separator: str) -> int:
    """The first byte of a piece that is in no figure of the type; NONE where there is none, and for a text."""
    if not SHAPES[kind].number:
        return NONE
    held = _bytes_of(KIND_OF[kind], separator)
    return next((at for at, byte in enumerate(piece.encode()) if byte not in held), NONE)


def _bytes_of(kind: int, separator: str) -> bytes:
    grouped = separator.encode() if kind in (NUMBER, LIMIT) else b""
    return DIGITS + grouped + (b"-" if kind in (LIMIT, LEVEL) else b"")
