"""Traces on disk: what is written is read again, and what is malformed is refused with its place."""

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tidegate.record.errors import BadInput
from tidegate.record.events import Event, Kind
from tidegate.record.trace import TraceWriter, read_trace
from tidegate.record.values import checks

EVENTS = (
    Event(source="s", seq=1, time=5, kind=Kind.LIMITS, destination="q", limit=1000, resume=800, cause="capacity"),
    Event(source="s", seq=2, time=6, kind=Kind.LEVEL, destination="q", bytes=0, messages=0, cause="open"),
)


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    path = tmp_path / "trace.jsonl"
    with TraceWriter(path, name="broker", version="1", capabilities=["queue-gate"]) as writer:
        for event in EVENTS:
            writer.write(event)
    return path


def test_the_schema_of_an_event_is_frozen() -> None:
    published = json.loads(files("tidegate.record").joinpath("event.schema.json").read_text(encoding="utf-8"))
    assert checks(Event).json_schema() == published


def test_a_trace_is_read_as_it_was_written(trace: Path) -> None:
    assert tuple(read_trace(trace)) == EVENTS


def test_every_line_of_a_trace_fits_the_published_schema(trace: Path) -> None:
    schema = Draft202012Validator(checks(Event).json_schema())
    lines = trace.read_text(encoding="utf-8").splitlines()[1:-1]
    assert len(lines) == len(EVENTS)
    for line in lines:
        schema.validate(json.loads(line))


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda lines: lines[:-1], "trace.jsonl:3: expected a footer; the trace is incomplete"),
        (lambda lines: [*lines[:1], *lines[2:]], "trace.jsonl:3: field 'footer': expected the counts"),
        (lambda lines: lines[1:], "trace.jsonl:1: field 'format': expected a header"),
        (lambda lines: [*lines[:2], lines[2][:30], *lines[3:]], "trace.jsonl:3: expected one JSON object a line"),
        (lambda lines: [*lines, lines[1]], "trace.jsonl:5: expected nothing after the footer"),
        (
            lambda lines: [line.replace('"bytes":0', f'"bytes":{2**63}') for line in lines],
            "trace.jsonl:3: field 'bytes'",
        ),
        (lambda lines: [line.replace('"bytes":0', '"bytes":"0"') for line in lines], "trace.jsonl:3: field 'bytes'"),
        (lambda lines: [line.replace('"bytes":0', '"byte":0') for line in lines], "trace.jsonl:3: field 'byte'"),
        (lambda lines: [line.replace('"level"', '"depth"') for line in lines], "trace.jsonl:3: field 'kind'"),
        (lambda lines: [line.replace('"schema":1', '"schema":2') for line in lines], "trace.jsonl:1: field 'schema'"),
    ],
)
def test_a_malformed_trace_is_refused_with_its_place(
    trace: Path, spoil: Callable[[list[str]], list[str]], expected: str
) -> None:
    trace.write_text("\n".join(spoil(trace.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        list(read_trace(trace))
    assert expected in str(refused.value)


def test_a_figure_below_zero_is_read_as_it_was_written(tmp_path: Path) -> None:
    """A trace is what an implementation said; that it may not say so is for rules to judge."""
    below = replace(EVENTS[1], bytes=-1, messages=-2, credit=-3)
    path = tmp_path / "trace.jsonl"
    with TraceWriter(path, name="x", version="1", capabilities=()) as writer:
        writer.write(below)
    assert list(read_trace(path)) == [below]


def test_bytes_that_are_no_text_are_refused_with_their_line(trace: Path) -> None:
    lines = trace.read_bytes().splitlines()
    trace.write_bytes(b"\n".join([lines[0], b"\xff\xfe", *lines[1:]]))
    with pytest.raises(BadInput, match=r"trace\.jsonl:2: "):
        list(read_trace(trace))


def test_what_is_written_after_a_mark_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    with TraceWriter(path, name="broker", version="1", capabilities=["queue-gate"]) as writer:
        writer.write(EVENTS[0])
        mark = writer.mark()
        writer.write(EVENTS[1])
        writer.write(EVENTS[1])
        writer.rewind(mark)
        writer.write(EVENTS[1])
    assert tuple(read_trace(path)) == EVENTS
