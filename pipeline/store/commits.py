"""Commit markers: one small file for each split that is read, written after everything else of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from tidegate.pipeline.files.durable import put, remove
from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.findings.accounts import Account
from tidegate.pipeline.read.split import Split
from tidegate.pipeline.store.content import Content, digest_of_value
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, read_value, written

MARKER = ".json"
TABLE = ".parquet"


@dataclass(frozen=True)
class Commit:
    """A split that is read, and what came of it; `events_bytes` and `quarantine_bytes` are sizes of its tables."""

    name: str
    split: Split
    content: Content
    reader: str
    """The version of the readers that read it."""
    account: Account
    clock_steps: int
    """How many of its events are of an earlier time than the one before them."""
    events_bytes: int
    quarantine_bytes: int


def name_of(split: Split, digest: str, reader: str) -> str:
    """The name of the files of a split: the same for the same bytes at the same place, read by the same readers."""
    at = split.input
    place = [split.stream, at.name, at.path, at.form, at.host, at.ordinal, split.start, split.end]
    return digest_of_value([*place, at.zone, at.grouping, digest, reader])


def events_of(store: Store, commit: Commit) -> Rows:
    """The events of a split that is read."""
    return Rows(store.events / f"{commit.name}{TABLE}", commit.account.events)


def write_marker(store: Store, commit: Commit) -> None:
    """From now on the split counts."""
    put(store.partial, store.commits / f"{commit.name}{MARKER}", written(commit))


def read_marker(path: Place) -> Commit | None:
    """What a marker says; None where it says nothing that can be understood."""
    try:
        return read_value(Commit, path.read_bytes())
    except BadValue:
        return None


def remove_split(store: Store, name: str) -> None:
    """Remove a split, its marker first, so that what is left of it never counts."""
    remove(store.commits / f"{name}{MARKER}")
    for folder in (store.events, store.quarantine):
        remove(folder / f"{name}{TABLE}")


def remove_leftovers(store: Store, names: frozenset[str]) -> None:
    """Remove every file of a split that is not among the names."""
    for path in _files(store):
        if path.stem not in names:
            remove_split(store, path.stem)


def _files(store: Store) -> Iterator[Place]:
    for folder in (store.commits, store.events, store.quarantine):
        yield from files_in(folder)
