"""Files are found by their names, recognised by what stands in them, and put in order with those of their host."""

import gzip
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tidegate.pipeline.read.files import HostPath, host_of, host_path, stem
from tidegate.pipeline.read.inputs import FoundFiles, ReadOptions, look_for
from tidegate.pipeline.read.peeking import MOST_BYTES
from tidegate.record.errors import BadInput

LINE = "2026-01-{:02d} 12:00:00,000 MESSAGE [Broker] BRK-1004 : Qpid Broker Ready\n"
STARTED = "2026-01-01 00:00:00,000 MESSAGE [Broker] BRK-1001 : Startup : Version: 0.18 Build: 1\n"
ARTEMIS = "2026-01-31 12:00:00,000 INFO [x] AMQ221007: Server is now active\n"


def log(path: Path, days: Sequence[int], front: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = (front + "".join(LINE.format(day) for day in days)).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def order(found: FoundFiles) -> list[tuple[str, int]]:
    return [(Path(file.name).name, file.ordinal) for file in found.inputs]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("broker.log", "broker"),
        ("broker.log.1", "broker"),
        ("broker.log.12.gz", "broker"),
        ("broker-2026-01-31.log", "broker"),
        ("broker.2026-01-31.2.log.gz", "broker"),
        ("broker.log.2026-01-31", "broker"),
        ("broker.log.2026-01-31-13.gz", "broker"),
        ("broker.log-20260131", "broker"),
        ("node-1.log", "node-1"),
        ("broker-qpid-0.18.log", "broker-qpid-0.18"),
        ("operational.txt.gz", "operational.txt"),
    ],
)
def test_a_host_is_called_as_its_log_is_without_what_rotation_adds(name: str, expected: str) -> None:
    assert stem(name) == expected
    assert host_of(f"logs/one/{name}", ()) == f"logs/one/{expected}"


def test_a_host_that_was_named_has_what_lies_below_its_path(tmp_path: Path) -> None:
    hosts = [host_path(f"one={tmp_path / 'a'}"), HostPath("two", tmp_path / "a" / "b"), host_path("x=/y=z")]
    assert host_of(str(tmp_path / "a" / "broker.log"), hosts) == "one"
    assert host_of(str(tmp_path / "a" / "b" / "broker.log"), hosts) == "two"
    assert host_of(str(tmp_path / "ab.log"), hosts) == str(tmp_path / "ab")
    assert hosts[2] == HostPath("x", Path("/y=z"))


@pytest.mark.parametrize("option", ["", "name", "=path", "name="])
def test_a_host_that_is_not_name_and_path_is_refused(option: str) -> None:
    with pytest.raises(BadInput, match="expected NAME=PATH"):
        host_path(option)


def test_the_files_of_a_host_are_in_the_order_of_their_first_times(tmp_path: Path) -> None:
    log(tmp_path / "broker.log", [8, 9])
    log(tmp_path / "broker.log.1", [5, 8])
    log(tmp_path / "broker.log.2.gz", [3, 4], STARTED)
    log(tmp_path / "deep" / "below" / "other.log", [1])
    found = look_for([tmp_path])
    assert order(found) == [("broker.log.2.gz", 1), ("broker.log.1", 2), ("broker.log", 3), ("other.log", 1)]
    assert [file.stream for file in found.inputs] == [
        *[str(tmp_path / "broker")] * 3,
        str(tmp_path / "deep" / "below" / "other"),
    ]
    assert [file.packed for file in found.inputs] == [True, False, False, False]
    assert [file.version for file in found.inputs] == ["0.18", "0.18", "0.18", ""]
    assert found.notes == ()


def test_files_whose_times_overlap_are_never_merged(tmp_path: Path) -> None:
    one, two = log(tmp_path / "broker.log.1", [1, 5]), log(tmp_path / "broker.log", [4, 6])
    found = look_for([tmp_path])
    host = tmp_path / "broker"
    assert {file.stream for file in found.inputs} == {f"{host} ({one})", f"{host} ({two})"}
    assert {file.host for file in found.inputs} == {str(host)}
    assert found.notes == (
        f"{host}: 2 files whose times overlap are taken as that many separate sources: {one}, {two}",
    )


@pytest.mark.parametrize(
    ("first", "second", "streams"), [([1, 4], [4, 6], 1), ([1, 5], [4, 6], 2), ([1, 6], [2, 3], 2)]
)
def test_files_overlap_where_one_begins_before_another_ends(
    tmp_path: Path, first: list[int], second: list[int], streams: int
) -> None:
    log(tmp_path / "broker.log.1", first)
    log(tmp_path / "broker.log", second)
    assert len({file.stream for file in look_for([tmp_path]).inputs}) == streams


