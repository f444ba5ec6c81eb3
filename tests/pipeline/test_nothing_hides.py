"""A line that cannot be read, or reads unlike the documents, hides no violation that it has nothing to do with."""

import gzip
from pathlib import Path

import pytest

from tests.pipeline.growing import Watcher
from tests.pipeline.test_answer_first import BLOCKED, CHANNEL, FULL, check, line
from tests.pipeline.test_trace_command import verdicts
from tidegate.model.language.running import leads_to_an_operator
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.record.errors import ExitCode

NOT_FULL = line("12:00:00", FULL, size="900")
UNREADABLE = line("12:00:01", FULL, size="1.2.3")
UNDERFULL = "[vh(/test)/qu(q)] QUE-1004 : Underfull : Size : 7 bytes, Resume Capacity : 800"


def test_rules_that_look_back_are_told_from_those_that_judge_an_event_alone() -> None:
    of_qpid = {rule.rule_id: leads_to_an_operator(rule) for rule in rules_of("qpid log")}
    assert {name for name, back in of_qpid.items() if not back} == {"QPID-LOG-1"}
    assert not any(map(leads_to_an_operator, rules_of("classic log")))


@pytest.mark.parametrize("place", [0, 1])
def test_a_line_that_cannot_be_read_excuses_no_line_that_contradicts_itself(tmp_path: Path, place: int) -> None:
    lines = [NOT_FULL]
    lines.insert(place, UNREADABLE)
    (tmp_path / "broker.log").write_text("".join(lines))
    assert check(tmp_path, tmp_path / "broker.log").exit_code == ExitCode.VIOLATED
    assert verdicts(tmp_path)["QPID-LOG-1"] == "violated"


@pytest.mark.parametrize(("place", "verdict"), [(0, "unknown"), (1, "unknown"), (2, "unknown"), (3, "violated")])
def test_a_line_that_cannot_be_read_excuses_only_what_comes_after_it(tmp_path: Path, place: int, verdict: str) -> None:
    """Underfull twice: nothing between them says that the queue was overfull."""
    full = line("11:00:00", FULL, size="1,200")
    lines = [full, line("12:00:01", UNDERFULL), line("12:00:02", UNDERFULL)]
    lines.insert(place, UNREADABLE)
    (tmp_path / "broker.log").write_text("".join(lines))
    check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-LOG-3"] == verdict
    watcher = Watcher(tmp_path / "watch", tmp_path / "broker.log")
    watcher.look()
    (report,) = watcher.watch.report().inputs
    assert {each.rule: each.verdict for each in report.verdicts}["QPID-LOG-3"] == verdict


def test_a_queue_limited_in_messages_only_and_one_with_parentheses_in_its_name_are_read(tmp_path: Path) -> None:
    lines = [
        line("12:00:00", "[vh(/test)/qu(a (b))] QUE-1003 : Overfull : Size : 10 bytes, Capacity : -1, "
             "Messages : 4, Message Capacity : 3"),
        line("12:00:00", CHANNEL + " " + CHANNEL + " CHN-1005 : Flow Control Enforced (Queue a (b))", number=1),
        line("12:00:01", "[vh(/test)/qu(a (b))] QUE-1004 : Underfull : Size : 10 bytes, Resume Capacity : -1, "
             "Messages : 1, Resume Message Capacity : 3"),
        line("12:00:02", FULL, size="1,200"),
        line("12:00:02", BLOCKED, number=2),
    ]  # fmt: skip
    (tmp_path / "broker.log").write_text("".join(lines))
    said = check(tmp_path, tmp_path / "broker.log").stdout
    assert "5 lines = 5 events + 0 ignored + 0 put aside" in said
    assert "capacity of test/a (b)" in said
    found = verdicts(tmp_path)
    assert (found["QPID-LOG-1"], found["QPID-LOG-2"], found["QPID-LOG-3"]) == ("kept", "kept", "kept")


