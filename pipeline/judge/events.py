"""The events of a file as judging takes them: the fields it needs, without nulls, in the order of their lines."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import scanned
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.read.tables import FIELDS, LINE, is_number
from tidegate.record.errors import BadInput

FILE = "file"
"""The column with the number of the file in its stream."""


class EventsOf(NamedTuple):
    """The file of a split: the events of one input, how many there are, and how many lines of it stand before."""

    path: Place
    input: str
    lines_before: int
    events: int


def read_events(number: int, file: EventsOf, fields: Iterable[str]) -> pl.DataFrame:
    """FILE, LINE and these fields of all events. Raises BadInput for a file that cannot be read or is not whole."""
    names = sorted({LINE, *fields})
    try:
        events = scanned(file.path)
        if missing := sorted({*names} - {*events.collect_schema()}):
            raise _unreadable(file.path, f"it has no column {missing[0]!r}")
        found = events.select(pl.lit(number, pl.UInt32).alias(FILE), *names).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(file.path, error) from error
    if found.height != file.events:
        raise BadInput(f"expected {file.events:,} events, got {found.height:,}", file=str(file.path))
    return filled(found, names)


def read_lines_of(file: EventsOf, lines: Sequence[int]) -> Mapping[int, dict[str, Any]]:
    """The events of these lines as they came, nulls included. Raises BadInput."""
    try:
        rows = scanned(file.path).filter(pl.col(LINE).is_in(lines)).select(LINE, *FIELDS).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(file.path, error) from error
    return {row[LINE]: {name: row[name] for name in FIELDS} for row in rows.iter_rows(named=True)}


def filled(events: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """Events with 0 or the empty text for null in these columns; texts as codes, which are those of this process."""
    texts = (name for name in names if not is_number(name))
    return events.with_columns(
        *(pl.col(name).fill_null(0) for name in names if is_number(name)),
        *(pl.col(name).cast(pl.Categorical).fill_null("") for name in texts),
    )


def _unreadable(path: Place, error: object) -> BadInput:
    # below its first line Polars tells of its plan
    said, _, _ = str(error).partition("\n")
    return BadInput(f"expected a table of events that can be read, but {said}", file=str(path))