def test_files_of_which_one_has_no_time_are_separate_sources(tmp_path: Path) -> None:
    log(tmp_path / "broker.log", [1])
    (tmp_path / "broker.log.1").write_text("[Broker] BRK-1004 : Qpid Broker Ready\n")
    found = look_for([tmp_path])
    assert len({file.stream for file in found.inputs}) == 2
    assert "no line begins with a time" in found.notes[0]
    assert "whose order is not known" in found.notes[1]


@pytest.mark.parametrize("before", ["broker-1  | ", "broker.log:", "12:", "Jan 31 23:59:59 host java[1]: "])
def test_a_log_with_something_else_before_each_time_is_named_with_a_way_out(tmp_path: Path, before: str) -> None:
    (tmp_path / "good.log").write_text(LINE.format(1))
    (tmp_path / "bad.log").write_text(before + LINE.format(1) + before + LINE.format(2))
    (said,) = look_for([tmp_path]).notes
    assert said.startswith(f"{tmp_path / 'bad.log'}: no line begins with a time such as ")


@pytest.mark.parametrize(
    ("name", "last", "streams"), [("broker.log.1", 5, 2), ("broker.log.1.gz", 5, 2), ("broker.log.1", 4, 1)]
)
def test_the_last_time_of_a_file_is_found_behind_much_that_has_none(
    tmp_path: Path, name: str, last: int, streams: int
) -> None:
    text = (LINE.format(1) + LINE.format(last)).encode() + b"\tat somewhere\n" * 20_000
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    log(tmp_path / "broker.log", [4, 6])
    assert len({file.stream for file in look_for([tmp_path]).inputs}) == streams


def test_logs_of_two_brokers_by_one_name_are_two_streams(tmp_path: Path) -> None:
    log(tmp_path / "broker.log", [1])
    (tmp_path / "broker.log.1").write_text(ARTEMIS)
    host = tmp_path / "broker"
    assert {file.stream for file in look_for([tmp_path]).inputs} == {f"{host} (qpid log)", f"{host} (artemis log)"}


def test_a_file_is_read_once_and_no_empty_one(tmp_path: Path) -> None:
    path = log(tmp_path / "broker.log", [1])
    (tmp_path / "link.log").symlink_to(path)
    (tmp_path / "empty.log").touch()
    found = look_for([tmp_path, path, tmp_path / "link.log"])
    assert [file.name for file in found.inputs] == [str(path)]
    assert found.refused == ()


def test_a_log_is_recognised_behind_what_is_none_and_a_trace_by_its_name(tmp_path: Path) -> None:
    log(tmp_path / "broker.log", [1], "some banner\n\tat somewhere\n" * 1000)
    (tmp_path / "trace.jsonl.gz").write_bytes(gzip.compress(b"spoiled"))
    (tmp_path / "late.log").write_bytes((b"x" * 999 + b"\n") * (1 + MOST_BYTES // 1000) + LINE.format(1).encode())
    found = look_for([tmp_path])
    assert [(Path(file.name).name, file.form) for file in found.inputs] == [("broker.log", "qpid log")]
    late, trace = found.refused
    assert (Path(str(late.file)).name, Path(str(trace.file)).name) == ("late.log", "trace.jsonl.gz")
    assert "expected a header with the implementation" in str(trace)


NO_TEXT = os.fsdecode(b"bro\xffker")
"""A name that is no text in UTF-8."""


def test_a_name_that_is_no_text_leaves_the_order_of_its_hosts_files_unknown(tmp_path: Path) -> None:
    for name in (f"{NO_TEXT}.log", "a.log", "b.log"):
        log(tmp_path / "of-a" / name, [len(name)])
    found = look_for([tmp_path], ReadOptions((HostPath("a", tmp_path / "of-a"),)))
    assert [file.ordinal for file in found.inputs] == [1, 1]
    assert "bro\\xffker.log" in found.notes[0]


@pytest.mark.parametrize("below", ["", "x"], ids=["in it", "in a folder below it"])
def test_what_lies_in_a_folder_whose_name_is_no_text_is_said(tmp_path: Path, below: str) -> None:
    log(tmp_path / NO_TEXT / below / "good.log", [1])
    found = look_for([tmp_path])
    assert not found.inputs
    assert [error.expected for error in found.refused] == ["expected names of file and folders in UTF-8"]


def test_a_folder_whose_name_is_no_text_and_which_has_no_log_is_said(tmp_path: Path) -> None:
    (tmp_path / NO_TEXT).mkdir()
    (refused,) = look_for([tmp_path / NO_TEXT]).refused
    assert str(refused).startswith(f"{tmp_path}/bro\\xffker: expected a folder with traces")
