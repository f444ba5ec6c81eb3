"""The unit of work of the pipeline: a piece of one file that a worker reads, writes and judges by itself."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.read.inputs import Input


@dataclass(frozen=True)
class Split:
    """The bytes from `start` up to `end` of an input; both are where a record begins, or the file ends.

    A packed file is one split, and these are its packed bytes.

    `stream` names an ordered row of splits: the files of one host's log, one after the other, or a trace by itself.
    The splits of a stream, by `ordinal` from 1, hold its lines in their order; two streams have no common order.
    """

    stream: str
    ordinal: int
    input: Input
    start: int
    end: int


class SplitRead(NamedTuple):
    """What a split holds: its events in EVENT_COLUMNS, its lines put aside, and how many lines it has and ignores.

    The `line` of both tables counts from 1 within the split; the lines of the splits before it are added at the end.
    lines = events + ignored + quarantined, always.
    """

    events: pl.DataFrame
    quarantined: pl.DataFrame
    lines: int
    ignored: int
    clock_steps: int = 0
    """How many events are of an earlier time than the one before them in the split; the order is that of the lines."""


class EventsFile(NamedTuple):
    """The events of one split as a Parquet file, in the order of their lines; per source, `seq` rises."""

    stream: str
    ordinal: int
    path: Any
    """A path, or what a URI names in storage."""
    events: int
