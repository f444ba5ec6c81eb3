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


def write_table(table: pl.DataFrame, target: Place) -> int:
    """Write a table in its place, which counts once a file that is written later says so; how many bytes it takes."""
    if isinstance(target, Path):
        table.write_parquet(target)
        return target.stat().st_size
    table.write_parquet(content := BytesIO())
    target.write_bytes(content.getvalue())
    return len(content.getvalue())
