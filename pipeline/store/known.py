"""What the store holds already: the splits with a marker and with whole tables."""

from collections.abc import Iterable
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.storage import Place, files_in
from tidegate.pipeline.store.commits import TABLE, Commit, read_marker
from tidegate.pipeline.store.layout import Store


class KnownSplits(NamedTuple):
    """The splits that count, and a sentence for each that does not although it has a marker."""

    commits: tuple[Commit, ...]
    damaged: tuple[str, ...]


def known(store: Store, reader: str) -> KnownSplits:
    """What an earlier run read by these readers and left whole."""
    commits: list[Commit] = []
    damaged: list[str] = []
    others = 0
    for path in sorted(files_in(store.commits), key=str):
        commit = read_marker(path)
        if commit is None:
            damaged.append(f"{path}: expected a whole commit marker; what it marks is read again")
        elif commit.reader != reader:
            others += 1
        elif fault := _fault(store, commit):
            damaged.append(f"{fault}; {commit.split.input.name} is read again there")
        else:
            commits.append(commit)
    if others:
        damaged.append(f"the readers have changed since {others} splits were read; they are read again")
    return KnownSplits(tuple(commits), tuple(damaged))


def _fault(store: Store, commit: Commit) -> str | None:
    """Which table of a split is not whole, and why; None where all are."""
    account = commit.account
    tables = (
        (store.events, commit.events_bytes, account.events),
        (store.quarantine, commit.quarantine_bytes, account.quarantined),
    )
    for folder, size, rows in tables:
        path = folder / f"{commit.name}{TABLE}"
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


def by_path(commits: Iterable[Commit]) -> dict[str, list[Commit]]:
    """The splits of each file in the order of their bytes."""
    found: dict[str, list[Commit]] = {}
    for commit in sorted(commits, key=lambda each: (each.split.input.path, each.split.start, each.split.end)):
        found.setdefault(commit.split.input.path, []).append(commit)
    return found
