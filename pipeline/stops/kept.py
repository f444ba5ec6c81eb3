"""What measuring a stream has come to, kept in the store, so that a later run goes on where the stream has grown."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.stops.carried import Remembered
from tidegate.pipeline.stops.tables import SCHEMAS, of_stream

STATE = "state.json"
"""Written last, so that a folder without it holds nothing that counts."""
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
