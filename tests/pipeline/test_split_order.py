"""Judging split by split is refused unless counts and numbers prove that the events stand in their order."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.pipeline.cut import AT_ONCE, IN_TURN, NAME, STREAM, table, written
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.runner import Here
from tidegate.pipeline.splits.judging import judge
from tidegate.pipeline.splits.order import OrderNotProved
from tidegate.pipeline.splits.summary import OtherRules, summary_of
from tidegate.pipeline.tallies import Tally
from tidegate.record.errors import BadInput
from tidegate.record.events import Event, Kind

RUNNERS = pytest.mark.parametrize("runner", [IN_TURN, AT_ONCE], ids=["in turn", "at once"])
(CLOSES,) = (rule for rule in OF_QPID_LOGS if rule.name == "a_queue_said_to_be_overfull_exceeds_its_capacity")


def overfull(*numbers: int, source: str = "a") -> list[Event]:
    """A queue that is overfull again and again, at these numbers of its log."""
    return [
        Event(
            source=source, seq=seq, time=0, kind=Kind.OVERFULL, cause=OVERFULL_QUEUE, destination="q", bytes=2, limit=1
        )
        for seq in numbers
    ]


def judged(files: Sequence[EventsFile], runner: Here) -> Tally:
    return judge(files, {STREAM: OF_QPID_LOGS}, runner, most=1).tallies[NAME, CLOSES]


@RUNNERS
def test_a_stream_in_order_is_judged(tmp_path: Path, runner: Here) -> None:
    files = [
        written(tmp_path, overfull(1, 2)),
        written(tmp_path, overfull(3, 9), 2),
        written(tmp_path, overfull(10), 3),
    ]
    assert judged(files, runner) == Tally(5, 0)


@RUNNERS
def test_sources_may_begin_and_end_anywhere(tmp_path: Path, runner: Here) -> None:
    files = [written(tmp_path, overfull(5)), written(tmp_path, overfull(1, source="b") + overfull(6), 2)]
    assert judged(files, runner) == Tally(3, 0)


@RUNNERS
@pytest.mark.parametrize(
    ("splits", "sentence"),
    [
        ([overfull(1, 2), overfull(2, 3)], "expected 'a' to go on after seq 2, got 2"),
        ([overfull(3, 4), overfull(1, 2)], "expected 'a' to go on after seq 4, got 1"),
        ([overfull(1), overfull(5), overfull(4)], "expected 'a' to go on after seq 5, got 4"),
        ([overfull(1), overfull(3, 2)], "expected seq to rise within 'a'"),
        ([overfull(1, 2, 2), overfull(3)], "expected seq to rise within 'a'"),
        ([overfull(1) + overfull(2, 1, source="b"), overfull(3)], "expected seq to rise within 'b'"),
        ([overfull(1, 1)], "expected seq to rise within 'a'"),
    ],
    ids=["touching", "swapped", "back by one", "falling", "twice the same", "of one of two sources", "in one split"],
)
def test_events_out_of_order_are_refused(
    tmp_path: Path, runner: Here, splits: list[list[Event]], sentence: str
) -> None:
    files = [written(tmp_path, events, ordinal) for ordinal, events in enumerate(splits, start=1)]
    with pytest.raises(OrderNotProved, match=sentence):
        judged(files, runner)


@RUNNERS
def test_events_that_are_missing_are_noticed(tmp_path: Path, runner: Here) -> None:
    first, second = written(tmp_path, overfull(1, 2)), written(tmp_path, overfull(3), 2)
    with pytest.raises(OrderNotProved, match="expected 3 events, got 2"):
        judged([first._replace(events=3), second], runner)
    with pytest.raises(OrderNotProved, match="expected 1 events, got 2"):
        judged([first._replace(events=1)], runner)


@RUNNERS
def test_a_split_that_is_missing_is_noticed(tmp_path: Path, runner: Here) -> None:
    first, second, third = (written(tmp_path, overfull(n), n) for n in (1, 2, 3))
    for files in ([first, third], [second, third], [second], [second, first]):
        with pytest.raises(OrderNotProved, match="expected split"):
            judged(files, runner)


@RUNNERS
def test_a_later_run_goes_on_after_the_last_split_and_seq(tmp_path: Path, runner: Here) -> None:
    first, second, third = (written(tmp_path, overfull(seq), ordinal) for ordinal, seq in ((1, 1), (2, 2), (3, 2)))
    rules = {STREAM: OF_QPID_LOGS}
    carried = judge([first, second], rules, runner, most=1, keep=True).carried
    with pytest.raises(OrderNotProved, match="expected split 3, got split 2"):
        judge([second], rules, runner, most=1, carried=carried)
    with pytest.raises(OrderNotProved, match="to go on after seq 2, got 2"):
        judge([third], rules, runner, most=1, carried=carried)


def test_what_was_kept_for_other_rules_is_refused(tmp_path: Path) -> None:
    first, second = written(tmp_path, overfull(1)), written(tmp_path, overfull(2), 2)
    carried = judge([first], {STREAM: OF_QPID_LOGS[:1]}, IN_TURN, most=1, keep=True).carried
    with pytest.raises(OtherRules, match="not of the same rules"):
        judge([second], {STREAM: OF_QPID_LOGS}, IN_TURN, most=1, carried=carried)


def test_a_summary_of_other_rules_is_not_used(tmp_path: Path) -> None:
    """It is made again instead; used as it is it would have no parts for these rules."""
    files = [written(tmp_path, overfull(1)), written(tmp_path, overfull(2), 2)]
    summaries = {file.path: summary_of(table(overfull(n)), OF_QPID_LOGS[:1]) for n, file in enumerate(files, start=1)}
    found = judge(files, {STREAM: OF_QPID_LOGS}, AT_ONCE, most=1, summaries=summaries)
    assert found.tallies[NAME, CLOSES] == Tally(2, 0)


def test_a_file_that_is_cut_off_is_bad_input(tmp_path: Path) -> None:
    file = written(tmp_path, overfull(1, 2))
    file.path.write_bytes(file.path.read_bytes()[:-20])
    with pytest.raises(BadInput, match="expected a table of events that can be read"):
        judged([file], IN_TURN)


def test_a_table_of_something_else_is_bad_input(tmp_path: Path) -> None:
    file = written(tmp_path, overfull(1))
    table(overfull(1)).drop("seq").write_parquet(file.path)
    with pytest.raises(BadInput, match="it has no column 'seq'"):
        judged([file], IN_TURN)
