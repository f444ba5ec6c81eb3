"""What cannot be read is left out with one sentence, the rest is judged, and the exit code says so."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from tests.pipeline.episode import EPISODE, check
from tidegate.cli.trace import trace
from tidegate.pipeline.report.written import MOST
from tidegate.record.errors import BadInput, ExitCode

HEADER = '{"format":"tidegate-trace","schema":1,"implementation":{"name":"x","version":"1","capabilities":[]}}\n'


FOOTER = '\n{"footer":{}}\n'


def good(folder: Path) -> Path:
    log = folder / "good.log"
    log.write_text("".join(EPISODE))
    return log


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda path: None, "expected a file that can be read, but there is no such file or folder"),
        (lambda path: path.symlink_to(path), "expected a file that can be read, but its links lead in a circle"),
        (lambda path: path.mkdir(), "expected a folder with traces"),
        (lambda path: path.write_text("dear diary\n"), "expected a tidegate trace or a log of a known form"),
        (lambda path: path.write_text("PAR1 and no more"), "expected a tidegate trace or a log of a known form"),
        (lambda path: path.write_bytes(b"\x00\xff\xfe"), "expected a tidegate trace or a log of a known form"),
        (lambda path: path.write_text("".join(EPISODE), encoding="utf-16"), "expected UTF-8 text, not UTF-16"),
        (lambda path: path.write_bytes(b"\x1f\x8b\x08 and no more"), "expected a whole packed file, but nothing of it"),
        (lambda path: path.write_text("{}\n"), "expected a header with the implementation that the trace is about"),
        (lambda path: path.write_text(HEADER), "expected a footer; the trace is incomplete"),
        (lambda path: path.write_text(HEADER + "[" * 200_000 + FOOTER),
         "expected one JSON object a line, not one nested"),
        (lambda path: path.write_text(HEADER + '{"seq":' + "9" * 5000 + "}" + FOOTER),
         "expected one JSON object a line (Exceeds"),
        (lambda path: path.write_text('{"format":' + "9" * 5000 + "}\n"), "expected a header with the implementation"),
        (lambda path: path.write_text("{" + '"a":[' * 100_000 + "\n"), "expected a header with the implementation"),
        (os.mkfifo, "expected a file, not a pipe or a device"),
        (lambda path: path.write_text("".join(EPISODE).replace("\n", "\r"), newline=""),
         "expected lines that end with a line feed"),
        (lambda path: path.write_text("".join(json.dumps({"log": line}) + "\n" for line in EPISODE)),
         "expected the lines as the broker wrote them, each with its time in front, not records of JSON"),
    ],
    ids=["nothing", "a link to itself", "an empty folder", "another text", "a cut table", "binary", "UTF-16",
         "a cut archive", "no header", "a cut trace", "deep", "digits", "digits in the header", "a deep header",
         "a pipe", "carriage returns", "records of JSON"],
)  # fmt: skip
def test_the_rest_is_judged(tmp_path: Path, make: Callable[[Path], object], expected: str) -> None:
    bad = tmp_path / "bad.log"
    make(bad)
    result = check(tmp_path, bad, good(tmp_path))
    assert result.exit_code == ExitCode.UNKNOWN
    (said,) = [line for line in result.stderr.splitlines() if line.startswith("tidegate: ")]
    assert said.startswith(f"tidegate: {bad}")
    assert expected in said
    assert "4 lines = 4 events + 0 ignored + 0 put aside" in result.stdout
    assert {row["input"] for row in pq.read_table(tmp_path / "out" / "events").to_pylist()} == {str(good(tmp_path))}


def test_a_folder_that_may_not_be_listed_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as a user whom the system lets read everything."""
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "a.log").write_text("".join(EPISODE))

    def refusing(work: Callable[..., Any]) -> Callable[..., Any]:
        def listed(path: Any = ".") -> Any:
            if not isinstance(path, int) and Path(path) == closed:
                raise PermissionError(13, "Permission denied", str(closed))
            return work(path)

        return listed

    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    monkeypatch.setattr(os, "listdir", refusing(os.listdir))
    result = check(tmp_path, closed, good(tmp_path))
    assert result.exit_code == ExitCode.UNKNOWN
    assert f"tidegate: {closed}: expected a folder that can be read, but permission is denied" in result.stderr
    assert "4 lines = 4 events" in result.stdout


def test_where_nothing_can_be_read_nothing_is_judged(tmp_path: Path) -> None:
    diary = tmp_path / "diary.log"
    diary.write_text("dear diary\n")
    result = check(tmp_path, diary)
    assert result.exit_code == ExitCode.BAD_INPUT
    (said,) = [line for line in result.stderr.splitlines() if line.startswith("tidegate: ")]
    assert said.startswith(f"tidegate: {diary}: expected a tidegate trace or a log of a known form")


def test_of_many_that_are_left_out_the_first_are_told_and_the_table_has_all(tmp_path: Path) -> None:
    diaries = tmp_path / "diaries"
    diaries.mkdir()
    for number in range(MOST + 7):
        (diaries / f"{number}.log").write_text("dear diary\n")
    result = check(tmp_path, good(tmp_path), diaries)
    said = [line for line in result.stderr.splitlines() if line.startswith("tidegate: ")]
    assert len(said) == MOST + 1
    assert said[-1] == "tidegate: 7 more are left out; the table sentences.parquet has a sentence for each"
    table = pl.read_parquet(tmp_path / "out" / "sentences.parquet")
    assert table.filter(pl.col("list") == "left_out").height == MOST + 7


def test_where_nothing_is_there_nothing_is_written(tmp_path: Path) -> None:
    arguments = ["check", str(tmp_path / "nothing.log"), "--report", str(tmp_path / "out")]
    refused = CliRunner().invoke(trace, arguments).exception
    assert isinstance(refused, BadInput)
    assert str(refused) == (
        f"{tmp_path / 'nothing.log'}: expected a file that can be read, but there is no such file or folder"
    )
    assert list(tmp_path.iterdir()) == []


def test_what_is_left_out_and_what_is_unknown_of_the_rest_are_alike(tmp_path: Path) -> None:
    log = good(tmp_path)
    log.write_text(EPISODE[0])
    assert check(tmp_path, tmp_path / "nothing.log", log).exit_code == ExitCode.UNKNOWN


def test_what_the_rest_violates_is_sure_and_counts_most(tmp_path: Path) -> None:
    log = good(tmp_path)
    log.write_text(EPISODE[0] + EPISODE[-1] * 2)
    result = check(tmp_path, tmp_path / "nothing.log", log)
    assert result.exit_code == ExitCode.VIOLATED, result.output
