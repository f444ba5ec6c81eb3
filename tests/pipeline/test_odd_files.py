"""Lines, disks and readers that are not as they should be: one sentence each."""

import os
from pathlib import Path

import pytest

from tests.pipeline.test_answer_first import BLOCKED, FULL, check, line
from tidegate.pipeline.files.durable import writable
from tidegate.pipeline.lines.careful import LONGEST_LINE
from tidegate.record.errors import BadInput, ExitCode

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


def test_a_folder_that_cannot_be_written_and_a_full_disk_are_one_sentence(tmp_path: Path) -> None:
    for number in (28, 30):
        with pytest.raises(BadInput, match="expected a folder that can be written, but"), writable(tmp_path):
            raise OSError(number, os.strerror(number))
    with pytest.raises(FileNotFoundError), writable(tmp_path):
        raise FileNotFoundError(2, "No such file or directory")
