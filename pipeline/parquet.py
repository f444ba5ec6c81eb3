"""Reads Parquet files by their very names, which may hold the signs that patterns are made of."""

from pathlib import Path

import polars as pl


def scanned(*paths: Path, schema: pl.Schema | None = None) -> pl.LazyFrame:
    """All rows of the files, one file after the other; those of no file have the schema.

    What is then collected raises PolarsError or OSError for a file that is not there, not whole, or of other columns.
    """
    if schema is not None and not paths:
        return pl.LazyFrame(schema=schema)
    return pl.scan_parquet(list(paths), schema=schema, glob=False)
