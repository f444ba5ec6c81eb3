"""What was measured is not measured again, what grew is measured anew, and a kill in between changes nothing."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.measured import events, level, limits, measured, overfull, release, rows, send, stop, underfull
from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.findings.measures import Measures
from tidegate.pipeline.stops import measuring, tables
from tidegate.pipeline.stops.frames import ReadEvents
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


class Killed(BaseException):
    """What stands for a kill: nothing after it is done."""


def everything(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows(folder, name) for name in tables.SCHEMAS}


@pytest.fixture
def read_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The files of events that were read."""
    names: list[str] = []
    read = measuring.read

    def noted(parts: Sequence[Rows]) -> ReadEvents:
        names.extend(part.path.name for part in parts)
        return read(parts)

    monkeypatch.setattr(measuring, "read", noted)
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


def test_killed_at_any_operation_on_files_it_ends_with_the_same_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = measured(tmp_path / "expected", *PARTS), everything(tmp_path / "expected")
    measured(tmp_path / "known", *PARTS[:2])
    kills: Counter[str] = Counter()
    for kill_at in count(1):
        folder = tmp_path / f"killed-{kill_at}"
        shutil.copytree(tmp_path / "known", folder)
        with monkeypatch.context() as patch:
            operation = killed_at(kill_at, patch, lambda place=folder: measured(place, *PARTS))
        assert (measured(folder, *PARTS), everything(folder)) == expected, f"killed at operation {kill_at}"
        if operation is None:
            break
        kills[operation] += 1
    # a folder for each table; its empty file and its parts; and what says that it counts
    assert kills["mkdir"] > len(tables.SCHEMAS)
    assert kills["write_bytes"] > len(tables.SCHEMAS)
    assert kills["unlink"] >= 1


def killed_at(number: int, patch: pytest.MonkeyPatch, work: Callable[[], Measures]) -> str | None:
    """The N-th operation on files of the work, at which it is killed, with a file half written; None after the last."""
    done = count(1)
    killed: str | None = None

    def watched(name: str, operation: Callable[..., Any]) -> Callable[..., Any]:
        def do(path: Path, *given: Any, **named: Any) -> Any:
            nonlocal killed
            if killed is None and next(done) == number:
                killed = name
                if name == "write_bytes":
                    operation(path, given[0][: len(given[0]) // 2])
            if killed is not None:
                raise Killed
            return operation(path, *given, **named)

        return do

    for name in ("mkdir", "unlink", "write_bytes"):
        patch.setattr(Path, name, watched(name, getattr(Path, name)))
    with suppress(Killed):
        work()
    return killed
