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
from tidegate.pipeline.store import layout
from tidegate.pipeline.store.commits import (
    TABLE,
    Commit,
    Marker,
    digest_of_split,
    in_table,
    name_of,
    write_marker,
)
from tidegate.pipeline.store.layout import Store
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words


class Unread(NamedTuple):
    """An input that could not be read, and why, in one sentence."""

    input: str
    sentence: str


def read_and_commit(splits: Sequence[Split], store: Store) -> Sequence[Commit | Unread]:
    """Read splits that can be read together, write their tables to the store, and then their marker.

    An error that the user can repair is returned, since the other splits are read all the same.
    """
    try:
        digests = [digest_of_split(split) for split in splits]
        read = read_splits(splits)
    except (BadInput, OSError) as error:
        if len(splits) > 1:
            # read each by itself, so that one bad split does not stop the others
            return [said for split in splits for said in read_and_commit([split], store)]
        name = splits[0].input.name
        return [Unread(name, str(error if isinstance(error, BadInput) else unreadable(name, error)))]
    commits = []
    for split, digest, account, steps in zip(splits, digests, read.accounts, read.clock_steps, strict=True):
        account.settled(f"{split.input.name}, bytes {split.start} to {split.end}")
        name = name_of(split, digest)
        commits.append(Commit(name, split, digest, layout.READERS, account, steps, ""))
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
        STREAM_NAME: [split.input.stream for split in splits],
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
