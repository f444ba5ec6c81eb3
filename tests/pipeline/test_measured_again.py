"""What was measured is not measured again, and what grew is measured anew."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.pipeline.measured import events, level, limits, measured, overfull, release, rows, send, stop, underfull
from tidegate.pipeline.files.parquet import Rows, rows_of
from tidegate.pipeline.stops import measuring, tables
from tidegate.record.events import Event

FIRST, SECOND, THIRD = 6, 11, 17
"""Where the trace is cut: within an episode, behind a limit that a later part needs, and between two messages."""
TRACE = events(
    limits(), overfull(), stop("c"), stop("d"), underfull(), release("c"),
    release("d"), overfull(), stop("c"), limits(limit=500, resume=300), level(600),
    send(200), level(800), underfull(size=200), release("c"), overfull(size=900), stop("c"),
    send(300), level(1200), stop("e"),
)  # fmt: skip
PARTS = (TRACE[:FIRST], TRACE[FIRST:SECOND], TRACE[SECOND:THIRD], TRACE[THIRD:])


def everything(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows(folder, name) for name in tables.SCHEMAS}


@pytest.fixture
def read_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files of events that were read."""
    names: list[str] = []

    def noted(parts: Sequence[Rows]) -> pl.LazyFrame:
        names.extend(part.path.name for part in parts)
        return rows_of(parts)

    monkeypatch.setattr(measuring, "rows_of", noted)
    yield names


def test_a_stream_that_did_not_grow_is_not_read_at_all(tmp_path: Path, read_names: list[str]) -> None:
    before = measured(tmp_path, *PARTS), everything(tmp_path)
    read_names.clear()
    assert (measured(tmp_path, *PARTS), everything(tmp_path)) == before
    assert read_names == []


@pytest.mark.parametrize(
    ("before", "now"),
    [(PARTS[:1], PARTS), (PARTS, (TRACE[:5], TRACE[5:])), (PARTS, PARTS[:2])],
    ids=["a file more", "other files", "the last files are gone"],
)
def test_a_stream_of_other_files_is_measured_anew(
    tmp_path: Path, read_names: list[str], before: tuple[list[Event], ...], now: tuple[list[Event], ...]
) -> None:
    measured(tmp_path / "store", *before)
    read_names.clear()
    again = measured(tmp_path / "store", *now)
    assert len(read_names) == len(now)
    assert again == measured(tmp_path / "fresh", *now)
    assert everything(tmp_path / "store") == everything(tmp_path / "fresh")


def test_other_measures_measure_from_nothing(
    tmp_path: Path, read_names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured(tmp_path, *PARTS)
    read_names.clear()
    monkeypatch.setattr(measuring, "MEASURES", "others")
    measured(tmp_path, *PARTS)
    assert len(read_names) == len(PARTS)


@pytest.mark.parametrize("name", ["episodes/*-000001.parquet", "measured/*.json"])
def test_where_a_file_of_what_is_kept_is_cut_off_it_is_measured_from_nothing(
    tmp_path: Path, read_names: list[str], name: str
) -> None:
    expected = measured(tmp_path, *PARTS), everything(tmp_path)
    read_names.clear()
    damaged = next(tmp_path.glob(name))
    damaged.write_bytes(damaged.read_bytes()[:-2])
    assert (measured(tmp_path, *PARTS), everything(tmp_path)) == expected
    assert len(read_names) == len(PARTS)
