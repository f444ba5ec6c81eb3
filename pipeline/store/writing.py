"""What a worker does with a split: reads it, writes its tables, and marks it as read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.files.parquet import in_parquet, scanned
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.accounts import Account
from tidegate.pipeline.read.log import OFFSET_BITS
from tidegate.pipeline.read.reading import read_split
from tidegate.pipeline.read.split import Split
from tidegate.pipeline.read.tables import INPUT, SPLIT, STREAM_NAME
from tidegate.pipeline.store.commits import TABLE, Commit, name_of, write_marker
from tidegate.pipeline.store.content import FileSeen, content_of
from tidegate.pipeline.store.layout import Store
from tidegate.record.errors import BadInput


class Unread(NamedTuple):
    """An input that could not be read, and why, in one sentence."""

    input: str
    sentence: str


@dataclass(frozen=True)
class ReadAndCommit:
    """Reads a split of a file as it was seen. The tables are in their places in the store before the marker is."""

    store: Store
    reader: str

    def __call__(self, work: tuple[Split, FileSeen]) -> Commit | Unread:
        """The split as it now stands in the store; what a user can mend is handed back, for the rest goes on."""
        split, seen = work
        try:
            content = content_of(split, seen)
            read = read_split(split)
        except BadInput as error:
            return Unread(split.input.name, str(error))
        except OSError as error:
            return Unread(split.input.name, str(unreadable(split.input.name, error)))
        account = Account(read.lines, read.events.height, read.ignored, read.quarantined.height)
        account.settled(f"{split.input.name}, bytes {split.start} to {split.end}")
        name = name_of(split, content.digest, self.reader)
        beside = {
            "broker": split.input.broker,
            "version": split.input.version or None,
            "host": split.input.host or None,
            STREAM_NAME: split.stream,
            SPLIT: name,
        }
        events = _put(self.store, self.store.events, name, _with(read.events, beside))
        quarantine = _put(self.store, self.store.quarantine, name, _with(read.quarantined, {SPLIT: name}))
        commit = Commit(name, split, content, self.reader, account, read.clock_steps, events, quarantine)
        write_marker(self.store, commit)
        return commit


@dataclass(frozen=True)
class TakeOver:
    """Takes what the store holds of a split for the same bytes under another name or place in their stream."""

    store: Store

    def __call__(self, work: tuple[Commit, Split, FileSeen]) -> Commit:
        """The split under its new name. The log is not read; the old split stays until it is removed."""
        old, split, seen = work
        name = name_of(split, old.content.digest, old.reader)
        renamed = {INPUT: split.input.name, SPLIT: name}
        if split.stream != old.split.stream:
            # a trace has its own sources, and is never put into another stream
            renamed |= {STREAM_NAME: split.stream, "source": split.stream}
        shift = (split.input.ordinal - old.split.input.ordinal) << OFFSET_BITS
        events = _read(self.store.events, old.name).with_columns(pl.col("seq") + shift)
        quarantine = _read(self.store.quarantine, old.name)
        commit = replace(
            old,
            name=name,
            split=split,
            content=replace(old.content, seen=seen),
            events_bytes=_put(self.store, self.store.events, name, _with(events, renamed)),
            quarantine_bytes=_put(
                self.store, self.store.quarantine, name, _with(quarantine, {INPUT: split.input.name, SPLIT: name})
            ),
        )
        write_marker(self.store, commit)
        return commit


def unreadable(name: str, error: OSError) -> BadInput:
    """A file that the system does not let us read."""
    return BadInput(f"expected a file that can be read, but {error.strerror}", file=name)


def _with(table: pl.DataFrame, constants: Mapping[str, str | None]) -> pl.DataFrame:
    """The table with these columns, the same text in every row; columns that it has already are replaced."""
    return table.with_columns(pl.lit(text, pl.Categorical).alias(name) for name, text in constants.items())


def _read(folder: Place, name: str) -> pl.DataFrame:
    """A table of a split."""
    return scanned(folder / f"{name}{TABLE}").collect()


def _put(store: Store, folder: Place, name: str, table: pl.DataFrame) -> int:
    """Write a table of a split; how many bytes it takes."""
    content = in_parquet(table)
    put(store.partial, folder / f"{name}{TABLE}", content)
    return len(content)
