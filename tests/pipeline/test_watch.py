"""A watch says of a log that grows what a check says of the whole, wherever it is cut and whatever interrupts it."""

import gzip
import json
import os
import shutil
from errno import EACCES
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.episode import OVERFULL, RELEASED, STOPPED, UNDERFULL
from tests.pipeline.growing import PATIENCE, Watcher
from tidegate.catalogue import catalogue
from tidegate.pipeline.stream.keeping import LogState, only_watch_in
from tidegate.pipeline.stream.logs import watched
from tidegate.pipeline.stream.overdue import Patience
from tidegate.pipeline.stream.watch import LogReader, Watch, known_in
from tidegate.record.errors import BadInput
from tidegate.record.verdict import Verdict

ROOT = Path(__file__).parents[2]
CHANNEL = "con:1(guest@a/test)/ch:1"
OTHER = "[Broker] BRK-1004 : Qpid Broker Ready"
MINUTE = 60_000
BEGIN = 1_769_904_000_000
"""2026-02-01 00:00:00 UTC."""


def line(seconds: float, message: str) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"2026-02-01 00:{minutes:02.0f}:{rest:06.3f}".replace(".", ",") + f" MESSAGE {message}\n"


def append(log: Path, *lines: str) -> None:
    with log.open("a") as file:
        file.write("".join(lines))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "broker.log"
    append(path, line(0, OTHER))
    return path


@pytest.fixture
def watcher(log: Path, tmp_path: Path) -> Watcher:
    return Watcher(tmp_path / "watch", log)


def whole(log: Path, folder: Path) -> Watcher:
    """The same log, seen in one look."""
    found = Watcher(folder, log)
    found.look()
    return found


EVERYTHING = [
    line(0, OTHER),
    line(1, OVERFULL),
    line(1, STOPPED),
    "  a line that begins no record\n",
    line(32, UNDERFULL),
    line(38, RELEASED),
    line(39, RELEASED),
    line(40, OVERFULL.replace("1,200", "1,000")),
    line(41, UNDERFULL.replace("600", "60,00")),
    line(42, STOPPED),
    line(43, RELEASED),
]
"""The last line releases the channel though its queue was said to be overfull, and not underfull since."""
ALERTS = [
    f"2026-02-01T00:00:31.000Z stopped-too-long: {CHANNEL} stopped by test/q since 2026-02-01T00:00:01.000Z, "
    "longer than 30,000 ms (LOG)",
    f"2026-02-01T00:00:37.000Z room-but-stopped: {CHANNEL} still stopped by test/q, which has room since "
    "2026-02-01T00:00:32.000Z, more than 5,000 ms (LOG)",
    "2026-02-01T00:00:39.000Z violation: QPID-LOG-4 {QPID-LOG-4} (LOG:7)",
    "2026-02-01T00:00:40.000Z violation: QPID-LOG-1 {QPID-LOG-1} (LOG:8)",
    "put-aside: field 'size': expected a whole number, if grouped then by one separator into threes, not '60,00' "
    "(LOG:9)",
    "2026-02-01T00:00:43.000Z violation: QPID-QUEUE-2 {QPID-QUEUE-2} (LOG:11)",
]


def test_alerts_say_what_happened_to_whom_when_and_where(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, *EVERYTHING)
    found = whole(log, tmp_path / "watch")
    sentences = {f"{{{rule.id}}}": rule.sentence for rule in catalogue().values()}
    expected = [alert.replace("LOG)", f"{log})").replace("LOG:", f"{log}:") for alert in ALERTS]
    for placeholder, sentence in sentences.items():
        expected = [alert.replace(placeholder, sentence) for alert in expected]
    assert [str(alert) for alert in found.told] == expected
    first = json.loads(found.written().splitlines()[0])
    assert first == {
        "alert": "stopped-too-long", "log": str(log), "time": BEGIN + 31_000, "who": CHANNEL,
        "destination": "test/q", "since": BEGIN + 1_000, "words": first["words"],
    }  # fmt: skip


