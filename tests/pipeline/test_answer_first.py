"""`tidegate trace check` answers first: who was blocked by what, since when, how long, still on or not."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tidegate.cli.trace import trace
from tidegate.pipeline.findings.measures import Point, Timeline
from tidegate.pipeline.report.page import chart
from tidegate.pipeline.report.terminal import LONGEST, raw_line
from tidegate.record.errors import ExitCode

CHANNEL = "[con:1(guest@/127.0.0.1:1/test)/ch:{number}]"
BLOCKED = CHANNEL + " " + CHANNEL + " CHN-1005 : Flow Control Enforced (Queue q)"
RELEASED = CHANNEL + " " + CHANNEL + " CHN-1006 : Flow Control Removed"
ROOM = "[vh(/test)/qu(q)] QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"
FULL = "[vh(/test)/qu(q)] QUE-1003 : Overfull : Size : {size} bytes, Capacity : 1,000"


def line(clock: str, text: str, **fields: object) -> str:
    return f"2026-01-31 {clock},000 INFO  {text.format(**fields)}\n"


def stops(begin: str = "12:00:00", end: str = "12:10:00") -> list[str]:
    """Channel 1 is let go after a second, channel 2 never; the last line is about something else."""
    return [
        line(begin, FULL, size="1,200"),
        line(begin, BLOCKED, number=2),
        line(begin, BLOCKED, number=1),
        line(begin[:-1] + "1", ROOM),
        line(begin[:-1] + "1", RELEASED, number=1),
        line(end, "[Broker] BRK-1004 : Qpid Broker Ready"),
    ]


def check(folder: Path, *arguments: object) -> Result:
    given = ["check", *map(str, arguments), "--report", str(folder / "out"), "--engine", "plain"]
    return CliRunner(env={"COLUMNS": "200"}).invoke(trace, given)


def test_the_first_line_says_who_is_blocked_by_what_since_when_how_long_and_whether_it_is_still_on(
    tmp_path: Path,
) -> None:
    (tmp_path / "broker.log").write_text("".join(stops()))
    said = check(tmp_path, tmp_path / "broker.log").stdout
    assert " ".join(said.split()).startswith(
        "Blocked for longest: channel con:1(guest@/127.0.0.1:1/test)/ch:2, by capacity of test/q, "
        "since 2026-01-31 12:00:00.000 UTC, for at least 10 min, still on who was blocked"
    )
    assert said.index("who was blocked") < said.index("top causes") < said.index("lines =") < said.index("verdict")
    page = (tmp_path / "out" / "trace-report.html").read_text()
    assert page.index("Blocked for longest") < page.index("QPID-LOG-1")
    assert 'data-for="state">still on<' in page  # on a phone the label stands in front of the word


def test_times_are_those_of_the_time_zone_that_was_asked_for(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(stops()).replace("1,200", "900"))
    result = check(tmp_path, tmp_path / "broker.log", "--timezone", "Europe/Berlin")
    assert result.exit_code == ExitCode.VIOLATED
    assert "since 2026-01-31 12:00:00.000" in " ".join(result.stdout.split())
    assert f"{tmp_path / 'broker.log'}:1  2026-01-31 12:00:00.000" in result.stdout
    assert "Times are in Europe/Berlin" in (tmp_path / "out" / "trace-report.html").read_text()


def test_what_is_violated_is_shown_with_its_sentence_and_the_line_as_it_stands(tmp_path: Path) -> None:
    wrong = line("12:00:00", FULL, size="900")
    (tmp_path / "broker.log").write_text("".join([*stops("11:00:00", "11:30:00"), wrong]))
    result = check(tmp_path, tmp_path / "broker.log")
    rows = [row for row in result.stdout.splitlines() if row.startswith("QPID-LOG-1")]
    assert [row.split()[:4] for row in rows] == [["QPID-LOG-1", "violated", "2", "1"], ["QPID-LOG-1", "violated"]]
    assert "When a queue with a capacity becomes overfull, and only then" in result.stdout
    assert wrong.rstrip() in result.stdout
    assert "QPID-LOG-2" not in result.stdout


def test_many_small_files_are_summed_up(tmp_path: Path) -> None:
    for number in range(12):
        folder = tmp_path / f"host-{number}"
        folder.mkdir()
        (folder / "broker.log").write_text("".join(stops()))
    result = check(tmp_path, tmp_path)
    assert "broker.log" not in result.stdout
    assert len(result.stdout.splitlines()) < 80
    said = " ".join(result.stdout.split())
    assert "12 files: 12 qpid log" in said and "72 lines = 60 events + 12 ignored + 0 put aside" in said
    # the hosts that stopped somebody are told apart
    assert f"{tmp_path / 'host-0' / 'broker'}" in said and f"{tmp_path / 'host-1' / 'broker'}" in said
    assert "<h1>12 files</h1>" in (tmp_path / "out" / "trace-report.html").read_text()


def test_where_nobody_was_blocked_that_is_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text(next(each for each in stops() if "QUE-1004" in each))
    assert check(tmp_path, tmp_path / "broker.log").stdout.startswith("Nobody was blocked\n")


def test_where_only_levels_are_told_nobody_is_not_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(each for each in stops() if "CHN-100" not in each))
    said = check(tmp_path, tmp_path / "broker.log").stdout.splitlines()[0]
    assert said == "No line names a blocked producer, although test/q reached a limit"


def test_where_lines_could_not_be_read_nobody_is_not_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(f"mq-1  | {line}" for line in stops()))
    result = check(tmp_path, tmp_path / "broker.log")
    said = "Whether anybody was blocked cannot be told: 5 lines with a known code could not be read"
    assert result.exit_code == ExitCode.UNKNOWN
    assert result.stdout.startswith(f"{said}\n")
    page = (tmp_path / "out" / "trace-report.html").read_text()
    assert "Whether anybody was blocked cannot be told" in page and "Nobody was blocked" not in page


@pytest.mark.parametrize("packed", [False, True])
def test_a_raw_line_is_the_one_of_its_number(tmp_path: Path, packed: bool) -> None:
    path, text = tmp_path / "some.log", b"one\ntwo \xff\n" + b"x" * 9000 + b"\n"
    path.write_bytes(gzip.compress(text) if packed else text)
    assert raw_line(str(path), 2) == "two \\xff"
    assert raw_line(str(path), 3) == "x" * LONGEST + " …"
    assert raw_line(str(path), 4) == raw_line(str(tmp_path / "gone.log"), 1) == ""
    if not packed:
        assert raw_line(str(path), 99, offset=4) == "two \\xff"


def test_charts_share_an_axis_and_show_the_figure_at_its_end() -> None:
    points = (Point(50, 100, 200, None), Point(100, 50, 200, None))
    drawn = chart(Timeline("s", "q", "bytes", points, (), 2, 0, 50, 100), 0, 200)
    assert drawn.level.startswith("M250 ") and drawn.level.endswith("H500")
    assert drawn.top == round(200 * 1.06)
