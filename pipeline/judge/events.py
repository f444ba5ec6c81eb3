"""Reads the events of files for judging: the needed fields, without nulls, in the order of their lines."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import Rows, rows_of
from tidegate.pipeline.read.tables import FIELDS, LINE, is_number
from tidegate.record.errors import BadInput

FILE = "file"
"""The column with the number of an event's file."""


class EventsOf(NamedTuple):
    """The events of a split, the name of its input, and the number of lines of the input before the split."""

    rows: Rows
    input: str
    lines_before: int


Files = Mapping[int, EventsOf]
"""Files by their numbers, in the order of judging."""


def read_events(files: Files, fields: Iterable[str]) -> pl.DataFrame:
    """FILE, LINE and these fields of all events. Raises BadInput for a file that cannot be read or is incomplete."""
    names = sorted({LINE, *fields})
    return filled(_read(files, names), names)


def read_lines_of(files: Files, places: Sequence[tuple[int, int]]) -> Mapping[tuple[int, int], dict[str, Any]]:
    """The events at these files and lines, nulls included. Raises BadInput for a file that cannot be read."""
    wanted = pl.DataFrame(places, {FILE: pl.UInt32, LINE: pl.Int64}, orient="row")
    found = _read(files, [LINE, *FIELDS]).join(wanted, on=[FILE, LINE], how="semi")
    return {(row[FILE], row[LINE]): {name: row[name] for name in FIELDS} for row in found.iter_rows(named=True)}


def _read(files: Files, names: Sequence[str]) -> pl.DataFrame:
    heights = [(number, file.rows.height) for number, file in files.items()]
    counts = pl.DataFrame(heights, {FILE: pl.UInt32, "count": pl.UInt32}, orient="row")
    numbers = counts.filter(pl.col("count") > 0).select(pl.col(FILE).repeat_by("count").explode())
    try:
        events = rows_of([file.rows for file in files.values()]).select(*names).collect()
        return events.insert_column(0, numbers.get_column(FILE))
    except (OSError, pl.exceptions.PolarsError) as error:
        # Polars describes its plan below the first line
        said, _, _ = str(error).partition("\n")
        paths = [*dict.fromkeys(str(file.rows.path) for file in files.values())]
        name = paths[0] if len(paths) == 1 else f"{paths[0]} to {paths[-1]}"
        raise BadInput(f"expected a table of events that can be read, but {said}", file=name) from error


def filled(events: pl.DataFrame, names: Sequence[str]) -> pl.DataFrame:
    """The events with 0 or the empty text for null in these columns; texts become category codes of this process."""
    texts = (name for name in names if not is_number(name))
    return events.with_columns(
        *(pl.col(name).fill_null(0) for name in names if is_number(name)),
        *(pl.col(name).cast(pl.Categorical).fill_null("") for name in texts),
    )
