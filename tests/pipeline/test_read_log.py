"""Reading fast and reading line by line say the same of any bytes, and every line is accounted for."""

import gzip
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.pipeline.episode import EPISODE
from tests.pipeline.reading import read_log, read_log_with_care, read_split
from tests.pipeline.real_logs import whole
from tidegate.pipeline.forms import LOG_FORMS
from tidegate.pipeline.lines.careful import CarefulReader, decoded, readable
from tidegate.pipeline.lines.line_form import LineForm, Unparsed
from tidegate.pipeline.lines.log_form import LogForm, Statement
from tidegate.pipeline.read.log import read_logs
from tidegate.pipeline.read.reading import ranges
from tidegate.pipeline.read.split import Input, Split
from tidegate.pipeline.read.tables import FIELDS, NUMBER, VALUES
from tidegate.record.events import Event, Kind

OVERFULL, _, UNDERFULL, _ = (each.rstrip() for each in EPISODE)
OTHER = "2026-01-31 23:59:59,124 MESSAGE [con:1(guest@/test)] [con:1(guest@/test)] CON-1001 : Open"
TRACE = "\tat org.apache.qpid.server.Broker.block(Broker.java:12) QUE-1003 : Overfull"
LINES = [
    OVERFULL, UNDERFULL, OTHER, TRACE, "",
    "2026-01-31T23:59:59.123Z INFO [con:1(a@/10.0.0.1:5/test)/ch:9] [vh(/test)/qu(q)] "
    "QUE-1003 : Overfull : Size : 1.200 bytes, Capacity : 1.000, Messages : 3, Message Capacity : -1",
    "2026-01-31 23:59:59,123 INFO [con:1(a@/10.0.0.1:5/test)/ch:9] [con:1(a@/10.0.0.1:5/test)/ch:9] "
    "CHN-1005 : Flow Control Enforced (Queue q)",
    "2026-01-31 23:59:59,123 INFO [con:1(a@/10.0.0.1:5/test)/ch:9] CHN-1006 : Flow Control Removed",
    "2026-01-31 23:59:59,123 INFO [vh(/test)/ms(Derby)] MST-1008 : Store overfull, flow control will be enforced",
    "2026-01-31 23:59:59,123 INFO [vh(/test)/ms(Derby)] MST-1009 : Store overfull condition cleared",
]  # fmt: skip
MISGROUPED = [
    "1,20,300",
    "1234,567",
    ",200",
    "1,,200",
    "1,200,",
    "1,2000",
    "-1",
    "",
    "1,200,300,400,500,600,700",
    f"{2**63}",
    f"{10**20}",
]
PIECES = st.sampled_from([
    "2026-01-31 23:59:59,123 ", "2026-01-31T23:59:59.123Z ", "2026-02-30 23:59:59,123 ", "2026-01-31 23:59:59,12 ",
    "2026-01-31 23:59:59,123 +0100 ", "1969-12-31 23:59:59,999 ", "[vh(/test)/qu(q)] ", "[vh(/test)/qu(a) b [vh(] ",
    "[con:1(g@/test)/ch:1] ", "[vh(/test)/ms(S)] ", "QUE-1003 : Overfull : Size : ", "1,200", "1.200", "12,00",
    "1\u202f200", "99999999999999999999", " bytes, Capacity : ", "1,000", ", Messages : 3", "CHN-1006", " : ",
    "Flow Control Removed", "CHN-1005 : Flow Control Enforced (Queue ", "q", ")", "MST-1009 : Store overfull ",
    "condition cleared", "\t", " ", "\r", "\x00", "\ufeff", "\u00e9", "\u2028", "Caused by: ", "x.y.BadException: ",
])  # fmt: skip
MUTATED = st.builds(
    lambda line, at, piece, gone: line[: at % (len(line) + 1)] + piece + line[at % (len(line) + 1) + gone :],
    st.sampled_from(LINES), st.integers(0, 200), st.one_of(st.just(""), PIECES), st.integers(0, 4),
)  # fmt: skip
TEXTS = st.one_of(st.sampled_from(LINES), MUTATED, st.lists(PIECES, max_size=12).map("".join))
GARBAGE = st.one_of(TEXTS.map(str.encode), st.binary(max_size=60).map(lambda some: some.replace(b"\n", b"")))


def log_input(path: Path, text: bytes, form: str = "qpid log", **changed: Any) -> Input:
    path.write_bytes(text)
    return replace(Input(str(path), str(path), form, stream="host"), **changed)


