"""What has come to a log: appended, rotated, copied, truncated, and not yet whole."""

import bz2
import gzip
import lzma
import os
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import pyarrow as pa
import pytest

from tidegate.pipeline.read.blocks import pieces
from tidegate.pipeline.stream import growth
from tidegate.pipeline.stream.growth import BLOCK, HEAD, Part, look, new_since, opened


class Follower:
    """Looks at a log again and again, and notes all lines that are new."""

    def __init__(self, log: Path):
        self.log = log
        self.parts: tuple[Part, ...] = ()

    def look(self) -> list[str]:
        """The lines that came since the last look; those behind a gap begin with a question mark."""
        last = self.parts[-1] if self.parts else None
        self.parts = look(self.log, last)
        found: list[str] = []
        for part, start in new_since(last, self.parts):
            lines = (content(self.log, part) or "")[start : part.seen].splitlines()
            found += ["?" if part.after_gap and start == 0 else "", *lines]
        return [line for line in found if line]


def content(log: Path, part: Part) -> str | None:
    """What the file of a part holds by now; None where it is gone."""
    with opened(log, part, 0) as file:
        return None if file is None else b"".join(pieces(file, part.seen, part.seen)).decode()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "broker.log"


@pytest.fixture
def follower(log: Path) -> Follower:
    return Follower(log)


def append(log: Path, text: str) -> None:
    with log.open("a") as file:
        file.write(text)


def renamed(log: Path, name: str = "broker.log.1") -> None:
    log.rename(log.with_name(name))


def packed(log: Path, pack: Callable[[bytes], bytes]) -> None:
    log.with_name("broker.log.1.gz").write_bytes(pack(log.read_bytes()))
    log.unlink()


def zstd(text: bytes) -> bytes:
    packed: bytes = pa.Codec("zstd").compress(text, asbytes=True)
    return packed


def copied_and_truncated(log: Path) -> None:
    log.with_name("broker.log.1").write_text(log.read_text())
    os.truncate(log, 0)


def test_a_rotation_in_the_middle_of_a_look_loses_nothing(
    log: Path, follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(log, "a\n")
    follower.look()
    measure = growth._end_of_last_line

    def rotated_meanwhile(path: Path) -> int:
        monkeypatch.undo()
        append(log, "b\n")
        renamed(log)
        append(log, "c\n")
        return measure(path)

    monkeypatch.setattr(growth, "_end_of_last_line", rotated_meanwhile)
    assert follower.look() == ["b", "c"]


def test_only_whole_lines_are_new_and_each_of_them_once(log: Path, follower: Follower) -> None:
    assert follower.look() == []
    append(log, "a")
    assert follower.look() == []
    append(log, "1\na2\na")
    assert follower.look() == ["a1", "a2"]
    assert follower.look() == []
    append(log, "3\n")
    assert follower.look() == ["a3"]


def test_a_line_longer_than_a_block_is_waited_for(log: Path, follower: Follower) -> None:
    append(log, "a1\n" + "b" * (2 * BLOCK))
    assert follower.look() == ["a1"]
    append(log, "\n")
    assert follower.look() == ["b" * (2 * BLOCK)]


@pytest.mark.parametrize("rotate", [renamed, copied_and_truncated])
@pytest.mark.parametrize("size", [1, HEAD])
def test_what_came_before_a_rotation_is_read_from_where_it_went(
    log: Path, follower: Follower, rotate: Callable[[Path], None], size: int
) -> None:
    append(log, "a" * size + "1\n")
    follower.look()
    append(log, "a2\na3 without an end")
    rotate(log)
    assert follower.look() == ["a2", "a3 without an end"]
    append(log, "b" * size + "1\n")
    assert follower.look() == ["b" * size + "1"]
    append(log, "b2\n")
    assert follower.look() == ["b2"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd], ids=["gz", "bz2", "xz", "zst"])
@pytest.mark.parametrize("size", [1, HEAD])
def test_what_came_before_a_rotation_that_packs_is_read(
    log: Path, follower: Follower, pack: Callable[[bytes], bytes], size: int
) -> None:
    append(log, "a" * size + "1\n")
    follower.look()
    append(log, "a2\na3 without an end")
    packed(log, pack)
    append(log, "b1\n")
    assert follower.look() == ["a2", "a3 without an end", "b1"]
    append(log, "b2\n")
    assert follower.look() == ["b2"]


