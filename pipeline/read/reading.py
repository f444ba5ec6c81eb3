"""Cuts files into splits and reads each split by itself, each in a worker; traces as strictly as their own reader."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import polars as pl

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.findings.reports import Account
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.read.blocks import Damaged, lines_of, next_beginning, opened
from tidegate.pipeline.read.log import read_logs
from tidegate.pipeline.read.split import Input, Split, SplitsRead
from tidegate.pipeline.read.tables import NUMBER, event_table, quarantine_table
from tidegate.record.errors import BadInput
from tidegate.record.events import Event
from tidegate.record.trace import events_of

FIRST_EVENT = 2
"""The line of the first event, after the header."""
HEADER_AND_FOOTER = 2
BATCH = 10_000
"""The most events that are held as objects at once."""


def read_trace(split: Split) -> SplitsRead:
    """All events of a trace. Raises BadInput for its first fault, OSError where it cannot be read."""
    name = split.input.name
    with opened(place_of(split.input.path), split.input.packed) as (file, _):
        rising = _rising(events_of(lines_of(file), Path(name)))
        tables = [event_table(name, [])]
        try:
            while batch := list(islice(rising, BATCH)):
                tables.append(event_table(name, batch))
        except BadInput as error:
            raise BadInput(error.expected, file=name, line=error.line, field=error.field) from error
        except Damaged as error:
            raise BadInput("expected a whole packed file; this one is cut off or damaged", file=name) from error
    events, quarantined = (
        table.with_columns(pl.lit(0, pl.UInt32).alias(NUMBER)) for table in (pl.concat(tables), quarantine_table([]))
    )
    account = Account(events.height + HEADER_AND_FOOTER, events.height, HEADER_AND_FOOTER, 0)
    return SplitsRead(events, quarantined, (account,), (0,))


def _rising(events: Iterator[Event]) -> Iterator[tuple[int, Event]]:
    """The events with the numbers of their lines; BadInput where the numbers of a source do not rise."""
    last_seq: dict[str, int] = {}
    for line, event in enumerate(events, start=FIRST_EVENT):
        last = last_seq.get(event.source, 0)
        if event.seq <= last:
            raise BadInput(f"expected a number above {last}, the last one of {event.source!r}", line=line, field="seq")
        last_seq[event.source] = event.seq
        yield line, event


WORKERS = 4
"""A file is cut for this many workers or for half as many, so that each has equal work."""


def grows(file: Input) -> bool:
    """Whether lines may be appended to the file, and can be read apart from the lines before them."""
    return file.form != TRACE and not file.packed


def begins_record(file: Input, offset: int) -> bool:
    """Whether a record of the log begins at this byte, which is not the first."""
    with place_of(file.path).open("rb") as log:
        log.seek(offset - 1)
        if log.read(1) != b"\n":
            return False
        return LOG_FORMS[file.form].begins.match(decoded(log.readline())) is not None


def ranges(file: Input, start: int, size: int, most_bytes: int) -> tuple[tuple[int, int], ...]:
    """The ranges of bytes in which the file is read from `start`, where a record begins, up to its `size`.

    Ranges of a plain log are about equal, have at most about `most_bytes`, and go from one record to another. There is
    one, or a multiple of WORKERS as far as there are records. A packed file and a trace are one range.
    """
    return tuple(_ranges(file, start, size, most_bytes)) if grows(file) else ((start, size),)


def _ranges(file: Input, start: int, size: int, most_bytes: int) -> Iterator[tuple[int, int]]:
    begins = LOG_FORMS[file.form].begins
    first, count = start, _ceiling(size - start, most_bytes)
    if count > 1:
        count = _ceiling(count, WORKERS) * WORKERS
    for number in range(1, count):
        target = first + (size - first) * number // count
        if target > start:
            cut = next_beginning(place_of(file.path), target, min(target + most_bytes, size), begins)
            if cut is not None:
                yield start, cut
                start = cut
    yield start, size


def _ceiling(number: int, divisor: int) -> int:
    return -(-number // divisor)


def read_alike(split: Split) -> tuple[str, ...]:
    """The properties that splits must share to be read together; a trace shares them with no other file."""
    file = split.input
    return (file.form, file.zone, file.path if file.form == TRACE else "")


def read_splits(splits: Sequence[Split]) -> SplitsRead:
    """The events, lines put aside and accounts of splits that can be read together.

    Raises BadInput for a faulty trace, OSError where a file can no longer be read.
    """
    return read_trace(splits[0]) if splits[0].input.form == TRACE else read_logs(splits)
