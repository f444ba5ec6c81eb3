"""What came of the lines of a block, before it becomes tables: events and lines put aside, by number and offset."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import polars as pl

from tidegate.pipeline.read.line_form import Unparsed
from tidegate.pipeline.schema import EVENT_COLUMNS, FIELDS, INPUT, LINE, OFFSET, polars_schema
from tidegate.record.events import Event

QUARANTINE_COLUMNS = (INPUT, LINE, OFFSET, "field", "expected", "text")
"""Where a line stands that was put aside, which field is wrong, what was expected, and the line itself."""
QUARANTINE_SCHEMA = polars_schema(*QUARANTINE_COLUMNS)
EVENT_SCHEMA = polars_schema(*EVENT_COLUMNS)
Row = tuple[object, ...]
VALUES = attrgetter(*FIELDS)


@dataclass(frozen=True, eq=False)
class ReadLines:
    """Events by EVENT_SCHEMA and rows of QUARANTINE_COLUMNS of some lines, and how many lines there were."""

    events: pl.DataFrame
    quarantined: list[Row] = field(default_factory=list)
    lines: int = 0


def event_table(name: str, events: Iterable[tuple[int, Event]]) -> pl.DataFrame:
    """Events with the numbers of their lines in the file `name`."""
    return _table([(name, line, *VALUES(event)) for line, event in events], EVENT_SCHEMA)


def event_tables(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """The events of tables by EVENT_SCHEMA, one behind the other."""
    return pl.concat(tables) if tables else EVENT_SCHEMA.to_frame()


def quarantine_row(name: str, line: int, offset: int, problem: Unparsed, text: str) -> Row:
    """A line of the file `name` that was put aside, and where it begins."""
    return (name, line, offset, problem.field, problem.expected, text)


def quarantine_table(rows: list[Row]) -> pl.DataFrame:
    """Lines put aside, by QUARANTINE_SCHEMA."""
    return _table(rows, QUARANTINE_SCHEMA)


def _table(rows: Sequence[Row], schema: pl.Schema) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    return pl.DataFrame(dict(zip(schema, columns, strict=True)), schema)
