"""A stream is folded in its order, wherever its sources begin and end, and what is missing is noticed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pipeline.cut import NAME, by_folds, by_streams, cut, judged, table, written
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.findings.reports import Counts
from tidegate.pipeline.judge.streams import EventsOf
from tidegate.record.errors import BadInput
from tidegate.record.events import Event, Kind

(RELEASED,) = (rule.qualified_name for rule in OF_QPID_LOGS if rule.name == "only_a_stopped_channel_is_released")


def told(*seqs: int, source: str = "a", kinds: Sequence[Kind] = (Kind.STOP, Kind.RELEASE)) -> list[Event]:
    """A channel that is stopped at odd numbers of its log and released at even ones."""
    return [Event(source=source, seq=seq, time=0, kind=kinds[(seq + 1) % 2], channel="c") for seq in seqs]


def released(found: Counts) -> tuple[int, int]:
    counted = found[NAME][RELEASED]
    return counted.judged, counted.violated


def test_a_stream_in_order_is_folded_as_it_stands(tmp_path: Path) -> None:
    files = cut(tmp_path, told(1, 2, 3, 4, 9, 10), [2, 3])
    found = judged(files, OF_QPID_LOGS)
    assert released(found) == (3, 0)


def test_sources_may_begin_and_end_anywhere(tmp_path: Path) -> None:
    events = [*told(5), *told(1, 2, source="b"), *told(6)]
    assert by_streams(cut(tmp_path, events, [1]), OF_QPID_LOGS) == by_folds(events, OF_QPID_LOGS)


def test_what_a_rule_does_not_hold_of_is_shown_where_it_stands(tmp_path: Path) -> None:
    """The release at 4 is in line 1 of its file, after two lines in another file of the input."""
    found = judged(cut(tmp_path, told(2, 3, 4, kinds=[Kind.RELEASE] * 2), [2]), OF_QPID_LOGS)
    shown = found[NAME][RELEASED].evidence
    assert [(one.line, one.seq) for one in shown] == [(2, 3), (3, 4)]


def test_events_that_are_missing_are_noticed(tmp_path: Path) -> None:
    (file,) = cut(tmp_path, told(1, 2))
    with pytest.raises(BadInput, match="expected a table of events that can be read"):
        judged([file._replace(rows=file.rows._replace(height=3))], OF_QPID_LOGS)


def unreadable(folder: Path, change: str) -> EventsOf:
    file = written(folder, told(1, 2))
    path = file.rows.path
    assert isinstance(path, Path)
    if change == "cut off":
        path.write_bytes(path.read_bytes()[:-20])
    elif change == "gone":
        path.unlink()
    else:
        table(told(1, 2)).drop("seq").write_parquet(path)
    return file


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("cut off", "expected a table of events that can be read"),
        ("gone", "expected a table of events that can be read"),
        ("of something else", 'unable to find column "seq"'),
    ],
)
def test_a_file_that_cannot_be_read_is_bad_input(tmp_path: Path, change: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        judged([unreadable(tmp_path, change)], OF_QPID_LOGS)
