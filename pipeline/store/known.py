"""The content of the store: splits with a marker and complete tables, and the lines put aside of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import rows_of, scanned
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.read.log import seq_of
from tidegate.pipeline.read.split import Peeked
from tidegate.pipeline.read.tables import OFFSET, Quarantined
from tidegate.pipeline.store.commits import TABLE, Commit, Marker, lines_before, quarantined_of, read_marker, seen
from tidegate.pipeline.store.layout import Store


class KnownSplits(NamedTuple):
    """The splits that count, and a sentence for each table that no longer counts."""

    commits: tuple[Commit, ...]
    damaged: tuple[str, ...]


def known(store: Store, reader: str) -> KnownSplits:
    """The splits that an earlier run with these readers read and left complete."""
    commits: dict[str, Commit] = {}
    damaged: list[str] = []
    others = 0
    for path in files_in(store.commits):
        marker = read_marker(path)
        if marker is None:
            damaged.append(f"{path}: expected a whole commit marker; what it marks is read again")
        elif marker.commits[0].reader != reader:
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
    found = {
        commit.split.input.path: commit.split.input.peeked
        for commit in known.commits
        if commit.split.input.zone == zone and _is_as_read(commit)
    }
    return {path: peeked for path, peeked in found.items() if peeked is not None}


def _is_as_read(commit: Commit) -> bool:
    try:
        return seen(commit.split.input.path) == commit.content.seen
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
            return f"{path}: expected a table of {size:,} bytes, but it {seen}"
        try:
            found = scanned(path).select(pl.len()).collect().item()
        except pl.exceptions.PolarsError:
            return f"{path}: expected a whole Parquet file"
        if found != rows:
            return f"{path}: expected a table of {rows:,} rows, but it holds {found:,}"
    return None


def _size(path: Place) -> int | None:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return None


def first_put_aside(store: Store, commits: Sequence[Commit], most: int) -> tuple[Quarantined, ...]:
    """The first `most` lines put aside of all splits, which are in the order of streams and lines."""
    found: list[Quarantined] = []
    for commit, before in zip(commits, lines_before(commits), strict=True):
        if commit.account.quarantined and len(found) < most:
            rows = rows_of([quarantined_of(store, commit)]).select(Quarantined._fields)
            said = (Quarantined(*row) for row in rows.head(most - len(found)).collect().iter_rows())
            found += (each._replace(line=each.line + before) for each in said)
    return tuple(found)


def first_seq_put_aside(store: Store, commit: Commit) -> int:
    """The number that the first line put aside of a split would have as an event."""
    row = rows_of([quarantined_of(store, commit)]).select(OFFSET).head(1).collect()
    return seq_of(commit.split.input.ordinal, int(row.item()))
