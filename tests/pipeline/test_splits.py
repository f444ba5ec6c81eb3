"""Events that are cut anywhere are judged as if they were not: split by split says what event by event says."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from tests.pipeline.cut import AT_ONCE, IN_TURN, MOST, NAME, STREAM, Said, by_folds, cut, lines_before, said
from tests.pipeline.traces import TRACES, frame
from tidegate.conformance.traces import literal_traces
from tidegate.model.language.rule import Definition
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.ingest.careful import CarefulReader
from tidegate.pipeline.on_spark import OnSpark
from tidegate.pipeline.rules import every_rule, rules_of
from tidegate.pipeline.runner import Here, Runner
from tidegate.pipeline.splits.judging import judge
from tidegate.pipeline.windows.judging import judge as by_windows
from tidegate.record.events import Event
from tidegate.record.trace import read_trace

REPORTS = Path(__file__).parents[2] / "reports"
FEW = settings(max_examples=3, suppress_health_check=[*HealthCheck])
RUNNERS = pytest.mark.parametrize("runner", [IN_TURN, AT_ONCE], ids=["in turn", "at once"])


REPORTS_OF = {
    "qpid log": sorted(REPORTS.glob("qpid-*/broker-*.log")),
    "artemis log": sorted(REPORTS.glob("artemis-*/broker-*.log")),
}


def log_events(path: Path, form: str) -> list[Event]:
    """The events of a log; what its lines are otherwise is not of interest here."""
    reader = CarefulReader(LOG_FORMS[form])
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    said_by_lines = (reader.read(line, path.name, number) for number, line in enumerate(lines, start=1))
    return [event for event in said_by_lines if isinstance(event, Event)]


def evenly(events: Sequence[Event], places: int) -> list[int]:
    """So many places to cut, spread over the events, without the ends."""
    return sorted({1 + number * (len(events) - 2) // places for number in range(places)})


def by_splits(
    folder: Path, events: Sequence[Event], rules: Sequence[Definition], at: Sequence[int], runner: Runner
) -> Said:
    """What judging by columns says, which a compiled loop must say too."""
    files = cut(folder, events, at)
    by_columns, by_loop = (
        said(judge(files, {STREAM: rules}, runner, most=MOST, lines_before=lines_before(files), loop=loop))
        for loop in (False, True)
    )
    assert by_loop == by_columns
    return by_columns


@RUNNERS
@FEW
@given(events=TRACES, data=st.data())
def test_random_traces_cut_in_several_places(
    tmp_path_factory: pytest.TempPathFactory, runner: Here, events: list[Event], data: st.DataObject
) -> None:
    at = data.draw(st.sets(st.integers(1, len(events) - 1), min_size=1, max_size=3))
    folder = tmp_path_factory.mktemp("splits")
    assert by_splits(folder, events, every_rule(), sorted(at), runner) == by_folds(events, every_rule())


@RUNNERS
@settings(FEW, max_examples=1, derandomize=True)
@given(events=TRACES)
def test_random_traces_cut_at_every_single_place(
    tmp_path_factory: pytest.TempPathFactory, runner: Here, events: list[Event]
) -> None:
    """The traces run side by side, so that cutting between two rounds cuts every one of them there."""
    rounds = sorted(events, key=lambda event: (event.seq, event.source))
    places = [place for place in range(1, len(rounds)) if rounds[place - 1].seq < rounds[place].seq]
    expected = by_folds(rounds, every_rule())
    for number, place in enumerate(places):
        folder = tmp_path_factory.mktemp(f"splits-{number}")
        assert by_splits(folder, rounds, every_rule(), [place], runner) == expected


@RUNNERS
@pytest.mark.parametrize("places", [3, *(pytest.param(more, marks=pytest.mark.nightly) for more in (1, 7, 60))])
def test_literal_traces_cut_anywhere(tmp_path: Path, runner: Here, places: int) -> None:
    """All of them as one stream, so that each is a source of its own."""
    events = [event for trace in literal_traces() for event in trace.events]
    assert by_splits(tmp_path, events, every_rule(), evenly(events, places), runner) == by_folds(events, every_rule())


@pytest.mark.parametrize("path", sorted(REPORTS.glob("*/trace-*.jsonl")), ids=lambda path: path.parent.name)
def test_traces_of_real_brokers_cut_anywhere(tmp_path: Path, path: Path) -> None:
    events, rules = list(read_trace(path)), rules_of(TRACE)
    expected = by_folds(events, rules)
    for runner, at in ((IN_TURN, evenly(events, 3)), (AT_ONCE, [1]), (AT_ONCE, evenly(events, 3))):
        assert by_splits(tmp_path, events, rules, at, runner) == expected


@RUNNERS
@pytest.mark.parametrize("form", ["qpid log", "artemis log"], ids=["qpid", "artemis"])
def test_logs_of_real_brokers_cut_anywhere(tmp_path: Path, runner: Here, form: str) -> None:
    """At many single places, and in many at once."""
    for path in REPORTS_OF[form]:
        events, rules = log_events(path, form), rules_of(form)
        expected = by_folds(events, rules)
        assert any(judged for judged, _ in expected[0].values())
        for at in (*([place] for place in evenly(events, 8)), evenly(events, 12)):
            assert by_splits(tmp_path, events, rules, at, runner) == expected


def test_workers_of_spark_judge_splits_as_windows_do(tmp_path: Path, spark: SparkSession) -> None:
    (path,) = REPORTS.glob("qpid-10*/broker-*.log")
    events, rules = log_events(path, "qpid log"), rules_of("qpid log")
    files = cut(tmp_path, events, evenly(events, 3))
    found = judge(files, {STREAM: rules}, OnSpark(spark), most=MOST, lines_before=lines_before(files))
    assert (found.tallies, found.witnesses) == by_windows(frame(spark, events, NAME), rules, most=MOST)
