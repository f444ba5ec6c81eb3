"""Measures as a whole: held against plain loops, cut anywhere, and over real logs."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.measured import events, level, limits, measured, release, rows, send, stop
from tests.pipeline.plain_episodes import plain_episodes
from tests.pipeline.traces import TRACES
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.findings.measures import Measures
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.measuring import MeasuredStream, measure
from tidegate.pipeline.stops.timelines import SLICES
from tidegate.pipeline.work.engines import HERE, Engine
from tidegate.record.events import Event, Kind
from tidegate.record.trace import read_trace

RUNS = Path(__file__).parents[1] / "runs"
LOG_OF_QPID = RUNS / "qpid-10.1.0.log"
TRACE_OF_QPID = RUNS / "qpid-10.1.0.jsonl"
LOG_OF_ARTEMIS = RUNS / "artemis-2.44.0.log"
EPISODE = ("of", "who", "cause", "destination", "source", "from_seq", "to_seq", "end")


def timed(trace: Sequence[Event]) -> list[Event]:
    """The trace with a clock that goes on by 0, 1 or 2 ms, from the 10th second on."""
    return [replace(event, time=10_000 + place * 2 // 3) for place, event in enumerate(trace)]


def everything(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {name: rows(folder, name) for name in tables.SCHEMAS}


def shown(folder: Path) -> list[tuple[Any, ...]]:
    """The episodes as the plain loops tell them."""
    found = rows(folder, tables.EPISODES, *EPISODE)
    return sorted(
        (
            (f"{of} {who or ''}", cause, to or "", source, since, None if end == "shutdown" else until, end)
            for of, who, cause, to, source, since, until, end in found
        ),
        key=repr,
    )


@settings(max_examples=8, deadline=None)
@given(TRACES)
def test_episodes_are_those_that_plain_loops_find(trace: list[Event]) -> None:
    with TemporaryDirectory() as folder:
        measured(Path(folder), timed(trace))
        assert shown(Path(folder)) == sorted(plain_episodes(timed(trace)), key=repr)


@settings(max_examples=5, deadline=None)
@given(TRACES, st.data())
def test_where_a_stream_is_cut_makes_no_difference(trace: list[Event], data: st.DataObject) -> None:
    whole = timed(trace)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), min_size=1, max_size=12)))
    parts = [whole[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    with TemporaryDirectory() as folder:
        measured(Path(folder) / "whole", whole)
        measured(Path(folder) / "cut", *parts)
        assert everything(Path(folder) / "cut") == everything(Path(folder) / "whole")


def test_a_short_stream_is_cut_at_every_point(tmp_path: Path) -> None:
    steps = [
        *(limits(), limits("b"), stop("c"), stop("c", "b"), level(1200), stop("d"), level(700), release("c")),
        *(level(600, "b"), release("c", "b"), stop("c"), release("d"), level(1300), release("x", None)),
    ]
    whole = events(*steps)
    measured(tmp_path / "whole", whole)
    expected = everything(tmp_path / "whole")
    assert all(found for name, found in expected.items() if name != tables.CHANGES)
    measured(tmp_path / "apart", *([event] for event in whole))
    assert everything(tmp_path / "apart") == expected
    for cut in range(1, len(whole)):
        measured(tmp_path / f"{cut}", whole[:cut], whole[cut:])
        assert everything(tmp_path / f"{cut}") == expected


def test_a_message_without_a_size_has_none_wherever_the_stream_is_cut(tmp_path: Path) -> None:
    sized, unsized, after = send(700), {**send(0), "bytes": None}, level(1200)
    whole = events(limits(), sized, unsized, after)
    for cut in range(1, len(whole)):
        measured(tmp_path / f"{cut}", whole[:cut], whole[cut:])
        assert rows(tmp_path / f"{cut}", tables.OVERSHOOT, "level", "message_bytes") == [(1200, None)]


def measured_log(log: Path, folder: Path) -> Measures:
    """The measures of a log, as a check by the plain engine finds them."""
    found = check_files([log], folder, {}, engine=Engine.PLAIN).measures
    assert found is not None
    return found


def test_the_log_of_a_qpid_broker_has_the_stops_that_its_lines_count(tmp_path: Path) -> None:
    """Each CHN-1005 begins a stop, which the next line about that channel ends."""
    line = r"\[(con:[^\]\s]+)\] (?:CHN-1005 : .*\(Queue (?P<queue>.*)\)|(?P<end>CHN-1006|CHN-1003) : )"
    ended: list[tuple[str, str, str, str]] = []
    stopped: dict[str, str] = {}
    for found in re.finditer(line, LOG_OF_QPID.read_text()):
        channel = found[1]
        if found["queue"]:
            if (known := stopped.get(channel)) is not None:
                ended.append(("channel", channel, known, "inferred"))
            stopped[channel] = f"test/{found['queue']}"
        elif channel in stopped:
            how = "told" if found["end"] == "CHN-1006" else "closed"
            ended.append(("channel", channel, stopped.pop(channel), how))
    expected = [*ended, *(("channel", channel, queue, "never") for channel, queue in stopped.items())]
    assert ended and len(stopped) > 40
    measured_log(LOG_OF_QPID, tmp_path)
    measures = rows(tmp_path, tables.EPISODES, "of", "who", "destination", "end")
    assert [row for row in measures if row[0] == "channel"] == sorted(expected)


def test_the_log_of_a_qpid_broker_has_the_overshoot_that_its_lines_state(tmp_path: Path) -> None:
    line = r"qu\((\S+)\)\] QUE-1003 : Overfull : Size : ([\d,]+) bytes, Capacity : ([\d,]+)"
    worst: dict[str, int | None] = {}
    for queue, *figures in re.findall(line, LOG_OF_QPID.read_text()):
        size, capacity = (int(figure.replace(",", "")) for figure in figures)
        if capacity:  # a queue may be overfull by its messages, and below its capacity in bytes
            known = worst.get(f"test/{queue}")
            worst[f"test/{queue}"] = max(known or 0, size - capacity) if size > capacity else known
    measured_log(LOG_OF_QPID, tmp_path)
    assert len(worst) > 20
    assert dict(rows(tmp_path, tables.OVERSHOOT, "destination", "over")) == worst


def test_the_log_of_an_artemis_broker_has_the_blocks_that_its_lines_count(tmp_path: Path) -> None:
    words = Counter(re.findall(r"AMQ222183|AMQ221046|AMQ224114|AMQ224115", LOG_OF_ARTEMIS.read_text()))
    blocked, unblocked = words["AMQ222183"] + words["AMQ224114"], words["AMQ221046"] + words["AMQ224115"]
    assert blocked > unblocked > 50
    found = measured_log(LOG_OF_ARTEMIS, tmp_path)
    assert (found.episodes, found.by_begin) == (blocked, {"told": blocked})
    assert found.by_end == {"never": blocked - unblocked, "told": unblocked}


def ends_of_stops(trace: Sequence[Event]) -> dict[str, int]:
    """How many stops of channels end in which way, where no channel is stopped twice at once."""
    stopped: set[str] = set()
    ends: Counter[str] = Counter()
    for event in trace:
        if event.kind == "stop" and event.channel:
            assert event.channel not in stopped
            stopped.add(event.channel)
        elif event.kind in ("release", "close") and event.channel in stopped:
            stopped.remove(event.channel)
            ends["told" if event.kind == "release" else "closed"] += 1
    return ends + Counter(never=len(stopped))


@pytest.mark.parametrize("name", ["qpid-10.1.0", "classic-6.3.1"])
def test_the_trace_of_a_run_has_the_stops_and_releases_that_it_counts(tmp_path: Path, name: str) -> None:
    trace = list(read_trace(RUNS / f"{name}.jsonl"))
    found = measured(tmp_path, trace)
    kinds = Counter(event.kind for event in trace)
    assert found.episodes == kinds[Kind.STOP]
    assert found.by_end == ends_of_stops(trace)
    held = {(event.source, event.destination): 0 for event in trace if event.kind == "level"}
    for event in trace:
        if event.kind == "level":
            held[event.source, event.destination] = max(held[event.source, event.destination], event.bytes or 0)
    for row in found.overshoot:
        assert row.level <= held[row.source, row.destination]
        assert row.over == row.level - row.limit


def test_an_earlier_run_leaves_nothing_behind(tmp_path: Path) -> None:
    measured(tmp_path, events(stop("c")))
    assert measured(tmp_path, events(stop("d"), release("d"))).episodes == 1


def test_tables_that_are_not_complete_are_made_again(tmp_path: Path) -> None:
    whole_events = events(stop("c"), release("c"))
    measured(tmp_path, whole_events)
    before = everything(tmp_path)
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"no table")
    whole = next(tmp_path.glob("*.parquet"))
    with pytest.raises(pl.exceptions.ComputeError):
        measure([[MeasuredStream("stream", {each.stem: Rows(each, 1) for each in (whole, broken)})]], tmp_path, HERE)
    measured(tmp_path, whole_events)
    assert everything(tmp_path) == before


def test_a_timeline_shows_each_level_with_the_thresholds_in_force_and_the_stops(tmp_path: Path) -> None:
    steps = [limits(), limits(cause="credit", limit=9, resume=3), level(1200), stop("c"), stop("d"), release("c")]
    (line,) = measured(tmp_path, events(*steps, level(700), release("d"), limits(limit=50), level(60))).timelines
    shown = [(point.at_ms, point.level, point.high, point.low) for point in line.points]
    assert shown == [(20, 1200, 1000, 800), (60, 700, 1000, 800), (90, 60, 50, 800)]
    assert [(band.from_ms, band.to_ms, band.ended) for band in line.bands] == [(30, 70, True)]
    assert (line.from_ms, line.to_ms, line.downsampled) == (20, 90, False)


@pytest.mark.parametrize(("levels", "downsampled"), [(2 * SLICES, False), (2 * SLICES + 1, True), (2000, True)])
def test_a_long_timeline_keeps_its_extremes(tmp_path: Path, levels: int, downsampled: bool) -> None:
    peak, ebb = levels // 3, levels // 2
    sizes = [9999 if place == peak else 1 if place == ebb else 500 + place % 7 for place in range(levels)]
    (line,) = measured(tmp_path, events(limits(), stop("c"), *map(level, sizes))).timelines
    assert (line.downsampled, line.events) == (downsampled, levels)
    assert len(line.points) <= 2 * SLICES
    assert {(peak + 2) * 10: 9999, (ebb + 2) * 10: 1}.items() <= {p.at_ms: p.level for p in line.points}.items()


@pytest.mark.parametrize(("stops", "share", "width"), [(240, 1.0, 10), (241, 0.5, 20)])
def test_of_more_stops_than_can_be_drawn_each_slice_of_time_shows_its_share(
    tmp_path: Path, stops: int, share: float, width: int
) -> None:
    """Each of 360 slices is 20 ms long, and in the first of them somebody is stopped for 10 ms."""
    begins = [20 * place for place in range(stops)]
    orders = [{**order, "time": at + more} for at in begins for more, order in ((0, stop("c")), (10, release("c")))]
    last = {**level(0), "time": 360 * 20 - 1}
    (line,) = measured(tmp_path, events(*orders, last)).timelines
    assert line.stops == stops
    assert [(band.from_ms, band.to_ms, band.share) for band in line.bands] == [(at, at + width, share) for at in begins]


def test_who_is_stopped_as_a_log_ends_was_stopped_to_its_last_line_and_not_to_its_last_event(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    channel = "[con:1(guest@/127.0.0.1:1/test)/ch:1]"
    lines = [
        f"2026-01-31 00:00:00,000 INFO  {channel} {channel} CHN-1005 : Flow Control Enforced (Queue a)",
        f"2026-01-31 00:00:01,000 INFO  {channel} {channel} CHN-1006 : Flow Control Removed",
        f"2026-01-31 00:00:02,000 INFO  {channel} {channel} CHN-1005 : Flow Control Enforced (Queue a)",
        "2026-01-31 00:10:02,000 INFO  [Broker] BRK-1004 : Qpid Broker Ready",
    ]
    log.write_text("".join(f"{line}\n" for line in lines))
    (unended,) = measured_log(log, tmp_path / "report").unreleased
    assert (unended.who, unended.end, unended.at_least_ms) == (channel.strip("[]"), "never", 600_000)
