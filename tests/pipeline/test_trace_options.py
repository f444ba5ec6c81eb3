"""What the user says of logs through options of `tidegate trace check`: it changes times, figures and verdicts."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.episode import OVERFULL, RELEASED, STOPPED, UNDERFULL, check, line, report, table
from tidegate.cli.main import main
from tidegate.record.errors import ExitCode

RELEASES_ARE_OF_STOPPED = "QPID-LOG-4"


def log(path: Path, *lines: str) -> Path:
    """A log of lines, each with a time in front."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines))
    return path


def episode(time: str, separator: str = ",") -> list[str]:
    """A queue that fills up, stops a channel, and lets it go, all at one time."""
    return [
        line(OVERFULL.replace(",", separator).replace(f"bytes{separator}", "bytes,"), time),
        *(line(said, time) for said in (STOPPED, UNDERFULL, RELEASED)),
    ]


def events(folder: Path) -> list[dict[str, Any]]:
    return sorted(table(folder, "events"), key=lambda event: (event["source"], event["seq"]))


def verdicts(folder: Path) -> dict[str, dict[str, str]]:
    """By the name of each file the verdict on each rule."""
    return {
        str(Path(each["input"]).relative_to(folder)): {said["rule"]: said["verdict"] for said in each["verdicts"]}
        for each in report(folder)["inputs"]
    }


def test_logs_of_one_host_are_one_log_wherever_they_lie(tmp_path: Path) -> None:
    """A release without a stop: the first line of a log of its own, and wrong in a log in which all were let go."""
    log(tmp_path / "a" / "broker.log", *episode("2026-01-30 12:00:00,000"))
    log(tmp_path / "b" / "broker.log", line(RELEASED, "2026-01-31 12:00:00,000"))
    check(tmp_path, tmp_path / "a", tmp_path / "b")
    assert verdicts(tmp_path)["b/broker.log"][RELEASES_ARE_OF_STOPPED] == "unknown"
    assert {event["host"] for event in events(tmp_path)} == {f"{tmp_path}/{name}/broker" for name in "ab"}

    hosts = ("--host", f"north={tmp_path / 'a'}", "--host", f"north={tmp_path / 'b'}")
    check(tmp_path, tmp_path / "a", tmp_path / "b", *hosts)
    assert verdicts(tmp_path)["a/broker.log"][RELEASES_ARE_OF_STOPPED] == "kept"
    assert verdicts(tmp_path)["b/broker.log"][RELEASES_ARE_OF_STOPPED] == "violated"
    assert {event["host"] for event in events(tmp_path)} == {"north"}


def test_logs_of_two_hosts_in_one_row_of_names_are_two_logs(tmp_path: Path) -> None:
    first = log(tmp_path / "broker.log.1", *episode("2026-01-30 12:00:00,000"))
    second = log(tmp_path / "broker.log", line(RELEASED, "2026-01-31 12:00:00,000"))
    check(tmp_path, first, second)
    assert verdicts(tmp_path)["broker.log"][RELEASES_ARE_OF_STOPPED] == "violated"
    check(tmp_path, first, second, "--host", f"north={first}", "--host", f"south={second}")
    assert verdicts(tmp_path)["broker.log"][RELEASES_ARE_OF_STOPPED] == "unknown"
    assert {event["host"] for event in events(tmp_path)} == {"north", "south"}


@pytest.mark.parametrize(
    ("options", "time"),
    [
        ([], 1_785_585_599_123),
        (["--timezone", "UTC"], 1_785_585_599_123),
        (["--timezone", "Europe/Berlin"], 1_785_578_399_123),
        (["--timezone", "America/New_York"], 1_785_599_999_123),
    ],
    ids=["none", "UTC", "two hours before", "four hours after"],
)
def test_a_time_without_a_zone_is_of_the_zone_that_was_named(tmp_path: Path, options: list[str], time: int) -> None:
    path = log(tmp_path / "broker.log", *episode("2026-08-01 11:59:59,123"))
    check(tmp_path, path, *options)
    assert {event["time"] for event in events(tmp_path)} == {time}


def test_a_time_that_names_its_zone_is_of_no_other(tmp_path: Path) -> None:
    path = log(tmp_path / "broker.log", *episode("2026-08-01 11:59:59,123Z"))
    check(tmp_path, path, "--timezone", "Europe/Berlin")
    assert {event["time"] for event in events(tmp_path)} == {1_785_585_599_123}


def test_the_zone_decides_which_file_comes_first_and_with_it_who_keeps_the_rules(tmp_path: Path) -> None:
    """In Berlin the log that ends at 12:30 was written before the one that begins at 12:00 of UTC."""
    stop, release = episode("2026-01-01 12:00:00,000Z"), line(RELEASED, "2026-01-01 12:30:00,000")
    log(tmp_path / "broker.log.1", *stop)
    log(tmp_path / "broker.log", release)
    check(tmp_path, tmp_path / "broker.log", tmp_path / "broker.log.1")
    assert verdicts(tmp_path)["broker.log"][RELEASES_ARE_OF_STOPPED] == "violated"
    check(tmp_path, tmp_path / "broker.log", tmp_path / "broker.log.1", "--timezone", "Europe/Berlin")
    assert RELEASES_ARE_OF_STOPPED not in verdicts(tmp_path)["broker.log"]
    assert verdicts(tmp_path)["broker.log.1"][RELEASES_ARE_OF_STOPPED] == "kept"


@pytest.mark.parametrize("separator", [".", ",", ""])
def test_figures_are_read_in_any_grouping(tmp_path: Path, separator: str) -> None:
    path = log(tmp_path / "broker.log", *episode("2026-01-31 23:59:59,123", separator))
    assert check(tmp_path, path).exit_code == ExitCode.OK
    assert [event["bytes"] for event in events(tmp_path) if event["kind"] == "overfull"] == [1200]


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--host", "north", "field 'host': expected NAME=PATH, not 'north'"),
        ("--host", "=logs", "field 'host': expected NAME=PATH, not '=logs'"),
        ("--host", "north=logs", "field 'host': expected a path to a log that the command reads, not 'logs'"),
        (
            *("--timezone", "Mars"),
            "field 'timezone': expected the name of a time zone, such as Europe/Berlin, not 'Mars'",
        ),
        ("--timezone", "", "field 'timezone': expected the name of a time zone, such as Europe/Berlin, not ''"),
    ],
)
def test_a_value_without_a_meaning_is_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    option: str,
    value: str,
    said: str,
) -> None:
    path = log(tmp_path / "broker.log", *episode("2026-01-31 23:59:59,123"))
    command = ["tidegate", "trace", "check", str(path), option, value, "--quiet", "--report", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == ExitCode.BAD_INPUT
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tidegate: {said}")
    assert not (tmp_path / "out" / "trace-report.json").exists()
