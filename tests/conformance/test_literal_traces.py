"""Literal traces are judged as written, each trace rule is kept and violated in some trace, and mutants fail."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tidegate.conformance.mutants import by_trace, gate, same_over_traces
from tidegate.conformance.mutants.by_trace import NOBODY
from tidegate.conformance.mutants.changes import Kind as Change
from tidegate.conformance.mutants.changes import Mutant, mutants_of
from tidegate.conformance.traces import LiteralTrace, literal_traces, read_traces, said_of
from tidegate.model.language.rule import Definition
from tidegate.model.language.tracing import trace_rules
from tidegate.model.traces import qpid_trace
from tidegate.record.errors import BadInput, TidegateError
from tidegate.record.events import Kind

OVER_TRACES = gate.rules_over_traces()
"""Every rule over traces; asked for first, for only the rules of modules that are imported are known."""
SHORT = """
- trace: two events
  events:
    - {kind: open, destination: q, producer: p}
    - {kind: send, destination: q, producer: p, channel: c, bytes: 5}
"""


def rules_of(trace: LiteralTrace) -> list[Definition]:
    return [rule for rule in trace_rules() if rule.function.__module__ == trace.module]


def written(folder: Path, text: str) -> Path:
    file = folder / "qpid_trace.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def named(function: object) -> Definition:
    (found,) = (rule for rule in OVER_TRACES if rule.function is function)
    return found


def hunt(mutants: Sequence[Mutant], traces: Sequence[LiteralTrace] | None = None) -> dict[str, str]:
    return by_trace.hunt(mutants, trace_rules(), literal_traces() if traces is None else traces, 1)


@pytest.mark.parametrize("trace", literal_traces(), ids=lambda trace: trace.name)
def test_each_event_is_judged_as_is_written(trace: LiteralTrace) -> None:
    assert said_of(trace, rules_of(trace)) == (trace.kept, trace.violated)


def test_each_trace_rule_holds_of_some_event_and_fails_at_another() -> None:
    rules = {(rule.function.__module__, rule.name) for rule in OVER_TRACES if rule in trace_rules()}
    assert {(trace.module, rule) for trace in literal_traces() for rule in trace.kept} == rules
    assert {(trace.module, rule) for trace in literal_traces() for rule in trace.violated} == rules


def test_no_two_traces_have_the_same_name() -> None:
    names = [trace.name for trace in literal_traces()]
    assert sorted(names) == sorted(set(names))


def test_an_event_has_its_place_and_the_channel_of_its_producer(tmp_path: Path) -> None:
    (trace,) = read_traces(written(tmp_path, SHORT))
    opened, sent = trace.events
    assert (trace.module, trace.name) == ("tidegate.model.traces.qpid_trace", "two events")
    assert (opened.source, opened.seq, opened.kind) == ("two events", 1, Kind.OPEN)
    assert (opened.connection, opened.channel) == ("p", "p")
    assert (sent.seq, sent.connection, sent.channel, sent.bytes) == (2, "p", "c", 5)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("- trace: one\n  event: []\n", 1, "expected this field"),
        ("- trace: one\n  events: []\n  kept: {a: [x]}\n", 3, "valid integer"),
        (
            "- trace: one\n  events:\n    - {kind: open}\n    - {kind: opened}\n",
            4,
            "expected an event: Input should be",
        ),
        ("- trace: one\n  events:\n    - {kind: open, size: 1}\n", 3, "expected a field of events"),
    ],
    ids=["no events", "no number", "no kind", "no field"],
)
def test_a_malformed_trace_is_refused_with_its_place(tmp_path: Path, text: str, line: int, said: str) -> None:
    with pytest.raises(BadInput, match=said) as refused:
        read_traces(written(tmp_path, text))
    assert (refused.value.file, refused.value.line) == ("qpid_trace.yaml", line)


def test_a_change_at_the_edge_of_a_helper_is_noticed_by_the_rules_that_use_it() -> None:
    (later,) = (mutant for mutant in mutants_of(named(qpid_trace.crossed)) if mutant.kind is Change.THRESHOLD)
    assert hunt([later])[later.name]


def test_a_change_of_a_trace_rule_itself_is_noticed() -> None:
    rule = named(qpid_trace.nobody_is_released_before_underfull)
    flipped = next(mutant for mutant in mutants_of(rule) if mutant.now == "e.outcome != STOPPED")
    assert hunt([flipped])[flipped.name]


def test_a_rule_that_was_not_changed_is_noticed_by_nobody() -> None:
    for rule in (named(qpid_trace.held), named(qpid_trace.nobody_is_released_before_underfull)):
        same = Mutant(0, Change.THRESHOLD, "", "", rule, replace(rule))
        assert hunt([same]) == {same.name: NOBODY}


def test_without_traces_nobody_notices() -> None:
    mutant = next(mutants_of(named(qpid_trace.held)))
    assert hunt([mutant], traces=[]) == {mutant.name: NOBODY}


def test_a_trace_that_is_not_judged_as_is_written_could_notice_nothing() -> None:
    trace = next(trace for trace in literal_traces() if trace.violated)
    with pytest.raises(TidegateError, match="although no rule was changed"):
        hunt([], traces=[replace(trace, violated={})])


def test_a_declared_change_that_is_noticed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = named(qpid_trace.held)
    change = same_over_traces.change_of(next(mutants_of(rule)))
    monkeypatch.setattr(gate, "declared", lambda: {change: "it is said to be none"})
    with pytest.raises(TidegateError, match="is declared as a change without effect, but is none"):
        gate.fates_over_traces([rule], 1)


def test_what_nobody_notices_and_nobody_declared_survives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "literal_traces", lambda: ())
    monkeypatch.setattr(gate, "declared", dict)
    fates = gate.fates_over_traces([named(qpid_trace.held)], 1)
    assert fates
    assert all(fate.survives for fate in fates)


def test_every_declared_change_has_a_reason_of_its_own_words() -> None:
    reasons = same_over_traces.declared()
    assert reasons
    assert all(len(reason.split()) > 4 for reason in reasons.values())
