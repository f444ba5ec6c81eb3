"""No fault of its log convicts a right broker: lines that are sorted, mixed, sent again, run together or lost."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tests.pipeline.growing import Watcher
from tests.pipeline.test_answer_first import BLOCKED, FULL, RELEASED, ROOM, check, line
from tests.pipeline.test_trace_command import verdicts
from tidegate.record.errors import ExitCode
from tidegate.record.verdict import Verdict

REAL = Path(__file__).parent / "logs" / "restart"
QPID = (REAL / "broker-j-10.1.0.log").read_text().splitlines(keepends=True)
ARTEMIS = (REAL / "artemis-2.44.0.log").read_text().splitlines(keepends=True)
ROOM_SAID = next(n for n, said in enumerate(QPID) if "QUE-1004" in said)
RELEASE_SAID = next(n for n, said in enumerate(QPID) if "CHN-1006" in said)
Lines = list[str]


def wrapped(line: str, writer: str) -> str:
    """A line as a journal or a collector writes it, with its time and its writer in front."""
    return f"{line[:10]}T{line[11:19]}+0000 {writer}: {line}"


def ends(folder: Path, *, of: str = "") -> list[str]:
    """How the stops of a check ended."""
    found = pl.read_parquet(folder / "out" / "episodes" / "*.parquet").filter(pl.col("of") != "limit")
    return sorted(found.filter(pl.col("of") == of)["end"] if of else found["end"])


def released_too_early(lines: Lines) -> Lines:
    """The lines of a broker that releases a channel before its queue has room."""
    found = [*lines]
    found.insert(ROOM_SAID, found.pop(RELEASE_SAID))
    return found


def in_one_ms(count: int) -> Lines:
    """Episodes of as many queues, each with all lines in one ms and in their order."""
    return [
        line(f"12:{n:02}:00", text.replace("qu(q)", f"qu({chr(97 + n)})").replace("Queue q", f"Queue {chr(97 + n)}"),
             size="1,200", number=n)
        for n in range(count) for text in (FULL, BLOCKED, ROOM, RELEASED)
    ]  # fmt: skip


def mixed() -> Lines:
    pairs = ((wrapped(each, "mq-a artemis[7]"), wrapped(each, "mq-b artemis[9]")) for each in ARTEMIS)
    return [each for pair in pairs for each in pair if each.startswith("2")]


def of_two_brokers() -> Lines:
    """The lines of two brokers that serve other clients, without a sign of the broker in front."""
    return [each for line in QPID for each in (line, line.replace("@/127.0.0.1:", "@/127.0.0.9:"))]


def started_anew() -> Lines:
    """The lines of a broker that is killed and started again, and serves other clients then."""
    later = [line.replace("T11:", "T12:").replace("@/127.0.0.1:", "@/127.0.0.9:") for line in QPID]
    return [*QPID, *later]


def lost() -> Lines:
    said = [wrapped(each, "mq broker[7]") for each in QPID]
    said[ROOM_SAID] = "2026-11-23T11:47:48+0000 mq systemd-journald[3]: Suppressed 1 messages from qpid.service\n"
    return said


def run_together() -> Lines:
    full = next(n for n, said in enumerate(QPID) if "QUE-1003" in said)
    return [*QPID[:full], QPID[full].rstrip("\n") + QPID[full + 1], *QPID[full + 2 :]]


def sent_again() -> Lines:
    return [*QPID[: RELEASE_SAID + 1], *QPID[ROOM_SAID - 5 : RELEASE_SAID + 1], *QPID[RELEASE_SAID + 1 :]]


DOUBTFUL: dict[str, tuple[Callable[[], Lines], str]] = {
    "sorted by bytes": (lambda: sorted(in_one_ms(12)), "all lines are sorted by their text"),
    "sorted by letters": (lambda: sorted(in_one_ms(12), key=str.casefold), "all lines are sorted by their text"),
    "of two writers": (mixed, "lines of several writers take turns"),
    "of two brokers": (of_two_brokers, "lines of several brokers take turns"),
    "with lines lost": (lost, "this line says that some were left out"),
    "with two records on a line": (run_together, "behind this one another one begins"),
    "with lines sent again": (sent_again, "this one is there already, before lines of another time"),
}


@pytest.mark.parametrize("kind", DOUBTFUL)
def test_a_right_broker_is_not_convicted_by_lines(tmp_path: Path, kind: str) -> None:
    lines, sentence = DOUBTFUL[kind]
    (tmp_path / "broker.log").write_text("".join(lines()))
    result = check(tmp_path, tmp_path / "broker.log")
    assert result.exit_code == ExitCode.UNKNOWN
    assert sentence in " ".join(result.stdout.split())
    assert "violated" not in verdicts(tmp_path).values()


@pytest.mark.parametrize("kind", ["sorted by bytes", "of two writers", "of two brokers"])
@pytest.mark.parametrize("looks", [1, 2])
def test_a_watch_doubts_what_a_check_doubts(tmp_path: Path, kind: str, looks: int) -> None:
    """The first of two looks sees too little of the log for a doubt."""
    lines, sentence = DOUBTFUL[kind]
    said = lines()
    log = tmp_path / "broker.log"
    log.write_text("".join(said[:1] if looks == 2 else said))
    watcher = Watcher(tmp_path / "watch", log)
    alerts = watcher.look()
    if looks == 2:
        log.write_text("".join(said))
        watcher.restart()
        alerts += watcher.look()
    assert not [each for each in alerts if "violation" in each]
    (report,) = watcher.watch.report().inputs
    assert Verdict.VIOLATED not in {each.verdict for each in report.verdicts}
    assert any(sentence in note for note in watcher.watch.report().notes)


@pytest.mark.parametrize(
    "lines",
    [QPID, in_one_ms(12), [wrapped(each, "mq broker[7]") for each in QPID],
     [f"2026-11-23T11:47:00Z std{'out' if n % 2 else 'err'} F {each}" for n, each in enumerate(QPID)], started_anew()],
    ids=["as they are", "of one ms", "of one writer", "of one container", "of a broker that is started anew"],
)  # fmt: skip
def test_lines_without_a_doubt_convict_a_wrong_broker(tmp_path: Path, lines: Lines) -> None:
    wrong = [*lines[:2], lines[3], lines[2], *lines[4:]] if "01-31" in lines[0] else released_too_early(lines)
    (tmp_path / "broker.log").write_text("".join(wrong))
    result = check(tmp_path, tmp_path / "broker.log")
    assert "take turns" not in result.stdout and "sorted" not in result.stdout
    assert verdicts(tmp_path)["QPID-QUEUE-2"] == "violated"


@pytest.mark.parametrize("packed", [False, True])
def test_a_line_that_was_sent_again_counts_once_and_is_kept_as_it_reads(tmp_path: Path, packed: bool) -> None:
    text = "".join(sent_again()).encode()
    (tmp_path / "broker.log").write_bytes(gzip.compress(text) if packed else text)
    check(tmp_path, tmp_path / "broker.log")
    aside = pl.read_parquet(tmp_path / "out" / "quarantine" / "*.parquet")
    assert aside["line"].is_sorted() and {*aside["text"]} <= {each.rstrip() for each in QPID}
    assert aside.height == 6
    again = ends(tmp_path)
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "broker.log").write_text("".join(QPID))
    check(tmp_path / "whole", tmp_path / "whole" / "broker.log")
    assert again == ends(tmp_path / "whole")


@pytest.mark.parametrize("actor", ["con:0(", "con:1("])
def test_wrong_numbers_of_connections_in_one_line_are_no_sign_of_another_broker(tmp_path: Path, actor: str) -> None:
    last = max(n for n, said in enumerate(QPID) if "[con:0(" in said)
    wrong = QPID[last][:24] + QPID[RELEASE_SAID].replace("[con:2(", f"[{actor}", 1).replace("[con:2(", "[con:0(")[24:]
    (tmp_path / "broker.log").write_text("".join([*QPID[:last], wrong, *QPID[last:]]))
    assert "take turns" not in check(tmp_path, tmp_path / "broker.log").stdout
    assert verdicts(tmp_path)["QPID-LOG-4"] == "violated"


def test_a_line_that_a_broker_writes_twice_at_once_was_not_sent_again(tmp_path: Path) -> None:
    lines = sent_again()
    lines.insert(RELEASE_SAID, QPID[RELEASE_SAID])
    (tmp_path / "broker.log").write_text("".join(lines))
    check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-LOG-4"] == "violated"
    assert pl.read_parquet(tmp_path / "out" / "quarantine" / "*.parquet").height == 6


def test_what_a_line_violates_before_lines_were_lost_is_violated(tmp_path: Path) -> None:
    lines = [wrapped(each, "mq broker[7]") for each in released_too_early(QPID)]
    lines.insert(
        RELEASE_SAID + 1, "2026-11-23T11:47:49+0000 mq rsyslogd: imjournal: 7 messages lost due to rate-limiting\n"
    )
    (tmp_path / "broker.log").write_text("".join(lines))
    check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-QUEUE-2"] == "violated"


def test_a_log_with_its_newest_lines_first_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(reversed(QPID)))
    result = check(tmp_path, tmp_path / "broker.log")
    assert result.exit_code == ExitCode.BAD_INPUT
    assert "expected the oldest line first, and found the newest one; tac turns the lines round" in result.output


def test_a_doubt_about_a_file_holds_of_the_files_after_it(tmp_path: Path) -> None:
    after = [line("13:00:00", ROOM), line("13:00:01", ROOM)]
    (tmp_path / "broker.log.1").write_text("".join(sorted(in_one_ms(12))))
    (tmp_path / "broker.log").write_text("".join(after))
    result = check(tmp_path, tmp_path / "broker.log", tmp_path / "broker.log.1")
    assert result.exit_code == ExitCode.UNKNOWN


def test_lines_of_another_program_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "both.log").write_text("".join([*QPID, *ARTEMIS]))
    said = " ".join(check(tmp_path, tmp_path / "both.log").stdout.split())
    assert "both.log: has lines of artemis log too, which are not read" in said
    (tmp_path / "one.log").write_text("".join(ARTEMIS))
    assert "has lines of" not in check(tmp_path / "one", tmp_path / "one.log").stdout


@pytest.mark.parametrize(("step", "verdict"), [("12:00:03", "violated"), ("11:00:03", "kept")])
def test_far_behind_a_step_back_nothing_is_known_of_before(tmp_path: Path, step: str, verdict: str) -> None:
    """The queue has room twice: by one broker whose clock was set back, or in files strung together."""
    lines = [line("12:00:00", FULL, size="1,200"), line("12:00:02", ROOM), line(step, ROOM)]
    lines.insert(2, line("12:00:04", FULL.replace("qu(q)", "qu(r)"), size="1,200"))
    (tmp_path / "broker.log").write_text("".join(lines))
    check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-LOG-3"] == verdict
    watcher = Watcher(tmp_path / "watch", tmp_path / "broker.log")
    watcher.look()
    (report,) = watcher.watch.report().inputs
    assert {each.rule: each.verdict for each in report.verdicts}["QPID-LOG-3"] == verdict


OTHER_QUEUE = {text: text.replace("qu(q)", "qu(r)").replace("Queue q", "Queue r") for text in (FULL, BLOCKED, ROOM)}


@pytest.mark.parametrize(
    ("had_room", "verdict"), [(False, "violated"), (True, "kept")], ids=["still full", "full once more"]
)
def test_a_channel_is_released_once_all_queues_that_stopped_it_have_room(
    tmp_path: Path, had_room: bool, verdict: str
) -> None:
    """Both queues stop the channel, and the second has room when it is released; the first may have had it before."""
    lines = [line("12:00:00", FULL, size="1,200"), line("12:00:00", BLOCKED, number=1)]
    lines += [line("12:00:01", OTHER_QUEUE[FULL], size="1,200"), line("12:00:01", OTHER_QUEUE[BLOCKED], number=1)]
    if had_room:
        lines += [line("12:00:02", ROOM), line("12:00:03", FULL, size="1,200")]
    lines += [line("12:00:04", OTHER_QUEUE[ROOM]), line("12:00:04", RELEASED, number=1)]
    (tmp_path / "broker.log").write_text("".join(lines))
    check(tmp_path, tmp_path / "broker.log")
    assert verdicts(tmp_path)["QPID-QUEUE-2"] == verdict


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [("360 bytes, Capacity : 1,000, Messages : 11, Message Capacity : 10", "unknown"),
     ("360 bytes, Capacity : 1,000, Messages : 10, Message Capacity : 10", "violated"),
     ("360 bytes, Capacity : 1,000, Messages : 11, Message Capacity : -1", "violated"),
     ("1,360 bytes, Capacity : 1,000, Messages : 11, Message Capacity : 10", "kept")],
)  # fmt: skip
def test_a_queue_that_exceeds_only_its_limit_in_messages_contradicts_nothing(
    tmp_path: Path, figures: str, verdict: str
) -> None:
    full = f"[vh(/test)/qu(q)] QUE-1003 : Overfull : Size : {figures}"
    lines = [line("12:00:00", full), line("12:00:00", BLOCKED, number=1), line("12:00:01", ROOM)]
    (tmp_path / "broker.log").write_text("".join([*lines, line("12:00:01", RELEASED, number=1)]))
    check(tmp_path, tmp_path / "broker.log")
    found = verdicts(tmp_path)
    assert (found["QPID-LOG-1"], found["QPID-LOG-2"]) == (verdict, "kept")


def test_a_log_of_warnings_alone_shows_no_end_of_a_stop(tmp_path: Path) -> None:
    """AMQ222183 is a warning and AMQ221046 is none: a second block shows that the log does not say when one ends."""
    (tmp_path / "warn.log").write_text("".join(each for each in ARTEMIS if " WARN " in each))
    check(tmp_path, tmp_path / "warn.log")
    assert ends(tmp_path) == ["inferred", "inferred", "inferred", "untold"]
    (tmp_path / "one.log").write_text(next(each for each in ARTEMIS if "AMQ222183" in each))
    check(tmp_path / "one", tmp_path / "one.log")
    assert ends(tmp_path / "one") == ["never"]


def test_a_peek_of_a_doubtful_log_is_kept_for_the_next_check(tmp_path: Path) -> None:
    (tmp_path / "broker.log").write_text("".join(mixed()))
    first, second = check(tmp_path, tmp_path / "broker.log"), check(tmp_path, tmp_path / "broker.log")
    assert "take turns" in first.stdout and "take turns" in second.stdout
    report = json.loads((tmp_path / "out" / "trace-report.json").read_text())
    assert any("lines of several writers take turns" in each["reason"] for each in report["inputs"][0]["verdicts"])
