"""The careful reader of a log defines how each line is read; the fast one agrees with it, and asks it in doubt."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import lru_cache

from tidegate.model.language.message_text import Field
from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.log_form import LOSSES, TRACE_LINE, LogForm, Statement, Subject
from tidegate.pipeline.lines.times import DATE_TIME
from tidegate.record.events import Event

LONGEST_LINE = 1 << 20
"""The most bytes of a line with a mark, which is held as a whole; a longer one is put aside."""
TOO_LONG = Unparsed(f"expected a line of at most {LONGEST_LINE:,} bytes")
LOST = Unparsed("expected all lines of the log; this line says that some were left out")
MERGED = Unparsed("expected one record on a line; behind this one another one begins")
ANOTHER_TIME = re.compile(DATE_TIME, re.ASCII)
"""A time behind a message, where another record may begin whose first line lacks its line feed."""
ESCAPE = "\x1b"
COLOUR = re.compile(rf"{ESCAPE}\[[0-9;:]*m")
"""The sign for a terminal that changes the colour of what follows."""


@dataclass(frozen=True)
class CarefulReader:
    """Reads the lines of one log, each by itself; `zone` is the zone of times without one."""

    form: LogForm
    zone: tzinfo = UTC

    def read(self, line: str, source: str, seq: int, first: str | None = None) -> Event | Unparsed | None:
        """The event that a line makes, or why the line is put aside; None for a line about something else.

        `first` is the first line of the record, where that is another line.
        """
        begins = self.form.begins.match(line) is not None
        mark = mark_in(self.form, line)
        if mark is None or (not begins and TRACE_LINE.match(line)):
            return None
        if len(line) > LONGEST_LINE:
            return TOO_LONG
        if not _is_text(line):
            return Unparsed("expected UTF-8 text")
        if any(each.mark == mark for each in LOSSES):
            return LOST if any(each.form.search(line) for each in LOSSES) else None
        time = self.form.time(line if first is None else first, self.zone)
        if isinstance(time, Unparsed):
            return time
        problems = []
        for statement in self.form.statements:
            if statement.mark == mark:
                fields = fields_of(statement, line)
                if not isinstance(fields, Unparsed):
                    if _is_merged(self.form, line, mark):
                        return MERGED
                    return _event(statement, fields, source, seq, time)
                if not statement.common:
                    problems.append(fields)
        if not problems:
            return None
        # a problem that names a field comes from a statement that fits further
        return next((problem for problem in problems if problem.field), problems[0])


def decoded(line: bytes) -> str:
    """A line as text without colours; bytes that are not UTF-8, which a line about something else may hold, are lone
    surrogates."""
    text = line.decode("utf-8", "surrogateescape")
    return COLOUR.sub("", text) if ESCAPE in text else text


def readable(line: str) -> str:
    """The line with every byte that is not UTF-8 shown as an escape."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def mark_in(form: LogForm, line: str) -> str | None:
    """The first mark in a line; None if it has no mark."""
    found = _any_mark(form.marks).search(line)
    return found and found[0]


def marked_lines(form: LogForm, text: bytes) -> Iterator[tuple[int, int, int]]:
    """The lines of a text that have a mark: the number of each from 0, its begin, and its end."""
    line = begin = 0
    for place in sorted(place for mark in form.marks for place in _places(text, mark.encode())):
        if place >= begin:
            first = text.rfind(b"\n", begin, place) + 1 or begin
            line += text.count(b"\n", begin, first)
            end = text.find(b"\n", place)
            end = len(text) if end < 0 else end
            yield line, first, end
            line, begin = line + 1, end + 1


def fields_of(statement: Statement, line: str) -> Mapping[str, Field] | Unparsed:
    """The fields of a line's text and of its subject."""
    start = line.find(statement.text.opening)
    if start < 0 or (statement.without and statement.without in line):
        return Unparsed(f"expected {statement.text.text!r}")
    fields = statement.text.parse(line[start:])
    if isinstance(fields, Unparsed) or statement.subject is None:
        return fields
    about = subject_of(statement.subject, line[:start])
    return about if isinstance(about, Unparsed) else {**about, **fields}


def subject_of(subject: Subject, head: str) -> Mapping[str, str] | Unparsed:
    """The fields of the subject at the end of `head`, the part of a line before its text."""
    start = head.rfind(subject.opening)
    found = subject.form.fullmatch(head[start:].rstrip()) if start >= 0 else None
    return Unparsed(subject.expected, subject.field) if found is None else found.groupdict()


@lru_cache
def figure_named(template: str) -> str | None:
    """The name of the only field that a template consists of; None for a template with further text."""
    name = template[1:-1]
    return name if template == f"{{{name}}}" and name.isidentifier() else None


@lru_cache
def _any_mark(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, marks)))


def _places(text: bytes, mark: bytes) -> Iterator[int]:
    """The positions of a mark; searching for each mark alone is far faster than one pattern for all."""
    place = text.find(mark)
    while place >= 0:
        yield place
        place = text.find(mark, place + len(mark))


def _is_merged(form: LogForm, line: str, mark: str) -> bool:
    """Whether another record with a mark begins behind the mark."""
    another = ANOTHER_TIME.search(line, line.index(mark) + len(mark))
    return another is not None and mark_in(form, line[another.end() :]) is not None


def _is_text(line: str) -> bool:
    return line.isascii() or readable(line) == line


def _event(statement: Statement, fields: Mapping[str, Field], source: str, seq: int, time: int) -> Event:
    carried = {name: _filled(template, fields) for name, template in statement.carries.items()}
    return Event(source=source, seq=seq, time=time, kind=statement.kind, cause=cause_of(statement, fields), **carried)  # type: ignore[arg-type]


def _filled(template: str, fields: Mapping[str, Field]) -> Field:
    name = figure_named(template)
    return fields[name] if name else template.format_map(fields)


def cause_of(statement: Statement, fields: Mapping[str, Field]) -> str:
    """The cause of the event that a line with these fields makes."""
    for each in statement.causes:
        level, limit = fields[each.level], fields[each.limit]
        assert isinstance(level, int)
        assert isinstance(limit, int)
        if each.by(limit, level):
            return each.cause
    return statement.cause or statement.mark
