"""What is read: a file, and the piece of one that a worker reads, writes and judges by itself."""

from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.findings.reports import Account


class Peeked(NamedTuple):
    """What a file is, or what was expected of it instead; `first` is the time of its first line with one, in ms."""

    form: str
    packed: bool = False
    version: str = ""
    first: int | None = None
    expected: str = ""
    head: str = ""
    """A digest of how it begins, unpacked."""
    broker: str = ""
    capabilities: tuple[str, ...] = ()
    field: str | None = None
    """Which field of its first line is wrong."""


@dataclass(frozen=True)
class Input:
    """A file to read: `name` is how it was named by the user and how its events and errors name it.

    `stream` is the ordered row of files that it belongs to, and `ordinal` counts from 1 in it; `host` is whose log it
    is. Times that name no zone are of `zone`. `grouping` is what figures must be grouped by; where it is empty, any
    separator will do. `broker` is the implementation that the file is about, as a trace says, or the form of a log;
    `version` is its version, where that or an earlier file of the stream says so, and `capabilities` what a trace says
    that it can show.
    """

    name: str
    path: str
    form: str
    packed: bool = False
    host: str = ""
    stream: str = ""
    ordinal: int = 1
    zone: str = "UTC"
    grouping: str = ""
    broker: str = field(default="", compare=False)
    version: str = field(default="", compare=False)
    capabilities: tuple[str, ...] = field(default=(), compare=False)
    apart: bool = field(default=False, compare=False)
    """Whether other files of its host may stand before it or between its lines, so that it is a stream by itself."""
    peeked: Peeked | None = field(default=None, compare=False)
    """What the first look at it found."""


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


class SplitsRead(NamedTuple):
    """What splits that are read together hold: their events in EVENT_COLUMNS, their lines put aside, and accounts.

    `clock_steps` says how many events of a split are of an earlier time than the one before them.

    Both tables have the NUMBER of the split, from 0, and rows stand in the order of splits and lines. The `line` counts
    from 1 within the split; the lines of the splits before it are added at the end.
    """

    events: pl.DataFrame
    quarantined: pl.DataFrame
    accounts: tuple[Account, ...]
    clock_steps: tuple[int, ...]
