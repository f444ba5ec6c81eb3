"""Judges the splits of a store in batches of streams and keeps the findings: no rule judges the same splits twice.

Many small streams in a batch are judged and measured together, and cost as much as a large one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from tidegate.pipeline.files.durable import put
from tidegate.pipeline.files.parquet import in_parts
from tidegate.pipeline.files.storage import files_in
from tidegate.pipeline.findings.reports import Counts
from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.rules import RuleNames, digest_of_rules
from tidegate.pipeline.judge.streams import EventsOf, ToJudge, judge_streams
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit, digest_of_value, events_of, lines_before
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, read_value, written

MOST = 100_000
"""The most events of a batch; a larger stream is a batch by itself."""
Row = tuple[Commit, ...]


Batch = Sequence[Row]
"""The splits of streams, stream by stream, in the order of each stream.

All streams are logs of one form, or there is one trace: a log is the only source of its events and has the stream's
name.
"""


def batches(commits: Sequence[Commit]) -> Iterator[Batch]:
    """The streams of these splits in batches. The splits must be in the order of streams."""
    rows = [tuple(row) for _, row in groupby(commits, key=lambda commit: commit.split.input.stream)]
    for _, alike in groupby(sorted(rows, key=_kind), key=_kind):
        yield from in_parts(list(alike), lambda row: sum(commit.account.events for commit in row), MOST)


def _kind(row: Row) -> tuple[str, bool, str]:
    """The properties that the streams of a batch share; a trace shares them with no other stream."""
    last = row[-1].split.input
    return last.form, grows(last), last.stream if last.form == TRACE else ""


class Judging:
    """Judges the streams of batches: `tasks` judge the batches without findings, and `done` keeps and gathers these.

    `rules_of` has the names of the rules of each input, by its name.
    """

    def __init__(self, store: Store, batches: Sequence[Batch], rules_of: Mapping[str, RuleNames]) -> None:
        self._store = store
        to_judge = dict(found for batch in batches for found in _to_judge(store, batch, rules_of))
        self._kept = {file: _kept(store, file) for file in to_judge}
        self._new = [file for file, found in self._kept.items() if found is None]
        self.tasks = [partial(judge_streams, to_judge[file]) for file in self._new]

    def done(self, found: Iterable[Counts]) -> Counts:
        """The counts of each rule for each input, with what the tasks found."""
        store, kept = self._store, self._kept
        for file, said in zip(self._new, found, strict=True):
            put(store.partial, store.judged / file, written(said))
            kept[file] = said
        for path in files_in(store.judged):
            if path.name not in kept:
                path.unlink(missing_ok=True)
        return Counts(pair for each in kept.values() if each is not None for pair in each.items())


def _to_judge(store: Store, batch: Batch, rules_of: Mapping[str, RuleNames]) -> Iterator[tuple[str, ToJudge]]:
    """The task of judging a batch, with the name of the file of its findings; nothing if no rule judges the batch."""
    commits = [commit for row in batch for commit in row]
    rules = tuple(dict.fromkeys(rule for each in commits for rule in rules_of[each.split.input.name]))
    if rules:
        files = tuple(
            EventsOf(events_of(store, commit), commit.split.input.name, before)
            for commit, before in zip(commits, lines_before(commits), strict=True)
        )
        # other rules or other splits have another name, and are judged
        name = digest_of_value([digest_of_rules(rules), [commit.name for commit in commits]])
        yield f"{name}.json", ToJudge(files, rules, completed=commits[-1].split.input.form != TRACE)


def _kept(store: Store, file: str) -> Counts | None:
    """The findings of an earlier check; None if its file is missing or cannot be read."""
    try:
        return read_value(Counts, (store.judged / file).read_bytes())
    except (OSError, BadValue):
        return None
