"""A check that is killed at any kind of operation on files, and run again, leaves what an undisturbed one leaves."""

import json
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.pipeline.episode import EPISODE, QUEUE
from tests.sample import drawn, nightly
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.report.written import write_report
from tidegate.record.events import Event, Kind
from tidegate.record.trace import TraceWriter

TORN = f"2026-01-31 23:59:59,123 MESSAGE {QUEUE} QUE-1003 : Overfull : Size : 1,20 bytes, Capacity : 1,000\n"
NAME = re.compile(r"[0-9a-f]{32}|[0-9a-f]{16}")
OPERATIONS = {"rename": "replace", "remove": "unlink", "make": "mkdir", "write": "write_bytes"}
EVERY = 1000
"""More kinds of operations than there are."""
TABLES = ("events", "quarantine", "episodes", "waits", "together", "overshoot", "oscillation", "changes")
STEPS = (
    "make out", "rename out/store.json", "rename out/events/NAME.parquet", "rename out/quarantine/NAME.parquet",
    "rename out/commits/NAME.json", "remove out/commits/NAME.json", "remove out/events/NAME.parquet",
    "rename out/judged/NAME.json", "remove out/judged/NAME.json", "make out/episodes", "write out/waits/none.parquet",
    "write out/episodes/NAME-000001.parquet", "write out/episodes/NAME-last.parquet", "write out/measured/NAME.json",
    "remove out/measured/NAME.json", "remove out/episodes/NAME-last.parquet", "rename out/trace-report.json",
)  # fmt: skip


class Killed(BaseException):
    """What stands for a kill: nothing after it is done."""


def lines(second: int) -> str:
    return "".join([*EPISODE, TORN]).replace("23:59:59", f"23:59:{second:02}")


def prepare(logs: Path) -> None:
    """What there is before the first check."""
    logs.mkdir()
    (logs / "grows.log").write_text(lines(1)[:-20])
    (logs / "rotates.log.1").write_text(lines(2))
    (logs / "rotates.log").write_text(lines(8) + EPISODE[1])
    (logs / "vanishes.log").write_text(lines(3))
    (logs / "changes.log").write_text(lines(4))
    with TraceWriter(logs / "trace.jsonl", name="mine", version="1", capabilities=[]) as trace:
        trace.write(Event(source="s", seq=1, time=0, kind=Kind.LEVEL, destination="q", bytes=0))


def change(logs: Path) -> None:
    """What happens before the second check."""
    (logs / "grows.log").write_text(lines(1) + lines(6))
    (logs / "rotates.log").rename(logs / "rotates.log.1")
    (logs / "rotates.log").write_text(lines(9))
    (logs / "vanishes.log").unlink()
    (logs / "changes.log").write_text("".join(lines(5).splitlines(keepends=True)[:3]))
    (logs / "added.log").write_text(lines(7))


def check(folder: Path) -> None:
    out = folder / "out"
    write_report(check_files([folder / "logs"], out, catalogue()), out)


def killed_at(number: int, folder: Path) -> list[str]:
    """Check, but be killed in front of the N-th operation on files, a file half written; every operation up to it."""
    done: list[str] = []
    dead = False

    def telling(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def do(path: Path, *others: Any, **named: Any) -> Any:
            nonlocal dead
            if not dead:
                done.append(f"{name} {(others[0] if name == 'rename' else path).relative_to(folder)}")
                dead = len(done) == number
                if dead and name == "write":
                    work(path, others[0][: len(others[0]) // 2])
                elif dead and name == "rename":
                    # what was written last may not have come to the disk as a whole
                    os.truncate(path, path.stat().st_size // 2)
            if dead:
                raise Killed
            return work(path, *others, **named)

        return do

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        for name, method in OPERATIONS.items():
            patch.setattr(Path, method, telling(name, getattr(Path, method)))
        check(folder)
    return done


def outcome(out: Path) -> dict[str, Any]:
    """Everything that the store and the report say, but for the notes on what this run had to do."""
    report = json.loads((out / "trace-report.json").read_text())
    del report["notes"]
    files = {each: sorted(path.stem for path in (out / each).iterdir()) for each in ("events", "quarantine", "commits")}
    kept = {each: sorted(path.name for path in (out / each).iterdir()) for each in ("judged", "partial", "measured")}
    # which splits stand together depends on what was read when, but nothing is left that has no marker
    whole = files["events"] == files["quarantine"] == files["commits"]
    return {"report": report, **{name: rows(out / name) for name in TABLES}, "whole": whole, **kept}


def rows(table: Path) -> list[str]:
    """The rows of all files of a table, in one order."""
    return sorted(json.dumps(row) for file in table.iterdir() for row in pq.ParquetFile(file).read().to_pylist())


def kills_that_matter(start: Path, at: Path, most: int) -> tuple[set[str], dict[str, list[str]]]:
    """All kinds of operations; what differs after a kill at the last operation of a kind, and another check, for some.

    Every attempt is made in the folder `at`, because tables and markers hold the paths of the files.
    """
    shutil.copytree(start, at)
    operations = killed_at(0, at)
    expected = outcome(at / "out")
    last = {NAME.sub("NAME", operation): number for number, operation in enumerate(operations, 1)}
    found = {}
    for operation, number in drawn(last.items(), most):
        shutil.rmtree(at)
        shutil.copytree(start, at)
        assert len(killed_at(number, at)) == number
        check(at)
        seen = outcome(at / "out")
        found[operation] = [name for name, value in expected.items() if seen[name] != value]
    return {*last}, found


@pytest.mark.parametrize("most", [6, nightly(EVERY)])
def test_a_check_that_is_killed_anywhere_and_run_again_finds_the_same(most: int, tmp_path: Path) -> None:
    first, second, at = tmp_path / "first", tmp_path / "second", tmp_path / "at"
    first.mkdir()
    prepare(first / "logs")
    kinds, found = kills_that_matter(first, at, most)
    # the last attempt was made whole
    change(at / "logs")
    shutil.move(at, second)
    more_kinds, more_found = kills_that_matter(second, at, most)
    for each in (found, more_found):
        assert {operation: differs for operation, differs in each.items() if differs} == {}
    assert {*STEPS} <= kinds | more_kinds
    assert len(found) == min(most, len(kinds)) and len(more_found) == min(most, len(more_kinds))
