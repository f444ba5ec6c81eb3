"""Judging streams says what the model's plain reader says, wherever its events are cut into files."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.pipeline.cut import MOST, all_completed, by_folds, by_streams, cut
from tests.pipeline.traces import TRACES, every_rule
from tests.sample import sampled
from tidegate.conformance.traces import literal_traces
from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.model.traces.qpid_log_trace import OVERFULL_QUEUE, UNDERFULL_QUEUE
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.lines.careful import CarefulReader
from tidegate.pipeline.read.inputs import inputs
from tidegate.record.events import Event, Kind
from tidegate.record.trace import read_trace

REPORTS = Path(__file__).parents[2] / "reports"
LOGS = sorted(REPORTS.glob("*/broker-*.log"))


def broker(path: Path) -> str:
    """The broker whose trace or log it is."""
    return path.parent.name.partition("-")[0]


FEW = settings(max_examples=3, suppress_health_check=[*HealthCheck])


def events_of(log: Path) -> tuple[str, list[Event]]:
    """The events of a log; what its lines are otherwise is not of interest here."""
    (file,) = inputs([log])
    reader = CarefulReader(LOG_FORMS[file.form])
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    read = (reader.read(line, log.name, number) for number, line in enumerate(lines, start=1))
    return file.form, [event for event in read if isinstance(event, Event)]


def evenly(events: Sequence[Event], places: int) -> list[int]:
    """So many places to cut, spread over the events, without the ends."""
    return sorted({1 + number * (len(events) - 2) // places for number in range(places)})


@FEW
@given(events=TRACES, data=st.data())
def test_random_traces(tmp_path_factory: pytest.TempPathFactory, events: list[Event], data: st.DataObject) -> None:
    at = data.draw(st.sets(st.integers(1, len(events) - 1), max_size=3))
    files = cut(tmp_path_factory.mktemp("files"), events, at)
    assert by_streams(files, every_rule()) == by_folds(events, every_rule())


@pytest.mark.filterwarnings("ignore:Generating overly large repr")
def test_random_traces_make_every_rule_hold_and_fail() -> None:
    """Agreement over traces that no rule judges would show nothing."""
    both = {True, False}
    seen: dict[Definition, set[bool]] = {rule: set() for rule in every_rule()}

    @settings(FEW, max_examples=250, derandomize=True, phases=[Phase.generate])
    @given(events=TRACES)
    def look(events: list[Event]) -> None:
        missing = tuple(rule for rule, outcomes in seen.items() if outcomes != both)
        if not missing:
            # no further traces are drawn
            raise StopIteration
        judge = Judge(missing)
        for event in events:
            for judgement in judge.judge(event):
                seen[judgement.rule].add(judgement.holds)

    with suppress(StopIteration):
        look()
    assert {rule.name: outcomes for rule, outcomes in seen.items() if outcomes != both} == {}


@pytest.mark.parametrize("places", sampled((1, 3, 7, 60)))
def test_literal_traces(tmp_path: Path, places: int) -> None:
    """All of them as one stream, so that each is a source of its own."""
    events = [event for trace in literal_traces() for event in trace.events]
    files = cut(tmp_path, events, evenly(events, places))
    assert by_streams(files, every_rule()) == by_folds(events, every_rule())


@pytest.mark.parametrize(
    "path",
    sampled(sorted(REPORTS.glob("*/trace-*.jsonl")), kind=broker, name=lambda path: path.parent.name),
    ids=lambda path: path.parent.name,
)
def test_traces_of_real_brokers(tmp_path: Path, path: Path) -> None:
    events, rules = list(read_trace(path)), rules_of(TRACE)
    assert by_streams(cut(tmp_path, events, evenly(events, 3)), rules) == by_folds(events, rules)


@pytest.mark.parametrize(
    "log", sampled(LOGS, kind=broker, name=lambda path: path.parent.name), ids=lambda log: log.parent.name
)
def test_logs_of_real_brokers(tmp_path: Path, log: Path) -> None:
    form, events = events_of(log)
    rules = rules_of(form)
    files = cut(tmp_path, events, evenly(events, 12) if events else ())
    assert by_streams(files, rules, completed=True) == by_folds(all_completed(events), rules)


def test_the_logs_of_real_brokers_are_judged() -> None:
    """Agreement over logs that no rule judges would show nothing."""
    told = [(form, by_folds(events, rules_of(form))[0]) for form, events in map(events_of, LOGS)]
    judging = {form for form, counts in told if any(judged for judged, _ in counts.values())}
    assert judging >= {"qpid log", "artemis log"}


def episodes(count: int) -> list[Event]:
    """Two queues that in turn stop a channel and let it go, twice each third time."""
    told: list[dict[str, Any]] = []
    for number in range(count):
        queue, channel = f"q{number % 2}", f"c{number % 2}"
        told += [
            {"kind": Kind.OVERFULL, "cause": OVERFULL_QUEUE, "destination": queue, "bytes": 2, "limit": 1},
            {"kind": Kind.STOP, "destination": queue, "channel": channel},
            {"kind": Kind.UNDERFULL, "cause": UNDERFULL_QUEUE, "destination": queue, "bytes": 0, "resume": 1},
            *[{"kind": Kind.RELEASE, "channel": channel}] * (2 if number % 3 == 2 else 1),
        ]
    return [Event(source="s", seq=seq, time=0, **each) for seq, each in enumerate(told, start=1)]


def test_a_start_ends_the_stops_that_are_remembered_wherever_it_stands(tmp_path: Path) -> None:
    """A channel of the same name that is released later is not taken for one that was stopped before."""
    told = [*episodes(1)[:2], Event(source="s", seq=3, time=0, kind=Kind.START)]
    events = [*told, *(replace(each, seq=each.seq + 2) for each in episodes(1)[2:])]
    expected = by_folds(all_completed(events), OF_QPID_LOGS)
    assert expected[0]["nobody_is_released_before_its_queue_is_underfull"] == (0, 0)
    for at in ([], *([place] for place in range(1, len(events))), range(1, len(events))):
        assert by_streams(cut(tmp_path, events, at), OF_QPID_LOGS, completed=True) == expected, at


def test_episodes_cut_at_every_place_and_into_single_events(tmp_path: Path) -> None:
    events = episodes(5)
    expected, places = by_folds(all_completed(events), OF_QPID_LOGS), range(1, len(events))
    assert expected[0]["nobody_is_released_before_its_queue_is_underfull"] == (5, 0)
    for at in (*([place] for place in places), places):
        assert by_streams(cut(tmp_path, events, at), OF_QPID_LOGS, completed=True) == expected, at


@pytest.mark.parametrize("most", [MOST, 7])
def test_as_many_events_are_shown_as_asked_for(tmp_path: Path, most: int) -> None:
    """By source and number, whatever file they stand in, each with its line of the whole input."""
    events = [Event(source="s", seq=seq, time=0, kind=Kind.RELEASE, channel="c", cause="x") for seq in range(1, 10)]
    found = by_streams(cut(tmp_path, events, [2, 7]), OF_QPID_LOGS, most)
    assert found == by_folds(events, OF_QPID_LOGS, most)
    assert max(map(len, found[1].values())) == most
