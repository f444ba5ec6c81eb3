"""The events of a split as a frame: the fields that are needed, without nulls, in the order of their lines."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from headgate.pipeline.schema import EVENT_COLUMNS, is_number
from headgate.record.errors import BadInput


def read_events(path: Path, fields: Iterable[str]) -> pl.DataFrame:
    """These fields of all events, filled. Raises BadInput for a file that cannot be read."""
    names = sorted(frozenset(fields))
    return filled(_read(path, lambda scan: scan.select(names)))


def filled(events: pl.DataFrame) -> pl.DataFrame:
    """Events with 0 or the empty text for null; texts as codes, unless all are the same."""
    columns = (pl.col(name).fill_null(0 if is_number(name) else "") for name in events.columns)
    without = events.with_columns(columns)
    return without.with_columns(column.cast(pl.Categorical) for column in without if _varies(column))


def read_rows(path: Path, rows: list[int]) -> list[dict[str, Any]]:
    """Single events as they came, nulls included, by their places in the file from 0."""
    if not rows:
        return []
    first, last = min(rows), max(rows)
    part = _read(path, lambda scan: scan.select(EVENT_COLUMNS).slice(first, last - first + 1))
    return [part.row(row - first, named=True) for row in rows]


def _read(path: Path, chosen: Any) -> pl.DataFrame:
    try:
        frame: pl.DataFrame = chosen(pl.scan_parquet(path, glob=False)).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        raise BadInput(f"expected a table of events that can be read, but {error}", file=path) from error
    return frame


def _varies(texts: pl.Series) -> bool:
    return texts.dtype == pl.String and texts.len() > 0 and not (texts == texts[0]).all()
