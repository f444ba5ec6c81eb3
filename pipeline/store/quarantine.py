"""The lines put aside that are shown; all of them are in the table."""

from collections.abc import Sequence

import pyarrow.parquet as pq  # type: ignore[import-untyped]

from headgate.pipeline.accounts import Quarantined
from headgate.pipeline.ingest.lines import QUARANTINE_COLUMNS
from headgate.pipeline.store.commits import TABLE, Commit
from headgate.pipeline.store.layout import Store


def first_put_aside(store: Store, commits: Sequence[Commit], most: int) -> tuple[Quarantined, ...]:
    """The first `most` lines put aside of all splits, which come stream by stream in the order of their lines."""
    found: list[Quarantined] = []
    before: dict[str, int] = {}
    for commit in commits:
        name = commit.split.input.name
        if commit.account.quarantined and len(found) < most:
            rows = pq.read_table(store.quarantine / f"{commit.name}{TABLE}", columns=list(QUARANTINE_COLUMNS))
            for row in rows.slice(0, most - len(found)).to_pylist():
                line = row["line"] + before.get(name, 0)
                found.append(Quarantined(**{**row, "line": line}))
        before[name] = before.get(name, 0) + commit.account.lines
    return tuple(found)
