"""The rules of a name judge events with figures of any size; another text of a rule takes no earlier memory."""

import ast
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.cut import by_folds, by_streams, cut, judged
from tidegate.conformance.traces import literal_traces
from tidegate.model.language.past import latest, total
from tidegate.model.language.rule import Definition
from tidegate.model.language.tracing import given, trace_rule, trace_rules
from tidegate.model.traces import artemis_log_trace
from tidegate.model.traces.log_rules import OF_QPID_LOGS
from tidegate.pipeline.forms import LOG_FORMS, TRACE
from tidegate.pipeline.judge.folding import Folding, Row, States
from tidegate.pipeline.judge.rules import digest, names_of, rules_named
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.read.tables import VALUES
from tidegate.record.events import MOST as LARGEST
from tidegate.record.events import Event, Kind, Moment
from tidegate.record.values import read_value
from tidegate.record.values import written as in_json


@trace_rule
def a_channel_is_called_as_its_producer(e: Moment) -> bool:
    """TEST-TEXTS: a channel and its producer have the same name."""
    given(e.kind == Kind.SEND)
    return e.channel == e.producer


@trace_rule
def nothing_is_purged(e: Moment) -> bool:
    """TEST-ABSENT: what was sent first was sent after the last purge."""
    given(e.kind == Kind.SEND)
    return latest(e.seq, when=e.kind == Kind.PURGE, per=(e.destination,)) == 0


@trace_rule
def bytes_add_up(e: Moment) -> bool:
    """TEST-SUM: all bytes together are not 7."""
    given(e.kind == Kind.SEND)
    return total(e.bytes, per=(e.destination,)) != 7


@trace_rule
def no_sum_is_above_the_largest_figure(e: Moment) -> bool:
    """TEST-LARGE: all bytes together are no more than the limit."""
    given(e.kind == Kind.SEND)
    return total(e.bytes, per=(e.destination,)) <= e.limit


@trace_rule
def three_times_as_much(e: Moment) -> bool:
    """TEST-TIMES: three times the bytes are above the limit."""
    given(e.kind == Kind.SEND)
    return 3 * e.bytes > e.limit


def rules_called(function: object) -> list[Definition]:
    return [each for each in trace_rules() if each.function is function]


def events() -> list[Event]:
    kinds = [Kind.SEND, Kind.LEVEL, Kind.LEVEL, Kind.SEND, Kind.LEVEL]
    return [
        Event(source="s", seq=seq, time=0, kind=kind, destination="q", channel="c", producer="c" if seq > 1 else "p")
        for seq, kind in enumerate(kinds, start=1)
    ]


def sends(*sizes: int, limit: int = 1) -> list[Event]:
    return [
        Event(source="s", seq=seq, time=0, kind=Kind.SEND, destination="q", bytes=size, limit=limit)
        for seq, size in enumerate(sizes, start=1)
    ]


def test_texts_are_compared_with_each_other(tmp_path: Path) -> None:
    rules = rules_called(a_channel_is_called_as_its_producer)
    found = by_streams(cut(tmp_path, events()), rules)
    assert found == by_folds(events(), rules) == ({rules[0].name: (2, 1)}, {rules[0].name: ((1, "s", 1),)})


def test_a_text_that_no_event_has_is_equal_to_none(tmp_path: Path) -> None:
    rules = rules_called(nothing_is_purged)
    assert by_streams(cut(tmp_path, events()), rules) == by_folds(events(), rules) == ({rules[0].name: (2, 0)}, {})


def test_inputs_of_one_stream_are_told_apart(tmp_path: Path) -> None:
    rules = rules_called(nothing_is_purged)
    first, second = cut(tmp_path, events(), [2])
    found = judged([first._replace(input="one"), second._replace(input="two")], rules)
    assert {name: each.judged for name, counted in found.items() for each in counted.values()} == {"one": 1, "two": 1}


