"""What a worker does with streams: folds their files in order; how often each rule holds, and where it does not."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import PART, in_parts
from tidegate.pipeline.findings.reports import evidence
from tidegate.pipeline.judge.events import FILE, EventsOf, Files, read_events, read_lines_of
from tidegate.pipeline.judge.folding import Folding, OutOfOrder
from tidegate.pipeline.judge.loop import FAILS, SEQ, Loop, RuleNames, loop_of
from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.judge.states import MOST_EVIDENCE, NO_EVENTS, Counted, Counts, Place
from tidegate.pipeline.read.tables import LINE


class ToJudge(NamedTuple):
    """A batch of streams to judge.

    `files` are those of all streams, stream by stream. Where streams are several, no two have a source in common. At
    most `most` events are shown for each rule and input. `fast` asks for a compiled loop. Events of a log are
    `completed` before they are judged. Of files no more than `part` rows are held at once, or a single file.
    """

    files: tuple[EventsOf, ...]
    rules: RuleNames
    most: int = MOST_EVIDENCE
    fast: bool = False
    completed: bool = False
    part: int = PART


class JudgedStreams(NamedTuple):
    """What the rules say of each input, and the first events of which they do not hold, by source and number.

    Where `out_of_order` says why, all files were sorted first.
    """

    counts: Counts
    out_of_order: str = ""


def judge_streams(task: ToJudge) -> JudgedStreams:
    """Judge streams in the order of their files, else in that of their numbers. Raises BadInput."""
    loop = loop_of(task.rules)
    found, folding = _Found(task, loop), Folding(loop, None, fast=task.fast)
    try:
        for files in _parts(task, range(len(task.files))):
            events = read_events(files, loop.columns)
            found.add(events, folding.take(folding.completed(events) if task.completed else events))
        return found.judged()
    except OutOfOrder as error:
        return _sorted_first(task, loop, str(error))


def _parts(task: ToJudge, numbers: Iterable[int]) -> Iterator[Files]:
    """Files of these numbers, as many at once as one part has."""
    for part in in_parts(list(numbers), lambda number: task.files[number].rows.height, task.part):
        yield {number: task.files[number] for number in part}


def _sorted_first(task: ToJudge, loop: Loop, why: str) -> JudgedStreams:
    found = _Found(task, loop)
    events = read_events(dict(enumerate(task.files)), loop.columns)
    events = events.sort(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE)
    folding = Folding(loop, None, fast=task.fast)
    found.add(events, folding.take(folding.completed(events) if task.completed else events, rise=0))
    return found.judged()._replace(out_of_order=why)


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
                if row[f"{rule} judged"]:
                    more, place = Counted(row[f"{rule} judged"], row[f"{rule} failed"]), (name, self._task.rules[rule])
                    self._counts[place] = self._counts.get(place, NO_EVENTS).plus(more)
        for rule in self._rules:
            if counted[f"{rule} failed"].sum():
                self._note(rule, events.filter(said[str(rule)] == FAILS))

    def _note(self, rule: int, failing: pl.DataFrame) -> None:
        rows = failing.select(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE).sort(SOURCE, SEQ)
        for row in rows.group_by(FILE).head(self._task.most).select(rows.columns).iter_rows():
            self._failing.setdefault((self._task.files[row[2]].input, self._task.rules[rule]), []).append(row)

    def judged(self) -> JudgedStreams:
        """All of it, with the events that are shown."""
        first = {place: sorted(rows)[: self._task.most] for place, rows in self._failing.items()}
        shown = sorted({(file, line) for rows in first.values() for _, _, file, line in rows})
        events: dict[tuple[int, int], dict[str, Any]] = {}
        for files in _parts(self._task, dict.fromkeys(file for file, _ in shown)):
            events |= read_lines_of(files, [place for place in shown if place[0] in files])
        for place, rows in first.items():
            told = tuple(
                evidence(line + self._task.files[file].lines_before, source, seq, events[file, line])
                for source, seq, file, line in rows
            )
            self._counts[place] = replace(self._counts[place], evidence=told)
        return JudgedStreams(self._counts)
