"""The tables that measuring writes below the report's folder, one Parquet file or more for each stream."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import polars as pl

from tidegate.pipeline.files.parquet import scanned
from tidegate.pipeline.stops.holding import LIMIT

BEGUN = "measuring"
"""The folder of tables that are not complete yet."""
LAST = "last"
"""In the place of the number of the last part of a table, in which a stream ends: others come in front of it."""
EPISODES, WAITS, TOGETHER, OVERSHOOT, OSCILLATION = "episodes", "waits", "together", "overshoot", "oscillation"
CHANGES = "changes"

PLACE = {"stream": pl.String, "source": pl.String}
PARTY = {"of": pl.String, "who": pl.String}
SCHEMAS = {
    EPISODES: pl.Schema({
        **PLACE, **PARTY, "cause": pl.String, "destination": pl.String, "begin": pl.String, "end": pl.String,
        "from_seq": pl.Int64, "from_ms": pl.Int64, "to_seq": pl.Int64, "to_ms": pl.Int64, "lasted_ms": pl.Int64,
        "at_least_ms": pl.Int64, "free_ms": pl.Int64, "shared": pl.Boolean,
    }),
    WAITS: pl.Schema({
        **PLACE, **PARTY, "destinations": pl.String, "free_ms": pl.Int64, "released_ms": pl.Int64,
        "waited_ms": pl.Int64,
    }),
    TOGETHER: pl.Schema({
        **PLACE, **PARTY, "causes": pl.String, "count": pl.Int64, "from_ms": pl.Int64, "to_ms": pl.Int64,
        "lasted_ms": pl.Int64,
    }),
    OVERSHOOT: pl.Schema({
        **PLACE, "destination": pl.String, "name": pl.String, "unit": pl.String, "shown_by": pl.String,
        "seen": pl.Int64, "limit": pl.Int64, "level": pl.Int64, "over": pl.Int64, "percent": pl.Float64,
        "at_seq": pl.Int64, "at_ms": pl.Int64, "after": pl.String, "message_bytes": pl.Int64,
    }),
    OSCILLATION: pl.Schema({
        **PLACE, "destination": pl.String, "shown_by": pl.String, "closings": pl.Int64, "cycles": pl.Int64,
        "first_ms": pl.Int64, "last_ms": pl.Int64, "per_hour": pl.Float64, "busiest_hour_ms": pl.Int64,
        "in_busiest_hour": pl.Int64,
    }),
    CHANGES: pl.Schema({
        **PLACE, "destination": pl.String, "name": pl.String, "before": pl.Int64, "limit": pl.Int64, "after": pl.Int64,
        "lines": pl.Int64, "alone": pl.Boolean, "at_seq": pl.Int64, "at_ms": pl.Int64,
    }),
}  # fmt: skip
"""Table to its columns; docs/guides/measures.md says what each holds."""


@contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """A folder to write the tables to; once the block has ended well, they take the place of those of an earlier run.

    Each is a table even if nothing is found.
    """
    begun = folder / BEGUN / "tables"
    made(begun)
    for name, schema in SCHEMAS.items():
        pl.DataFrame(schema=schema).write_parquet(begun / name / "none.parquet")
    yield begun
    for name in SCHEMAS:
        shutil.rmtree(folder / name, ignore_errors=True)
        (begun / name).rename(folder / name)


def made(folder: Path) -> None:
    """Make a folder with one for each table."""
    for name in SCHEMAS:
        (folder / name).mkdir(parents=True)


def of_stream(folder: Path, stream: str) -> Path:
    """The place of what belongs to a stream."""
    return folder / _digest(stream)


def write(rows: pl.DataFrame, name: str, folder: Path, stream: str, part: int | None = None) -> None:
    """Write a part of a table, the last one if it has no number; nothing where there are no rows."""
    if rows.height:
        columns = {each: pl.col(each).cast(kind) for each, kind in SCHEMAS[name].items() if each != "stream"}
        columns["stream"] = pl.lit(stream)
        texts = {each: columns[each].replace("", None) for each, kind in SCHEMAS[name].items() if kind == pl.String}
        rows.select(**columns | texts).write_parquet(folder / name / _file(stream, part))


def table(name: str, folder: Path) -> pl.LazyFrame:
    """All rows of a table."""
    return scanned(*sorted((folder / name).glob("*.parquet")), schema=SCHEMAS[name])


def stops(folder: Path) -> pl.LazyFrame:
    """The episodes in which somebody is stopped: not those of a full destination whose senders are told of by name."""
    return table(EPISODES, folder).filter(pl.col("of") != LIMIT)


def _file(stream: str, part: int | None) -> str:
    return f"{_digest(stream)}-{LAST if part is None else f'{part:06}'}.parquet"


def _digest(stream: str) -> str:
    return sha256(stream.encode()).hexdigest()[:16]
