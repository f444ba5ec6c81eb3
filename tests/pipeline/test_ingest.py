"""No line is dropped silently, and what cannot be read is one sentence that names file, line and field."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.pipeline.episode import EPISODE
from tidegate.pipeline.findings.reports import Account
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.read.inputs import inputs
from tidegate.pipeline.read.tables import Quarantined
from tidegate.pipeline.store.commits import first_put_aside
from tidegate.pipeline.store.layout import opened
from tidegate.pipeline.store.updating import bring_up_to_date
from tidegate.pipeline.work.engines import HERE
from tidegate.record.events import Event, Kind
from tidegate.record.trace import TraceWriter

OVERFULL = EPISODE[0].rstrip()
OTHER = "2026-01-31 23:59:59,124 MESSAGE [con:1(guest@/test)] [con:1(guest@/test)] CON-1001 : Open"
EVENTS = [
    Event(source="first", seq=1, time=0, kind=Kind.OPEN, destination="q"),
    Event(source="second", seq=1, time=0, kind=Kind.LEVEL, destination="q", bytes=0),
    Event(source="first", seq=2, time=5, kind=Kind.LEVEL, destination="q", bytes=7),
]


@dataclass(frozen=True)
class Tables:
    """What the store holds of some files."""

    events: list[dict[str, Any]]
    accounts: dict[str, Account]
    quarantined: tuple[Quarantined, ...]
    left_out: tuple[str, ...]


def read(folder: Path, *paths: Path) -> Tables:
    files = inputs(paths)
    with opened(folder / "out") as store:
        kept = bring_up_to_date(store, files, [], HERE, most_bytes=1000)
        return Tables(
            pq.read_table(store.events).to_pylist() if kept.commits else [],
            {commit.split.input.name: commit.account for commit in kept.commits},
            first_put_aside(store, kept.commits, 10),
            tuple(kept.unread.values()),
        )


def write_trace(path: Path, events: list[Event] = EVENTS) -> Path:
    with TraceWriter(path, name="mine", version="1", capabilities=[]) as trace:
        for event in events:
            trace.write(event)
    return path


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    tables = read(tmp_path, write_trace(tmp_path / "trace.jsonl"))
    rows = tables.events
    assert [(row["line"], row["source"], row["seq"], row["bytes"], row["destination"]) for row in rows] == [
        (line, event.source, event.seq, event.bytes, event.destination) for line, event in enumerate(EVENTS, start=2)
    ]
    assert list(tables.accounts.values()) == [Account(lines=5, events=3, ignored=2, quarantined=0)]


def test_every_line_of_a_log_is_accounted_for(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text("\n".join([OTHER, OVERFULL, "\tat java.lang.Thread", "", OVERFULL.replace("1,200", "1.20")]))
    tables = read(tmp_path, log)
    assert tables.accounts == {str(log): Account(lines=5, events=1, ignored=3, quarantined=1)}
    assert [str(line) for line in tables.quarantined] == [
        f"{log}:5: field 'size': expected a whole number, if grouped then by one separator into threes, not '1.20'"
    ]
    kept = pq.read_table(tmp_path / "out" / "quarantine").to_pylist()
    assert [(row["line"], row["field"], row["text"]) for row in kept] == [
        (5, "size", OVERFULL.replace("1,200", "1.20"))
    ]


def test_a_line_ends_where_it_ends_in_bytes(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_bytes(f"{OTHER}\r\n{OVERFULL}\r\na lone\rreturn, \x0c and \u2028 end no line".encode())
    assert read(tmp_path, log).accounts == {str(log): Account(lines=3, events=1, ignored=2, quarantined=0)}


def test_bytes_that_are_not_utf8_are_put_aside_only_where_they_matter(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_bytes(
        OVERFULL.encode()
        + b"\n"
        + OTHER.encode()
        + b" \xff\n"
        + OVERFULL.replace("qu(q)", "qu(\xe9)").encode("latin-1")
    )
    tables = read(tmp_path, log)
    assert tables.accounts == {str(log): Account(lines=3, events=1, ignored=1, quarantined=1)}
    assert [(line.line, line.expected) for line in tables.quarantined] == [(3, "expected UTF-8 text")]
    assert "qu(\\xe9)" in tables.quarantined[0].text


def test_a_level_below_zero_is_read_for_the_rules_to_judge(tmp_path: Path) -> None:
    trace = write_trace(tmp_path / "trace.jsonl")
    trace.write_text("\n".join(changed(3, bytes=-1)(trace.read_text().splitlines())) + "\n")
    tables = read(tmp_path, trace)
    assert tables.left_out == ()
    assert [row["bytes"] for row in tables.events if row["line"] == 3] == [-1]


def without_footer(lines: list[str]) -> list[str]:
    return lines[:-1]


def cut_in_a_line(lines: list[str]) -> list[str]:
    return [*lines[:2], lines[2][:20]]


def changed(line: int, **fields: Any) -> Callable[[list[str]], list[str]]:
    def change(lines: list[str]) -> list[str]:
        content = json.loads(lines[line - 1]) | fields
        return [*lines[: line - 1], json.dumps(content), *lines[line:]]

    return change


@pytest.mark.parametrize(
    ("spoil", "line", "field"),
    [
        (without_footer, 4, None),
        (cut_in_a_line, 3, None),
        (changed(3, bytes="many"), 3, "bytes"),
        (changed(3, bytes=2**63), 3, "bytes"),
        (changed(3, byte=5), 3, "byte"),
        (changed(4, kind="overfill"), 4, "kind"),
        (changed(4, seq=1), 4, "seq"),
        (changed(5, footer={"open": 1}), 5, "footer"),
        (changed(1, schema=2), 1, "schema"),
        (changed(1, format="other"), 1, "format"),
        (lambda lines: [*lines, lines[1]], 6, None),
        (lambda lines: [*lines[:3], "[]", *lines[3:]], 4, None),
    ],
    ids=["no footer",
         "truncated", "not a number", "more than a column holds", "unknown field", "unknown kind",
         "seq again", "footer does not count",
         "other schema", "other format", "more after the footer", "not an object"],
)  # fmt: skip
def test_a_trace_with_anything_wrong_is_refused(
    tmp_path: Path, spoil: Callable[[list[str]], list[str]], line: int, field: str | None
) -> None:
    trace = write_trace(tmp_path / "trace.jsonl")
    trace.write_text("\n".join(spoil(trace.read_text().splitlines())) + "\n")
    tables = read(tmp_path, trace)
    where = f"{trace}:{line}: " + (f"field {field!r}: " if field else "")
    assert [sentence.startswith(where) for sentence in tables.left_out] == [True]
    assert (tables.events, tables.accounts) == ([], {})


def test_a_folder_stands_for_its_traces_and_its_logs(tmp_path: Path) -> None:
    write_trace(tmp_path / "trace-mine.jsonl")
    (tmp_path / "broker-qpid.log").write_text(OVERFULL)
    (tmp_path / "broker-artemis.log").write_text("2026 INFO [x] AMQ221007: Server is now active\n")
    (tmp_path / "broker-silent.log").touch()
    (tmp_path / "report.json").write_text("{}")
    found = inputs([tmp_path, tmp_path / "trace-mine.jsonl"])
    assert [(Path(file.name).name, file.form) for file in found] == [
        ("broker-artemis.log", "artemis log"),
        ("broker-qpid.log", "qpid log"),
        ("trace-mine.jsonl", TRACE),
    ]
