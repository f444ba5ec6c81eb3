"""A second check reads only what is new, and finds what a first check of the same files would."""

import gzip
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.pipeline.episode import EPISODE
from tidegate.catalogue import catalogue
from tidegate.pipeline.check import engine, judging
from tidegate.pipeline.findings.reports import Account, Counts, TraceReport
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.judge import verdicts
from tidegate.pipeline.judge.streams import ToJudge, judge_streams
from tidegate.pipeline.read.reading import read_splits
from tidegate.pipeline.read.split import Split, SplitsRead
from tidegate.pipeline.report.written import write_report
from tidegate.pipeline.store import layout, writing
from tidegate.record.errors import ExitCode, TidegateError
from tidegate.record.events import Event, Kind
from tidegate.record.trace import TraceWriter
from tidegate.record.verdict import Verdict

STRAY = EPISODE[3]
"""A release without a stop, which only a log that goes on from the episode shows to be wrong."""


class Checks:
    """Checks of the same folder, one after the other, and what each of them did."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.folder = folder
        self.logs = folder / "logs"
        self.logs.mkdir()
        self.read: list[tuple[str, int, int]] = []
        """The name of each file of which the last check read a piece, from which byte up to which."""
        self.judged: list[str] = []
        """The file of each split that the last check judged."""

        def reading(splits: Sequence[Split]) -> SplitsRead:
            self.read += [(Path(split.input.name).name, split.start, split.end) for split in splits]
            return read_splits(splits)

        def judge(task: ToJudge) -> Counts:
            self.judged += [Path(file.input).name for file in task.files]
            return judge_streams(task)

        monkeypatch.setattr(writing, "read_splits", reading)
        monkeypatch.setattr(judging, "judge_streams", judge)

    def check(self, *paths: Path, out: str = "out") -> TraceReport:
        self.read.clear()
        self.judged.clear()
        report = engine.check_files(paths or [self.logs], self.folder / out, catalogue())
        write_report(report, self.folder / out)
        return report

    def log(self, name: str, lines: list[str]) -> Path:
        path = self.logs / name
        path.write_text("".join(lines))
        return path

    def append(self, path: Path, text: str) -> None:
        with path.open("a") as log:
            log.write(text)

    def table(self, name: str = "events", out: str = "out") -> list[dict[str, Any]]:
        """The rows of a table, without what depends on how files were cut into splits."""
        rows = pq.read_table(self.folder / out / name).to_pylist()
        kept = [{key: value for key, value in row.items() if key not in ("split", "line")} for row in rows]
        return sorted(kept, key=json.dumps)

    def as_at_once(self, report: TraceReport) -> bool:
        """Whether a check of the files as they are now finds the same in a new store."""
        fresh = self.check(out="fresh")
        same_tables = all(self.table(name) == self.table(name, "fresh") for name in ("events", "quarantine"))
        return same_tables and replace(report, notes=()) == replace(fresh, notes=())


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checks:
    return Checks(tmp_path, monkeypatch)


def accounts(report: TraceReport) -> dict[str, Account]:
    return {Path(each.input).name: each.account for each in report.inputs}


def test_what_has_not_changed_is_neither_read_nor_judged_again(checks: Checks) -> None:
    checks.log("a.log", EPISODE)
    first = checks.check()
    assert (checks.read, checks.judged) == ([("a.log", 0, len("".join(EPISODE)))], ["a.log"])
    assert checks.check() == first
    assert (checks.read, checks.judged) == ([], [])


def test_a_file_that_only_has_another_time_is_not_read_again(checks: Checks) -> None:
    os.utime(checks.log("a.log", EPISODE))
    first = checks.check()
    os.utime(checks.logs / "a.log", ns=(1, 1))
    assert checks.check() == first
    assert checks.read == []


def test_a_new_file_is_read_and_no_other(checks: Checks) -> None:
    checks.log("a.log", EPISODE)
    checks.check()
    checks.log("b.log", EPISODE[:1])
    report = checks.check()
    assert (checks.read, checks.judged) == ([("b.log", 0, len(EPISODE[0]))], ["a.log", "b.log"])
    assert accounts(report) == {"a.log": Account(4, 4, 0, 0), "b.log": Account(1, 1, 0, 0)}
    assert checks.as_at_once(report)
    # a copy is a log of its own
    checks.log("c.log", EPISODE)
    report = checks.check()
    assert accounts(report) == {
        "a.log": Account(4, 4, 0, 0), "b.log": Account(1, 1, 0, 0), "c.log": Account(4, 4, 0, 0),
    }  # fmt: skip
    assert checks.as_at_once(report)


def test_of_a_file_that_has_grown_only_what_was_appended_is_read(checks: Checks) -> None:
    log = checks.log("a.log", EPISODE)
    checks.check()
    size = log.stat().st_size
    checks.append(log, STRAY)
    report = checks.check()
    assert (checks.read, checks.judged) == ([("a.log", size, size + len(STRAY))], ["a.log", "a.log"])
    wrong = {each.rule: each for each in report.inputs[0].verdicts}["QPID-LOG-4"]
    assert (wrong.verdict, wrong.judged, wrong.violated) == (Verdict.VIOLATED, 2, 1)
    assert [one.line for one in wrong.evidence] == [5]
    assert checks.as_at_once(report)


@pytest.mark.parametrize("kept", [1, 60, len(STRAY) - 1])
def test_a_last_line_that_was_being_written_is_counted_once(checks: Checks, kept: int) -> None:
    log = checks.log("a.log", [*EPISODE, STRAY[:kept]])
    assert accounts(checks.check())["a.log"].lines == 5
    checks.append(log, STRAY[kept:] + EPISODE[0])
    report = checks.check()
    assert accounts(report) == {"a.log": Account(6, 6, 0, 0)}
    assert checks.as_at_once(report)
    checks.append(log, "")
    checks.check()
    assert checks.read == []


def test_a_stack_trace_that_goes_on_belongs_to_the_record_before_it(checks: Checks) -> None:
    log = checks.log("a.log", [*EPISODE, "2026-01-31 23:59:59,123 ERROR java.lang.Error\n", "\tat a.b(C.java)\n"])
    checks.check()
    checks.append(log, f"\tat d.e(F.java) {EPISODE[3]}" + EPISODE[0])
    report = checks.check()
    assert accounts(report) == {"a.log": Account(8, 5, 3, 0)}
    assert checks.as_at_once(report)


def test_a_file_that_changed_otherwise_is_read_again_and_said_so(checks: Checks) -> None:
    log = checks.log("a.log", EPISODE)
    checks.check()
    text = log.read_text().replace("1,200", "1,300")
    log.write_text(text + STRAY)
    report = checks.check()
    assert checks.read == [("a.log", 0, len(text + STRAY))]
    assert report.notes == (f"{log} is read again, for it changed otherwise than by growing since it was read",)
    assert checks.as_at_once(report)


def test_a_rotation_is_one_sentence_however_many_files_it_renames(checks: Checks) -> None:
    logs = [checks.log(name, EPISODE * number) for number, name in enumerate(("a.log", "a.log.1", "a.log.2"), start=1)]
    checks.check()
    for older, newer in ((logs[2], "a.log.3"), (logs[1], "a.log.2"), (logs[0], "a.log.1")):
        older.rename(checks.logs / newer)
    checks.log("a.log", EPISODE[:1])
    report = checks.check()
    (note,) = [note for note in report.notes if "read again" in note]
    assert (
        note
        == f"{logs[0]} and 2 more files are read again, for each changed otherwise than by growing since it was read"
    )
    assert checks.as_at_once(report)


def test_a_file_that_has_become_shorter_is_read_again(checks: Checks) -> None:
    log = checks.log("a.log", EPISODE)
    checks.check()
    log.write_text(EPISODE[0])
    report = checks.check()
    assert checks.read == [("a.log", 0, len(EPISODE[0]))]
    assert "changed otherwise than by growing" in report.notes[0]
    assert checks.as_at_once(report)


def test_a_trace_of_another_run_under_the_same_name_is_read(checks: Checks) -> None:
    for bytes_seen in (0, 7):
        with TraceWriter(checks.logs / "trace.jsonl", name="mine", version="1", capabilities=[]) as trace:
            trace.write(Event(source="s", seq=1, time=0, kind=Kind.LEVEL, destination="q", bytes=bytes_seen))
        checks.check()
        assert [row["bytes"] for row in checks.table()] == [bytes_seen]


def test_a_log_that_is_gone_from_its_folder_counts_no_longer_and_is_named(checks: Checks) -> None:
    checks.log("a.log", EPISODE)
    log = checks.log("b.log", EPISODE[:1])
    before = checks.check()
    log.rename(checks.folder / "elsewhere")
    report = checks.check()
    assert accounts(report) == {"a.log": Account(4, 4, 0, 0)}
    assert report.notes == (f"{log} is gone; the 1 line read of it before count no longer",)
    assert checks.as_at_once(report)
    (checks.folder / "elsewhere").rename(log)
    assert checks.check() == before


def test_a_file_that_is_no_longer_asked_for_does_not_count(checks: Checks) -> None:
    wanted, other = checks.log("a.log", EPISODE), checks.log("b.log", EPISODE)
    checks.check()
    report = checks.check(wanted)
    assert list(accounts(report)) == ["a.log"]
    assert {row["input"] for row in checks.table()} == {str(wanted)}
    other.unlink()
    assert list(accounts(checks.check())) == ["a.log"]


def test_a_file_that_is_named_and_is_gone_is_left_out(checks: Checks) -> None:
    log, other = checks.log("a.log", EPISODE), checks.log("b.log", EPISODE)
    checks.check(log, other)
    other.unlink()
    report = checks.check(log, other)
    assert (report.exit_code, list(accounts(report))) == (ExitCode.UNKNOWN, ["a.log"])
    assert report.left_out == (f"{other}: expected a file that can be read, but there is no such file or folder",)


def day(number: int) -> list[str]:
    """What a log has of one day: an episode of another day than the others."""
    return [line.replace("2026-01-31", f"2026-01-{number:02}") for line in EPISODE]


def names(report: TraceReport) -> list[str]:
    return [Path(each.input).name for each in report.inputs]


def test_after_a_rotation_files_of_another_name_are_read_again(checks: Checks) -> None:
    checks.log("broker.log.1", day(1))
    log = checks.log("broker.log", day(2))
    checks.log("other.log", day(2))
    checks.check()
    (checks.logs / "broker.log.1").rename(checks.logs / "broker.log.2")
    checks.append(log, "".join(day(3)))
    log.rename(checks.logs / "broker.log.1")
    checks.log("broker.log", day(4))
    report = checks.check()
    assert names(report) == ["broker.log.2", "broker.log.1", "broker.log", "other.log"]
    assert checks.as_at_once(report)


def test_a_file_that_is_older_than_those_known_is_put_in_front_of_them(checks: Checks) -> None:
    checks.log("broker.log", day(2)[2:])
    first = checks.check()
    assert {each.rule: each.verdict for each in first.inputs[0].verdicts}["QPID-LOG-4"] is Verdict.UNKNOWN
    checks.log("broker.log.1", day(1) + day(2)[:2])
    assert checks.as_at_once(checks.check())


def test_a_file_that_was_packed_counts_once(checks: Checks) -> None:
    old = checks.log("broker.log.1", day(1))
    checks.log("broker.log", day(2))
    checks.check()
    (checks.logs / "broker.log.1.gz").write_bytes(gzip.compress(old.read_bytes()))
    old.unlink()
    report = checks.check()
    assert names(report) == ["broker.log.1.gz", "broker.log"]
    assert checks.as_at_once(report)


def test_files_whose_order_is_no_longer_known_are_read_again(checks: Checks) -> None:
    checks.log("broker.log.1", day(2))
    checks.log("broker.log", day(5))
    checks.check()
    checks.log("broker.log.2", day(1) + day(4))
    report = checks.check()
    assert len(checks.read) == 3
    assert any("in another order of files" in note for note in report.notes)
    assert checks.as_at_once(report)


def test_a_big_log_is_read_and_judged_in_pieces_and_found_the_same(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks.log("broker.log", [line for number in range(1, 29) for line in day(number)] + [STRAY])
    at_once = checks.check()
    monkeypatch.setattr(engine, "MOST_BYTES", 3000)
    in_pieces = checks.check(out="pieces")
    assert len(checks.read) >= 5
    assert replace(in_pieces, notes=()) == replace(at_once, notes=())
    assert checks.table() == checks.table(out="pieces")
    lines = [one.line for verdict in in_pieces.inputs[0].verdicts for one in verdict.evidence]
    assert lines == [28 * 4 + 1]


def test_a_changed_reader_reads_again(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    checks.log("a.log", EPISODE)
    before = checks.check()
    monkeypatch.setattr(layout, "READERS", "another")
    report = checks.check()
    assert [name for name, _, _ in checks.read] == ["a.log"]
    assert report.notes == ("the readers have changed since 1 splits were read; they are read again",)
    assert report.inputs == before.inputs


def test_changed_rules_judge_again_and_read_nothing(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    checks.log("a.log", EPISODE)
    checks.check()
    fewer = tuple(rule for rule in verdicts.rules_of("qpid log") if rule.rule_id in ("QPID-LOG-2", "QPID-LOG-3"))
    form = replace(LOG_FORMS["qpid log"], rules=fewer)
    monkeypatch.setattr(verdicts, "LOG_FORMS", {**LOG_FORMS, "qpid log": form})
    report = checks.check()
    assert (checks.read, checks.judged) == ([], ["a.log"])
    assert {each.rule for each in report.inputs[0].verdicts} == {"QPID-LOG-2", "QPID-LOG-3"}
    checks.check()
    assert checks.judged == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(path.read_bytes()[:100]),
        lambda path: path.write_bytes(bytes(path.stat().st_size)),
        Path.unlink,
    ],
    ids=["cut", "nothing but zeros", "gone"],
)
@pytest.mark.parametrize("table", ["events", "quarantine"])
def test_a_table_of_the_store_that_is_not_whole_is_made_again(
    checks: Checks, table: str, spoil: Callable[[Path], object]
) -> None:
    checks.log("a.log", EPISODE)
    checks.log("b.log", EPISODE)
    before = checks.check()
    broken = sorted((checks.folder / "out" / table).iterdir())[0]
    spoil(broken)
    report = checks.check()
    assert [name for name, _, _ in checks.read] == ["a.log", "b.log"]
    (note,) = report.notes
    assert note.startswith(f"{broken}: expected a ")
    assert note.endswith(f"{checks.logs / 'a.log'} and 1 more are read again there")
    assert (report.inputs, report.exit_code) == (before.inputs, before.exit_code)
    assert checks.as_at_once(report)


def test_a_marker_that_is_not_whole_does_not_count(checks: Checks) -> None:
    checks.log("a.log", EPISODE)
    before = checks.check()
    marker = next((checks.folder / "out" / "commits").iterdir())
    marker.write_bytes(marker.read_bytes()[:50])
    report = checks.check()
    assert [name for name, _, _ in checks.read] == ["a.log"]
    assert report.inputs == before.inputs


def test_a_line_that_is_not_accounted_for_ends_the_check(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    checks.log("a.log", EPISODE)

    def one_line_lost(splits: Sequence[Split]) -> SplitsRead:
        read = read_splits(splits)
        return read._replace(accounts=tuple(replace(each, ignored=1) for each in read.accounts))

    monkeypatch.setattr(writing, "read_splits", one_line_lost)
    with pytest.raises(TidegateError, match=r"a\.log, bytes 0 to \d+: not every line is accounted for"):
        checks.check()
    assert list((checks.folder / "out" / "commits").iterdir()) == []


def test_hosts_that_are_judged_and_measured_together_go_on_each_by_itself(checks: Checks) -> None:
    """One log grows within a stop, one stays as it is, and one comes to them."""
    for name in ("a", "b"):
        (checks.logs / name).mkdir()
        checks.log(f"{name}/{name}.log", EPISODE[:2])
    checks.check()
    assert len([*(checks.folder / "out" / "judged").iterdir()]) == 1
    checks.append(checks.logs / "a" / "a.log", "".join(EPISODE[2:]))
    (checks.logs / "c").mkdir()
    checks.log("c/c.log", EPISODE)
    found = checks.check()
    assert checks.judged == ["a.log", "a.log", "b.log", "c.log"]
    assert found.measures is not None
    assert found.measures.by_end == {"told": 2, "untold": 1}  # what one log tells of is not told by another
    assert checks.as_at_once(found)


def test_logs_that_are_read_together_are_read_again_together(checks: Checks) -> None:
    """Of three logs that stand in one table one is written anew; a table never holds what no file holds."""
    logs = [checks.log(name, EPISODE) for name in ("a.log", "b.log", "c.log")]
    checks.check()
    assert len([*(checks.folder / "out" / "events").iterdir()]) == 1
    logs[1].write_text("".join([*EPISODE[1:], STRAY]))
    found = checks.check()
    assert [name for name, _, _ in checks.read] == ["a.log", "b.log", "c.log"]
    assert found.notes == (f"{logs[1]} is read again, for it changed otherwise than by growing since it was read",)
    assert len({row["split"] for row in pq.read_table(checks.folder / "out" / "events").to_pylist()}) == 3
    assert checks.as_at_once(found)


def test_of_logs_that_are_read_together_only_one_that_fails_is_left_out(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.log", "b.log", "c.log"):
        checks.log(name, EPISODE)

    def failing(splits: Sequence[Split]) -> SplitsRead:
        if any(split.input.name.endswith("b.log") for split in splits):
            raise OSError(5, "Input/output error")
        return read_splits(splits)

    monkeypatch.setattr(writing, "read_splits", failing)
    report = checks.check()
    assert [Path(each.input).name for each in report.inputs] == ["a.log", "c.log"]
    (sentence,) = report.left_out
    assert sentence.endswith("b.log: expected a file that can be read, but the disk or the storage failed")
