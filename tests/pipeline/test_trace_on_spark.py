"""`tidegate trace check` on Spark and here: the same findings, and how far the work is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def test_signs_of_patterns_in_names_are_signs_like_others(tmp_path: Path) -> None:
    odd, usual = (checked_in(tmp_path / name) for name in ("a[1]*?{b,c}\\", "a"))
    assert odd == usual
    assert [(code, measures["episodes"]) for code, measures in odd] == [(ExitCode.VIOLATED, n) for n in (2, 2, 4)]


def checked_in(folder: Path) -> list[tuple[int, dict[str, Any]]]:
    """Of a log, of the same again, and of the log when it has grown."""
    folder.mkdir()
    log, store = folder / "broker.log", "out[2]*"
    changes: list[Callable[[], object]] = [
        lambda: log.write_text("".join(LOG)),
        lambda: None,
        lambda: log.write_text("".join([*LOG, *(each.replace("2026-01-31", "2026-02-01") for each in LOG)])),
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
        "judging 5 events by 12 rules and measuring who was stopped",
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
