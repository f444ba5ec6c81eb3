"""Columns of events from lines that were read fast: lines are looked at as numbers, and each distinct text once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from tidegate.pipeline.ingest.careful import figure_named, subject_of
from tidegate.pipeline.ingest.line_form import Unparsed
from tidegate.pipeline.ingest.log_form import LogForm, Statement, Subject
from tidegate.pipeline.ingest.loops.columns import ALWAYS, BY_FIELD, BY_SUBJECT, NOT, PLAN, WAY, fill, meet
from tidegate.pipeline.ingest.loops.patterns import FIELD_NAMED, NONE, Flags, Numbers, Table, fields_carried
from tidegate.pipeline.ingest.loops.statements import Lines
from tidegate.pipeline.ingest.loops.words import PAIR, distinct_pairs, free_table
from tidegate.pipeline.schema import is_number

MOST_SUBJECTS = 1 << 16
"""Subjects that are remembered, since most lines are about few."""
NO_NUMBERS = np.empty(0, np.int64)
Rows = Numbers | slice
"""Rows of a table, by their numbers or one behind the other."""


class _Words(dict[str | None, int]):
    """Texts by their numbers, and None by its own; a new one has the next number as soon as it is asked for."""

    def __missing__(self, text: str | None) -> int:
        self[text] = number = len(self)
        return number

    def numbers(self, texts: Iterable[str | None]) -> Numbers:
        """The numbers of texts."""
        return np.fromiter(map(self.__getitem__, texts), np.int64)


class _About:
    """What lines are about, by the number of the text in which that stands; each text is read with care, once."""

    def __init__(self, subject: Subject, words: _Words):
        self._subject, self._words, self._texts = subject, words, list(words)
        self._is_read = np.zeros(len(self._texts), np.bool_)
        self.known = np.zeros(len(self._texts), np.bool_)
        """Whether the subject stands in a text."""
        self.fields = {name: np.full(len(self._texts), NONE, np.int64) for name in subject.form.groupindex}

    def read(self, texts: Flags) -> None:
        """Read those of the texts that are not yet."""
        numbers = np.flatnonzero(texts & ~self._is_read)
        self._is_read |= texts
        read = [_remembered(self._subject, self._texts[number]) for number in numbers.tolist()]
        known = numbers[[each is not None for each in read]]
        self.known[known] = True
        found = zip(*(each for each in read if each is not None), strict=True)
        for of_field, values in zip(self.fields.values(), found, strict=False):
            of_field[known] = self._words.numbers(values)


class _Columns:
    """Columns of one kind, and how each is filled: by statement, or for lines by themselves."""

    def __init__(self, names: Sequence[str], statements: int, kind: type[np.integer[Any]]):
        self._names, self._kind = names, kind
        self._plans = np.full((len(names), statements, len(PLAN)), NOT, np.int64)
        self._of_subjects: list[Numbers] = []
        self._by_line: list[tuple[int, Numbers, Numbers]] = []

    def always(self, name: str, statement: int, number: int) -> None:
        """With a number."""
        self._plans[self._names.index(name), statement] = ALWAYS, number

    def by_field(self, name: str, statement: int, place: int) -> None:
        """With the number of the field in this place."""
        self._plans[self._names.index(name), statement] = BY_FIELD, place

    def by_subject(self, name: str, statement: int, of_texts: Numbers) -> None:
        """With what belongs to the text that says what a line is about."""
        self._plans[self._names.index(name), statement] = BY_SUBJECT, len(self._of_subjects)
        self._of_subjects.append(of_texts)

    def by_line(self, name: str, statement: int, rows: Numbers, numbers: Numbers) -> None:
        """With a number for each of its lines."""
        self._plans[self._names.index(name), statement] = ALWAYS, 0
        self._by_line.append((self._names.index(name), rows, numbers))

    def filled(self, lines: Lines, held: Table) -> Iterator[tuple[str, Numbers, Flags]]:
        """Each column: its name, its numbers, and which statements fill it; 0 is in it for the others."""
        columns = np.empty((len(self._names), len(lines.statements)), self._kind)
        # two dimensions, even where nothing is told by subjects
        of_subjects = np.array(self._of_subjects or [NO_NUMBERS])
        fill(lines.statements, held, lines.spelled, self._plans, of_subjects, columns)
        for column, rows, numbers in self._by_line:
            columns[column, rows] = numbers
        yield from zip(self._names, columns, self._plans[:, :, WAY] != NOT, strict=True)


class EventColumns:
    """Makes columns of events from lines that were read: figures, and the numbers of texts."""

    def __init__(self, form: LogForm, lines: Lines, texts: Iterable[str]):
        self._form, self._lines = form, lines
        self._words = _Words((text, number) for number, text in enumerate(texts))
        self._met = np.zeros((len(form.statements), len(self._words)), np.bool_)
        subjects = {each.subject for each in form.statements if each.subject}
        self._about: dict[Subject | None, _About] = {each: _About(each, self._words) for each in subjects}

    def read(self) -> tuple[Rows, dict[str, pl.Series]]:
        """Which lines are read, their subject included, and the fields of their events."""
        self._read_subjects()
        statements = self._lines.statements
        # one more than their numbers, so that NONE is counted as well
        counts = np.bincount(statements - NONE, minlength=len(self._met) - NONE).tolist()
        found = [(n, each) for n, each in enumerate(self._form.statements) if counts[n - NONE]]
        names = sorted({"kind", "cause", *(name for _, statement in found for name in statement.carries)})
        texts = _Columns([name for name in names if not is_number(name)], len(self._met), np.uint32)
        figures = _Columns([name for name in names if is_number(name)], len(self._met), np.int64)
        for number, statement in found:
            self._plan(number, statement, texts, figures)
        rows = np.flatnonzero(statements != NONE) if counts[0] else slice(None)
        columns = {"time": pl.Series(self._lines.times[rows])}
        words = pl.Series(list(self._words), dtype=pl.Categorical)
        for name, numbers, fill_it in texts.filled(self._lines, self._lines.spelled):
            columns[name] = _where(fill_it[statements[rows]], words.gather(pl.Series(numbers[rows])))
        for name, values, fill_it in figures.filled(self._lines, self._lines.figures):
            columns[name] = _where(fill_it[statements[rows]], pl.Series(values[rows]))
        return rows, columns

    def _read_subjects(self) -> None:
        """Read what lines are about, and leave those of which that is not known."""
        statements, spelled = self._lines.statements, self._lines.spelled
        have_subject = np.array([each.subject is not None for each in self._form.statements])
        meet(statements, spelled, have_subject, self._met)
        for number in np.flatnonzero(have_subject).tolist():
            about = self._about[self._form.statements[number].subject]
            about.read(self._met[number])
            if (self._met[number] & ~about.known).any():
                self._met[number] &= about.known
                rows = self._rows(number)
                statements[rows[~about.known[spelled[rows, -1]]]] = NONE

    def _rows(self, number: int) -> Numbers:
        """The lines of a statement."""
        return np.flatnonzero(self._lines.statements == number)

    def _plan(self, number: int, statement: Statement, texts: _Columns, figures: _Columns) -> None:
        """Say how the lines of a statement fill columns."""
        texts.always("kind", number, self._words[statement.kind])
        texts.always("cause", number, self._words[statement.cause or statement.mark])
        places = {name: place for place, name in enumerate(statement.text.types) if name in fields_carried(statement)}
        if statement.causes:
            rows = self._rows(number)
            texts.by_line("cause", number, rows, self._causes(statement, rows, places))
        for name, template in statement.carries.items():
            columns, named = figures if is_number(name) else texts, FIELD_NAMED.findall(template)
            if figure_named(template) in places:
                columns.by_field(name, number, places[named[0]])
            elif not named:
                columns.always(name, number, self._words[template])
            elif places.keys().isdisjoint(named):
                columns.by_subject(name, number, self._of_texts(number, statement, template, named))
            else:
                rows = self._rows(number)
                fields = {each: self._field(statement, each, places, rows) for each in named}
                columns.by_line(name, number, rows, self._made(template, fields, len(rows)))

    def _of_texts(self, number: int, statement: Statement, template: str, named: Iterable[str]) -> Numbers:
        """What a template is for each text that says what a line of the statement is about; made once for each."""
        met, about = np.flatnonzero(self._met[number]), self._about[statement.subject]
        of_texts = np.full(self._met.shape[1], NONE, np.int64)
        of_texts[met] = self._made(template, {each: about.fields[each][met] for each in named}, len(met))
        return of_texts

    def _field(self, statement: Statement, name: str, places: Mapping[str, int], rows: Numbers) -> Numbers:
        """The texts of a field in lines of a statement, by their numbers."""
        spelled: Table = self._lines.spelled[rows]
        if name in places:
            return spelled[:, places[name]]
        return self._about[statement.subject].fields[name][spelled[:, -1]]

    def _causes(self, statement: Statement, rows: Numbers, places: Mapping[str, int]) -> Numbers:
        causes = np.full(len(rows), self._words[statement.cause or statement.mark])
        for each in reversed(statement.causes):
            level, limit = (self._lines.figures[rows, places[name]] for name in (each.level, each.limit))
            causes[np.frompyfunc(each.by, 2, 1)(limit, level).astype(bool)] = self._words[each.cause]
        return causes

    def _made(self, template: str, fields: Mapping[str, Numbers], count: int) -> Numbers:
        """The numbers of the texts that a template makes of fields in so many rows; each text is made once."""
        field = figure_named(template)
        if field:
            return fields[field]
        opening, *rest = FIELD_NAMED.split(template)
        numbers = np.full(count, self._words[opening])
        for name, literal in zip(rest[::2], rest[1::2], strict=True):
            which, pairs = np.empty(count, np.int64), np.empty((count, PAIR), np.int64)
            distinct = distinct_pairs(numbers, fields[name], free_table(count), pairs, which)
            texts = list(self._words)
            made = [texts[front] + texts[field] + literal for front, field in pairs[:distinct].tolist()]
            numbers = self._words.numbers(made)[which]
        return numbers


def _where(known: Flags, column: pl.Series) -> pl.Series:
    """The column, and null where it is not known."""
    return column if known.all() else pl.select(pl.when(pl.Series(known)).then(column)).to_series()


@lru_cache(MOST_SUBJECTS)
def _remembered(subject: Subject, text: str) -> tuple[str | None, ...] | None:
    """The fields of the subject that ends a text, in their order; None where it does not stand there."""
    read = subject_of(subject, text)
    return None if isinstance(read, Unparsed) else tuple(read.values())
