"""`tidegate trace check` on Spark: events that do not stand in their order, and how far the work is."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from click.testing import Result

from tests.pipeline.episode import EPISODE, check, report
from tidegate.record.errors import ExitCode

LOG = [*EPISODE, EPISODE[3]]
"""An episode, and a second release, which breaks QPID-LOG-4."""
FOUND = {
    "QPID-LOG-1": ("kept", 1, 0, []),
    "QPID-LOG-2": ("kept", 1, 0, []),
    "QPID-LOG-3": ("kept", 1, 0, []),
    "QPID-LOG-4": ("violated", 2, 1, [5]),
    "QPID-QUEUE-2": ("kept", 1, 0, []),
}
BAR = "━"


def checked(folder: Path, store: str, *options: str) -> Result:
    return check(folder, folder / "broker.log", *options, out=store)


def found(folder: Path, store: str) -> dict[str, Any]:
    """For each rule, the verdict, how many events it judges, of how many it does not hold, and the lines of these."""
    (judged,) = report(folder, store)["inputs"]
    return {
        said["rule"]: (said["verdict"], said["judged"], said["violated"], [one["line"] for one in said["evidence"]])
        for said in judged["verdicts"]
    }


def turn_events_around(store: Path) -> None:
    """Put the last event of the only split first, and forget what was judged: a table whose order is not its seq."""
    (table,), (marker,) = (store / "events").iterdir(), (store / "commits").iterdir()
    events = pq.read_table(table)
    pq.write_table(events.take(pa.array(reversed(range(events.num_rows)))), table)
    said = json.loads(marker.read_text())
    marker.write_text(json.dumps({**said, "events_bytes": table.stat().st_size}))
    for judged in (store / "judged").iterdir():
        judged.unlink()


@pytest.mark.usefixtures("spark")
def test_events_that_do_not_stand_in_their_order_are_sorted_first_by_every_engine(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(LOG))
    in_order = checked(tmp_path, "plain", "--engine", "plain")
    assert (in_order.exit_code, found(tmp_path, "plain")) == (ExitCode.VIOLATED, FOUND)
    assert "sorted first" not in in_order.output
    turn_events_around(tmp_path / "plain")
    shutil.copytree(tmp_path / "plain", tmp_path / "spark")

    for store in ("plain", "spark"):
        result = checked(tmp_path, store, "--engine", store)
        assert (result.exit_code, found(tmp_path, store)) == (ExitCode.VIOLATED, FOUND)
        why = f"{tmp_path / 'broker'}: events were sorted first, for {str(tmp_path / 'broker')!r} goes on with number "
        (note,) = (line for line in result.stdout.splitlines() if line.startswith("note"))
        assert why in note
        (told,) = json.loads((tmp_path / store / "trace-report.json").read_text())["notes"]
        assert told.startswith(why)


def test_signs_of_patterns_in_names_are_signs_like_others(tmp_path: Path) -> None:
    odd, usual = (checked_in(tmp_path / name) for name in ("a[1]*?{b,c}\\", "a"))
    assert odd == usual
    # a log that has grown is measured anew, and its first events stand the wrong way round by then
    assert [(code, measures["episodes"]) for code, measures in odd] == [(ExitCode.VIOLATED, n) for n in (2, 2, 2, 5)]


def checked_in(folder: Path) -> list[tuple[int, dict[str, Any]]]:
    """Of a log, of the same again, of events whose order is not proved, and of the log when it has grown."""
    folder.mkdir()
    log, store = folder / "broker.log", "out[2]*"
    changes: list[Callable[[], object]] = [
        lambda: log.write_text("".join(LOG)),
        lambda: None,
        lambda: turn_events_around(folder / store),
        lambda: log.write_text("".join([*LOG, *LOG])),
    ]
    said = []
    for change in changes:
        change()
        code = checked(folder, store).exit_code
        measures = json.loads((folder / store / "trace-report.json").read_text())["measures"]
        said.append((code, json.loads(json.dumps(measures).replace(json.dumps(str(folder))[1:-1], ""))))
    return said


@pytest.mark.usefixtures("spark")
def test_without_a_terminal_each_stage_of_the_work_is_a_line(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(LOG))
    assert checked(tmp_path, "out", "--engine", "spark").stderr.splitlines() == [
        "starting Spark",
        "looking for what is new",
        "reading 1 split, 0 known already",
        "judging 5 events by 11 rules and measuring who was stopped",
    ]


def test_on_a_terminal_there_is_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    (tmp_path / "broker.log").write_text("".join(LOG))
    said = checked(tmp_path, "out").stderr
    assert BAR in said
    assert "measuring who was stopped" in said
    assert "looking for what is new\n" not in said


@pytest.mark.parametrize("terminal", [False, True], ids=["no terminal", "a terminal"])
def test_quiet_shows_neither_bar_nor_stage_nor_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool
) -> None:
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    (tmp_path / "broker.log").write_text("".join(LOG))
    result = checked(tmp_path, "out", "--quiet")
    assert (result.exit_code, result.stdout, result.stderr) == (ExitCode.VIOLATED, "", "")
    assert found(tmp_path, "out") == FOUND
