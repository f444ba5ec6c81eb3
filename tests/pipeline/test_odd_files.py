"""Lines, disks and readers that are not as they should be: one sentence each."""

import os
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import polars as pl
import pytest

from tests.pipeline.real_logs import LOGS
from tests.pipeline.test_answer_first import BLOCKED, FULL, check, line
from tidegate.pipeline.files.durable import writable
from tidegate.pipeline.lines.careful import LONGEST_LINE
from tidegate.record.errors import BadInput, ExitCode

GREEN, PLAIN = "\x1b[1;32m", "\x1b[0m"
GOOD = line("12:00:00", FULL, size="900")


def test_a_name_of_megabytes_is_put_aside_and_not_printed(tmp_path: Path) -> None:
    long = BLOCKED.format(number=1).replace("Queue q", "Queue " + "q" * 5_000_000)
    (tmp_path / "some.log").write_text(GOOD + line("12:00:01", long.replace("{", "{{")))
    result = check(tmp_path, tmp_path / "some.log")
    assert result.exit_code == ExitCode.VIOLATED
    assert f"expected a line of at most {LONGEST_LINE:,} bytes" in result.stdout
    assert len(result.stdout) < 5_000
    assert (tmp_path / "out" / "trace-report.html").stat().st_size < 1_000_000


def test_a_blank_too_many_before_a_known_code_is_seen_and_said(tmp_path: Path) -> None:
    (tmp_path / "some.log").write_text(GOOD.replace("QUE-1003 :", "QUE-1003  :") + GOOD)
    assert "expected 'QUE-1003 : Overfull" in check(tmp_path, tmp_path / "some.log").stdout


COLOURS: Mapping[str, Callable[[str], str]] = {
    "the level": lambda line: line.replace("INFO", f"{GREEN}INFO{PLAIN}"),
    "the line": lambda line: f"{GREEN}{line[:-1]}{PLAIN}\n",
    "the time and the code": lambda line: f"{GREEN}{line[:24]}{PLAIN}{line[24:].replace('QUE-', f'{GREEN}QUE-')}",
}


@pytest.mark.parametrize("what", COLOURS)
def test_the_colours_of_a_terminal_change_nothing(tmp_path: Path, what: str) -> None:
    real = (LOGS / "restart" / "broker-j-10.1.0.log").read_text().splitlines(keepends=True)
    lines = [*real, next(each for each in real if "QUE-1003" in each).replace(" bytes", " kB")]
    found = []
    for name, written in (("plain", lines), ("coloured", [COLOURS[what](each) for each in lines])):
        (tmp_path / name).mkdir()
        (tmp_path / name / "broker.log").write_text("".join(written))
        result = check(tmp_path / name, tmp_path / name / "broker.log")
        out = tmp_path / name / "out"
        events = pl.read_parquet(out / "events" / "*.parquet").select("line", "time", "kind", "channel", "bytes").rows()
        found.append((result.exit_code, events, pl.read_parquet(out / "quarantine" / "*.parquet")["text"].to_list()))
    assert found[0] == found[1]
    assert len(found[0][1]) > 10 and len(found[0][2]) == 1


@pytest.mark.parametrize("mode", ["w:", "w:gz", "w:xz"])
def test_an_archive_of_files_is_refused(tmp_path: Path, mode: str) -> None:
    """In an archive, the header of a file stands in front of its first line, and the files of many hosts make one."""
    (tmp_path / "some.log").write_text(GOOD)
    with tarfile.open(tmp_path / "logs.tar", mode) as archive:  # type: ignore[call-overload]
        archive.add(tmp_path / "some.log", "some.log")
    result = check(tmp_path, tmp_path / "logs.tar")
    assert result.exit_code == ExitCode.BAD_INPUT
    assert "not an archive of files; tar -xf unpacks it" in result.stderr


def test_a_folder_that_cannot_be_written_and_a_full_disk_are_one_sentence(tmp_path: Path) -> None:
    for number in (28, 30):
        with pytest.raises(BadInput, match="expected a folder that can be written, but"), writable(tmp_path):
            raise OSError(number, os.strerror(number))
    with pytest.raises(FileNotFoundError), writable(tmp_path):
        raise FileNotFoundError(2, "No such file or directory")
