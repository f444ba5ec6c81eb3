"""The events of a split as a frame: the fields that are needed, without nulls, in the order of their lines."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.schema import EVENT_COLUMNS, is_number
from tidegate.record.errors import BadInput


def read_events(path: Path, fields: Iterable[str]) -> pl.DataFrame:
    """These fields of all events, filled. Raises BadInput for a file that cannot be read."""
    names = sorted(frozenset(fields))
    try:
        events = scanned(path)
        if missing := sorted(frozenset(names) - frozenset(events.collect_schema())):
            raise _unreadable(path, f"it has no column {missing[0]!r}")
        return filled(events.select(names).collect())
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(path, error) from error


def filled(events: pl.DataFrame) -> pl.DataFrame:
    """Events with 0 or the empty text for null; texts as codes."""
    return events.with_columns(
        pl.col(name).fill_null(0) if is_number(name) else pl.col(name).cast(pl.Categorical).fill_null("")
        for name in events.columns
    )


def read_rows(path: Path, rows: list[int]) -> list[dict[str, Any]]:
    """Single events as they came, nulls included, by their places in the file from 0. Raises BadInput."""
    if not rows:
        return []
    first, last = min(rows), max(rows)
    try:
        part = scanned(path).select(EVENT_COLUMNS).slice(first, last - first + 1).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(path, error) from error
    return [part.row(row - first, named=True) for row in rows]


def _unreadable(path: Path, error: object) -> BadInput:
    # below its first line Polars tells of its plan
    said, _, _ = str(error).partition("\n")
    return BadInput(f"expected a table of events that can be read, but {said}", file=path)
