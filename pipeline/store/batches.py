"""Which streams are judged and measured together: small ones, so that thousands of them cost as much as a large one."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit

MOST = 100_000
"""Events of a batch; a stream of more is one by itself."""
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
    def words(self) -> str:
        """What a sentence calls the batch: its only stream, or how many there are."""
        return f"{len(self.rows):,} logs that are judged together" if self.rows[1:] else self.rows[0][0].split.stream


def batches(commits: Sequence[Commit]) -> Iterator[Batch]:
    """The streams of these splits, which come stream by stream, in batches."""
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
    """What streams of a batch have in common; a trace shares it with nothing."""
    last = row[-1].split.input
    return last.form, grows(last), last.stream if last.form == TRACE else ""
