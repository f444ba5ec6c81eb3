"""Parquet files, read by their very names, which may hold the signs that patterns are made of, and written."""

from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import polars as pl

from tidegate.pipeline.files.storage import Place

PART = 200_000
"""Rows that are held at once, as far as they stand in pieces that have fewer."""
Item = TypeVar("Item")


def scanned(*paths: Place, schema: pl.Schema | None = None) -> pl.LazyFrame:
    """All rows of the files, one file after the other; those of no file have the schema.

    What is then collected raises PolarsError or OSError for a file that is not there, not whole, or of other columns.
    """
    if schema is not None and not paths:
        return pl.LazyFrame(schema=schema)
    # what is in storage comes by the one library that knows it
    sources: list[Any] = [path if isinstance(path, Path) else BytesIO(path.read_bytes()) for path in paths]
    return pl.scan_parquet(sources, schema=schema, glob=False)


class Rows(NamedTuple):
    """So many rows of a Parquet file, from the row `first` on, which counts from 0."""

    path: Place
    height: int
    first: int = 0


def rows_of(parts: Sequence[Rows]) -> pl.LazyFrame:
    """All these rows, one part after the other; parts of one file that follow each other there are read at once."""
    joined: list[Rows] = []
    for part in parts:
        if joined and joined[-1].path == part.path and joined[-1].first + joined[-1].height == part.first:
            joined[-1] = joined[-1]._replace(height=joined[-1].height + part.height)
        else:
            joined.append(part)
    return pl.concat([scanned(each.path).slice(each.first, each.height) for each in joined])


def in_parts(items: Sequence[Item], rows: Callable[[Item], int], most: int = PART) -> Iterator[list[Item]]:
    """The items in their order, as many at once as have no more rows than `most`, or a single one."""
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
