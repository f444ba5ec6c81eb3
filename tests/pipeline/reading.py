"""What one split holds, as the pipeline reads it among others."""

from typing import Any, NamedTuple
from unittest.mock import patch

import polars as pl

from tidegate.pipeline.lines.careful import CarefulReader, marked_lines
from tidegate.pipeline.read.fast import FastRead, read_lines
from tidegate.pipeline.read.log import read_logs
from tidegate.pipeline.read.reading import read_splits
from tidegate.pipeline.read.split import Split, SplitsRead
from tidegate.pipeline.read.tables import NUMBER


class SplitRead(NamedTuple):
    """The events of a split, its lines put aside, and its counts."""

    events: pl.DataFrame
    quarantined: pl.DataFrame
    lines: int
    ignored: int
    clock_steps: int


def read_log(split: Split, **options: Any) -> SplitRead:
    """What a split of a log holds."""
    return _only(read_logs([split], **options))


def with_care(text: bytes, reader: CarefulReader) -> FastRead:
    """A text whose lines with a mark are all left to the careful reader."""
    read = read_lines(text, reader)
    return read._replace(columns=read.columns.clear(), left=[*marked_lines(reader.form, text)])


def read_log_with_care(split: Split) -> SplitRead:
    """What a split of a log holds, by the careful reader alone."""
    with patch("tidegate.pipeline.read.log.read_lines", with_care):
        return read_log(split)


def read_split(split: Split) -> SplitRead:
    """What a split of a log or a trace holds."""
    return _only(read_splits([split]))


def _only(read: SplitsRead) -> SplitRead:
    (account,), (steps,) = read.accounts, read.clock_steps
    tables = read.events.drop(NUMBER), read.quarantined.drop(NUMBER)
    assert (account.events, account.quarantined) == tuple(table.height for table in tables)
    return SplitRead(*tables, account.lines, account.ignored, steps)