@pytest.mark.parametrize("cut", range(len(EVERYTHING) + 1))
def test_a_log_may_be_cut_anywhere(tmp_path: Path, cut: int) -> None:
    log = tmp_path / "broker.log"
    append(log, *EVERYTHING)
    expected = whole(log, tmp_path / "whole")
    cut_log = tmp_path / "broker.log"
    cut_log.write_text("".join(EVERYTHING[: max(cut, 1)]))
    found = Watcher(tmp_path / "watch", cut_log)
    found.look()
    found.restart()
    append(cut_log, *EVERYTHING[max(cut, 1) :])
    found.look()
    assert found.written() == expected.written()
    assert found.verdicts() == expected.verdicts()


OLD_RABBIT = [
    "=INFO REPORT==== 2-Sep-2020::17:52:00 ===\n",
    "Starting RabbitMQ 3.6.6 on Erlang 19\n",
    "=WARNING REPORT==== 2-Sep-2020::17:52:40 ===\n",
    "memory resource limit alarm set on node rabbit@one.\n",
    "=WARNING REPORT==== 2-Sep-2020::17:53:11 ===\n",
    "memory resource limit alarm cleared on node rabbit@one\n",
]
"""A record's time stands in a line of its own."""


@pytest.mark.parametrize("cut", range(1, len(OLD_RABBIT)))
def test_a_record_of_several_lines_may_be_cut_between_them(tmp_path: Path, cut: int) -> None:
    log = tmp_path / "rabbit.log"
    append(log, *OLD_RABBIT[:cut])
    watcher = Watcher(tmp_path / "watch", log)
    watcher.look()
    watcher.restart()
    append(log, *OLD_RABBIT[cut:])
    watcher.look()
    assert [str(alert) for alert in watcher.told] == [
        "2020-09-02T17:53:10.000Z stopped-too-long: all producers of rabbit@one stopped for memory since "
        f"2020-09-02T17:52:40.000Z, longer than 30,000 ms ({log})"
    ]


def test_a_stop_is_told_when_no_line_comes(log: Path, watcher: Watcher) -> None:
    append(log, line(1, OVERFULL), line(1, STOPPED))
    assert watcher.look(wall=5 * MINUTE) == []
    assert watcher.look(wall=5 * MINUTE + 30_000) == []
    (told,) = watcher.look(wall=5 * MINUTE + 30_001)
    assert told.startswith("2026-02-01T00:00:31.000Z stopped-too-long: con:1")
    assert watcher.look(wall=90 * MINUTE) == []


def test_lines_about_something_else_move_the_clock_of_the_log(log: Path, watcher: Watcher) -> None:
    append(log, line(1, OVERFULL), line(1, STOPPED), line(31, OTHER))
    assert watcher.look() == []
    append(log, line(31.001, OTHER))
    assert len(watcher.look()) == 1


def test_time_that_a_machine_was_off_counts_after_a_restart(log: Path, watcher: Watcher) -> None:
    append(log, line(1, OVERFULL), line(1, STOPPED))
    watcher.look(wall=MINUTE)
    watcher.restart()
    assert len(watcher.look(wall=2 * MINUTE)) == 1
    watcher.restart()
    assert watcher.look(wall=3 * MINUTE) == []


def power_fails(patched: pytest.MonkeyPatch, of: Any = Path, name: str = "replace", times: int = 1) -> None:
    """In front of the N-th call of what brings files to the disk or to their places, and at each call after it."""
    done, work = count(1), getattr(of, name)

    def failing(*given: Any) -> Any:
        if next(done) >= times:
            raise OSError("power is gone")
        return work(*given)

    patched.setattr(of, name, failing)


