"""Parquet files, read by their very names, which may hold the signs that patterns are made of, and written."""

from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from tidegate.pipeline.files.storage import Place


def scanned(*paths: Place, schema: pl.Schema | None = None) -> pl.LazyFrame:
    """All rows of the files, one file after the other; those of no file have the schema.

    What is then collected raises PolarsError or OSError for a file that is not there, not whole, or of other columns.
    """
    if schema is not None and not paths:
        return pl.LazyFrame(schema=schema)
    # what is in storage comes by the one library that knows it
    sources: list[Any] = [path if isinstance(path, Path) else BytesIO(path.read_bytes()) for path in paths]
    return pl.scan_parquet(sources, schema=schema, glob=False)


def in_parquet(table: pl.DataFrame) -> bytes:
    """The content of a Parquet file that holds the table."""
    table.write_parquet(content := BytesIO())
    return content.getvalue()
