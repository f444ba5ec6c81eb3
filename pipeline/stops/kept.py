"""What measuring a batch of streams has come to: carried from file to file, and kept in the store for a later run."""

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
from tidegate.pipeline.stops.tables import KEPT, LAST, BatchTables


@dataclass
class Remembered:
    """What is still true at the end of a file, and figures that are complete only at the end of their stream."""

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


Files = Mapping[str, Sequence[str]]
"""The names of the files of each stream, in their order."""


class SoFar(NamedTuple):
    """How many files of each stream are measured, in how many parts, the tables of these, and what the next needs."""

    files: Mapping[str, int]
    parts: int
    tables: BatchTables
    carried: Remembered


def known(folder: Place, files: Files, measures: str) -> SoFar:
    """What is kept of these streams by these measures; nothing where one began with other files or is damaged."""
    state = _state(folder, files, measures)
    if state is None:
        return SoFar(dict.fromkeys(files, 0), 0, BatchTables(folder, list(files), {}), Remembered())
    found = BatchTables(folder, list(files), state["tables"])
    frames = {name: scanned(folder / _frame_of(found, name)).collect() for name in FRAMES}
    counts = {stream: len(names) for stream, names in state["files"].items()}
    return SoFar(counts, state["parts"], found, Remembered.of(frames))


def complete(folder: Place, files: Files, measures: str) -> list[str] | None:
    """The names of the files of these streams below the folder; None where not all of them is measured."""
    state = _state(folder, files, measures)
    if state is None or any(len(state["files"][stream]) < len(names) for stream, names in files.items()):
        return None
    return [*state["tables"], state_of(BatchTables(folder, list(files), {}))]


def _state(folder: Place, files: Files, measures: str) -> Mapping[str, Any] | None:
    """What a file says is kept of these streams; None where that is of other measures or files, or not whole."""
    try:
        said = (folder / state_of(BatchTables(folder, list(files), {}))).read_bytes()
        state: Mapping[str, Any] = json.loads(said)
    except (FileNotFoundError, ValueError):
        return None
    fits = state["measures"] == measures and _goes_on(state["files"], files)
    return state if fits and _whole(folder, state) else None


def begin(so_far: SoFar) -> BatchTables:
    """The tables to go on with, without those that end a batch; until it ends again, nothing is known of it."""
    tables = so_far.tables
    remove(tables.folder / state_of(tables))
    parts = {name: size for name, size in tables.files.items() if not name.endswith(f"-{LAST}.parquet")}
    return BatchTables(tables.folder, tables.streams, parts)


def keep(tables: BatchTables, files: Files, parts: int, measures: str, carried: Remembered) -> None:
    """Write what the next file needs to know, and last that the streams of these files are measured."""
    for name, frame in carried.frames().items():
        tables.put(_frame_of(tables, name), frame)
    state = {"files": files, "parts": parts, "measures": measures, "tables": tables.files}
    (tables.folder / state_of(tables)).write_bytes(json.dumps(state).encode() + b"\n")


def state_of(tables: BatchTables) -> str:
    """The file that says that a batch is measured, by its name below the folder of a store."""
    return f"{KEPT}/{tables.name}.json"


def _frame_of(tables: BatchTables, name: str) -> str:
    return f"{KEPT}/{tables.name}-{name}.parquet"


def _goes_on(kept: Files, files: Files) -> bool:
    return all(list(files[stream][: len(names)]) == names for stream, names in kept.items())


def _whole(folder: Place, state: Mapping[str, Any]) -> bool:
    try:
        return all((folder / name).stat().st_size == size for name, size in state["tables"].items())
    except FileNotFoundError:
        return False
