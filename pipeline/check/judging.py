"""Judges what the store holds: a stream that was judged before is judged again only from where it goes on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.events import EventsOf
from tidegate.pipeline.judge.loop import RuleNames, loop_of
from tidegate.pipeline.judge.states import Counts
from tidegate.pipeline.judge.streams import ToJudge, judge_stream
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.commits import Commit, events_of
from tidegate.pipeline.store.judgements import Earlier, earlier, forget_others, keep, together
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.work.compiling import can_compile
from tidegate.pipeline.work.engines import Runner

COMPILED_FROM = 1_000_000
"""With fewer events a loop takes longer to be compiled than it saves."""


class Judged(NamedTuple):
    """What the rules say of every input; `notes` are sentences."""

    counts: Counts
    notes: list[str]


class Row(NamedTuple):
    """A stream: its splits in order, the names of its rules, and the judgements of its first splits that are stored."""

    commits: Sequence[Commit]
    rules: RuleNames
    before: Earlier

    @property
    def name(self) -> str:
        """The name of the stream."""
        return self.commits[0].split.stream


def judged(store: Store, commits: Sequence[Commit], rules_of: Mapping[str, RuleNames], runner: Runner) -> Judged:
    """Judge the streams of these splits by the rules of each input, by its name."""
    rows = _rows(store, commits, rules_of)
    new = [row for row in rows if row.before.splits < len(row.commits)]
    events = sum(commit.account.events for row in new for commit in row.commits[row.before.splits :])
    fast = events >= COMPILED_FROM and can_compile()
    tasks = [_task(store, row, fast=fast) for row in new]
    said = {row.name: each for row, each in zip(new, runner.each(judge_stream, tasks), strict=True)}
    found = Judged({}, [])
    for row in rows:
        of_stream = row.before.found
        if row.name in said:
            of_stream = said[row.name]
            if of_stream.out_of_order:
                found.notes.append(f"{row.name}: events were sorted first, for {of_stream.out_of_order}")
            else:
                of_stream = together(row.before.found, of_stream)
            keep(store, row.commits, loop_of(row.rules).digest, of_stream)
        found.counts.update(of_stream.counts)
    forget_others(store, [row.name for row in rows])
    return found


def _rows(store: Store, commits: Sequence[Commit], rules_of: Mapping[str, RuleNames]) -> list[Row]:
    by_stream: dict[str, list[Commit]] = {}
    for commit in commits:
        by_stream.setdefault(commit.split.stream, []).append(commit)
    rows = []
    for row in by_stream.values():
        rules = tuple(dict.fromkeys(rule for each in row for rule in rules_of[each.split.input.name]))
        if rules:
            rows.append(Row(row, rules, earlier(store, row, loop_of(rules).digest)))
    return rows


def _task(store: Store, row: Row, *, fast: bool) -> ToJudge:
    files = []
    before: dict[str, int] = {}
    for commit in row.commits:
        name, account = commit.split.input.name, commit.account
        files.append(EventsOf(events_of(store, commit), name, before.get(name, 0), account.events))
        before[name] = before.get(name, 0) + account.lines
    # what may grow is gone on from; a trace is judged anew
    last = row.commits[-1].split.input
    keeps, is_log = grows(last), last.form != TRACE
    first, states = row.before.splits, row.before.found.states
    return ToJudge(
        row.name, tuple(files), row.rules, first, states, keep=keeps, fast=fast, completed=is_log
    )  # fmt: skip
