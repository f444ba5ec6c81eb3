"""The tables of measures below the report's folder, one Parquet file or more for each batch of streams."""

import json
from collections.abc import Collection, Sequence

import polars as pl

from tidegate.pipeline.files.parquet import in_parquet, scanned
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.stops.meanings import LIMIT

KEPT = "measured"
"""The folder of markers, one for each batch whose tables are all written."""
NONE = "none.parquet"
"""A file of each table without rows, so that a table without findings exists too."""
LAST = "last"
"""The number of the last part of a table, with which a batch ends; it sorts after the numbers of other parts."""
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
"""The columns of each table; docs/guides/measures.md describes them."""


def without(name: str, *columns: str) -> pl.Schema:
    """The columns of a table, except these, which are added when its rows are written."""
    return pl.Schema({each: kind for each, kind in SCHEMAS[name].items() if each not in columns})


class BatchTables:
    """The tables of a batch of streams below a folder, called `name`; `files` has the size of each file in bytes."""

    def __init__(self, folder: Place, name: str, streams: Sequence[str]):
        self.folder, self.name = folder, name
        self.one_stream = len(streams) == 1
        self.stream = pl.lit(streams[0]) if self.one_stream else pl.col("source")
        """The stream of a row: in a batch of several, each stream is the only source of its events and has its name."""
        self.files: dict[str, int] = {}

    @property
    def marker(self) -> str:
        """The file that marks all tables of the batch as written, with the size of each file."""
        return f"{KEPT}/{self.name}.json"

    def write(self, rows: pl.DataFrame, name: str, part: int | None = None) -> None:
        """Write a part of a table, without a number the last one; without rows, write nothing."""
        if rows.height:
            columns = {each: pl.col(each).cast(kind) for each, kind in SCHEMAS[name].items() if each != "stream"}
            columns["stream"] = self.stream
            texts = {each: columns[each].replace("", None) for each, kind in SCHEMAS[name].items() if kind == pl.String}
            file = f"{name}/{self.name}-{LAST if part is None else f'{part:06}'}.parquet"
            content = in_parquet(rows.select(**columns | texts))
            (self.folder / file).write_bytes(content)
            self.files[file] = len(content)

    def done(self) -> None:
        """Write the marker of the batch: all its tables are written."""
        (self.folder / self.marker).write_bytes(json.dumps(self.files).encode() + b"\n")

    def known(self) -> list[str] | None:
        """The names of all files of the batch; None where a file is missing or incomplete."""
        try:
            self.files = json.loads((self.folder / self.marker).read_bytes())
            whole = all((self.folder / name).stat().st_size == size for name, size in self.files.items())
        except (FileNotFoundError, ValueError):
            whole = False
        return [*self.files, self.marker] if whole else None

    def stops(self) -> pl.LazyFrame:
        """The episodes of the batch in which a party is stopped."""
        files = [self.folder / name for name in self.files if name.startswith(f"{EPISODES}/")]
        return _stops(scanned(*files, schema=SCHEMAS[EPISODES]))


def made(folder: Place) -> None:
    """Make the missing tables below a folder."""
    for name, schema in SCHEMAS.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / NONE).write_bytes(in_parquet(schema.to_frame()))
    (folder / KEPT).mkdir(parents=True, exist_ok=True)


def remove_others(folder: Place, names: Collection[str]) -> None:
    """Remove files of other names than these: files of old batches, and files that a killed run left."""
    for table in (*SCHEMAS, KEPT):
        for file in files_in(folder / table):
            if file.name != NONE and f"{table}/{file.name}" not in names:
                file.unlink(missing_ok=True)


def table(name: str, folder: Place) -> pl.LazyFrame:
    """All rows of a table."""
    return scanned(*files_in(folder / name), schema=SCHEMAS[name])


def stops(folder: Place) -> pl.LazyFrame:
    """The episodes in which a party is stopped. A full destination is no party if its log names each stopped sender."""
    return _stops(table(EPISODES, folder))


def _stops(episodes: pl.LazyFrame) -> pl.LazyFrame:
    return episodes.filter(pl.col("of") != LIMIT)
