"""The fast reader of a log: the same as the careful one, over all lines of a block at once.

Compiled loops look for marks in the whole block, and read the lines that are just as their statement says. A line that
is not, in whatever respect, is left to the careful reader. So there is one definition of what a line is.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import lru_cache

import numpy as np
import polars as pl

from headgate.pipeline.ingest.careful import NO_LIMIT, CarefulReader, decoded, figure_named, subject_of
from headgate.pipeline.ingest.line_form import SEPARATORS, SHAPES, Unparsed
from headgate.pipeline.ingest.local_times import in_utc
from headgate.pipeline.ingest.log_form import LogForm, Statement, Subject
from headgate.pipeline.ingest.loops.marks import find_marked_lines
from headgate.pipeline.ingest.loops.patterns import (
    BEGIN,
    END,
    FIELD_NAMED,
    MARKED,
    NONE,
    NTH,
    USUAL_SEPARATOR,
    Flags,
    Numbers,
    Patterns,
    Table,
    fields_carried,
    patterns_of,
)
from headgate.pipeline.ingest.loops.statements import SOUGHT, Lines, are_ascii, read_marked_lines
from headgate.pipeline.ingest.loops.words import distinct_pairs
from headgate.pipeline.schema import LINE, OFFSET, is_number

GROUPS = re.compile(rf"(?<=\d)[{SEPARATORS}](?=\d{{3}}(?!\d))", re.ASCII)
FIRST_LINES = 20
"""Lines with a mark that are looked at for what groups figures in a block."""
MOST_SUBJECTS = 1 << 16
"""Subjects that are remembered, since most lines are about few."""
PAIR = 2


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
    lines, marked = _marked_lines(text, reader.form)
    rows, columns = _read(text, marked, reader, reader.separator or _likely_separator(text, marked))
    places = {LINE: marked[rows, NTH], OFFSET: marked[rows, BEGIN]}
    left = np.delete(marked, rows, axis=0)[:, [NTH, BEGIN, END]].tolist()
    return Read(lines, pl.DataFrame(places | columns), left)


def _likely_separator(text: bytes, marked: Table) -> str:
    """What groups figures in the first lines with a mark; a guess, on which only speed depends."""
    lines = (decoded(text[begin:end]) for begin, end in marked[:FIRST_LINES, [BEGIN, END]].tolist())
    seen = Counter(found for line in lines for found in GROUPS.findall(line))
    return seen.most_common(1)[0][0] if seen else USUAL_SEPARATOR


def _are_text(text: bytes, marked: Table) -> bool:
    """Whether all lines that have a mark are text: each where all of the text is UTF-8, and each that is ASCII."""
    if are_ascii(np.frombuffer(text, np.uint8), marked):
        return True
    try:
        return bool(text.decode())
    except UnicodeDecodeError:
        return False


def _marked_lines(text: bytes, form: LogForm) -> tuple[int, Table]:
    """How many lines of a text end, and the lines that have a mark of the form, by MARKED."""
    # room for lines of nothing but the shortest mark and their end; memory is taken only for those that are filled
    found = np.empty((len(text) // (len(form.marks[-1]) + 1) + 1, len(MARKED)), np.int64)
    count, lines = find_marked_lines(np.frombuffer(text, np.uint8), patterns_of(form, USUAL_SEPARATOR), found)
    return lines, found[:count]


def _read(text: bytes, marked: Table, reader: CarefulReader, separator: str) -> tuple[Numbers, dict[str, pl.Series]]:
    """Which lines that have a mark can be read, if figures are grouped by this, and the fields of their events."""
    lines = _room(reader.form, len(marked))
    patterns = patterns_of(reader.form, separator)
    stops, sought = np.empty((lines.figures.shape[1], PAIR), np.int64), _unsought(patterns)
    numbers, are_text = np.frombuffer(text, np.uint8), _are_text(text, marked)
    count = read_marked_lines(numbers, marked, patterns, are_text, lines, stops, sought)
    if reader.zone is not UTC:
        rows = np.flatnonzero((lines.statements != NONE) & lines.is_local)
        lines.times[rows], known = in_utc(lines.times[rows], reader.zone)
        lines.statements[rows[~known]] = NONE
    words = _Words(text[begin:end].decode() for begin, end in lines.words[:count].tolist())
    return _Events(reader.form, lines, words).read()


def _room(form: LogForm, count: int) -> Lines:
    fields = max(len(each.text.types) for each in form.statements)
    # the subject is a text as well
    texts = max(map(_texts_carried, form.statements)) + 1
    return Lines(
        np.empty(count, np.int64), np.empty(count, np.int64), np.empty(count, np.bool_),
        np.empty((count, fields), np.int64), np.empty((count, fields + 1), np.int64),
        np.empty((texts * count, PAIR), np.int64), _table(texts * count),
    )  # fmt: skip


def _unsought(patterns: Patterns) -> Table:
    return np.full((len(patterns.bounds) - 1, len(SOUGHT)), NONE, np.int64)


def _texts_carried(statement: Statement) -> int:
    carried = fields_carried(statement)
    return sum(name in carried and not SHAPES[kind].number for name, kind in statement.text.types.items())


def _table(most: int) -> Numbers:
    """A table of so many numbers, all of whose places are free; it is never more than half full."""
    return np.full(1 << (2 * most).bit_length(), NONE, np.int64)


class _Words:
    """Texts by their numbers. Those that lines hold have the numbers that the loops gave them."""

    def __init__(self, texts: Iterable[str]):
        self._numbers = {text: number for number, text in enumerate(texts)}

    def number(self, text: str) -> int:
        """The number of a text, a new one if it has none."""
        return self._numbers.setdefault(text, len(self._numbers))

    def numbers(self, texts: Iterable[str]) -> Numbers:
        """The numbers of texts."""
        known = self._numbers
        return np.array([known.setdefault(text, len(known)) for text in texts], np.int64)

    @property
    def texts(self) -> list[str]:
        """All of them by their numbers."""
        return list(self._numbers)

    def columns(self, numbers: Mapping[str, Numbers]) -> dict[str, pl.Series]:
        """Columns of texts by their numbers; null for NONE."""
        # NONE counts from the end, where null is
        texts = pl.Series([*self._numbers, None], dtype=pl.Categorical)
        return {name: texts.gather(each) for name, each in numbers.items()}


class _Events:
    """Makes columns of events from lines that were read: figures, and the numbers of texts."""

    def __init__(self, form: LogForm, lines: Lines, words: _Words):
        self._form, self._lines, self._words = form, lines, words
        self._texts: dict[str, Numbers] = {}
        self._figures: dict[str, Numbers] = {}
        self._has_figure: dict[str, Flags] = {}

    def read(self) -> tuple[Numbers, dict[str, pl.Series]]:
        """Which lines are read, their subject included, and the fields of their events."""
        for number, statement in enumerate(self._form.statements):
            rows = np.flatnonzero(self._lines.statements == number)
            if len(rows):
                self._carry(statement, rows)
        rows = np.flatnonzero(self._lines.statements != NONE)
        texts = self._words.columns({name: numbers[rows] for name, numbers in self._texts.items()})
        figures = {
            name: _nullable(values[rows], self._has_figure[name][rows]) for name, values in self._figures.items()
        }
        return rows, {"time": pl.Series(self._lines.times[rows]), **texts, **figures}

    def _carry(self, statement: Statement, rows: Numbers) -> None:
        about: dict[str, Numbers] = {}
        if statement.subject is not None:
            known, about = self._about(statement.subject, self._lines.spelled[rows, -1])
            self._lines.statements[rows[~known]] = NONE
            rows, about = rows[known], {name: numbers[known] for name, numbers in about.items()}
            if not len(rows):
                return
        carried = fields_carried(statement)
        fields = about | {
            name: (self._lines.figures if SHAPES[kind].number else self._lines.spelled)[rows, place]
            for place, (name, kind) in enumerate(statement.text.types.items())
            if name in carried
        }
        cause = np.full(len(rows), self._words.number(statement.cause or statement.mark))
        for each in reversed(statement.causes):
            level, limit = fields[each.level], fields[each.limit]
            cause[(limit != NO_LIMIT) & (level >= limit)] = self._words.number(each.cause)
        self._put("kind", rows, self._words.number(statement.kind))
        self._put("cause", rows, cause)
        for name, template in statement.carries.items():
            field = figure_named(template)
            self._put(name, rows, fields[field] if field else self._filled(template, fields, len(rows)))

    def _put(self, name: str, rows: Numbers, values: Numbers | int) -> None:
        count = len(self._lines.statements)
        columns = self._figures if is_number(name) else self._texts
        if name not in columns:
            columns[name] = np.full(count, NONE, np.int64)
        columns[name][rows] = values
        if is_number(name):
            self._has_figure.setdefault(name, np.zeros(count, np.bool_))[rows] = True

    def _about(self, subject: Subject, texts: Numbers) -> tuple[Flags, dict[str, Numbers]]:
        """In which texts the subject stands, and its fields; each distinct text is read with care, once."""
        all_texts = self._words.texts
        met = np.zeros(len(all_texts), np.bool_)
        met[texts] = True
        place = (np.cumsum(met) - 1)[texts]
        read = [_remembered(subject, all_texts[number]) for number in np.flatnonzero(met).tolist()]
        known = np.array([not isinstance(each, Unparsed) for each in read])
        fields = {}
        for name in subject.form.groupindex:
            of_subject = np.full(len(read), NONE)
            of_subject[known] = self._words.numbers(each[name] for each in read if not isinstance(each, Unparsed))
            fields[name] = of_subject[place]
        return known[place], fields

    def _filled(self, template: str, fields: Mapping[str, Numbers], count: int) -> Numbers:
        """The numbers of what the template is with the fields in it; each distinct text is made once."""
        opening, *rest = FIELD_NAMED.split(template)
        numbers = np.full(count, self._words.number(opening))
        for name, literal in zip(rest[::2], rest[1::2], strict=True):
            which, pairs = np.empty(count, np.int64), np.empty((count, PAIR), np.int64)
            distinct = distinct_pairs(numbers, fields[name], _table(count), pairs, which)
            texts = self._words.texts
            made = [texts[front] + texts[field] + literal for front, field in pairs[:distinct].tolist()]
            numbers = self._words.numbers(made)[which]
        return numbers


def _nullable(values: Numbers, known: Flags) -> pl.Series:
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values))).to_series()


_remembered = lru_cache(MOST_SUBJECTS)(subject_of)