def test_a_packed_copy_of_a_rotated_file_counts_once(tmp_path: Path) -> None:
    old = line("11:00:00", FULL, size="900")
    (tmp_path / "broker.log").write_text(line("12:00:00", FULL, size="1,200"))
    (tmp_path / "broker.log.1").write_text(old)
    (tmp_path / "broker.log.1.gz").write_bytes(gzip.compress(old.encode()))
    (tmp_path / "broker.log.2.gz").write_bytes(gzip.compress(line("10:00:00", FULL, size="1,300").encode()))
    said = check(tmp_path, tmp_path).stdout
    assert said.count("1 line = 1 event ") == 3
    assert "broker.log.1.gz: begins as " in said and "separate sources" not in said
    row = next(row for row in said.splitlines() if row.startswith("QPID-LOG-1"))
    assert row.split()[:5] == ["QPID-LOG-1", "violated", "1", "1", "1"]


def test_of_files_whose_order_is_not_known_only_what_one_line_shows_is_violated(tmp_path: Path) -> None:
    """The lines of one host go to two files in turn: that the queue was overfull again stands in the other one."""
    (tmp_path / "a").mkdir()
    first = [line("12:00:00", FULL, size="1,200"), line("12:00:01", UNDERFULL), line("12:00:03", BLOCKED, number=1)]
    second = [line("12:00:02", FULL, size="1,200"), line("12:00:04", FULL, size="900")]
    for name, lines in (("broker.log.1", first), ("broker.log", second)):
        (tmp_path / "a" / name).write_text("".join(lines))
    result = check(tmp_path, tmp_path / "a")
    assert "whose times overlap" in result.stdout
    rows = [row.split()[:2] for row in result.stdout.splitlines() if row.startswith("QPID-LOG-")]
    assert ["QPID-LOG-1", "violated"] in rows and ["QPID-LOG-2", "unknown"] in rows
    assert ["QPID-LOG-2", "violated"] not in rows
    assert "other files of its host may say what seems to be missing" in " ".join(result.stdout.split())


def test_where_a_rotated_file_is_missing_what_comes_after_it_begins_from_nothing(tmp_path: Path) -> None:
    """The queue was underfull before the hole, and is said to be so behind it: what it was in between is not known."""
    old = [line("10:00:00", FULL, size="1,200"), line("10:00:01", UNDERFULL)]
    new = [line("12:00:00", UNDERFULL)]
    (tmp_path / "broker.log.3").write_text("".join(old))
    (tmp_path / "broker.log.1").write_text("".join(new))
    (tmp_path / "broker.log").write_text(line("13:00:00", FULL, size="1,200"))
    result = check(tmp_path, tmp_path)
    assert "what stood in .2 is not known" in result.stdout
    assert "violated" not in [row.split()[1] for row in result.stdout.splitlines() if row.startswith("QPID-LOG-2")]


def written_twice(lines: list[str], between: str = "") -> str:
    """Each line and its copy, with another pair between the two where the threads of the broker write at once."""
    pairs = [[each, each] for each in lines]
    if between:
        pairs[0][1:1] = [between, between]
    return "".join(each for pair in pairs for each in pair)


EPISODE_WITH_A_WRONG_SIZE = [
    line("12:00:00", FULL, size="900"), line("12:00:01", BLOCKED, number=1), line("12:00:02", UNDERFULL),
    line("12:00:03", FULL, size="1,200"), line("12:00:04", UNDERFULL),
]  # fmt: skip


@pytest.mark.parametrize("between", ["", line("12:00:00", FULL, size="1,300")])
def test_in_a_log_that_two_appenders_write_no_line_is_one_too_many(tmp_path: Path, between: str) -> None:
    log = tmp_path / "broker.log"
    log.write_text(written_twice(EPISODE_WITH_A_WRONG_SIZE, between))
    result = check(tmp_path, log)
    assert result.exit_code == ExitCode.VIOLATED
    found = verdicts(tmp_path)
    assert (found["QPID-LOG-1"], found["QPID-LOG-2"], found["QPID-LOG-3"]) == ("violated", "kept", "unknown")
    said = " ".join(result.stdout.split())
    assert f"{log}: each line is there twice" in said
    assert "but each line of the log is there twice" in said


@pytest.mark.parametrize("once", range(5))
def test_in_a_log_with_one_line_that_is_there_once_a_second_line_is_one_too_many(tmp_path: Path, once: int) -> None:
    lines = [each for place, line in enumerate(EPISODE_WITH_A_WRONG_SIZE) for each in [line] * (1 + (place != once))]
    (tmp_path / "broker.log").write_text("".join(lines))
    result = check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-LOG-3"] == "violated"
    assert "there twice" not in result.stdout
