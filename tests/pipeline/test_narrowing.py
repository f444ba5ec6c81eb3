"""A function that is narrowed to one kind and cause says and remembers the same as the function for all events."""

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given

from tests.pipeline.test_judge_agreement import FEW, LOGS, broker, events_of
from tests.pipeline.traces import TRACES, every_rule
from tests.sample import sampled
from tidegate.conformance.traces import literal_traces
from tidegate.model.language import running
from tidegate.model.language.judge import Judge
from tidegate.model.language.narrowing import OTHER, narrowed
from tidegate.model.language.rule import Definition
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.record.events import Event
from tidegate.record.trace import read_trace

REPORTS = Path(__file__).parents[2] / "reports"
Found = tuple[list[tuple[object, ...]], dict[tuple[str, object], tuple[object, ...]]]


def judged(events: Iterable[Event], rules: Sequence[Definition], often: int) -> Found:
    """The verdicts on the events, and the memories that changed, where rules are narrowed after `often` events."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "OFTEN", often)
        judge = Judge(rules)
        verdicts = [judge.verdicts(event) for event in events]
    return verdicts, {(name, key): values for name, key, values in judge.remembered() if any(values)}


def say_the_same(events: Sequence[Event], rules: Sequence[Definition]) -> bool:
    """Whether functions for all events, and functions narrowed at the first and at the fourth event, agree."""
    whole = judged(events, rules, len(events))
    return judged(events, rules, 0) == whole and judged(events, rules, 3) == whole


@FEW
@given(events=TRACES)
def test_random_traces(events: list[Event]) -> None:
    assert say_the_same(events, every_rule())


def test_literal_traces() -> None:
    """They have an event that violates each rule."""
    assert say_the_same([event for trace in literal_traces() for event in trace.events], every_rule())


@pytest.mark.parametrize(
    "log", sampled(LOGS, kind=broker, name=lambda path: path.parent.name), ids=lambda log: log.parent.name
)
def test_logs_of_real_brokers(log: Path) -> None:
    form, events = events_of(log)
    assert say_the_same(events, rules_of(form))


@pytest.mark.parametrize(
    "path",
    sampled(sorted(REPORTS.glob("*/trace-*.jsonl")), kind=broker, name=lambda path: path.parent.name),
    ids=lambda path: path.parent.name,
)
def test_traces_of_real_brokers(path: Path) -> None:
    assert say_the_same(list(read_trace(path)), rules_of("trace"))


@pytest.mark.parametrize(
    ("step", "left"),
    [
        pytest.param("x = 1 if kind == 'stop' else 0\nreturn x", "return 1", id="a comparison that holds"),
        pytest.param("x = 1 if kind != STOP else 0\nreturn x", "return 0", id="a comparison that fails"),
        pytest.param("return kind == cause", "return False", id="a text that no comparison names"),
        pytest.param("return kind == other", "return kind == other", id="a name without a known value"),
        pytest.param("return event.bytes or 0", "return event.bytes or 0", id="a value for null"),
        pytest.param("return kind == STOP and e > 1", "return e > 1", id="and"),
        pytest.param("return e > 1 and cause == STOP", "return False", id="and, never"),
        pytest.param("return kind == STOP or e > 1", "return True", id="or, always"),
        pytest.param("return e > 1 or cause == STOP", "return e > 1", id="or"),
        pytest.param("return not (cause == STOP)", "return True", id="not"),
        pytest.param("m[0] = e if cause == STOP else m[0]\nreturn m[0]", "return m[0]", id="a memory that stays"),
        pytest.param(
            "x = m[0] + (1 if cause == STOP else 0)\nm[0] = x\nreturn x > m[1]",
            "x = m[0]\nreturn x > m[1]",
            id="a sum that stays",
        ),
        pytest.param("x = e if kind == STOP else m[0]\nm[0] = x", "x = e\nm[0] = x", id="a memory that changes"),
        pytest.param("x = m[0]\nm[1] = x", "x = m[0]\nm[1] = x", id="another memory"),
        pytest.param("x = m[k]\nreturn e", "return e", id="a value that nobody reads"),
    ],
)
def test_what_is_known_is_worked_out(step: str, left: str) -> None:
    known = {"kind": "stop", "cause": OTHER, "STOP": "stop"}
    found = narrowed(ast.parse(step).body, known)
    assert ast.unparse(ast.fix_missing_locations(ast.Module(found, type_ignores=[]))) == left
