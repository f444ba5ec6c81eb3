"""What measuring a stream has come to: carried from file to file, and kept in the store for a later run."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import scanned
from tidegate.pipeline.stops.frames import nothing
from tidegate.pipeline.stops.holding import Standing
from tidegate.pipeline.stops.tables import SCHEMAS, of_stream

STATE = "state.json"
"""Written last, so that a folder without it holds nothing that counts."""


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
    """How many files of a stream are measured, and what the next one needs to know."""

    files: int
    carried: Remembered


def known(folder: Path, stream: str, files: Sequence[str], measures: str) -> SoFar:
    """What is kept of a stream of these files by these measures; nothing where it began with others or is damaged."""
    kept = of_stream(folder, stream)
    try:
        state = json.loads((kept / STATE).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return SoFar(0, Remembered())
    before = state["files"]
    same = state["measures"] == measures and before == list(files[: len(before)])
    if not same or state["tables"] != _sizes(kept):
        return SoFar(0, Remembered())
    frames = {name: scanned(kept / f"{name}.parquet").collect() for name in FRAMES}
    return SoFar(len(before), Remembered.of(frames))


def keep(begun: Path, folder: Path, stream: str, files: Sequence[str], measures: str, carried: Remembered) -> None:
    """Give the tables of a stream that were written to `begun` their place, with what the next file needs to know."""
    for name, frame in carried.frames().items():
        frame.write_parquet(begun / f"{name}.parquet")
    state = {"files": list(files), "measures": measures, "tables": _sizes(begun)}
    (begun / STATE).write_text(json.dumps(state) + "\n", encoding="utf-8")
    place = of_stream(folder, stream)
    shutil.rmtree(place, ignore_errors=True)
    begun.rename(place)


def copied(origin: Path, target: Path) -> None:
    """Copy the tables of a stream, where there are any yet."""
    for name in SCHEMAS:
        for part in sorted((origin / name).glob("*.parquet")):
            shutil.copyfile(part, target / name / part.name)


def _sizes(folder: Path) -> dict[str, int]:
    """Every table in the folder and below it, with its bytes."""
    return {str(path.relative_to(folder)): path.stat().st_size for path in folder.rglob("*.parquet")}
