"""Rows: what a file is read into, one for each event, one for each line put aside, one with its counts."""

from collections.abc import Iterable, Iterator
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]

from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.schema import EVENT_COLUMNS, FIELDS, INPUT, LINE, arrow_schema
from headgate.record.events import Event

QUARANTINE_COLUMNS = (INPUT, LINE, "field", "expected", "text")
"""Where a line stands that was put aside, which field is wrong, what was expected, and the line itself."""
COUNT_COLUMNS = ("lines", "ignored")
"""How many lines a file has, and how many of them are about something else."""
ROW_COLUMNS = (*EVENT_COLUMNS, *QUARANTINE_COLUMNS[2:], *COUNT_COLUMNS)
BATCH = 10_000
"""Rows that cross from Python to Spark at once."""

Row = tuple[Any, ...]
VALUES = attrgetter(*FIELDS)
NO_EVENT: Row = (None,) * len(FIELDS)
NOT_QUARANTINED: Row = (None, None, None)
NOT_COUNTED: Row = (None, None)


def event_row(name: str, line: int, event: Event) -> Row:
    """An event of the file `name`."""
    return (name, line, *VALUES(event), *NOT_QUARANTINED, *NOT_COUNTED)


def quarantine_row(name: str, line: int | None, problem: Unparsed, text: str) -> Row:
    """A line of the file `name` that was put aside; no line where the file as a whole is wrong."""
    return (name, line, *NO_EVENT, problem.field, problem.expected, text, *NOT_COUNTED)


def count_row(name: str, lines: int, ignored: int) -> Row:
    """The counts of the file `name`."""
    return (name, None, *NO_EVENT, *NOT_QUARANTINED, lines, ignored)


def batches(rows: Iterable[Row]) -> Iterator[pa.RecordBatch]:
    """The rows as Arrow hands them to Spark."""
    schema = arrow_schema(*ROW_COLUMNS)
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        columns = zip(*batch, strict=True)
        arrays = [pa.array(column, part.type) for column, part in zip(columns, schema, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def lines_in(path: str) -> int:
    """How many lines a file has, counted in its bytes and so apart from what makes events of them."""
    lines, last = 0, b"\n"
    with Path(path).open("rb") as file:
        while block := file.read(1 << 20):
            lines += block.count(b"\n")
            last = block[-1:]
    return lines if last == b"\n" else lines + 1
