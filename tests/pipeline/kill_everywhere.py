"""Kills a check in front of operations on files of every kind, runs it again, and says where the outcome differs.

    python kill_everywhere.py FOLDER

FOLDER is empty. There are two checks: of some files, and of the same folder after a log grew within its last line, one
was rotated and others were added, changed or removed. One line is printed for each kill: the operation, what it was
done to, and `same` or what differs. A process of its own, because it forks.
"""

import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]

from tidegate.catalogue import catalogue
from tidegate.record.events import Event, Kind
from tidegate.record.trace import TraceWriter

ACTORS = {"queue": "[vh(/test)/qu(q)]", "channel": "[con:1(guest@a/test)/ch:1]"}
EPISODE = [
    ("queue", "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"),
    ("channel", "CHN-1005 : Flow Control Enforced (Queue q)"),
    ("queue", "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"),
    ("channel", "CHN-1006 : Flow Control Removed"),
    ("queue", "QUE-1003 : Overfull : Size : 1,20 bytes, Capacity : 1,000"),
]

NAME = re.compile(r"[0-9a-f]{32}")
NEVER = 0
"""Operations are counted from 1."""


def lines(second: int) -> list[str]:
    return [
        f"2026-01-31 23:59:{second:02},123 MESSAGE {ACTORS[actor]} {ACTORS[actor]} {said}" for actor, said in EPISODE
    ]


def prepare(folder: Path) -> None:
    """What there is before the first check."""
    logs = folder / "logs"
    logs.mkdir()
    (logs / "grows.log").write_text("\n".join(lines(1))[:-20])
    (logs / "rotates.log.1").write_text("\n".join(lines(2)) + "\n")
    (logs / "rotates.log").write_text("\n".join(lines(8)) + "\n")
    (logs / "vanishes.log").write_text("\n".join(lines(3)) + "\n")
    (logs / "changes.log").write_text("\n".join(lines(4)) + "\n")
    with TraceWriter(logs / "trace.jsonl", name="mine", version="1", capabilities=[]) as trace:
        trace.write(Event(source="s", seq=1, time=0, kind=Kind.LEVEL, destination="q", bytes=0))


def change(folder: Path) -> None:
    """What happens before the second check."""
    logs = folder / "logs"
    (logs / "grows.log").write_text("\n".join(lines(1)) + "\n" + "\n".join(lines(6)) + "\n")
    (logs / "rotates.log").rename(logs / "rotates.log.1")
    (logs / "rotates.log").write_text("\n".join(lines(9)) + "\n")
    (logs / "vanishes.log").unlink()
    (logs / "changes.log").write_text("\n".join(lines(5)[:3]) + "\n")
    (logs / "added.log").write_text("\n".join(lines(7)) + "\n")


def outcome(folder: Path) -> dict[str, Any]:
    """Everything that the store and the report say, but for the notes on what this run had to do."""
    report = json.loads((folder / "out" / "trace-report.json").read_text())
    del report["notes"]
    tables = {name: rows(folder / "out" / name) for name in ("events", "quarantine")}
    files = {
        kept: sorted(path.stem for path in (folder / "out" / kept).iterdir())
        for kept in ("events", "quarantine", "commits", "judged", "partial")
    }
    return {
        "report": report,
        **tables,
        # which splits stand together depends on what was read when, but nothing is left that has no marker
        "whole": files["events"] == files["quarantine"] == files["commits"],
        "files": [*files["judged"], *files["partial"]],
    }


def rows(table: Path) -> list[dict[str, Any]]:
    """The rows of all files of a table, in one order, read without threads."""
    found = [row for file in table.iterdir() for row in pq.ParquetFile(file).read(use_threads=False).to_pylist()]
    return sorted(found, key=json.dumps)


def check(folder: Path, kill_at: int = NEVER) -> list[str]:
    """Check, but be killed in front of the N-th operation on files; every operation up to it.

    A child does it. It alone loads the libraries whose threads would not be there after a fork.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _check_and_tell(folder, kill_at, writer)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as said:
        done = said.read().splitlines()
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
    assert killed if kill_at else status == 0, (kill_at, status, done)
    return done


def _check_and_tell(folder: Path, kill_at: int, writer: int) -> None:

    from tidegate.pipeline.check.engine import check_files
    from tidegate.pipeline.report.written import write_report

    counter = count(1)

    def telling(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def do(path: Path, *others: Any, **named: Any) -> Any:
            place = others[0] if others else path
            os.write(writer, f"{name} {place.relative_to(folder)}\n".encode())
            if next(counter) == kill_at:
                if name == "rename":
                    # what was written last may not have come to the disk as a whole
                    os.truncate(path, path.stat().st_size // 2)
                os.kill(os.getpid(), signal.SIGKILL)
            return work(path, *others, **named)

        return do

    for name, method in (("rename", "replace"), ("remove", "unlink"), ("make", "mkdir")):
        setattr(Path, method, telling(name, getattr(Path, method)))
    write_report(check_files([folder / "logs"], folder / "out", catalogue()), folder / "out")


def last_of_each_kind(operations: list[str]) -> list[int]:
    """The last operation of each kind, by its number from 1."""
    return sorted({NAME.sub("NAME", operation): number for number, operation in enumerate(operations, 1)}.values())


def kill_everywhere(start: Path, at: Path) -> None:
    """Kill the check of what is in `start` at each kind of place, and check again.

    Every attempt is made in the folder `at`, because tables and markers hold the paths of the files.
    """
    shutil.copytree(start, at)
    operations = check(at)
    expected = outcome(at)
    for operation in last_of_each_kind(operations):
        shutil.rmtree(at)
        shutil.copytree(start, at)
        where = check(at, operation)[-1]
        check(at)
        seen = outcome(at)
        differs = [name for name, value in expected.items() if seen[name] != value]
        sys.stdout.write(f"{where}\t{differs or 'same'}\n")


def main(folder: Path) -> None:
    # read once, for every child
    catalogue()
    first, second, at = folder / "first", folder / "second", folder / "at"
    first.mkdir()
    prepare(first)
    kill_everywhere(first, at)
    # the last attempt was made whole
    change(at)
    shutil.move(at, second)
    kill_everywhere(second, at)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
