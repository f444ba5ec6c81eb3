"""What a host's log lacks is not known: what comes after it is judged and measured from nothing, and that is said."""

import gzip
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.pipeline.episode import OVERFULL, RELEASED, STOPPED, UNDERFULL, check, line, report, table
from tidegate.pipeline.read.reading import read_splits
from tidegate.pipeline.read.split import Split, SplitsRead
from tidegate.pipeline.store import writing
from tidegate.record.errors import ExitCode

EVENTS = (OVERFULL, STOPPED, UNDERFULL, RELEASED)
GZIP_END = 8
"""Bytes behind the text of an archive: its checksum and length."""


def linked_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def spoiled(path: Path) -> None:
    path.write_bytes(b"\x1f\x8b and no more")


def about_something_else(path: Path) -> None:
    path.write_text("what is this\n")


def log(path: Path, day: int, *lines: str) -> Path:
    """A log of one day."""
    path.write_text("".join(line(said, f"2026-01-{day:02} 12:00:00,000") for said in lines))
    return path


def three_days(folder: Path) -> tuple[Path, Path, Path]:
    """Of one host: a whole episode, one day of which a queue overfills and a channel is stopped, and its release."""
    return (
        log(folder / "broker.log.2", 1, *EVENTS),
        log(folder / "broker.log.1", 2, OVERFULL, STOPPED),
        log(folder / "broker.log", 3, UNDERFULL, RELEASED),
    )


def packed(path: Path, lost: int) -> Path:
    """The log packed, without the last `lost` bytes of its text."""
    text = gzip.compress(path.read_bytes(), compresslevel=0)
    path.unlink()
    archive = path.with_name(f"{path.name}.gz")
    archive.write_bytes(text[: len(text) - GZIP_END - lost])
    return archive


def said(folder: Path) -> dict[str, dict[str, tuple[str, int]]]:
    """By the name of each file and by rule, the verdict and how many events were judged."""
    return {
        Path(each["input"]).name: {one["rule"]: (one["verdict"], one["judged"]) for one in each["verdicts"]}
        for each in report(folder)["inputs"]
    }


def told_ends(folder: Path) -> list[tuple[str, str]]:
    """How each episode of the channel begins and ends, in their order."""
    of_channel = [each for each in table(folder, "episodes") if each["of"] == "channel"]
    in_order = sorted(of_channel, key=lambda each: each["from_ms"] or each["to_ms"])
    return [(each["begin"], each["end"]) for each in in_order]


def test_without_a_hole_the_files_of_a_host_are_one_log(tmp_path: Path) -> None:
    """What the tests below would find, were nothing missing."""
    result = check(tmp_path, *three_days(tmp_path))
    assert result.exit_code == ExitCode.OK
    assert said(tmp_path)["broker.log"] == {
        "QPID-LOG-3": ("kept", 1),
        "QPID-LOG-4": ("kept", 1),
        "QPID-QUEUE-2": ("kept", 1),
    }
    assert "separate source" not in result.output


def test_a_rule_is_unknown_that_no_file_of_a_host_shows(tmp_path: Path) -> None:
    result = check(tmp_path, log(tmp_path / "broker.log.1", 1, OVERFULL), log(tmp_path / "broker.log", 2, UNDERFULL))
    assert result.exit_code == ExitCode.UNKNOWN
    for name, shown in (("broker.log.1", "QPID-LOG-1"), ("broker.log", "QPID-LOG-3")):
        rules = {rule: verdict for rule, (verdict, _) in said(tmp_path)[name].items()}
        assert rules == {shown: "kept", "QPID-LOG-2": "unknown", "QPID-LOG-4": "unknown"}


def test_a_line_put_aside_may_be_what_a_file_seems_to_lack(tmp_path: Path) -> None:
    torn = log(tmp_path / "broker.log.1", 1, OVERFULL.replace("1,200", "some"), STOPPED)
    result = check(tmp_path, torn, log(tmp_path / "broker.log", 2, OVERFULL, UNDERFULL, RELEASED))
    assert result.exit_code == ExitCode.UNKNOWN
    assert said(tmp_path)["broker.log.1"]["QPID-LOG-1"] == ("unknown", 0)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (Path.unlink, "expected a file that can be read, but there is no such file or folder"),
        (linked_to_itself, "expected a file that can be read, but its links lead in a circle"),
        (spoiled, "expected a whole packed file, but nothing of it"),
        (about_something_else, "expected a tidegate trace or a log of a known form"),
    ],
    ids=["not there", "a link to itself", "spoiled", "no line of a log"],
)
def test_after_a_file_that_cannot_be_read_nobody_is_accused(
    tmp_path: Path, spoil: Callable[[Path], object], why: str
) -> None:
    """With the stop in the missing file, the release would be the second one of the episode before."""
    first, missing, last = three_days(tmp_path)
    spoil(missing)
    result = check(tmp_path, first, missing, last)
    assert result.exit_code == ExitCode.UNKNOWN
    assert f"tidegate: {missing}: {why}" in result.stderr
    assert said(tmp_path)["broker.log.2"]["QPID-LOG-4"] == ("kept", 1)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("unknown", 0)
    assert (
        f"note  {tmp_path / 'broker'}: what stands in {missing} is not known, nor where it belongs; "
        f"so its other 2 files are taken as that many separate sources: {first}, {last}"
    ) in result.stdout


