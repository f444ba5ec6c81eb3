"""`tidegate trace watch`: a log appended to, and verdicts as of a check."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tidegate.cli.trace import trace
from tidegate.record.errors import ExitCode, TidegateError

LOG = (Path(__file__).parents[1] / "runs" / "qpid-10.1.0.log").read_bytes()


def invoke(*arguments: object) -> Result:
    """A command below `tidegate trace`; what it raises is raised."""
    result = CliRunner().invoke(trace, [str(each) for each in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def found(folder: Path) -> list[Any]:
    """What a report says of each rule: verdict, counts, and the lines of the evidence; and of all lines."""
    report = json.loads((folder / "trace-report.json").read_text())
    return [(each["account"], [_about(said) for said in each["verdicts"]]) for each in report["inputs"]]


def _about(said: dict[str, Any]) -> tuple[Any, ...]:
    return (said["rule"], said["verdict"], said["judged"], said["violated"], [one["line"] for one in said["evidence"]])


def test_a_log_that_grows_has_the_verdicts_of_a_check(tmp_path: Path) -> None:
    log, folder = tmp_path / "broker.log", tmp_path / "watch"
    log.write_bytes(LOG[: len(LOG) // 3])
    watch = ("watch", log, "--once", "--report", folder)
    first = invoke(*watch)
    log.write_bytes(LOG[: len(LOG) // 2])
    invoke(*watch)
    log.write_bytes(LOG)
    last = invoke(*watch)
    checked = invoke("check", log, "--report", tmp_path / "check")
    assert found(folder) == found(tmp_path / "check")
    assert last.exit_code == checked.exit_code == ExitCode.VIOLATED
    alerts = (folder / "alerts.jsonl").read_text().splitlines()
    assert len(alerts) == len(set(alerts))
    violations = [each for each in map(json.loads, alerts) if each["alert"] == "violation"]
    assert len(violations) == sum(rule[3] for _, rules in found(folder) for rule in rules) > 5
    assert "violation: QPID-LOG-3" in first.output
    assert "QPID-LOG-3  violated" in last.output


def test_a_watch_that_runs_on_ends_after_as_many_looks_as_it_is_told(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_bytes(LOG)
    options = ("--every", "0.1", "--stop-after", "2", "--stopped-longer-than", "0.001", "--quiet")
    result = invoke("watch", log, "--report", tmp_path / "watch", *options)
    assert "stopped-too-long: con:" in result.output
    assert "QPID-LOG-3  violated" not in result.output


def test_what_the_watch_refuses_is_one_sentence(tmp_path: Path) -> None:
    log, folder = tmp_path / "broker.log", tmp_path / "watch"
    log.write_bytes(LOG)
    folder.mkdir()
    (folder / "state.json").write_text("{}")
    with pytest.raises(TidegateError, match="expected a state that tidegate trace watch wrote"):
        invoke("watch", log, "--once", "--report", folder)
