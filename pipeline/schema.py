"""The event schema as columns: the fields of an event, and where each was read."""

import polars as pl

from tidegate.record.events import EMPTY

FIELDS = tuple(EMPTY)
"""The fields of an event in the order of the schema."""
INPUT = "input"
"""The column that names the file which an event was read from."""
LINE = "line"
"""The column with the number of the line there, counted from 1."""
OFFSET = "offset"
"""The column with the byte at which that line begins, counted from 0."""
COUNTS = frozenset({LINE, OFFSET, "lines", "ignored"})
"""The columns beside those of an event that hold numbers."""
STREAM_NAME = "stream"
"""The column that names the ordered row of splits to which an event belongs; two streams have no common order."""
SPLIT = "split"
"""The column that names the split which an event was read in, and so the file of a table that holds it."""
OWN_TEXTS = frozenset({"message_id", "text"})
"""The columns with texts of which nearly every row has its own."""
LARGEST = 2**63 - 1
"""The largest number that a column holds."""


def polars_schema(*names: str) -> pl.Schema:
    """Columns of these names, nullable, as Polars has them; texts are codes, with which files are read faster."""
    return pl.Schema({name: _kind_of(name) for name in names})


def _kind_of(name: str) -> pl.DataType:
    if is_number(name):
        return pl.Int64()
    return pl.String() if name in OWN_TEXTS else pl.Categorical()


def is_number(name: str) -> bool:
    """Whether a column holds numbers."""
    return name in COUNTS or EMPTY.get(name) == 0


EVENT_COLUMNS = (INPUT, LINE, *FIELDS)
"""The columns of the normalised events."""
PLACE_COLUMNS = ("broker", "version", "host", STREAM_NAME, SPLIT)
"""Where an event comes from beside its file: the implementation, its version (null where it is not said), its host."""
TABLE_COLUMNS = (*EVENT_COLUMNS, *PLACE_COLUMNS)
"""The columns of the table of events in a store."""
