"""The events of a split as a frame: the fields that are needed, without nulls, in the order of their lines."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from headgate.pipeline.schema import EVENT_COLUMNS, is_number
from headgate.record.errors import BadInput


def read_events(path: Path, fields: Iterable[str]) -> pl.DataFrame:
    """These fields of all events, filled. Raises BadInput for a file that cannot be read."""
    names = sorted(frozenset(fields))
    texts = [name for name in names if not is_number(name)]
    try:
        # texts stand in the file as codes, and stay codes
        with pq.ParquetFile(path, read_dictionary=texts, memory_map=True) as file:
            found = file.read(columns=names)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(path, error) from error
    if missing := sorted(frozenset(names) - frozenset(found.column_names)):
        raise _unreadable(path, f"it has no column {missing[0]!r}")
    return filled(found)


def filled(events: pa.Table) -> pl.DataFrame:
    """Events with 0 or the empty text for null; texts as codes."""
    frame = pl.from_arrow(events)
    assert isinstance(frame, pl.DataFrame)
    return frame.with_columns(
        pl.col(name).fill_null(0) if is_number(name) else pl.col(name).cast(pl.Categorical).fill_null("")
        for name in frame.columns
    )


def read_rows(path: Path, rows: list[int]) -> list[dict[str, Any]]:
    """Single events as they came, nulls included, by their places in the file from 0. Raises BadInput."""
    if not rows:
        return []
    first, last = min(rows), max(rows)
    try:
        part = pl.scan_parquet(path, glob=False).select(EVENT_COLUMNS).slice(first, last - first + 1).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise _unreadable(path, error) from error
    return [part.row(row - first, named=True) for row in rows]


def _unreadable(path: Path, error: object) -> BadInput:
    return BadInput(f"expected a table of events that can be read, but {error}", file=path)
