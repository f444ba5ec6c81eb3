"""Events and lines put aside as tables: their columns, and rows from values."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

import polars as pl

from tidegate.record.errors import BadInput
from tidegate.record.events import EMPTY, Event

FIELDS = tuple(EMPTY)
"""The fields of an event in the order of the schema."""
INPUT = "input"
"""The column with the name of the file of an event."""
LINE = "line"
"""The column with the number of an event's line in its file, counted from 1."""
OFFSET = "offset"
"""The column with the byte at which the line begins, counted from 0."""
NUMBERS = frozenset({LINE, OFFSET, *(name for name, empty in EMPTY.items() if empty == 0)})
"""The columns of numbers."""
STREAM_NAME = "stream"
"""The column with the name of an event's stream, an ordered row of splits; two streams have no common order."""
SPLIT = "split"
"""The column with the name of an event's split."""
NUMBER = "number"
"""The column with the number of a split among those that are read together, from 0."""
OWN_TEXTS = frozenset({"message_id", "text"})
"""The columns with texts that differ in nearly every row."""


def polars_schema(*names: str) -> pl.Schema:
    """Nullable columns of these names, by Polars; texts are category codes, with which files are read faster."""
    numbers, own_texts = dict.fromkeys(NUMBERS, pl.Int64()), dict.fromkeys(OWN_TEXTS, pl.String())
    return pl.Schema({name: (numbers | own_texts).get(name, pl.Categorical()) for name in names})


EVENT_COLUMNS = (INPUT, LINE, *FIELDS)
"""The columns of the normalised events."""


class Quarantined(NamedTuple):
    """A line with a mark that could not be read; `line` counts from 1, and the line begins at the byte `offset`."""

    input: str
    line: int
    offset: int
    field: str | None
    expected: str
    text: str

    def __str__(self) -> str:
        return str(BadInput(self.expected, file=self.input, line=self.line, field=self.field))


QUARANTINE_SCHEMA = polars_schema(*Quarantined._fields)
EVENT_SCHEMA = polars_schema(*EVENT_COLUMNS)
VALUES = attrgetter(*FIELDS)


def event_table(name: str, events: Iterable[tuple[int, Event]]) -> pl.DataFrame:
    """Events of the file `name`, with the numbers of their lines."""
    return event_rows((name, line, event) for line, event in events)


def event_rows(events: Iterable[tuple[str, int, Event]]) -> pl.DataFrame:
    """Events with the names of their files and the numbers of their lines."""
    return _table([(name, line, *VALUES(event)) for name, line, event in events], EVENT_SCHEMA)


def quarantine_table(rows: Sequence[Quarantined]) -> pl.DataFrame:
    """Lines put aside, by QUARANTINE_SCHEMA."""
    return _table(rows, QUARANTINE_SCHEMA)


def _table(rows: Sequence[tuple[object, ...]], schema: pl.Schema) -> pl.DataFrame:
    columns = zip(*rows, strict=True) if rows else ([] for _ in schema)
    return pl.DataFrame(dict(zip(schema, columns, strict=True)), schema)
