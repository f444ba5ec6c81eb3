"""Judges streams in a worker: how often each rule holds of the events of their files, and where it does not."""

from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import PART, in_parts
from tidegate.pipeline.findings.reports import MOST_EVIDENCE, NO_EVENTS, Counted, Counts, evidence
from tidegate.pipeline.judge.events import FILE, EventsOf, Files, read_events, read_lines_of
from tidegate.pipeline.judge.folding import Folding, OutOfOrder
from tidegate.pipeline.judge.loop import FAILS, SEQ, RuleNames, loop_of
from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.read.tables import LINE

MOST_RULES = 16
"""The most rules of one compiled loop."""


class ToJudge(NamedTuple):
    """A batch of streams to judge.

    `files` are the files of all streams, stream by stream. No two streams have a source in common. At most `most`
    events are shown for each rule and input. `fast` asks for a compiled loop. Events of a log are `completed` before
    they are judged. At most `part` rows of files are held at once, or a single file.
    """

    files: tuple[EventsOf, ...]
    rules: RuleNames
    most: int = MOST_EVIDENCE
    fast: bool = False
    completed: bool = False
    part: int = PART


@dataclass(frozen=True)
class JudgedStreams:
    """The input, the rule, and the counts of each rule for each input, with the first events that violate it.

    `out_of_order` says why all files were sorted first; it is empty where they were not.
    """

    found: tuple[tuple[str, str, Counted], ...]
    out_of_order: str = ""

    @property
    def counts(self) -> Counts:
        """The counts by input and rule."""
        return {(name, rule): counted for name, rule, counted in self.found}


def judge_streams(task: ToJudge) -> JudgedStreams:
    """Judge streams in the order of their files, or of their numbers if a file is out of order. Raises BadInput."""
    counts, folding = Counts(), _AtOnce(task)
    try:
        for part in in_parts(range(len(task.files)), lambda number: task.files[number].rows.height, task.part):
            files = {number: task.files[number] for number in part}
            events = read_events(files, folding.columns)
            _add(counts, task, files, events, folding.take(events))
        why = ""
    except OutOfOrder as error:
        counts, why = _sorted_first(task), str(error)
    return JudgedStreams(tuple((*place, counted) for place, counted in counts.items()), why)


class _AtOnce:
    """Folds events by all rules of a task, from nothing.

    Compiling a loop takes the longer for each rule, the more rules the loop has: 87 rules took 125 CPU s in one
    loop, and 40 in loops of up to 16.
    """

    def __init__(self, task: ToJudge):
        number = max(1, len(task.rules))
        size = MOST_RULES if task.fast else number
        parts = [task.rules[first : first + size] for first in range(0, number, size)]
        self._loops = [loop_of(rules) for rules in parts]
        self._foldings = [Folding(loop, None, fast=task.fast) for loop in self._loops]
        self._completed = task.completed

    @property
    def columns(self) -> frozenset[str]:
        """The fields of an event that have to be read."""
        return frozenset(chain.from_iterable(loop.columns for loop in self._loops))

    def take(self, events: pl.DataFrame, *, rise: int = 1) -> pl.DataFrame:
        """The results of the rules for each event, as those of a `Folding`. Raises OutOfOrder."""
        if self._completed:
            events = self._foldings[0].completed(events)
        said = chain.from_iterable(folding.take(events, rise=rise) for folding in self._foldings)
        return pl.DataFrame([each.alias(str(number)) for number, each in enumerate(said)])


def _sorted_first(task: ToJudge) -> Counts:
    counts, folding, files = Counts(), _AtOnce(task), dict(enumerate(task.files))
    events = read_events(files, folding.columns).sort(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE)
    _add(counts, task, files, events, folding.take(events, rise=0))
    return counts


def _add(counts: Counts, task: ToJudge, files: Files, events: pl.DataFrame, said: pl.DataFrame) -> None:
    """Count the results of the rules for events of these files, and add the first events that violate them."""
    rules = [pl.col(name) for name in said.columns]
    judged = [(each > 0).sum().name.suffix(" judged") for each in rules]
    failed = [(each == FAILS).sum().name.suffix(" failed") for each in rules]
    counted = said.with_columns(events[FILE]).group_by(FILE, maintain_order=True).agg(*judged, *failed)
    for number, rule in enumerate(task.rules):
        for file, judging, failing in counted.select(FILE, f"{number} judged", f"{number} failed").iter_rows():
            if judging:
                place = task.files[file].input, rule
                counts[place] = counts.get(place, NO_EVENTS).plus(Counted(judging, failing), task.most)
        if counted[f"{number} failed"].sum():
            _show(counts, task, rule, files, events.filter(said[str(number)] == FAILS))


def _show(counts: Counts, task: ToJudge, rule: str, files: Files, failing: pl.DataFrame) -> None:
    """Add the first events that violate a rule, by source and number, to its evidence."""
    rows = failing.select(pl.col(SOURCE).cast(pl.String), SEQ, FILE, LINE).sort(SOURCE, SEQ)
    first = rows.group_by(FILE, maintain_order=True).head(task.most).select(rows.columns)
    places = {file: (task.files[file].input, rule) for file in first[FILE].unique()}
    new = [row for row in first.iter_rows() if not _is_full(counts[places[row[2]]], task.most, row)]
    told = read_lines_of(files, [(file, line) for _, _, file, line in new]) if new else {}
    for source, seq, file, line in new:
        one = evidence(line + task.files[file].lines_before, source, seq, told[file, line])
        counts[places[file]] = counts[places[file]].plus(Counted(evidence=(one,)), task.most)


def _is_full(counted: Counted, most: int, event: tuple[str, int, int, int]) -> bool:
    """Whether the evidence is complete with events before this one."""
    shown = counted.evidence
    return len(shown) == most and (shown[-1].source, shown[-1].seq) < event[:2]