def test_after_an_archive_that_is_cut_off_nobody_is_accused(tmp_path: Path) -> None:
    """What stands in front of the hole is judged with what was before."""
    first, missing, last = three_days(tmp_path)
    archive = packed(missing, lost=10)
    result = check(tmp_path, first, archive, last)
    assert result.exit_code == ExitCode.UNKNOWN
    assert said(tmp_path)["broker.log.1.gz"]["QPID-LOG-1"] == ("kept", 1)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("unknown", 0)
    assert {event["source"] for event in table(tmp_path, "events") if event["kind"] in ("overfull", "stop")} == {
        f"{tmp_path / 'broker'} (up to {archive})"
    }
    assert (
        f"note  {tmp_path / 'broker'}: what stood in the rest of {archive} is not known; "
        "so what comes after it is taken as a separate source"
    ) in result.stdout


@pytest.mark.parametrize(("lost", "after"), [(None, "kept"), (0, "unknown"), (1, "unknown")])
def test_an_archive_is_cut_off_even_if_only_its_end_is_missing(tmp_path: Path, lost: int | None, after: str) -> None:
    first, archive, last = three_days(tmp_path)
    if lost is None:
        archive.write_bytes(gzip.compress(archive.read_bytes()))
    else:
        archive = packed(archive, lost)
    check(tmp_path, first, archive, last)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"][0] == after


def test_behind_the_hole_what_the_lines_there_show_is_judged(tmp_path: Path) -> None:
    first, missing, last = three_days(tmp_path)
    log(last, 3, UNDERFULL, RELEASED, RELEASED)
    check(tmp_path, first, packed(missing, lost=10), last)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("violated", 1)


def test_two_holes_make_three_sources(tmp_path: Path) -> None:
    files = [
        packed(log(tmp_path / "broker.log.3", 1, *EVENTS, STOPPED), lost=0),
        packed(log(tmp_path / "broker.log.2", 2, *EVENTS, STOPPED), lost=0),
        log(tmp_path / "broker.log.1", 3, RELEASED),
        log(tmp_path / "broker.log", 4, *EVENTS),
    ]
    check(tmp_path, *files)
    streams = {(event["time"], event["stream"]) for event in table(tmp_path, "events")}
    by_day = [stream.removeprefix(str(tmp_path / "broker")) for _, stream in sorted(streams)]
    assert by_day == [f" (up to {files[0]})", f" (up to {files[1]})", "", ""]


def test_a_stop_before_a_hole_and_a_release_after_it_are_not_measured_as_one(tmp_path: Path) -> None:
    first, missing, last = three_days(tmp_path)
    check(tmp_path, first, missing, last)
    assert told_ends(tmp_path) == [("told", "told"), ("told", "told")]
    check(tmp_path, first, packed(missing, lost=0), last)
    assert told_ends(tmp_path) == [("told", "told"), ("told", "never"), ("unknown", "told")]


def test_a_folder_of_a_host_that_may_not_be_listed_is_a_hole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as a user whom the system lets read everything."""
    first, second, last = three_days(tmp_path)
    # as if there had never been a second day, for a number that is missing is a hole itself
    first = first.rename(second)
    closed = tmp_path / "closed"
    closed.mkdir()
    scan = os.scandir

    def refusing(path: str) -> object:
        if str(path) == str(closed):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    check(tmp_path, first, last, closed)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("violated", 1)
    result = check(tmp_path, first, last, closed, "--host", f"north={tmp_path}")
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("unknown", 0)
    assert f"north: what stands in {closed} is not known" in result.stdout


def failing_at(name: str) -> Callable[..., SplitsRead]:
    """Reading that fails for the file of this name, as it does where a disk is damaged."""

    def reading(splits: Sequence[Split]) -> SplitsRead:
        if any(Path(split.input.name).name == name for split in splits):
            raise OSError(5, "Input/output error")
        return read_splits(splits)

    return reading


def test_a_file_that_fails_while_it_is_read_is_a_hole_until_it_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, missing, last = three_days(tmp_path)
    with monkeypatch.context() as damaged:
        damaged.setattr(writing, "read_splits", failing_at(missing.name))
        result = check(tmp_path, tmp_path)
    assert f"tidegate: {missing}: expected a file that can be read, but the disk or the storage failed" in result.stderr
    assert f"so its other 2 files are taken as that many separate sources: {first}, {last}" in result.stdout
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("unknown", 0)
    check(tmp_path, tmp_path)
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("kept", 1)


def test_one_file_beside_an_unreadable_one_of_its_host_is_one_source_as_ever(tmp_path: Path) -> None:
    last = log(tmp_path / "broker.log", 3, *EVENTS)
    result = check(tmp_path, tmp_path / "broker.log.1", last)
    assert result.exit_code == ExitCode.UNKNOWN
    assert {event["source"] for event in table(tmp_path, "events")} == {str(tmp_path / "broker")}


def test_a_hole_in_one_host_is_none_in_another(tmp_path: Path) -> None:
    three_days(tmp_path)
    check(tmp_path, tmp_path, tmp_path / "other.log.1", "--engine", "plain")
    assert said(tmp_path)["broker.log"]["QPID-LOG-4"] == ("kept", 1)
