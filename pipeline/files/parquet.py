"""Parquet files, written and read by their literal names, which may hold the signs of glob patterns."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import polars as pl

from tidegate.pipeline.files.storage import Place

PART = 200_000
"""The most rows that are held at once, unless a single piece has more."""
Item = TypeVar("Item")


def scanned(*paths: Place, schema: pl.Schema | None = None) -> pl.LazyFrame:
    """All rows of the files, one file after the other; without files, an empty table of the schema.

    Collecting the rows raises PolarsError or OSError for a file that is missing, incomplete, or of other columns.
    """
    if schema is not None and not paths:
        return pl.LazyFrame(schema=schema)
    # files in storage are read by pyarrow, the one library here that knows all schemes
    sources: list[Any] = [path if isinstance(path, Path) else BytesIO(path.read_bytes()) for path in paths]
    return pl.scan_parquet(sources, schema=schema, glob=False)


class Rows(NamedTuple):
    """`height` rows of a Parquet file, from the row `first` on; the first row of a file is 0."""

    path: Place
    height: int
    first: int = 0


def rows_of(parts: Sequence[Rows]) -> pl.LazyFrame:
    """All these rows, one part after the other; consecutive parts of one file are read at once."""
    joined: list[Rows] = []
    for part in parts:
        if joined and joined[-1].path == part.path and joined[-1].first + joined[-1].height == part.first:
            joined[-1] = joined[-1]._replace(height=joined[-1].height + part.height)
        else:
            joined.append(part)
    return pl.concat([scanned(each.path).slice(each.first, each.height) for each in joined])


def in_parts(items: Sequence[Item], rows: Callable[[Item], int], most: int = PART) -> Iterator[list[Item]]:
    """The items in order, in lists of at most `most` rows altogether; an item with more rows is alone in its list."""
    part: list[Item] = []
    count = 0
    for item in items:
        if part and count + rows(item) > most:
            yield part
            part, count = [], 0
        part.append(item)
        count += rows(item)
    if part:
        yield part


def in_parquet(table: pl.DataFrame) -> bytes:
    """The content of a Parquet file that holds the table."""
    table.write_parquet(content := BytesIO())
    return content.getvalue()