def line_by_line(file: Input, text: bytes) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], int]:
    """Events, lines put aside, and how many lines there are, by the definition."""
    zone = UTC if file.zone == "UTC" else ZoneInfo(file.zone)
    reader = CarefulReader(LOG_FORMS[file.form], zone)
    events: list[tuple[Any, ...]] = []
    put_aside: list[tuple[Any, ...]] = []
    lines = text.split(b"\n")
    lines = lines if lines[-1] else lines[:-1]
    offset = 0
    for number, line in enumerate(lines, start=1):
        told = decoded(line)
        if offset == 0:
            told = told.removeprefix("\ufeff")
        said = reader.read(told, file.stream, (file.ordinal << 40) + offset + 1)
        if isinstance(said, Event):
            events.append((file.name, number, *VALUES(said)))
        elif isinstance(said, Unparsed):
            put_aside.append((file.name, number, offset, said.field, said.expected, readable(told).rstrip()))
        offset += len(line) + 1
    return events, put_aside, len(lines)


def rows(table: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in table.to_dicts()]


def assert_read_as_defined(file: Input, text: bytes, size: int = 1 << 24) -> None:
    read = read_log(whole(file), size=size)
    events, put_aside, lines = line_by_line(file, text)
    assert rows(read.events) == events
    assert rows(read.quarantined) == put_aside
    assert (read.lines, read.ignored) == (lines, lines - len(events) - len(put_aside))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(lines=st.lists(GARBAGE, max_size=12), ends=st.sampled_from([b"\n", b"\r\n"]), whole_end=st.booleans())
@example(lines=[OVERFULL.replace("qu(q)", "qu(QUE-1004)").encode()], ends=b"\n", whole_end=True)
@example(lines=[f"{OVERFULL}, Note : QUE-1004 {UNDERFULL}".encode()], ends=b"\n", whole_end=True)
@example(lines=[OVERFULL.encode().replace(b"MESSAGE", b"\xff")], ends=b"\n", whole_end=True)
@example(lines=[f"\ufeff{OVERFULL}".encode()], ends=b"\n", whole_end=True)
@example(lines=[OVERFULL.encode(), OTHER.encode() + b" \xff", b"\xe9 " + OVERFULL.encode()], ends=b"\n", whole_end=True)
@example(lines=[OVERFULL.replace("1,200", f"{10**18}").encode(), OVERFULL.encode()], ends=b"\n", whole_end=False)
@example(
    lines=[f"{OVERFULL}{more}".encode() for more in (", note : 1", ", Note", ", N", ", ", ",")],
    ends=b"\n",
    whole_end=True,
)
@example(
    lines=[LINES[6].replace("Queue q", queue).encode() for queue in ("Queue ", "Queue", "")], ends=b"\n", whole_end=True
)
@example(lines=[OVERFULL.replace("1,200", size).encode() for size in MISGROUPED], ends=b"\n", whole_end=True)
def test_any_bytes_are_read_fast_as_line_by_line(
    tmp_path: Path, lines: list[bytes], ends: bytes, whole_end: bool
) -> None:
    text = ends.join(lines) + (ends if whole_end and lines else b"")
    file = log_input(tmp_path / "broker.log", text)
    assert_read_as_defined(file, text)
    assert_read_as_defined(file, text, size=100)


def test_a_stack_trace_belongs_to_the_record_before_whatever_it_quotes(tmp_path: Path) -> None:
    quoting = [
        "java.lang.IllegalStateException: QUE-1003 : Overfull",
        TRACE,
        "Caused by: QUE-1004",
        "... 12 more QUE-1004",
    ]
    text = "\n".join([OTHER, *quoting, OVERFULL]).encode()
    read = read_log(whole(log_input(tmp_path / "broker.log", text)))
    assert (read.lines, read.ignored, read.events.height, read.quarantined.height) == (6, 5, 1, 0)


def test_clock_steps_are_counted_and_change_no_order(tmp_path: Path) -> None:
    times = ["12:00:00,000", "11:59:59,999", "11:59:59,999", "13:00:00,000", "12:59:59,000"]
    text = "\n".join(OVERFULL.replace("23:59:59,123", time) for time in times).encode()
    read = read_log(whole(log_input(tmp_path / "broker.log", text)))
    assert read.clock_steps == 2
    assert read.events["line"].to_list() == [1, 2, 3, 4, 5]


def test_the_place_of_a_line_is_its_file_and_its_offset(tmp_path: Path) -> None:
    text = f"{OTHER}\n{OVERFULL}\n{OVERFULL.replace('1,200', 'x')}".encode()
    read = read_log(whole(log_input(tmp_path / "broker.log", text, ordinal=3)))
    assert read.events["seq"].to_list() == [(3 << 40) + len(OTHER) + 1 + 1]
    assert read.events["source"].to_list() == ["host"]
    assert read.quarantined["offset"].to_list() == [len(OTHER) + 1 + len(OVERFULL) + 1]
    assert read.quarantined["line"].to_list() == [3]


