"""`tidegate trace watch`: a log appended to, and verdicts as of a check."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tidegate.cli.trace import trace
from tidegate.record.errors import ExitCode, TidegateError

RUNS = Path(__file__).parents[1] / "runs"
LOG = (RUNS / "qpid-10.1.0.log").read_bytes()


def invoke(*arguments: object) -> Result:
    """A command below `tidegate trace`; what it raises is raised."""
    result = CliRunner().invoke(trace, [str(each) for each in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def found(folder: Path) -> list[Any]:
    """What a report says of each rule: verdict, reason, counts, and the lines of the evidence; and of all lines."""
    report = json.loads((folder / "trace-report.json").read_text())
    return [(each["account"], [_about(said) for said in each["verdicts"]]) for each in report["inputs"]]


def _about(said: dict[str, Any]) -> tuple[Any, ...]:
    lines = [one["line"] for one in said["evidence"]]
    return said["rule"], said["verdict"], said["reason"], said["judged"], said["violated"], lines


@pytest.mark.parametrize(("name", "rule"), [("qpid-10.1.0", "QPID-LOG-3"), ("artemis-2.44.0", None)])
def test_a_log_that_grows_has_the_verdicts_of_a_check(tmp_path: Path, name: str, rule: str | None) -> None:
    log, folder, content = tmp_path / "broker.log", tmp_path / "watch", (RUNS / f"{name}.log").read_bytes()
    watch, looks = ("watch", log, "--once", "--report", folder), []
    for fifth in range(1, 6):
        log.write_bytes(content[: fifth * len(content) // 5])
        looks.append(invoke(*watch))
    checked = invoke("check", log, "--report", tmp_path / "check")
    assert found(folder) == found(tmp_path / "check")
    assert sum(each[3] for _, rules in found(folder) for each in rules) > 50
    assert looks[-1].exit_code == checked.exit_code == (ExitCode.VIOLATED if rule else ExitCode.OK)
    alerts = (folder / "alerts.jsonl").read_text().splitlines()
    assert len(alerts) == len(set(alerts))
    violations = [each for each in map(json.loads, alerts) if each["alert"] == "violation"]
    assert len(violations) == sum(each[4] for _, rules in found(folder) for each in rules)
    if rule:
        assert len(violations) > 5
        assert f"violation: {rule}" in looks[1].output and f"{rule}  violated" in looks[-1].output


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
