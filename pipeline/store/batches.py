"""Which streams are judged and measured together: small ones, so that thousands of them cost as much as a large one.

Streams stay together from run to run, for what is kept of them is kept of all of them in one piece.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit
from tidegate.pipeline.store.layout import Store

BATCHES = "batches.json"
MOST = 200_000
"""Events of a batch; a stream of more is one by itself. A new batch has at most half of them, so that it may grow."""
Row = tuple[Commit, ...]


class Batch(NamedTuple):
    """The splits of streams, stream by stream and each in its order.

    All are logs of one form, or it is one trace: a log is the only source of its events, and called like its stream.
    """

    rows: tuple[Row, ...]

    @property
    def commits(self) -> tuple[Commit, ...]:
        """The splits of all streams."""
        return tuple(commit for row in self.rows for commit in row)

    @property
    def streams(self) -> tuple[str, ...]:
        """The names of the streams."""
        return tuple(row[0].split.stream for row in self.rows)

    @property
    def words(self) -> str:
        """What a sentence calls the batch: its only stream, or how many there are."""
        first, *others = self.streams
        return f"{len(self.rows):,} logs that are judged together" if others else first


def batches(store: Store, commits: Sequence[Commit]) -> list[Batch]:
    """The streams of these splits, which come stream by stream, in batches; those of an earlier run as they were."""
    rows: dict[str, Row] = {}
    for commit in commits:
        rows[commit.split.stream] = (*rows.get(commit.split.stream, ()), commit)
    found = [
        Batch(tuple(rows.pop(name) for name in names))
        for names in _known(store)
        if all(name in rows for name in names) and _fit([rows[name] for name in names])
    ]
    found += _new([*rows.values()])
    put(store.partial, store.folder / BATCHES, json.dumps([each.streams for each in found]).encode())
    return found


def _known(store: Store) -> list[list[str]]:
    try:
        names: list[list[str]] = json.loads((store.folder / BATCHES).read_bytes())
    except (FileNotFoundError, ValueError):
        # the streams are put together anew, and so judged and measured anew
        return []
    return names


def _fit(rows: Sequence[Row]) -> bool:
    return len(rows) == 1 or (len({_kind(row) for row in rows}) == 1 and sum(map(_events, rows)) <= MOST)


def _new(rows: Sequence[Row]) -> Iterator[Batch]:
    for _, alike in groupby(sorted(rows, key=_kind), key=_kind):
        batch: list[Row] = []
        events = 0
        for row in alike:
            if batch and events + _events(row) > MOST // 2:
                yield Batch(tuple(batch))
                batch, events = [], 0
            batch.append(row)
            events += _events(row)
        yield Batch(tuple(batch))


def _kind(row: Row) -> tuple[str, bool, str]:
    """What streams of a batch have in common; a trace shares it with nothing."""
    last = row[-1].split.input
    return last.form, grows(last), last.stream if last.form == TRACE else ""


def _events(row: Row) -> int:
    return sum(commit.account.events for commit in row)