@pytest.mark.parametrize(
    ("of", "name", "times"), [(os, "fsync", 1), (os, "fsync", 2), (Path, "replace", 1), (Path, "replace", 2)]
)
def test_a_look_that_was_cut_short_is_done_again_and_nothing_is_told_twice(
    log: Path, watcher: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of: Any, name: str, times: int
) -> None:
    """With its alerts written, with its state half written, with its state whole, and with the report to come."""
    append(log, *EVERYTHING[1:6])
    watcher.look()
    append(log, *EVERYTHING[6:])
    with monkeypatch.context() as patched, pytest.raises(OSError, match="power"):
        power_fails(patched, of, name, times)
        watcher.look()
    assert len(watcher.written().splitlines()) == len(ALERTS)
    expected = whole(log, tmp_path / "whole")
    for _ in range(2):
        watcher.restart()
        watcher.look()
        assert watcher.written() == expected.written()
        assert watcher.verdicts() == expected.verdicts()


def test_what_a_look_that_was_cut_short_had_written_is_taken_back(
    log: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(log, *EVERYTHING[1:6])
    with monkeypatch.context() as patched, pytest.raises(OSError, match="power"):
        power_fails(patched)
        watcher.look()
    assert len(watcher.written().splitlines()) == 2
    watcher.restart(Patience(stopped_ms=60_000, room_ms=5_000))
    watcher.look()
    (only,) = watcher.written().splitlines()
    assert json.loads(only)["alert"] == "room-but-stopped"


def test_a_log_that_was_truncated_is_begun_anew(log: Path, watcher: Watcher) -> None:
    append(log, line(1, OVERFULL), line(1, STOPPED))
    watcher.look()
    log.write_text(line(2, OTHER) + line(3, RELEASED))
    (told,) = watcher.look(wall=10 * MINUTE)
    assert told == f"gap: lines may be lost: the log was truncated, or its rotated file is damaged or not found ({log})"
    assert {each.verdict for each in watcher.watch.report().inputs[0].verdicts} <= {Verdict.KEPT, Verdict.UNKNOWN}


def test_a_log_that_was_rotated_goes_on_in_the_next_file(log: Path, watcher: Watcher) -> None:
    append(log, line(1, OVERFULL), line(1, STOPPED))
    watcher.look()
    append(log, line(2, UNDERFULL))
    log.rename(log.with_name("broker.log.1"))
    append(log, line(3, RELEASED), line(4, RELEASED))
    (told,) = watcher.look()
    assert "violation: QPID-LOG-4" in told
    assert told.endswith(f"({log}:2)")


def names(*paths: Path, known: dict[str, str]) -> list[str]:
    return [log.name for log in watched(paths, known).inputs]


def test_a_log_that_was_just_rotated_away_is_still_watched(log: Path, watcher: Watcher) -> None:
    watcher.look()
    known = known_in(watcher.folder)
    log.rename(log.with_name("broker.log.1"))
    assert names(log, known=known) == names(log.parent, known=known) == [str(log)]
    log.touch()
    assert names(log, log.parent, known=known) == [str(log)]
    with pytest.raises(BadInput, match=r"broker\.log: expected a "):
        names(log, known={})


def test_a_folder_stands_for_what_is_the_log_now_of_each_host(log: Path) -> None:
    append(log.with_name("broker.log.1"), line(0, OTHER))
    append(log.with_name("other.log"), line(0, OTHER))
    with gzip.open(log.with_name("broker.log.2.gz"), "wt") as packed:
        packed.write(line(0, OTHER))
    for seconds, name in enumerate(("broker.log.2.gz", "broker.log.1", "broker.log"), start=1000):
        os.utime(log.with_name(name), (seconds, seconds))
    expected = [str(log), str(log.with_name("other.log"))]
    assert names(log.parent, known={}) == expected
    assert names(log.parent, known={str(log): "qpid log"}) == expected


def test_what_is_no_log_in_a_folder_is_named_and_the_rest_is_watched(log: Path, tmp_path: Path) -> None:
    (tmp_path / "gc.log").write_text("garbage\n")
    found = watched([tmp_path], {})
    assert [each.name for each in found.inputs] == [str(log)]
    assert [error.file for error in found.refused] == [str(tmp_path / "gc.log")]
    over = Watch(found.inputs, tmp_path / "watch", catalogue(), PATIENCE, print, ["gc.log: is none"])
    assert over.report().left_out == ("gc.log: is none",)


def test_a_file_that_does_not_grow_is_not_watched(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "broker.log.1.gz", "wt") as packed:
        packed.write(line(0, OTHER))
    with pytest.raises(BadInput, match="expected the growing log of a broker; tidegate trace check reads other"):
        names(tmp_path / "broker.log.1.gz", known={})
    with pytest.raises(BadInput, match="expected a folder with growing logs"):
        names(tmp_path, known={})


def test_several_logs_are_judged_apart(tmp_path: Path) -> None:
    logs = [tmp_path / f"{host}.log" for host in "ab"]
    for each in logs:
        append(each, line(0, OTHER), line(1, OVERFULL), line(1, STOPPED), line(2, UNDERFULL), line(2, RELEASED))
    append(logs[1], line(3, RELEASED))
    watcher = Watcher(tmp_path / "watch", *logs)
    assert [str(logs[1]) in told for told in watcher.look()] == [True]
    assert [each.account.events for each in watcher.watch.report().inputs] == [4, 5]


def test_a_log_that_says_for_how_long_producers_have_been_stopped_tells_of_those_who_were_for_too_long(
    tmp_path: Path,
) -> None:
    real = ROOT / "tests/pipeline/logs/classic/classic-6.3.1.log"
    log = tmp_path / "broker.log"
    shutil.copy(real, log)
    watcher = Watcher(tmp_path / "watch", log)
    watcher.restart(Patience(2_000, 5_000))
    told = watcher.look()
    assert told[0] == (
        "2026-11-21T19:34:02.118Z stopped-too-long: ID:vm-38693-1795289632962-6:1:1:1 stopped by queue://payments for "
        f"memory since 2026-11-21T19:34:00.118Z, longer than 2,000 ms ({log})"
    )
    assert [alert.split(" stopped by ")[1].split(" since ")[0] for alert in told] == [
        *("queue://payments for memory", "topic://quotes for memory", "queue://wide for all memory"),
        *("queue://audit for store", "queue://bulk for temp"),
    ]
    assert watcher.look(wall=3_600_000) == []


def test_a_log_that_cannot_be_read_is_told_of_once(
    log: Path, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looks(*, readable: bool) -> list[str]:
        with monkeypatch.context() as patched:
            if not readable:
                patched.setattr(Path, "open", lambda *_: (_ for _ in ()).throw(PermissionError(EACCES, "not for you")))
            return [str(alert) for alert in LogReader(str(log), state, catalogue(), PATIENCE).look(log, 0)]

    state = LogState("qpid log")
    told = [f"unreadable: the log cannot be read now: permission is denied ({log})"]
    assert [looks(readable=readable) for readable in (False, False, True, False)] == [told, [], [], told]


def test_a_state_of_other_rules_is_refused(log: Path, watcher: Watcher) -> None:
    watcher.look()
    state = watcher.folder / "state.json"
    digest = json.loads(state.read_text())["logs"][str(log)]["rules"]
    state.write_text(state.read_text().replace(digest, "another"))
    with pytest.raises(BadInput, match="expected a state of the rules of this version; give another --report"):
        watcher.look()


def test_the_folder_of_a_watch_by_spark_is_refused_and_left_as_it_is(log: Path, tmp_path: Path) -> None:
    (tmp_path / "watch" / "state").mkdir(parents=True)
    (tmp_path / "watch" / "alerts.jsonl").write_text("{}\n")
    watcher = Watcher(tmp_path / "watch", log)
    with pytest.raises(BadInput, match=r"watch/state: expected a state of the rules of this version; give another"):
        watcher.look()
    assert watcher.written() == "{}\n"


def test_two_watches_do_not_share_a_folder(tmp_path: Path) -> None:
    refused = pytest.raises(BadInput, match="expected a folder that no other watch is writing")
    with only_watch_in(tmp_path), refused, only_watch_in(tmp_path):
        pass
    with only_watch_in(tmp_path):
        pass
