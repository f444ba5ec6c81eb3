"""A file to read, and a split, the piece of a file that a worker reads, writes and judges by itself."""

from dataclasses import dataclass, field
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.findings.reports import Account


class Peeked(NamedTuple):
    """The form of a file, or what was expected instead; `first` is the first time in the file, in ms."""

    form: str
    packed: bool = False
    version: str = ""
    first: int | None = None
    expected: str = ""
    head: str = ""
    """A digest of its first bytes, unpacked."""
    broker: str = ""
    capabilities: tuple[str, ...] = ()
    field: str | None = None
    """The wrong field of its first line."""
    doubt: str = ""
    """Why the lines of a log may not be those of one broker in their order; empty without such a sign."""
    others: tuple[str, ...] = ()
    """The other forms of which the begin of a log has lines."""


@dataclass(frozen=True)
class Input:
    """A file to read: `name` is its name as the user gave it, and in its events and errors.

    `stream` is the ordered row of files that it belongs to: the files of one host's log, or a trace by itself. Its
    place there is `ordinal`, from 1; two streams have no common order. `host` is the host of the log. Times without a
    zone are in `zone`. `broker` is the implementation that the file is about, as a trace names it, or the broker of the
    log's form; `version` is its version, where this or an earlier file of the stream gives one, and `capabilities` are
    the implementation's, as a trace names them.
    """

    name: str
    path: str
    form: str
    packed: bool = False
    host: str = ""
    stream: str = ""
    ordinal: int = 1
    zone: str = "UTC"
    broker: str = field(default="", compare=False)
    version: str = field(default="", compare=False)
    capabilities: tuple[str, ...] = field(default=(), compare=False)
    apart: bool = field(default=False, compare=False)
    """Whether other files of its host may come before it or between its lines, so that it is a stream by itself."""
    peeked: Peeked = field(default=Peeked(""), compare=False)
    """The result of the first look at it."""


@dataclass(frozen=True)
class FileSeen:
    """A file before its first byte was read: its size in bytes, and the time of its last change in ns."""

    size: int = 0
    modified: int = 0


@dataclass(frozen=True)
class Split:
    """The bytes from `start` up to `end` of an input; each is the begin of a record or the end of the file.

    A packed file is one split, and these are its packed bytes. `seen` is the state of the file before it was read.
    """

    input: Input
    start: int
    end: int
    seen: FileSeen = FileSeen()


class SplitsRead(NamedTuple):
    """The contents of splits that are read together: their events in EVENT_COLUMNS, their lines put aside, and
    accounts.

    `clock_steps` says how many events of a split have an earlier time than the event before.

    Both tables have the NUMBER of the split, from 0, and rows are in the order of splits and lines. The `line` counts
    from 1 within the split; the lines of earlier splits are added at the end.
    """

    events: pl.DataFrame
    quarantined: pl.DataFrame
    accounts: tuple[Account, ...]
    clock_steps: tuple[int, ...]
