"""Batches of streams that are judged and measured together, so that many small ones cost as much as a large one."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit

MOST = 100_000
"""The most events of a batch; a larger stream is a batch by itself."""
Row = tuple[Commit, ...]


class Batch(NamedTuple):
    """The splits of streams, stream by stream, in the order of each stream.

    All streams are logs of one form, or there is one trace: a log is the only source of its events and has the stream's
    name.
    """

    rows: tuple[Row, ...]

    @property
    def commits(self) -> tuple[Commit, ...]:
        """The splits of all streams."""
        return tuple(commit for row in self.rows for commit in row)

    @property
    def words(self) -> str:
        """The name of the batch in a sentence: its only stream, or the number of streams."""
        return f"{len(self.rows):,} logs that are judged together" if self.rows[1:] else self.rows[0][0].split.stream


def batches(commits: Sequence[Commit]) -> Iterator[Batch]:
    """The streams of these splits, which are in the order of streams, in batches."""
    rows = [tuple(row) for _, row in groupby(commits, key=lambda commit: commit.split.stream)]
    for _, alike in groupby(sorted(rows, key=_kind), key=_kind):
        batch: list[Row] = []
        events = 0
        for row in alike:
            more = sum(commit.account.events for commit in row)
            if batch and events + more > MOST:
                yield Batch(tuple(batch))
                batch, events = [], 0
            batch.append(row)
            events += more
        yield Batch(tuple(batch))


def _kind(row: Row) -> tuple[str, bool, str]:
    """The properties that the streams of a batch share; a trace shares them with no other stream."""
    last = row[-1].split.input
    return last.form, grows(last), last.stream if last.form == TRACE else ""
