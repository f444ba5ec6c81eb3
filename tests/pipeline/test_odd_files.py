"""Files and disks that are not as they should be: one sentence each, an exit code by the table, and the rest judged."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pipeline.real_logs import LOGS
from tests.pipeline.test_answer_first import BLOCKED, FULL, check, line
from tests.pipeline.test_trace_command import verdicts
from tidegate.pipeline.files.durable import writable
from tidegate.pipeline.lines.careful import LONGEST_LINE
from tidegate.pipeline.read import log
from tidegate.pipeline.read.peeking import peek
from tidegate.record.errors import BadInput, ExitCode, TidegateError

RUN = Path(__file__).parents[1] / "runs" / "classic-6.3.1.jsonl"
GOOD = line("12:00:00", FULL, size="900")


def _trace(folder: Path, content: str) -> Path:
    header, footer = RUN.read_text().splitlines()[0], '{"footer":{}}'
    (folder / "trace.jsonl").write_text(f"{header}\n{content}\n{footer}\n")
    return folder / "trace.jsonl"


def _pipe(folder: Path) -> Path:
    os.mkfifo(folder / "some.log")
    return folder / "some.log"


def _of(content: str) -> Callable[[Path], Path]:
    def made(folder: Path) -> Path:
        (folder / "some.log").write_text(content, newline="")
        return folder / "some.log"

    return made


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda folder: _trace(folder, "[" * 200_000), "expected one JSON object a line, not one nested so deep"),
        (lambda folder: _trace(folder, '{"seq":' + "9" * 5000 + "}"), "expected one JSON object a line (Exceeds"),
        (_of('{"format":' + "9" * 5000 + "}\n"), "expected a header with the implementation"),
        (_of("{" + '"a":[' * 100_000 + "\n"), "expected a header with the implementation"),
        (_pipe, "expected a file, not a pipe or a device"),
        (_of(GOOD.replace("\n", "\r") * 3), "expected lines that end with a line feed"),
    ],
    ids=["deep", "digits", "digits in the header", "a deep header", "a pipe", "carriage returns"],
)
def test_each_is_one_sentence_and_the_rest_is_judged(
    tmp_path: Path, make: Callable[[Path], Path], sentence: str
) -> None:
    (tmp_path / "good.log").write_text(GOOD)
    result = check(tmp_path, make(tmp_path), tmp_path / "good.log")
    assert result.exit_code == ExitCode.VIOLATED, result.output
    (said,) = [each for each in result.stderr.splitlines() if each.startswith("tidegate: ")]
    assert sentence in said
    assert verdicts(tmp_path)["QPID-LOG-1"] == "violated"


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


def test_every_real_log_is_still_recognised() -> None:
    assert all(peek(str(path), "UTC").form for path in LOGS.rglob("*.log"))


def test_a_line_that_a_reader_loses_is_no_ignored_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "some.log").write_text(GOOD * 3)
    assert check(tmp_path / "whole", tmp_path / "some.log").exit_code == ExitCode.VIOLATED
    monkeypatch.setattr(log, "marked", lambda *given: ())
    ended = check(tmp_path / "lost", tmp_path / "some.log")
    assert isinstance(ended.exception, TidegateError)
    assert "not every line is accounted for" in str(ended.exception)
