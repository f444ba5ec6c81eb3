"""Commit markers: one small file for splits that were read together, written after their tables.

The store holds the splits that have a marker and complete tables.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.files.parquet import Rows, rows_of, scanned
from tidegate.pipeline.files.storage import Place, files_in, place_of
from tidegate.pipeline.findings.reports import Account
from tidegate.pipeline.read.blocks import PIECE, pieces
from tidegate.pipeline.read.log import seq_of
from tidegate.pipeline.read.split import FileSeen, Peeked, Split
from tidegate.pipeline.read.tables import OFFSET, Quarantined
from tidegate.pipeline.store import layout
from tidegate.pipeline.store.layout import Store
from tidegate.record.counts import counted
from tidegate.record.values import BadValue, read_value, written

MARKER = ".json"
TABLE = ".parquet"


@dataclass(frozen=True)
class Commit:
    """A split that was read, and its account; its rows are in the files named `table`, from row `first_…` on."""

    name: str
    split: Split
    digest: str
    """The digest of the bytes of the split."""
    reader: str
    """The version of the readers that read the split."""
    account: Account
    clock_steps: int
    """How many of its events have an earlier time than the event before."""
    table: str
    first_event: int = 0
    first_quarantined: int = 0


@dataclass(frozen=True)
class Marker:
    """Splits whose rows are in one file of each table, in this order, and the sizes of these files in bytes."""

    commits: tuple[Commit, ...]
    events_bytes: int
    quarantine_bytes: int

    @property
    def table(self) -> str:
        """The name of the files."""
        return self.commits[0].table

    @property
    def events(self) -> int:
        """How many events the table has."""
        return sum(commit.account.events for commit in self.commits)

    @property
    def quarantined(self) -> int:
        """How many lines put aside the table has."""
        return sum(commit.account.quarantined for commit in self.commits)


def in_table(commits: Sequence[Commit]) -> tuple[Commit, ...]:
    """These splits, placed in a table of their own, one after the other."""
    table = digest_of_value([commit.name for commit in commits])
    placed, event, quarantined = [], 0, 0
    for commit in commits:
        placed.append(replace(commit, table=table, first_event=event, first_quarantined=quarantined))
        event, quarantined = event + commit.account.events, quarantined + commit.account.quarantined
    return tuple(placed)


def name_of(split: Split, digest: str) -> str:
    """The name of a split: the same for the same bytes at the same place, read by the same readers."""
    at = split.input
    place = [at.stream, at.name, at.path, at.form, at.host, at.ordinal, split.start, split.end]
    return digest_of_value([*place, at.zone, digest, layout.READERS])


def events_of(store: Store, commit: Commit) -> Rows:
    """The events of a committed split."""
    return Rows(store.events / f"{commit.table}{TABLE}", commit.account.events, commit.first_event)


def quarantined_of(store: Store, commit: Commit) -> Rows:
    """The lines put aside of a committed split."""
    return Rows(store.quarantine / f"{commit.table}{TABLE}", commit.account.quarantined, commit.first_quarantined)


def lines_before(commits: Iterable[Commit]) -> Iterator[int]:
    """For each split, how many lines of its file are in the splits before it."""
    before: Counter[str] = Counter()
    for commit in commits:
        yield before[commit.split.input.name]
        before[commit.split.input.name] += commit.account.lines


def write_marker(store: Store, marker: Marker) -> None:
    """Write the marker: from now on its splits count."""
    put(store.partial, store.commits / f"{marker.table}{MARKER}", written(marker))


def read_marker(path: Place) -> Marker | None:
    """The content of a marker; None where it cannot be parsed."""
    try:
        marker = read_value(Marker, path.read_bytes())
    except BadValue:
        return None
    return marker if marker.commits else None


def remove_others(store: Store, tables: Set[str]) -> None:
    """Remove the files of other tables, the markers first, so that files left by an interruption never count."""
    for folder in (store.commits, store.events, store.quarantine):
        for path in files_in(folder):
            if path.stem not in tables:
                path.unlink(missing_ok=True)


DIGEST_BYTES = 16


def seen(path: str) -> FileSeen:
    """The size and time of the file now. Raises OSError where it cannot be looked up."""
    found = place_of(path).stat()
    return FileSeen(found.st_size, found.st_mtime_ns)


def digest_of_split(split: Split) -> str:
    """The digest of the bytes of a split, as far as its file has them. Raises OSError where it cannot be read."""
    # processors have instructions for SHA-256; BLAKE2 took an eighth of the time of reading a log
    found = hashlib.sha256()
    with place_of(split.input.path).open("rb") as file:
        file.seek(split.start)
        for piece in pieces(file, split.end - split.start, PIECE):
            found.update(piece)
    return found.hexdigest()[: 2 * DIGEST_BYTES]


def digest_of_value(value: object) -> str:
    """The digest of a value that JSON can hold."""
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=DIGEST_BYTES).hexdigest()


class KnownSplits(NamedTuple):
    """The splits that count, and a sentence for each table that no longer counts."""

    commits: tuple[Commit, ...]
    damaged: tuple[str, ...]


def known(store: Store) -> KnownSplits:
    """The splits that an earlier run with these readers read and left complete."""
    commits: dict[str, Commit] = {}
    damaged: list[str] = []
    others = 0
    for path in files_in(store.commits):
        marker = read_marker(path)
        if marker is None:
            damaged.append(f"{path}: expected a whole commit marker; what it marks is read again")
        elif marker.commits[0].reader != layout.READERS:
            others += len(marker.commits)
        elif fault := _fault(store, marker):
            first, *further = dict.fromkeys(commit.split.input.name for commit in marker.commits)
            damaged.append(f"{fault}; {first} {f'and {len(further):,} more are' if further else 'is'} read again there")
        elif commits.keys().isdisjoint(commit.name for commit in marker.commits):
            # a run that was killed may have left a split in two tables
            commits |= {commit.name: commit for commit in marker.commits}
    if others:
        damaged.append(f"the readers have changed since {others} splits were read; they are read again")
    return KnownSplits(tuple(commits.values()), tuple(damaged))


def peeked_at(known: KnownSplits, zone: str) -> Mapping[str, Peeked]:
    """The results of the first looks at files that have not changed since they were read, by path."""
    return {
        commit.split.input.path: commit.split.input.peeked
        for commit in known.commits
        if commit.split.input.zone == zone and _is_as_read(commit)
    }


def _is_as_read(commit: Commit) -> bool:
    try:
        return seen(commit.split.input.path) == commit.split.seen
    except OSError:
        return False


def _fault(store: Store, marker: Marker) -> str | None:
    """Which file of a table is incomplete, and why; None where all are complete."""
    tables = (
        (store.events, marker.events_bytes, marker.events),
        (store.quarantine, marker.quarantine_bytes, marker.quarantined),
    )
    for folder, size, rows in tables:
        path = folder / f"{marker.table}{TABLE}"
        found = _size(path)
        if found != size:
            seen = "is not there" if found is None else f"holds {found:,}"
            return f"{path}: expected a table of {counted(size, 'bytes')}, but it {seen}"
        try:
            found = scanned(path).select(pl.len()).collect().item()
        except pl.exceptions.PolarsError:
            return f"{path}: expected a whole Parquet file"
        if found != rows:
            return f"{path}: expected a table of {counted(rows, 'rows')}, but it holds {found:,}"
    return None


def _size(path: Place) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def first_put_aside(store: Store, commits: Sequence[Commit], most: int) -> tuple[Quarantined, ...]:
    """The first `most` quarantined lines of all splits, in the order of streams and lines."""
    found: list[Quarantined] = []
    for commit, before in zip(commits, lines_before(commits), strict=True):
        if commit.account.quarantined and len(found) < most:
            rows = rows_of([quarantined_of(store, commit)]).select(Quarantined._fields)
            said = (Quarantined(*row) for row in rows.head(most - len(found)).collect().iter_rows())
            found += (each._replace(line=each.line + before) for each in said)
    return tuple(found)


def first_seq_put_aside(store: Store, commit: Commit) -> int:
    """The event number of the first quarantined line of a split, if the line were an event."""
    row = rows_of([quarantined_of(store, commit)]).select(OFFSET).head(1).collect()
    return seq_of(commit.split.input.ordinal, int(row.item()))