def test_a_log_that_was_packed_between_two_looks_is_read_once(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    renamed(log, "broker.log.2")
    append(log, "b1\nb2\n")
    log.with_name("broker.log.1.gz").write_bytes(gzip.compress(log.read_bytes()))
    # packing is not finished, so the file is still there
    renamed(log, "broker.log.1")
    append(log, "c1\n")
    for seconds, name in enumerate(("broker.log.2", "broker.log.1", "broker.log.1.gz", "broker.log"), start=1000):
        os.utime(log.with_name(name), (seconds, seconds))
    assert follower.look() == ["b1", "b2", "c1"]


def test_a_packed_log_that_is_cut_off_is_read_up_to_there(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    append(log, "".join(f"{blake2b(bytes([number])).hexdigest()}\n" for number in range(100)))
    whole = log.read_text().splitlines()
    packed(log, lambda text: gzip.compress(text)[:-1000])
    append(log, "b1\n")
    *lines, torn, gap, last = follower.look()
    assert lines == whole[1 : 1 + len(lines)] and len(lines) > 50
    assert whole[1 + len(lines)].startswith(torn)
    assert (gap, last) == ("?", "b1")


def test_a_damaged_log_between_two_others_leaves_a_gap_behind_it_alone(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    renamed(log, "broker.log.2")
    append(log, "b1\n" + "".join(f"{blake2b(bytes([number])).hexdigest()}\n" for number in range(100)))
    packed(log, lambda text: gzip.compress(text)[:-1000])
    append(log, "c1\n")
    for seconds, name in enumerate(("broker.log.2", "broker.log.1.gz", "broker.log"), start=1000):
        os.utime(log.with_name(name), (seconds, seconds))
    found = follower.look()
    assert found[0] == "b1"
    assert found[-2:] == ["?", "c1"]
    assert found.count("?") == 1


def test_a_rotation_and_new_lines_are_seen_in_one_look(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    append(log, "a2\n")
    renamed(log)
    append(log, "b1\nb2\n")
    assert follower.look() == ["a2", "b1", "b2"]
    assert [part.ordinal for part in follower.parts] == [1, 2]


@pytest.mark.parametrize(
    "names",
    [
        ("broker.log.2", "broker.log.1"),
        ("broker-2026-01-30.log", "broker-2026-01-31.log"),
        ("broker.log-20260130", "broker.log-20260131"),
    ],
)
def test_a_log_that_was_rotated_twice_between_two_looks_is_read_wholly(
    log: Path, follower: Follower, names: tuple[str, str]
) -> None:
    append(log, "a1\n")
    follower.look()
    append(log, "a2\n")
    renamed(log, names[0])
    append(log, "b1\nb2 without an end")
    renamed(log, names[1])
    append(log, "c1\n")
    for seconds, name in enumerate((*names, log.name), start=1000):
        os.utime(log.with_name(name), (seconds, seconds))
    assert follower.look() == ["a2", "b1", "b2 without an end", "c1"]


def test_files_of_others_beside_a_rotated_log_are_left_alone(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    renamed(log)
    append(log, "c1\n")
    log.with_name("broker-gc.log").write_text("garbage\n")
    log.with_name("broker2.log").write_text("of another broker\n")
    log.with_name("broker.log.bak").write_text("a1\n")
    for seconds, name in enumerate(("broker.log.1", "broker-gc.log", "broker2.log", "broker.log.bak"), start=1000):
        os.utime(log.with_name(name), (seconds, seconds))
    assert follower.look() == ["c1"]


@pytest.mark.parametrize("content", ["b1\n", "b1 is longer than what was there before\n"])
def test_lines_that_went_with_a_truncated_file_leave_a_gap(log: Path, follower: Follower, content: str) -> None:
    append(log, "a1\na2\n")
    follower.look()
    os.truncate(log, 0)
    assert follower.look() == []
    append(log, content)
    assert follower.look() == ["?", content.strip()]
    append(log, "b2\n")
    assert follower.look() == ["b2"]


def test_a_log_that_begins_like_the_one_before_it_is_another(log: Path, follower: Follower) -> None:
    append(log, "begin\n")
    follower.look()
    append(log, "a2\n")
    follower.look()
    log.write_text("begin\nb2\nb3\n")
    assert follower.look() == ["?", "begin", "b2", "b3"]


def test_a_log_that_lost_its_end_is_begun_anew(log: Path, follower: Follower) -> None:
    append(log, "a" * HEAD + "\na2\n")
    follower.look()
    os.truncate(log, HEAD + 1)
    assert follower.look() == ["?", "a" * HEAD]


def test_a_log_that_was_renamed_back_goes_on(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    renamed(log)
    assert follower.look() == []
    log.with_name("broker.log.1").rename(log)
    append(log, "a2\n")
    assert follower.look() == ["a2"]


def test_a_log_that_is_gone_may_come_again(log: Path, follower: Follower) -> None:
    append(log, "a1\n")
    follower.look()
    log.unlink()
    assert follower.look() == []
    append(log, "a1 but longer\n")
    assert follower.look() == ["?", "a1 but longer"]


def test_a_part_is_found_again_after_it_was_rotated(log: Path) -> None:
    append(log, "a1\na2\n")
    (part,) = look(log, None)
    assert content(log, part) == "a1\na2\n"
    renamed(log)
    append(log, "b1\nb2\n")
    assert content(log, part) == "a1\na2\n"
    log.with_name("broker.log.1").unlink()
    assert content(log, part) is None
