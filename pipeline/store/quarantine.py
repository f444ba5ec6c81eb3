"""The lines put aside that are shown; all of them are in the table."""

from collections.abc import Sequence

from tidegate.pipeline.accounts import Quarantined
from tidegate.pipeline.parquet import scanned
from tidegate.pipeline.read.lines import QUARANTINE_COLUMNS
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