def records(count: int) -> list[str]:
    made: Iterable[list[str]] = ([OVERFULL.replace("1,200", f"{n + 1001}"), TRACE, TRACE] for n in range(count))
    return [line for record in made for line in record]


@pytest.mark.parametrize(
    ("most_bytes", "splits"), [(1, 10), (100, 10), (500, 8), (694, 8), (695, 4), (1000, 4), (2779, 4), (2780, 1)]
)
def test_splits_begin_with_records_and_hold_each_line_once(tmp_path: Path, most_bytes: int, splits: int) -> None:
    text = ("\n".join(records(10)) + "\n").encode()
    assert len(text) == 2780
    file = log_input(tmp_path / "broker.log", text)
    bounds = ranges(file, 0, len(text), most_bytes)
    assert [start for start, _ in bounds[1:]] == [end for _, end in bounds[:-1]]
    assert (bounds[0][0], bounds[-1][1]) == (0, len(text))
    assert all(text[start:].startswith(b"2026") for start, _ in bounds)
    assert len(bounds) == splits
    read = [read_split(Split(file, *bound)) for bound in bounds]
    assert [row for each in read for row in each.events["seq"].to_list()] == read_log(whole(file)).events[
        "seq"
    ].to_list()
    assert sum(each.lines for each in read) == 30


def test_a_log_without_a_record_to_cut_at_is_one_split(tmp_path: Path) -> None:
    text = b"no time in any line\n" * 100
    assert ranges(log_input(tmp_path / "broker.log", text), 0, len(text), 100) == ((0, len(text)),)


def test_a_packed_log_is_one_split_even_where_records_can_be_seen_in_it(tmp_path: Path) -> None:
    text = gzip.compress("\n".join(records(10)).encode(), compresslevel=0)
    assert ranges(log_input(tmp_path / "broker.log.gz", text, packed=True), 0, len(text), 10) == ((0, len(text)),)


def test_a_line_longer_than_a_block_is_one_line(tmp_path: Path) -> None:
    text = f"{OTHER}{'x' * 5000}\n{OVERFULL}\n{'y' * 5000}".encode()
    file = log_input(tmp_path / "broker.log", text)
    assert_read_as_defined(file, text, size=100)


def test_every_field_of_an_event_has_its_column(tmp_path: Path) -> None:
    read = read_log(whole(log_input(tmp_path / "broker.log", OVERFULL.encode())))
    assert read.events.columns == ["input", "line", *FIELDS]


@pytest.mark.parametrize("front", ["", "x", "Usage of ", "\u00e9", "\u00e9\u20ac\U0001f600", "Lev\u00e9l: "])
@pytest.mark.parametrize("level", ["Level", "L\u00e9vel"])
def test_a_mark_within_a_text_is_met_behind_any_characters(
    tmp_path: Path, level: str, front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement = Statement("FULL", LineForm(f"{level}: FULL {{size:number}} bytes"), Kind.OVERFULL, {"bytes": "{size}"})
    form = replace(LOG_FORMS["qpid log"], statements=(statement,))
    monkeypatch.setitem(cast(dict[str, LogForm], LOG_FORMS), "qpid log", form)
    texts = [f"{front}FULL 12 bytes", f"{front}{level}: FULL 1,200 bytes", f"{front}: FULL 7 bytes"]
    text = "\n".join(f"2026-01-31 23:59:59,123 {each}" for each in texts).encode() + f"\n{front}FULL".encode()
    file = log_input(tmp_path / "broker.log", text)
    assert_read_as_defined(file, text)
    assert read_log(whole(file)).events["bytes"].to_list() == [1200]


def test_logs_that_are_read_together_are_each_what_it_is_alone(tmp_path: Path) -> None:
    """Among them one without an end, one that is not ASCII, one without lines, and one that goes on with no record."""
    texts = (
        f"{OVERFULL}\n", f"{OTHER}\n" * 3, "", f"{OTHER}\nStraße\n{OVERFULL}", f"\ufeff{UNDERFULL}\n",
        f"QUE-1003 : Overfull : Size : x\n{UNDERFULL}\n",
    )  # fmt: skip
    files = [
        log_input(tmp_path / f"{number}.log", text.encode(), ordinal=number)
        for number, text in enumerate(texts, start=1)
    ]
    together = read_logs([whole(file) for file in files])
    alone = [read_log_with_care(whole(file)) for file in files]
    for name in ("events", "quarantined"):
        table = getattr(together, name)
        assert_frame_equal(table.drop(NUMBER), pl.concat([getattr(each, name) for each in alone]))
        assert Counter(table[NUMBER]) == Counter({n: getattr(each, name).height for n, each in enumerate(alone)})
    counted = [
        (each.lines, each.ignored, back) for each, back in zip(together.accounts, together.clock_steps, strict=True)
    ]
    assert counted == [(each.lines, each.ignored, each.clock_steps) for each in alone]
