"""The fast reader of a log: the same as the careful one, over all lines of a block at once.

It looks for marks in the whole block, and reads by columns the lines that are just as their statement says. A line
that is not, in whatever respect, goes to the careful reader. So there is one definition of what a line is.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from headgate.model.message_text import CONTINUATION
from headgate.pipeline.ingest.careful import NO_LIMIT, figure_named, subject_of
from headgate.pipeline.ingest.line_form import SHAPES, LineForm, Unparsed
from headgate.pipeline.ingest.log_form import LogForm, Statement, Subject
from headgate.pipeline.ingest.stamps import Flags, Numbers

NO_FIELD = ""
BLANK = r"[ \t\r]*$"
NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:/$-")
"""What a plain name may consist of, and a plain number but for its separator."""
MOST_SUBJECTS = 1 << 16
"""Subjects that are remembered, since most lines are about few."""
FURTHER = ", "
"""What stands in front of further fields, and in no plain one."""
LEADING_BITS, WITHIN_CHARACTER = 0xC0, 0x80
"""By these bits the bytes of a character of UTF-8 are known that are not its first."""
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Marks:
    """Where marks were found in a text: the line of each, and where it stands; both rise."""

    lines: Numbers
    at: Numbers

    def rows(self, rows: Numbers) -> "Marks":
        """Some of them."""
        return Marks(self.lines[rows], self.at[rows])


def marks_in(text: bytes, ends: Numbers, marks: Sequence[str]) -> Marks:
    """Every mark in an ASCII or UTF-8 text whose lines end here."""
    whole = _slices(text, np.array([0, len(text)], np.int64))
    found = whole.str.find_many(list(marks), leftmost=True).explode().drop_nulls()
    at = found.to_numpy().astype(np.int64)
    return Marks(np.searchsorted(ends, at), at)


def _slices(text: bytes, bounds: Numbers) -> pl.Series:
    """The texts between neighbouring bounds, none of them copied."""
    buffers = (pa.py_buffer(bounds), pa.py_buffer(text))
    series = pl.from_arrow(pa.LargeStringArray.from_buffers(len(bounds) - 1, *buffers))
    assert isinstance(series, pl.Series)
    return series


@dataclass(frozen=True)
class Read:
    """The fields of events that were read by columns, and which of the rows asked for these are."""

    rows: Numbers
    columns: Mapping[str, pl.Series]


class FastStatement:
    """A statement as columns read it. `earlier` are those of the same mark that are tried before it."""

    def __init__(self, statement: Statement, earlier: Sequence[Statement], separator: str):
        self.statement = statement
        self._separator = separator
        self._whole = _plain_pattern(statement.text, separator)
        self._not = [_loose_pattern(each.text) for each in earlier]
        self._mark_in_text = statement.text.opening.find(statement.mark)

    @property
    def is_fast(self) -> bool:
        """Whether columns read the statement as the careful reader does.

        The mark must be in the first literal piece, which then is where the mark is. And every other piece must hold
        something that is in no plain field: so its first occurrence behind a field is where the field ends.
        """
        separating = self.statement.text.literals[1:]
        if separating and not separating[-1]:
            separating = separating[:-1]
        in_fields = NAME_CHARACTERS | {self._separator}
        return self._mark_in_text >= 0 and all(set(literal) - in_fields for literal in separating)

    def read(self, text: bytes, starts: Numbers, marks: Numbers, ends: Numbers) -> Read | None:
        """The fields of the lines, of which this is the first mark, that are as they should be; None if none are."""
        begins = self._begins(text, starts, marks)
        bounds = np.empty(3 * len(starts) + 1, np.int64)
        # in front of the text, the text, and what lies between this line and the next one
        bounds[0:-1:3], bounds[1:-1:3], bounds[2:-1:3], bounds[-1] = starts, begins, ends, len(text)
        pieces = _slices(text, bounds)
        heads, tails = pieces.gather_every(3, 0), pieces.gather_every(3, 1)
        fits = tails.str.contains(self._whole).to_numpy()
        for pattern in self._not:
            fits &= ~tails.str.contains(pattern).to_numpy()
        rows = np.flatnonzero(fits)
        if not len(rows):
            return None
        return self._carried(rows, _at(heads, rows), self._fields(_at(tails, rows)))

    def _begins(self, text: bytes, starts: Numbers, marks: Numbers) -> Numbers:
        """Where the text begins that has the mark here; at the mark itself where that is in no text of this form."""
        begins = marks - self._mark_in_text
        begins = np.where(begins < starts, marks, begins)
        # a piece of a text may not begin within a character
        within = np.frombuffer(text, np.uint8)[begins] & LEADING_BITS == WITHIN_CHARACTER
        return np.where(within, marks, begins)

    def _fields(self, tails: pl.Series) -> dict[str, pl.Series]:
        form = self.statement.text
        rest = tails.str.strip_chars_end(" \t\r").str.slice(len(form.opening))
        fields = {}
        for name, literal in zip(form.types, form.literals[1:], strict=True):
            parted = rest.str.splitn(literal or FURTHER, 2).struct
            fields[name] = self._valued(parted.field("field_0"), form.types[name])
            rest = parted.field("field_1")
        return fields

    def _valued(self, values: pl.Series, kind: str) -> pl.Series:
        if not SHAPES[kind].number:
            return values
        return values.str.replace_all(self._separator, "", literal=True).cast(pl.Int64)

    def _carried(self, rows: Numbers, heads: pl.Series, fields: dict[str, pl.Series]) -> Read:
        statement = self.statement
        if statement.subject is not None:
            known, about = _subjects(statement.subject, heads)
            rows, fields = rows[known], {name: _at(column, np.flatnonzero(known)) for name, column in fields.items()}
            fields |= about
        # a statement may have no field at all, and yet be made by many lines
        frame = pl.DataFrame({**fields, NO_FIELD: np.zeros(len(rows), np.int8)})
        carried = frame.with_columns(
            *(_template(template).alias(name) for name, template in statement.carries.items()),
            kind=pl.lit(str(statement.kind)),
            cause=self._cause(),
        )
        return Read(rows, {name: carried[name] for name in (*statement.carries, "kind", "cause")})

    def _cause(self) -> pl.Expr:
        said = pl.lit(self.statement.cause or self.statement.mark)
        for each in reversed(self.statement.causes):
            level, limit = pl.col(each.level), pl.col(each.limit)
            said = pl.when((limit != NO_LIMIT) & (level >= limit)).then(pl.lit(each.cause)).otherwise(said)
        return said


def fast_statements(form: LogForm, separator: str) -> list[FastStatement]:
    """The statements of a form that columns can read."""
    statements = []
    for n, each in enumerate(form.statements):
        earlier = [other for other in form.statements[:n] if other.mark == each.mark]
        statements.append(FastStatement(each, earlier, separator))
    return [each for each in statements if each.is_fast]


def _at(series: pl.Series, rows: Numbers) -> pl.Series:
    return series.gather(rows) if len(rows) < len(series) else series


def _template(template: str) -> pl.Expr:
    figure = figure_named(template)
    if figure:
        return pl.col(figure)
    pieces = re.split(r"\{(\w+)\}", template)
    return pl.concat_str([pl.col(piece) if n % 2 else pl.lit(piece) for n, piece in enumerate(pieces) if piece])


_remembered = lru_cache(MOST_SUBJECTS)(subject_of)


def _subjects(subject: Subject, heads: pl.Series) -> tuple[Flags, dict[str, pl.Series]]:
    """Which heads end with the subject, and its fields for those; each distinct one is read with care, once."""
    texts = heads.str.split(subject.opening).list.last()
    distinct = texts.unique(maintain_order=True)
    read = [_remembered(subject, subject.opening + each) for each in distinct]
    which = texts.replace_strict(distinct, pl.Series(range(len(distinct)), dtype=pl.Int64), return_dtype=pl.Int64)
    known = np.array([not isinstance(each, Unparsed) for each in read], np.bool_)[which.to_numpy()]
    # a head without the opening has one part only, which is all of it
    known &= heads.str.contains(subject.opening, literal=True).to_numpy()
    rows = which.filter(pl.Series(known))
    fields = {}
    for name in re.compile(subject.pattern).groupindex:
        values = [None if isinstance(each, Unparsed) else each[name] for each in read]
        fields[name] = pl.Series(values, dtype=pl.String).gather(rows)
    return known, fields


def _plain_pattern(form: LineForm, separator: str) -> str:
    pattern = "^" + re.escape(form.opening)
    for kind, literal in zip(form.types.values(), form.literals[1:], strict=True):
        plain = SHAPES[kind].plain.replace("{separator}", re.escape(separator))
        pattern += f"(?:{plain}){re.escape(literal)}"
    return pattern + (CONTINUATION if form.may_continue else "") + BLANK


def _loose_pattern(form: LineForm) -> str:
    """A pattern that matches whatever the form may, and perhaps more."""
    return r"(?s)" + ".*".join(map(re.escape, form.literals))
