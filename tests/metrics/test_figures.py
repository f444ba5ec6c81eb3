"""What a watch makes of lines: counters that never fall, stops without a known end, and bounds on what is held."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.metrics.test_growing_logs import BLOCKED, CHANNEL, QUEUE, RELEASED, at
from tests.metrics.watched import LOGS, append
from tidegate.catalogue import catalogue
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.metrics.growing import GrowingLog
from tidegate.pipeline.metrics.named import OTHER, Destinations, LogFigures, Stop, StopFigures
from tidegate.pipeline.read.blocks import Block, blocks
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.stream import following
from tidegate.pipeline.stream.following import LineReader
from tidegate.pipeline.stream.growth import Part, opened
from tidegate.pipeline.stream.keeping import LogState
from tidegate.pipeline.stream.overdue import About, Patience
from tidegate.pipeline.stream.watch import LogReader

OF_Q = Stop("test/q", "capacity", "channel")
FULL, STOPPED = BLOCKED.splitlines(keepends=True)
STOPPED_AGAIN = at("10:00:10", CHANNEL, "CHN-1005 : Flow Control Enforced (Queue q)")
MINUTE_MS = 60_000
QPID = LOG_FORMS["qpid log"]
PART = Part(1, "broker.log", "", 0, 0)


class Watched:
    """A log, looked at by a clock of its own, in ms."""

    def __init__(self, path: Path, most: int = 100):
        self.path = path
        (found,) = inputs([path])
        self.log = GrowingLog(found, Destinations(most))
        self.said: list[str] = []

    def look(self, wall: int) -> LogFigures:
        self.said += self.log.look(wall, lambda: False)
        return self.log.figures(wall)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    append(tmp_path / "broker.log", BLOCKED)
    return tmp_path / "broker.log"


def test_the_seconds_never_fall_and_are_right_again_later(path: Path) -> None:
    watched = Watched(path)
    assert watched.look(0).stops == {OF_Q: StopFigures(blocked=1, begun=1, blocked_ms=0)}
    assert watched.look(MINUTE_MS).stops[OF_Q].blocked_ms == MINUTE_MS
    # another order to stop shows that there was a release, no later than the line before
    append(path, STOPPED_AGAIN)
    assert watched.look(MINUTE_MS).stops == {OF_Q: StopFigures(blocked=1, begun=2, blocked_ms=MINUTE_MS)}
    assert watched.look(MINUTE_MS + 30_000).stops[OF_Q].blocked_ms == MINUTE_MS
    append(path, RELEASED)
    # from 10:00:10 to 10:01:40
    assert watched.look(2 * MINUTE_MS).stops == {OF_Q: StopFigures(blocked=0, begun=2, blocked_ms=90_000)}


ROOM = at("10:00:20", QUEUE, "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800")
OTHER_RELEASED = at("10:00:30", CHANNEL.replace("con:1", "con:2"), "CHN-1006 : Flow Control Removed")


@pytest.mark.parametrize(
    ("lines", "blocked", "alerts"),
    [
        pytest.param([STOPPED], 1, ["stopped-too-long"], id="nothing is said of the queue"),
        pytest.param([FULL, STOPPED], 1, ["stopped-too-long"], id="the queue is full"),
        pytest.param([FULL, STOPPED, ROOM], 0, [], id="the queue has room, and nobody was released yet"),
        pytest.param(
            [FULL, STOPPED, ROOM, OTHER_RELEASED], 1, ["room-but-stopped", "stopped-too-long"], id="others are released"
        ),
    ],
)
def test_metrics_and_alerts_agree_on_whether_a_producer_is_still_stopped(
    lines: list[bytes], blocked: int, alerts: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "broker.log"
    append(path, b"".join(lines))
    figures = Watched(path)
    figures.look(0)
    stop = figures.look(10 * MINUTE_MS).stops[OF_Q]
    assert (stop.blocked, stop.unreleased) == (blocked, 1 - blocked)
    reader = LogReader(str(path), LogState("qpid log"), catalogue(), Patience(stopped_ms=30_000, room_ms=5_000))
    told = [*reader.look(path, 0), *reader.look(path, 10 * MINUTE_MS)]
    assert [str(each.alert) for each in told if each.alert is not About.VIOLATION] == alerts


def test_a_stop_of_which_no_release_is_ever_told_is_not_blocked_for_ever(tmp_path: Path) -> None:
    lines = (LOGS / "classic" / "classic-5.18.6.log").read_bytes().splitlines(keepends=True)
    append(tmp_path / "broker.log", b"".join(line for line in lines if b"is shutdown" not in line))
    watched = Watched(tmp_path / "broker.log")
    early, late = watched.look(0).stops, watched.look(MINUTE_MS).stops
    assert early == late
    assert {stop.blocked for stop in early.values()} == {0}
    assert any(stop.unreleased for stop in early.values())


def test_behind_a_gap_nobody_is_known_to_be_blocked_and_what_was_counted_stands(path: Path) -> None:
    watched = Watched(path)
    watched.look(0)
    path.unlink()
    append(path, at("12:00:00", CHANNEL, "CHN-1001 : Create"))
    figures = watched.look(MINUTE_MS)
    assert figures.stops == {OF_Q: StopFigures(blocked=0, begun=1, blocked_ms=MINUTE_MS)}
    assert figures.gaps == 1


def test_a_destination_that_is_called_other_is_summed_with_the_others() -> None:
    destinations = Destinations(2)
    assert [destinations.named("a", name) for name in (OTHER, "q", "r", "s", "q", "")] == [
        OTHER, "q", "r", OTHER, "q", "",
    ]  # fmt: skip
    assert destinations.named("b", "q") == OTHER
    assert (destinations.in_other("a"), destinations.in_other("b")) == (2, 1)


@pytest.mark.parametrize("size", [1, 40, 1000, 1 << 20])
def test_blocks_hold_every_line_once_however_long_they_are(size: int, path: Path) -> None:
    with path.open("rb") as file:
        found = [*blocks(file, 0, path.stat().st_size, QPID.begins, size)]
    assert b"".join(each.text for each in found) == BLOCKED
    assert all(each.text.endswith(b"\n") for each in found)
    assert [each.offset for each in found] == [0, *(each.end for each in found[:-1])]


@pytest.mark.parametrize("rest", [RELEASED, b""])
def test_a_line_that_is_too_long_is_put_aside_and_not_held(path: Path, rest: bytes) -> None:
    append(path, b"x" * 3000 + b"\n" + rest)
    reader = LineReader("qpid log", "s")
    with path.open("rb") as file:
        read = [
            (each, reader.read(each, PART, 0)) for each in blocks(file, 0, path.stat().st_size, QPID.begins, 100, 500)
        ]
    assert max(len(block.text) for block, _ in read) <= 600
    assert read[-1][0].end == path.stat().st_size
    assert sum(found.total for _, found in read) == 3 + 2 * bool(rest)
    assert sum(len(found.events) for _, found in read) == 2 + 2 * bool(rest)
    (aside,) = [problem for _, found in read for _, problem in found.put_aside]
    assert aside.expected.startswith("expected a line of at most")


def test_a_record_may_begin_in_an_earlier_block() -> None:
    form = LOG_FORMS["rabbitmq log"]
    assert form.below_first
    text = b"=INFO REPORT==== 1-Feb-2026::10:00:00 ===\nvm_memory_high_watermark set. Memory used:1200 allowed:1000\n"
    cut = text.index(b"\n") + 1
    whole = LineReader(form.name, "s").read(Block(0, text, len(text)), PART, 0)
    reader = LineReader(form.name, "s")
    apart = [reader.read(Block(0, text[:cut], cut), PART, 0), reader.read(Block(cut, text[cut:], len(text)), PART, 1)]
    (event,) = [event for found in apart for _, event in found.events]
    assert [event] == [event for _, event in whole.events]
    assert decoded(text[:cut]).startswith("=INFO")


def test_a_file_that_is_truncated_while_it_is_read_is_read_on_in_its_copy(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(path)
    watched.look(0)
    append(path, STOPPED_AGAIN + RELEASED)
    copy = path.with_name("broker.log.1")

    @contextmanager
    def truncated_meanwhile(at: Path, part: Part, start: int) -> Iterator[Any]:
        with opened(at, part, start) as file:
            copy.write_bytes(path.read_bytes())
            os.truncate(path, 0)
            yield file

    monkeypatch.setattr(following, "opened", truncated_meanwhile)
    assert watched.look(0).events == 2
    monkeypatch.undo()
    assert watched.look(0).events == 5
    assert watched.look(0).gaps == 0
