"""Events that are cut anywhere are judged as if they were not: split by split it is said what event by event is said."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from headgate.model.language import Definition
from headgate.model.trace_rules import OF_QPID_LOGS, OF_RUNS
from headgate.pipeline.ingest.inputs import Form
from headgate.pipeline.on_spark import OnSpark
from headgate.pipeline.rules import every_rule
from headgate.pipeline.runner import Here, Runner
from headgate.pipeline.splits.judging import judge
from headgate.pipeline.windows.judging import tally, witnesses
from headgate.record.events import Event
from headgate.record.trace import read_trace
from tests.pipeline.cut import AT_ONCE, IN_TURN, MOST, NAME, STREAM, Said, by_folds, cut, lines_before, said
from tests.pipeline.traces import TRACES, frame

REPORTS = Path(__file__).parents[2] / "reports"
FEW = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[*HealthCheck],
)
RUNNERS = pytest.mark.parametrize("runner", [IN_TURN, AT_ONCE], ids=["in turn", "at once"])


def by_splits(
    folder: Path, events: Sequence[Event], rules: Sequence[Definition], at: Sequence[int], runner: Runner
) -> Said:
    files = cut(folder, events, at)
    return said(judge(files, {STREAM: rules}, runner, most=MOST, lines_before=lines_before(files)))


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
@settings(FEW, max_examples=1)
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
