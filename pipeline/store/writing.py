"""Work on splits in a worker: reads them, writes their tables, and marks them as read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.files.parquet import in_parquet
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.read.reading import read_splits
from tidegate.pipeline.read.split import Split
from tidegate.pipeline.read.tables import NUMBER, SPLIT, STREAM_NAME
from tidegate.pipeline.store.commits import (
    TABLE,
    Commit,
    Content,
    FileSeen,
    Marker,
    digest_of_split,
    in_table,
    name_of,
    write_marker,
)
from tidegate.pipeline.store.layout import Store
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

Work = tuple[Split, FileSeen]
"""A split to be read, and the size and time of its file before."""


class Unread(NamedTuple):
    """An input that could not be read, and why, in one sentence."""

    input: str
    sentence: str


def read_and_commit(works: Sequence[Work], store: Store, reader: str) -> Sequence[Commit | Unread]:
    """Read splits that can be read together, write their tables to the store, and then their marker.

    An error that the user can repair is returned, since the other splits are read all the same.
    """
    splits = [split for split, _ in works]
    try:
        contents = [Content(digest_of_split(split), seen) for split, seen in works]
        read = read_splits(splits)
    except (BadInput, OSError) as error:
        if len(works) > 1:
            # read each by itself, so that one bad split does not stop the others
            return [said for work in works for said in read_and_commit([work], store, reader)]
        name = splits[0].input.name
        return [Unread(name, str(error if isinstance(error, BadInput) else unreadable(name, error)))]
    commits = []
    for split, content, account, steps in zip(splits, contents, read.accounts, read.clock_steps, strict=True):
        account.settled(f"{split.input.name}, bytes {split.start} to {split.end}")
        name = name_of(split, content.digest, reader)
        commits.append(Commit(name, split, content, reader, account, steps, ""))
    return _written(store, commits, read.events, read.quarantined)


def _written(
    store: Store, commits: Sequence[Commit], events: pl.DataFrame, quarantined: pl.DataFrame
) -> tuple[Commit, ...]:
    """Write the tables of splits, whose rows have their NUMBER, and then the marker of the splits."""
    placed = in_table(commits)
    table = placed[0].table
    splits = [commit.split for commit in placed]
    beside: dict[str, Sequence[str | None]] = {
        "broker": [split.input.broker for split in splits],
        "version": [split.input.version or None for split in splits],
        "host": [split.input.host or None for split in splits],
        STREAM_NAME: [split.stream for split in splits],
        SPLIT: [commit.name for commit in placed],
    }
    sizes = (
        _put(store, store.events, table, _with(events, beside)),
        _put(store, store.quarantine, table, _with(quarantined, {SPLIT: beside[SPLIT]})),
    )
    write_marker(store, Marker(placed, *sizes))
    return placed


def unreadable(name: str, error: OSError) -> BadInput:
    """The error for a file that the system cannot read."""
    return BadInput(f"expected a file that can be read, but {in_words(error)}", file=name)


def _with(table: pl.DataFrame, of_splits: Mapping[str, Sequence[str | None]]) -> pl.DataFrame:
    """The table with these texts for the split of each row; existing columns of these names are replaced."""
    texts = pl.DataFrame(of_splits, dict.fromkeys(of_splits, pl.Categorical))[table[NUMBER]]
    return table.drop(NUMBER).with_columns(texts.get_columns())


def _put(store: Store, folder: Place, name: str, table: pl.DataFrame) -> int:
    """Write a file of a table; the result is its size in bytes."""
    content = in_parquet(table)
    put(store.partial, folder / f"{name}{TABLE}", content)
    return len(content)
