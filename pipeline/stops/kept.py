"""What measuring a stream has come to: carried from file to file, and kept in the store for a later run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.durable import remove
from tidegate.pipeline.files.parquet import scanned
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.stops.frames import nothing
from tidegate.pipeline.stops.holding import Standing
from tidegate.pipeline.stops.tables import KEPT, LAST, StreamTables, digest


@dataclass
class Remembered:
    """What is still true at the end of a file, and figures that are complete only at the end of the stream."""

    settings: pl.DataFrame = field(default_factory=nothing)
    """The last event that set each limit, ordered each destination, and brought it a message."""
    standing: Standing = field(default_factory=Standing)
    spans: pl.DataFrame = field(default_factory=pl.DataFrame)
    overshoot: pl.DataFrame = field(default_factory=pl.DataFrame)
    closings: pl.DataFrame = field(default_factory=pl.DataFrame)
    stretches: pl.DataFrame = field(default_factory=pl.DataFrame)

    def frames(self) -> dict[str, pl.DataFrame]:
        """All of it as tables."""
        own = {name: getattr(self, name) for name in ("settings", "spans", "overshoot", "closings", "stretches")}
        return {**own, **vars(self.standing)}

    @classmethod
    def of(cls, frames: dict[str, pl.DataFrame]) -> "Remembered":
        """What `frames` gave."""
        standing = Standing(**{name: frames.pop(name) for name in ("on", "rooms", "stated")})
        return cls(standing=standing, **frames)


FRAMES = tuple(Remembered().frames())


class SoFar(NamedTuple):
    """How many files of a stream are measured, the tables of these, and what the next file needs to know."""

    files: int
    tables: StreamTables
    carried: Remembered


def known(folder: Place, stream: str, files: Sequence[str], measures: str) -> SoFar:
    """What is kept of a stream of these files by these measures; nothing where it began with others or is damaged."""
    try:
        state = json.loads((folder / state_of(stream)).read_bytes())
    except (FileNotFoundError, ValueError):
        state = {"measures": None}
    begins_so = state["measures"] == measures and state["files"] == list(files[: len(state["files"])])
    if not begins_so or not _whole(folder, state):
        return SoFar(0, StreamTables(folder, stream, {}), Remembered())
    frames = {name: scanned(folder / _frame_of(stream, name)).collect() for name in FRAMES}
    return SoFar(len(state["files"]), StreamTables(folder, stream, state["tables"]), Remembered.of(frames))


def begin(so_far: SoFar) -> StreamTables:
    """The tables to go on with, without those that end a stream; until it ends again, nothing is known of it."""
    tables = so_far.tables
    remove(tables.folder / state_of(tables.stream))
    parts = {name: size for name, size in tables.files.items() if not name.endswith(f"-{LAST}.parquet")}
    return StreamTables(tables.folder, tables.stream, parts)


def keep(tables: StreamTables, files: Sequence[str], measures: str, carried: Remembered) -> None:
    """Write what the next file needs to know, and last that the stream of these files is measured."""
    for name, frame in carried.frames().items():
        tables.put(_frame_of(tables.stream, name), frame)
    state = {"files": list(files), "measures": measures, "tables": tables.files}
    (tables.folder / state_of(tables.stream)).write_bytes(json.dumps(state).encode() + b"\n")


def state_of(stream: str) -> str:
    """The file that says that a stream is measured, by its name below the folder of a store."""
    return f"{KEPT}/{digest(stream)}.json"


def _frame_of(stream: str, name: str) -> str:
    return f"{KEPT}/{digest(stream)}-{name}.parquet"


def _whole(folder: Place, state: Mapping[str, Any]) -> bool:
    try:
        return all((folder / name).stat().st_size == size for name, size in state["tables"].items())
    except FileNotFoundError:
        return False