@pytest.mark.parametrize("places", [[], [1], [1, 2]], ids=["one file", "two", "three"])
def test_a_sum_may_be_larger_than_a_figure(tmp_path: Path, places: list[int]) -> None:
    rules = rules_called(no_sum_is_above_the_largest_figure)
    just = sends(LARGEST - 2, 1, 1, limit=LARGEST)
    assert by_streams(cut(tmp_path, just, places), rules) == by_folds(just, rules) == ({rules[0].name: (3, 0)}, {})
    above = sends(LARGEST - 2, 1, 2, limit=LARGEST)
    found = by_streams(cut(tmp_path, above, places), rules)
    assert found == by_folds(above, rules) == ({rules[0].name: (3, 1)}, {rules[0].name: ((3, "s", 3),)})


def test_figures_of_several_keys_are_not_one_sum(tmp_path: Path) -> None:
    """Their sum passes 64 bit, and nothing that a rule looks at does."""
    rules = rules_called(bytes_add_up)
    more = (Event(source="t", seq=e.seq, time=0, kind=e.kind, bytes=e.bytes, limit=1) for e in sends(LARGEST, 0))
    told = [*sends(LARGEST, 0), *more]
    assert by_streams(cut(tmp_path, told), rules) == by_folds(told, rules)


def test_products_that_pass_64_bit_are_compared_as_they_are(tmp_path: Path) -> None:
    """Three times the largest figure would be below 0 if it were wrapped around."""
    rules, told = rules_called(three_times_as_much), sends(LARGEST, 0, 1)
    found = by_streams(cut(tmp_path, told), rules)
    assert found == by_folds(told, rules) == ({rules[0].name: (3, 1)}, {rules[0].name: ((2, "s", 2),)})


def test_rules_travel_by_name() -> None:
    assert rules_named(names_of(OF_QPID_LOGS)) == OF_QPID_LOGS
    with pytest.raises(LookupError, match="nothing is no trace rule"):
        rules_named(("tidegate.model.traces.qpid_log_trace:nothing",))


def test_other_rules_have_another_digest() -> None:
    rules = rules_of("artemis log")
    assert digest(rules) == digest(rules)
    sets = {rules_of(form) for form in (TRACE, *LOG_FORMS)} | {rules[:1], rules[1:]}
    assert len({digest(each) for each in sets}) == len(sets) > 5


def test_a_changed_comparison_is_another_digest() -> None:
    first, *others = rules_of("artemis log")
    text = "\n".join(ast.unparse(statement) for statement in first.body)
    assert "e.cause == BY_SIZE" in text
    changed = first.with_body(tuple(ast.parse(text.replace("e.cause == BY_SIZE", "e.cause != BY_SIZE")).body))
    assert digest([changed, *others]) != digest([first, *others])


def test_a_changed_constant_is_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(rules_of("artemis log"))
    monkeypatch.setattr(artemis_log_trace, "BY_SIZE", "volume")
    assert digest(rules_of("artemis log")) != before


def test_a_file_without_events_is_judged(tmp_path: Path) -> None:
    found = judged(cut(tmp_path, []), OF_QPID_LOGS)
    assert not any(found.values())


@pytest.mark.parametrize("form", [TRACE, *LOG_FORMS])
def test_what_the_rules_remember_goes_through_a_file(form: str) -> None:
    """A file gives back figures and texts as they were, and no rule remembers anything else."""
    names, told = names_of(rules_of(form)), [event for trace in literal_traces() for event in trace.events]
    first, whole = Folding(names), Folding(names)
    half = len(told) // 2
    rows: list[Any] = [Row._make((0, *VALUES(event))) for event in told]  # a row has all fields of an event
    for event in rows[:half]:
        first.verdicts(event)
    second = Folding(names, read_value(States, in_json(first.states())))
    assert [whole.verdicts(event) for event in rows][half:] == [second.verdicts(event) for event in rows[half:]]
    assert second.states() == whole.states()
