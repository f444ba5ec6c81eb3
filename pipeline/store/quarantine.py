"""The lines put aside that are shown; all of them are in the table."""

from collections.abc import Sequence

from tidegate.pipeline.accounts import Quarantined
from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.read.lines import QUARANTINE_COLUMNS
from tidegate.pipeline.read.log import OFFSET_BITS
from tidegate.pipeline.schema import OFFSET
from tidegate.pipeline.store.commits import TABLE, Commit
from tidegate.pipeline.store.layout import Store


def first_put_aside(store: Store, commits: Sequence[Commit], most: int) -> tuple[Quarantined, ...]:
    """The first `most` lines put aside of all splits, which come stream by stream in the order of their lines."""
    found: list[Quarantined] = []
    before: dict[str, int] = {}
    for commit in commits:
        name = commit.split.input.name
        if commit.account.quarantined and len(found) < most:
            rows = scanned(store.quarantine / f"{commit.name}{TABLE}").select(QUARANTINE_COLUMNS)
            for row in rows.head(most - len(found)).collect().iter_rows(named=True):
                line = row["line"] + before.get(name, 0)
                found.append(Quarantined(**{**row, "line": line}))
        before[name] = before.get(name, 0) + commit.account.lines
    return tuple(found)


def first_seq_put_aside(store: Store, commit: Commit) -> int:
    """The number that the first line put aside of a split would have as an event."""
    row = scanned(store.quarantine / f"{commit.name}{TABLE}").select(OFFSET).head(1).collect()
    return (commit.split.input.ordinal << OFFSET_BITS) + int(row.item()) + 1
