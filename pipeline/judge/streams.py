"""What a worker does with a stream: folds its files in order; how often each rule holds, and where it does not."""

from dataclasses import replace
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.findings.reports import evidence
from tidegate.pipeline.judge.events import FILE, EventsOf, read_events, read_lines_of
from tidegate.pipeline.judge.folding import Folding, OutOfOrder
from tidegate.pipeline.judge.loop import FAILS, SEQ, Loop, RuleNames, loop_of
from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.judge.states import MOST_EVIDENCE, NO_EVENTS, Counted, Counts, Place, States
from tidegate.pipeline.read.tables import LINE


class ToJudge(NamedTuple):
    """A stream to judge from its file number `first` on, given the states with which that begins.

    At most `most` events are shown for each rule and input. `fast` asks for a compiled loop, and `keep` for the states
    at the end. Events of a log are `completed` before they are judged.
    """

    name: str
    files: tuple[EventsOf, ...]
    rules: RuleNames
    first: int = 0
    states: States | None = None
    most: int = MOST_EVIDENCE
    keep: bool = False
    fast: bool = False
    completed: bool = False


class JudgedStream(NamedTuple):
    """What the rules say of each input, and the first events of which they do not hold, by source and number.

    Where `out_of_order` says why, all files were sorted first, whatever was judged before.
    """

    counts: Counts
    states: States | None
    out_of_order: str = ""


def judge_stream(task: ToJudge) -> JudgedStream:
    """Judge a stream in the order of its files, else in that of its numbers. Raises BadInput."""
    loop = loop_of(task.rules)
    found, folding = _Found(task, loop), Folding(loop, task.states, fast=task.fast)
    try:
        for number in range(task.first, len(task.files)):
            events = _read(task, loop, number)
            found.add(events, folding.take(folding.completed(events) if task.completed else events))
        return found.judged(folding.states() if task.keep else None)
    except OutOfOrder as error:
        return _sorted_first(task, loop, str(error))


def _sorted_first(task: ToJudge, loop: Loop, why: str) -> JudgedStream:
    found = _Found(task, loop)
    events = pl.concat([_read(task, loop, number) for number in range(len(task.files))])
    events = events.sort(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE)
    folding = Folding(loop, None, fast=task.fast)
    found.add(events, folding.take(folding.completed(events) if task.completed else events, rise=0))
    return found.judged(None)._replace(out_of_order=why)


def _read(task: ToJudge, loop: Loop, number: int) -> pl.DataFrame:
    return read_events(number, task.files[number], loop.columns)


class _Found:
    """What was found of a stream so far."""

    def __init__(self, task: ToJudge, loop: Loop):
        self._task, self._rules = task, range(len(loop.rules))
        self._counts: Counts = {}
        self._failing: dict[Place, list[tuple[str, int, int, int]]] = {}

    def add(self, events: pl.DataFrame, said: pl.DataFrame) -> None:
        """What rules say of events of one or more files."""
        rules = [pl.col(str(rule)) for rule in self._rules]
        judged = [(each > 0).sum().name.suffix(" judged") for each in rules]
        failed = [(each == FAILS).sum().name.suffix(" failed") for each in rules]
        counted = said.with_columns(events[FILE]).group_by(FILE, maintain_order=True).agg(*judged, *failed)
        for row in counted.iter_rows(named=True):
            name = self._task.files[row[FILE]].input
            for rule in self._rules:
                more, place = Counted(row[f"{rule} judged"], row[f"{rule} failed"]), (name, self._task.rules[rule])
                self._counts[place] = self._counts.get(place, NO_EVENTS).plus(more)
        for rule in self._rules:
            if counted[f"{rule} failed"].sum():
                self._note(rule, events.filter(said[str(rule)] == FAILS))

    def _note(self, rule: int, failing: pl.DataFrame) -> None:
        rows = failing.select(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE).sort(SOURCE, SEQ)
        for row in rows.group_by(FILE).head(self._task.most).select(rows.columns).iter_rows():
            self._failing.setdefault((self._task.files[row[2]].input, self._task.rules[rule]), []).append(row)

    def judged(self, states: States | None) -> JudgedStream:
        """All of it, with the events that are shown."""
        first = {place: sorted(rows)[: self._task.most] for place, rows in self._failing.items()}
        wanted: dict[int, set[int]] = {}
        for _, _, file, line in (row for rows in first.values() for row in rows):
            wanted.setdefault(file, set()).add(line)
        events = {file: read_lines_of(self._task.files[file], sorted(lines)) for file, lines in wanted.items()}
        for place, rows in first.items():
            shown = tuple(
                evidence(line + self._task.files[file].lines_before, source, seq, events[file][line])
                for source, seq, file, line in rows
            )
            self._counts[place] = replace(self._counts[place], evidence=shown)
        return JudgedStream(self._counts, states)
