"""Judges the splits of a store in batches of streams and keeps the findings: no rule judges the same splits twice.

Many small streams in a batch are judged and measured together, and cost as much as a large one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.files.storage import files_in
from tidegate.pipeline.findings.reports import Counts
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.compiled import can_compile
from tidegate.pipeline.judge.events import EventsOf
from tidegate.pipeline.judge.loop import RuleNames, loop_of
from tidegate.pipeline.judge.streams import JudgedStreams, ToJudge, judge_streams
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit, digest_of_value, events_of, lines_before
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, packed, read_value

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
    """The streams of these splits in batches. The splits must be in the order of streams."""
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


COMPILED_FROM = 1_000_000
"""With fewer events, compiling a loop takes longer than the compiled loop saves."""


class Judged(NamedTuple):
    """The counts of each rule for each input; `notes` are sentences."""

    counts: Counts
    notes: list[str]


class BatchToJudge(NamedTuple):
    """A batch of streams, the names of its rules, and the name of the file of its findings, computed from both."""

    batch: Batch
    rules: RuleNames
    file: str


class Judging:
    """Judges the streams of batches: `tasks` judge the streams without findings, and `done` keeps and gathers these.

    `rules_of` has the names of the rules of each input, by its name.
    """

    def __init__(self, store: Store, batches: Sequence[Batch], rules_of: Mapping[str, RuleNames]) -> None:
        self._store, self._works = store, _works(batches, rules_of)
        self._kept = {work.file: _kept(store, work.file) for work in self._works}
        self._new = [work for work in self._works if self._kept[work.file] is None]
        events = sum(commit.account.events for work in self._new for commit in work.batch.commits)
        fast = events >= COMPILED_FROM and can_compile()
        self.tasks = [partial(judge_streams, _task(store, each, fast=fast)) for each in self._new]

    def done(self, found: Iterable[JudgedStreams]) -> Judged:
        """The counts, with what the tasks found."""
        store, kept = self._store, self._kept
        for work, said in zip(self._new, found, strict=True):
            put(store.partial, store.judged / work.file, packed(said))
            kept[work.file] = said
        for path in files_in(store.judged):
            if path.name not in kept:
                path.unlink(missing_ok=True)
        counts, notes = Counts(), []
        for work in self._works:
            of_batch = kept[work.file]
            assert of_batch is not None
            counts |= of_batch.counts
            if of_batch.out_of_order:
                notes.append(f"{work.batch.words}: events were sorted first, for {of_batch.out_of_order}")
        return Judged(counts, notes)


def _works(batches: Sequence[Batch], rules_of: Mapping[str, RuleNames]) -> list[BatchToJudge]:
    found = []
    for batch in batches:
        rules = tuple(dict.fromkeys(rule for each in batch.commits for rule in rules_of[each.split.input.name]))
        if rules:
            splits = [commit.name for commit in batch.commits]
            found.append(BatchToJudge(batch, rules, f"{digest_of_value([loop_of(rules).digest, splits])}.json"))
    return found


def _kept(store: Store, file: str) -> JudgedStreams | None:
    """The findings of an earlier check; None if its file is missing or cannot be read."""
    try:
        return read_value(JudgedStreams, (store.judged / file).read_bytes())
    except (OSError, BadValue):
        return None


def _task(store: Store, work: BatchToJudge, *, fast: bool) -> ToJudge:
    commits = work.batch.commits
    files = tuple(
        EventsOf(events_of(store, commit), commit.split.input.name, before)
        for commit, before in zip(commits, lines_before(commits), strict=True)
    )
    return ToJudge(files, work.rules, fast=fast, completed=commits[-1].split.input.form != TRACE)
