"""What came of the lines of a block, before it becomes tables: events and lines put aside, by number and offset."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from headgate.pipeline.ingest.line_form import Unparsed
from headgate.pipeline.schema import EVENT_COLUMNS, FIELDS, INPUT, LINE, OFFSET, arrow_schema, is_number
from headgate.record.events import Event

QUARANTINE_COLUMNS = (INPUT, LINE, OFFSET, "field", "expected", "text")
"""Where a line stands that was put aside, which field is wrong, what was expected, and the line itself."""
QUARANTINE_SCHEMA = arrow_schema(*QUARANTINE_COLUMNS)
EVENT_SCHEMA = arrow_schema(*EVENT_COLUMNS)
POLARS_SCHEMA = {name: pl.Int64 if is_number(name) else pl.String for name in EVENT_COLUMNS}
Row = tuple[object, ...]
VALUES = attrgetter(*FIELDS)


@dataclass(frozen=True)
class Found:
    """Events in EVENT_COLUMNS and rows of QUARANTINE_COLUMNS of some lines, and how many lines there were."""

    events: pl.DataFrame
    quarantined: list[Row] = field(default_factory=list)
    lines: int = 0


def event_frame(name: str, events: Iterable[tuple[int, Event]]) -> pl.DataFrame:
    """Events with the numbers of their lines in the file `name`."""
    rows = [(name, line, *VALUES(event)) for line, event in events]
    return pl.DataFrame(rows, schema=POLARS_SCHEMA, orient="row")


def quarantine_row(name: str, line: int, offset: int, problem: Unparsed, text: str) -> Row:
    """A line of the file `name` that was put aside, and where it begins."""
    return (name, line, offset, problem.field, problem.expected, text)


def event_table(frame: pl.DataFrame) -> pa.Table:
    """Events as Arrow has them."""
    return frame.to_arrow().cast(EVENT_SCHEMA)


def quarantine_table(rows: list[Row]) -> pa.Table:
    """Lines put aside as Arrow has them."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in QUARANTINE_COLUMNS)
    arrays = [pa.array(column, part.type) for column, part in zip(columns, QUARANTINE_SCHEMA, strict=True)]
    return pa.Table.from_arrays(arrays, schema=QUARANTINE_SCHEMA)
