"""The careful reader of a log: line by line, it defines what each line is. The fast one agrees with it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo
from functools import lru_cache

from headgate.model.message_text import Field
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.log_form import TRACE_LINE, LogForm, Statement, Subject
from headgate.record.events import Event

NO_LIMIT = -1


@dataclass
class CarefulReader:
    """Reads the lines of one log in their order; remembers only the first line of the record that it is in.

    `zone` is that of times that name none. `separator` is what figures must be grouped by, if anything.
    """

    form: LogForm
    zone: tzinfo = UTC
    separator: str | None = None
    _first: str = ""

    def read(self, line: str, source: str, seq: int) -> Event | Unparsed | None:
        """The event that a line makes, or why it is put aside; None where it is about something else."""
        begins = self.form.begins.match(line) is not None
        if begins:
            self._first = line
        mark = mark_in(self.form, line)
        if mark is None or (not begins and TRACE_LINE.match(line)):
            return None
        time = self.form.time(self._first if self.form.below_first else line, self.zone)
        if isinstance(time, Unparsed):
            return time
        problems = []
        for statement in self.form.statements:
            if statement.mark == mark:
                fields = fields_of(statement, line, self.separator)
                if not isinstance(fields, Unparsed):
                    return _event(statement, fields, source, seq, time)
                problems.append(fields)
        # one that names a field came further than one that does not
        return next((problem for problem in problems if problem.field), problems[0])


def read_line(form: LogForm, line: str, source: str, seq: int) -> Event | Unparsed | None:
    """What a line by itself is, in a log whose times are in UTC."""
    return CarefulReader(form).read(line, source, seq)


def mark_in(form: LogForm, line: str) -> str | None:
    """The first mark in a line."""
    found = _any_mark(form.marks).search(line)
    return found and found[0]


@lru_cache
def _any_mark(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(marks, key=len, reverse=True))))


def fields_of(statement: Statement, line: str, separator: str | None = None) -> Mapping[str, Field] | Unparsed:
    """The fields of a line's text and of its subject."""
    start = line.find(statement.text.opening)
    if start < 0:
        return Unparsed(f"expected {statement.text.text!r}")
    fields = statement.text.parse(line[start:], separator)
    if isinstance(fields, Unparsed) or statement.subject is None:
        return fields
    about = _about(statement.subject, line[:start])
    return about if isinstance(about, Unparsed) else {**about, **fields}


def _about(subject: Subject, head: str) -> Mapping[str, Field] | Unparsed:
    start = head.rfind(subject.opening)
    found = re.fullmatch(subject.pattern, head[start:].rstrip()) if start >= 0 else None
    return Unparsed(subject.expected, subject.field) if found is None else found.groupdict()


def _event(statement: Statement, fields: Mapping[str, Field], source: str, seq: int, time: int) -> Event:
    carried = {name: _filled(template, fields) for name, template in statement.carries.items()}
    return Event(source=source, seq=seq, time=time, kind=statement.kind, cause=_cause(statement, fields), **carried)  # type: ignore[arg-type]


def _filled(template: str, fields: Mapping[str, Field]) -> Field:
    if template[1:-1] in fields:
        return fields[template[1:-1]]
    return template.format_map(fields)


def _cause(statement: Statement, fields: Mapping[str, Field]) -> str:
    for each in statement.causes:
        level, limit = fields[each.level], fields[each.limit]
        assert isinstance(level, int)
        assert isinstance(limit, int)
        if limit != NO_LIMIT and level >= limit:
            return each.cause
    return statement.cause or statement.mark
