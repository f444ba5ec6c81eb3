"""Reads the log of a broker: none of its lines is dropped silently."""

from collections.abc import Iterator
from pathlib import Path

from headgate.pipeline.ingest.careful import CarefulReader
from headgate.pipeline.ingest.forms import LOG_FORMS
from headgate.pipeline.ingest.inputs import Input
from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.rows import Row, count_row, event_row, lines_in, quarantine_row


def read_log(log: Input) -> Iterator[Row]:
    """Rows of events and of lines put aside, in the order of the lines, and the counts at the end."""
    reader = CarefulReader(LOG_FORMS[log.form])
    ignored = 0
    # bytes that are not UTF-8 come through as lone surrogates, for a line about something else may hold any
    with Path(log.path).open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            said = reader.read(line, log.name, number)
            if said is None:
                ignored += 1
            elif (text := _readable(line)) != line:
                yield quarantine_row(log.name, number, Unparsed("expected UTF-8 text"), text.rstrip())
            elif isinstance(said, Unparsed):
                yield quarantine_row(log.name, number, said, line.rstrip())
            else:
                yield event_row(log.name, number, said)
    yield count_row(log.name, lines_in(log.path), ignored)


def _readable(line: str) -> str:
    """The line with every byte that is not UTF-8 shown as an escape."""
    return line.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
