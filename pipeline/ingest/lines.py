"""What came of the lines of a block, before it becomes tables: events and lines put aside, by number and offset."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import pyarrow as pa  # type: ignore[import-untyped]

from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.ingest.loops.patterns import Numbers
from headgate.pipeline.schema import EVENT_COLUMNS, FIELDS, INPUT, LINE, OFFSET, arrow_schema
from headgate.record.events import Event

QUARANTINE_COLUMNS = (INPUT, LINE, OFFSET, "field", "expected", "text")
"""Where a line stands that was put aside, which field is wrong, what was expected, and the line itself."""
QUARANTINE_SCHEMA = arrow_schema(*QUARANTINE_COLUMNS)
EVENT_SCHEMA = arrow_schema(*EVENT_COLUMNS)
Row = tuple[object, ...]
VALUES = attrgetter(*FIELDS)


@dataclass(frozen=True)
class Found:
    """Events by EVENT_SCHEMA and rows of QUARANTINE_COLUMNS of some lines, and how many lines there were."""

    events: pa.Table
    quarantined: list[Row] = field(default_factory=list)
    lines: int = 0


@dataclass(frozen=True)
class Read:
    """Which of some lines were read at once, in their order, their times in ms since the epoch, and more columns."""

    rows: Numbers
    times: Numbers
    columns: Mapping[str, pa.Array]


def event_table(name: str, events: Iterable[tuple[int, Event]]) -> pa.Table:
    """Events with the numbers of their lines in the file `name`."""
    return _table([(name, line, *VALUES(event)) for line, event in events], EVENT_SCHEMA)


def quarantine_row(name: str, line: int, offset: int, problem: Unparsed, text: str) -> Row:
    """A line of the file `name` that was put aside, and where it begins."""
    return (name, line, offset, problem.field, problem.expected, text)


def quarantine_table(rows: list[Row]) -> pa.Table:
    """Lines put aside as Arrow has them."""
    return _table(rows, QUARANTINE_SCHEMA)


def _table(rows: Sequence[Row], schema: pa.Schema) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    arrays = [pa.array(column, part.type) for column, part in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
