"""The metrics of a log that grows piece by piece are what a check says of the whole log."""

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.metrics.watched import LOGS, RUNS, append, checked, free_port, in_pieces, started, watching
from tests.sample import sampled
from tests.waiting import eventually

PIECES = 6
QUEUE, CHANNEL = "[vh(/test)/qu(q)]", "[con:1(guest@a/test)/ch:1]"


def at(clock: str, about: str, message: str) -> bytes:
    """A line of a Qpid broker's log."""
    return f"2026-02-01 {clock},000 INFO  {about} {about} {message}\n".encode()


BLOCKED = at("10:00:00", QUEUE, "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000") + at(
    "10:00:00", CHANNEL, "CHN-1005 : Flow Control Enforced (Queue q)"
)
RELEASED = at("10:01:40", QUEUE, "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800") + at(
    "10:01:40", CHANNEL, "CHN-1006 : Flow Control Removed"
)
PORT = "expected [HOST:]PORT, with a port up to 65535"
BESIDE = "with --prometheus or --otlp, because these write no file"
OF_Q = {"destination": "test/q", "cause": "capacity", "of": "channel"}


@pytest.mark.parametrize(
    "log",
    sampled(
        [
            RUNS / "artemis-2.44.0.log",
            RUNS / "qpid-10.1.0.log",
            RUNS / "qpid-0.18.log",
            RUNS / "classic-5.3.1.log",
            LOGS / "rabbitmq" / "rabbitmq-3.10.8.log",
            LOGS / "andes" / "rendered.log",
            LOGS / "clients" / "qpid-client-6.4.0.log",
        ],
        2,
        name=lambda log: log.name,
    ),
    ids=lambda log: log.stem,
)
def test_stops_and_seconds_equal_a_check_of_the_whole_log(log: Path, tmp_path: Path) -> None:
    grown = tmp_path / "broker.log"
    pieces = in_pieces(log, PIECES)
    # what a file is the log of is told by what stands in it at first
    begins, others = pieces[: PIECES // 2], pieces[PIECES // 2 :]
    append(grown, b"".join(begins))
    begun = time.time()
    with watching(grown) as watched:
        for piece in others:
            append(grown, piece)
            so_far = grown.read_bytes().count(b"\n")
            assert watched.comes_to("tidegate_lines_total", so_far)
        stops, seconds = (
            watched.by_stop("tidegate_stops_begun_total"),
            watched.by_stop("tidegate_blocked_seconds_total"),
        )
        put_aside = watched.value("tidegate_lines_total", outcome="put-aside")
        took = time.time() - begun
        assert watched.end() == 0
    said = checked(grown, tmp_path / "report")
    assert put_aside == 0
    assert stops == {key: count for key, (count, _) in said.items()} != {}
    # while a log falls silent, the clock goes on for everybody who is blocked
    apart = {key: seconds[key] - at_least for key, (_, at_least) in said.items()}
    assert {key: by for key, by in apart.items() if not -0.001 <= by <= took * said[key][0]} == {}


def test_seconds_grow_while_somebody_is_blocked_and_are_those_of_the_log_once_that_has_ended(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with watching(log) as watched:
        assert watched.value("tidegate_blocked_producers", **OF_Q) == 1
        early = watched.value("tidegate_blocked_seconds_total", **OF_Q)
        assert eventually(lambda: watched.value("tidegate_blocked_seconds_total", **OF_Q) > early + 0.5)
        append(log, RELEASED)
        assert watched.comes_to("tidegate_blocked_producers", 0, **OF_Q)
        assert watched.value("tidegate_blocked_seconds_total", **OF_Q) == 100
        assert watched.value("tidegate_stops_begun_total") == 1
        assert watched.value("tidegate_lines_total", outcome="event") == 4
        assert watched.value("tidegate_last_line_timestamp_seconds") == 1_769_940_100
        assert 0 <= watched.value("tidegate_last_line_age_seconds") < 60


def test_as_many_are_blocked_as_why_says(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, (RUNS / "artemis-2.44.0.log").read_bytes())
    said = tidegate("why", str(log), folder=tmp_path).stdout
    assert said.startswith("Blocked since")
    stop = r"(\S+?)(?:, by [^,;]+,)? since "
    others = re.search(rf"^also +2 other stops: {stop}[^;]+; {stop}", said, re.MULTILINE)
    assert others is not None
    with watching(log) as watched:
        assert watched.value("tidegate_blocked_producers") == 1 + len(set(others.groups())) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_it_with_0_and_no_traceback(number: signal.Signals, tmp_path: Path) -> None:
    append(tmp_path / "broker.log", BLOCKED)
    with watching(tmp_path / "broker.log") as watched:
        assert watched.end(number) == 0
    assert watched.said.splitlines() == [f"tidegate: metrics are served at http://127.0.0.1:{watched.port}/metrics"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broker.log"]


def test_a_port_in_use_is_one_sentence(tmp_path: Path) -> None:
    append(tmp_path / "broker.log", BLOCKED)
    with watching(tmp_path / "broker.log") as watched:
        second = started(tmp_path / "broker.log", "--prometheus", watched.port)
        _, said = second.communicate(timeout=60)
    assert second.returncode == 2
    assert said == (
        f"tidegate: expected an address to serve at, but 127.0.0.1:{watched.port} is not: "
        "another program serves there\n"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--prometheus", "port"], f"field 'prometheus': {PORT}, not 'port'"),
        (["--prometheus", "70000"], f"field 'prometheus': {PORT}, not '70000'"),
        (["--prometheus", ":9"], f"field 'prometheus': {PORT}, not ':9'"),
        (["--prometheus", "::1:9"], "field 'prometheus': expected an IPv6 address in brackets, [HOST]:PORT"),
        (["--otlp", "collector"], "field 'otlp': expected the URL of a collector, http://HOST:PORT, not 'collector'"),
        (["--otlp", "http://a", "--once"], f"expected no --once {BESIDE}"),
        (["--prometheus", "0", "--report", "r"], f"expected no --report {BESIDE}"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, list) else "",
)  # fmt: skip
def test_what_metrics_cannot_do_is_told_in_one_sentence(given: list[str], expected: str, tmp_path: Path) -> None:
    append(tmp_path / "broker.log", BLOCKED)
    ended = tidegate("trace", "watch", "broker.log", *given, folder=tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith(f"tidegate: {expected}")


def test_metrics_are_served_to_this_machine_alone_unless_a_host_is_named(tmp_path: Path) -> None:
    append(tmp_path / "broker.log", BLOCKED)
    for given, shown in (("0", "127.0.0.1"), ("127.0.0.2:0", "127.0.0.2"), ("[::1]:0", "[::1]")):
        ended = tidegate("trace", "watch", "broker.log", "--prometheus", given, "--stop-after", "1", folder=tmp_path)
        assert ended.returncode == 0
        assert ended.stderr.startswith(f"tidegate: metrics are served at http://{shown}:")


def _renamed(log: Path) -> None:
    log.rename(log.with_name("broker.log.1"))


def _copied_and_truncated(log: Path) -> None:
    log.with_name("broker.log.1").write_bytes(log.read_bytes())
    os.truncate(log, 0)


@pytest.mark.parametrize("rotate", [_renamed, _copied_and_truncated])
def test_a_stop_goes_on_over_a_rotation(rotate: Callable[[Path], None], tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with watching(log) as watched:
        rotate(log)
        append(log, RELEASED)
        assert watched.comes_to("tidegate_lines_total", 4)
        assert watched.value("tidegate_blocked_seconds_total", **OF_Q) == 100
        assert watched.value("tidegate_blocked_producers") == 0
        assert watched.value("tidegate_gaps_total") == 0


def test_a_log_that_vanishes_is_told_and_read_again_once_it_is_back(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with watching(log) as watched:
        log.unlink()
        assert watched.comes_to("tidegate_log_readable", 0)
        assert watched.value("tidegate_blocked_producers") == 1
        append(log, RELEASED)
        assert watched.comes_to("tidegate_log_readable", 1)
        assert watched.comes_to("tidegate_lines_total", 4)
        assert watched.value("tidegate_gaps_total") == 1
        assert watched.value("tidegate_blocked_producers") == 0
        assert watched.end() == 0
    assert watched.said.splitlines()[1:] == [
        f"tidegate: {log}: the log is gone; it is read again once it is there",
        f"tidegate: {log}: lines may be lost: the log was truncated, or its rotated file is damaged or not found",
        f"tidegate: {log}: the log can be read again",
    ]


def test_a_log_that_cannot_be_read_is_told_once_and_the_others_go_on(tmp_path: Path) -> None:
    log, other = tmp_path / "a" / "broker.log", tmp_path / "b" / "broker.log"
    for each in (log, other):
        each.parent.mkdir()
        append(each, BLOCKED)
    with watching(log, other) as watched:
        log.rename(log.with_name("away"))
        log.mkdir()
        assert watched.comes_to("tidegate_log_readable", 0, log=str(log))
        append(other, RELEASED)
        assert watched.comes_to("tidegate_blocked_producers", 0, log=str(other))
        assert watched.value("tidegate_log_readable", log=str(other)) == 1
        assert watched.end() == 0
    assert watched.said.splitlines()[1:] == [f"tidegate: {log}: the log cannot be read now: it is a folder"]


def test_a_line_that_cannot_be_read_is_counted_and_the_first_one_told(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    append(log, BLOCKED)
    with watching(log) as watched:
        append(log, 2 * BLOCKED.replace(b"Size : 1,200", b"Size : many"))
        assert watched.comes_to("tidegate_lines_total", 2, outcome="put-aside")
        assert watched.end() == 0
    (said,) = watched.said.splitlines()[1:]
    assert said.startswith(f"tidegate: {log}:3: field 'size': expected a whole number")


def test_destinations_beyond_the_most_are_summed_as_other(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    for number in range(1, 6):
        append(log, BLOCKED.replace(b"qu(q)", b"qu(q%d)" % number).replace(b"Queue q", b"Queue q%d" % number)
               .replace(b"con:1(", b"con:%d(" % number))  # fmt: skip
    with watching(log, "--most-destinations", "2") as watched:
        blocked = watched.by_stop("tidegate_blocked_producers")
        assert {key[0]: count for key, count in blocked.items()} == {"test/q1": 1, "test/q2": 1, "other": 3}
        assert watched.value("tidegate_destinations_in_other") == 3


def test_a_port_is_free_again_once_the_watch_has_ended(tmp_path: Path) -> None:
    append(tmp_path / "broker.log", BLOCKED)
    port = free_port()
    for _ in range(2):
        process = started(tmp_path / "broker.log", "--prometheus", port, "--stop-after", "1", "--quiet")
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
