"""Times that the fast reader reads are those of the careful reader; what it does not read, it leaves to that."""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tidegate.pipeline.lines.line_form import Unparsed
from tidegate.pipeline.lines.times import iso_time
from tidegate.pipeline.read.fast import TEXT, TIME, _timed

ZONES = [UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("Australia/Lord_Howe"), ZoneInfo("America/St_Johns")]
MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(
    lambda moment: moment.isoformat(sep=" ", timespec="milliseconds").replace(".", ",")
)
STAMPS = st.one_of(
    MOMENTS, st.from_regex(r"[0-3]\d{3}-[01]\d-[0-3]\d[ T][0-2]\d:[0-6]\d:[0-6]\d[.,]\d{2,10}", fullmatch=True)
)
ENDS = st.sampled_from([
    " INFO x", "Z INFO x", " Z INFO", " +0100 INFO", "+01:00 x", " ", "", "0 INFO", "] x", " -05:30 | x", "-12:00] x",
    "+23:59 x", "+24:00 x", "-01:60 x", " - x", " -x", "+1:00 x", "|", "\t", "+01:00\r", "Zx", " Z", "\u00a0x",
])  # fmt: skip


def read(lines: list[str], zone: tzinfo) -> list[int | None]:
    """The times that the fast reader reads, as ms since the epoch; None where it leaves one."""
    return _timed(pl.DataFrame({TEXT: lines}), zone)[TIME].to_list()


@settings(deadline=None)
@example(["2026-01-31 23:59:5\u0664,123 INFO", "2026-01-31 23:59:59,123Z INFO", "2026-01-31 23:59:59,123 INFO"], UTC)
@given(lines=st.lists(st.tuples(STAMPS, ENDS).map("".join), min_size=1, max_size=5), zone=st.sampled_from(ZONES))
def test_what_is_read_fast_is_what_the_careful_reader_reads(lines: list[str], zone: tzinfo) -> None:
    for line, time in zip(lines, read(lines, zone), strict=True):
        assert time in (None, iso_time(line, zone))


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("2026-01-31 23:59:59,123 INFO", True),
        ("2026-01-31T23:59:59.123Z INFO", True),
        ("2024-02-29 00:00:00,000 INFO", True),
        ("2023-02-29 00:00:00,000 INFO", False),
        ("2100-02-29 00:00:00,000 INFO", False),
        ("2000-02-29 00:00:00,000 INFO", True),
        ("2026-04-31 00:00:00,000 INFO", False),
        ("2026-12-31 24:00:00,000 INFO", False),
        ("2026-12-31 23:59:59,123 +0100", False),
        ("2026-12-31 23:59:59,123 +01:00 INFO", True),
        ("2026-12-31 23:59:59.123456-23:59 INFO", True),
        ("2026-12-31 23:59:59.123+24:00 INFO", False),
        ("2026-12-31 23:59:59.123+01:60 INFO", False),
        ("2026-12-31 23:59:59.123+01:00: INFO", False),
        ("2026-12-31 23:59:59,123 - INFO", True),
        ("2026-12-31 23:59:59,123 +1 INFO", False),
        ("2026-12-31 23:59:59,123 Zone", False),
        ("2026-12-31 23:59:59,1234 INFO", True),
        ("2026-12-31 23:59:59,123456789 INFO", True),
        ("2026-12-31 23:59:59,1234567890 INFO", False),
        ("2026-12-31 23:59:59,12 INFO", False),
        ("2026-12-31 23:59:59 INFO     ", False),
        ("[2026-12-31 23:59:59,123] INFO", True),
        ("2026-12-31 23:59:59,123| INFO", True),
        ("[[2026-12-31 23:59:59,123] INFO", False),
        ("0026-00-31 23:59:59,123 INFO", False),
    ],
)
def test_just_the_usual_times_are_read_fast(line: str, is_read: bool) -> None:
    assert read([line], UTC) == [iso_time(line, UTC) if is_read else None]


@pytest.mark.parametrize(
    ("line", "zone", "utc"),
    [
        ("2026-10-25 02:30:00,000 x", "Europe/Berlin", "2026-10-25 00:30:00"),
        ("2026-03-29 02:30:00,000 x", "Europe/Berlin", "2026-03-29 01:30:00"),
        ("2026-10-25 02:30:00,000+01:00 x", "Europe/Berlin", "2026-10-25 01:30:00"),
        ("2026-01-31 12:00:00.999999 x", "UTC", "2026-01-31 12:00:00.999"),
        ("2026-01-31 12:00:00 x", "UTC", "2026-01-31 12:00:00"),
        ("[2026-01-31 12:00:00,001] x", "UTC", "2026-01-31 12:00:00.001"),
    ],
    ids=["twice", "never", "with its own zone", "to the ms below", "no fraction", "in brackets"],
)
def test_a_time_is_that_of_its_zone(line: str, zone: str, utc: str) -> None:
    expected = datetime.fromisoformat(utc).replace(tzinfo=UTC) - datetime.fromtimestamp(0, UTC)
    assert iso_time(line, ZoneInfo(zone)) == expected // timedelta(milliseconds=1)


@pytest.mark.parametrize("line", ["INFO x", "2026-01-31", "1969-12-31 23:59:59,999 x", "9999-99-99 00:00:00,000 x"])
def test_what_is_no_time_is_said(line: str) -> None:
    said = iso_time(line, UTC)
    assert isinstance(said, Unparsed)
    assert said.field == "time"
