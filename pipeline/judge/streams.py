"""Judges streams in a worker: how often each rule holds of the events of their files, and where it does not."""

from dataclasses import dataclass
from typing import NamedTuple

import polars as pl

from tidegate.pipeline.files.parquet import PART, in_parts
from tidegate.pipeline.findings.reports import MOST_EVIDENCE, NO_EVENTS, Counted, Counts, evidence
from tidegate.pipeline.judge.events import FILE, EventsOf, Files, read_events, read_lines_of
from tidegate.pipeline.judge.folding import Folding
from tidegate.pipeline.judge.loop import FAILS, RuleNames, loop_of
from tidegate.pipeline.judge.lowering import SOURCE
from tidegate.pipeline.read.tables import LINE

SEQ = "seq"


class ToJudge(NamedTuple):
    """A batch of streams to judge.

    `files` are the files of all streams, stream by stream, and the numbers of a source's events rise in this order. No
    two streams have a source in common. At most `most` events are shown for each rule and input. Events of a log are
    `completed` before they are judged. At most `part` rows of files are held at once, or a single file.
    """

    files: tuple[EventsOf, ...]
    rules: RuleNames
    most: int = MOST_EVIDENCE
    completed: bool = False
    part: int = PART


@dataclass(frozen=True)
class JudgedStreams:
    """The input, the rule, and the counts of each rule for each input, with the first events that violate it."""

    found: tuple[tuple[str, str, Counted], ...]

    @property
    def counts(self) -> Counts:
        """The counts by input and rule."""
        return {(name, rule): counted for name, rule, counted in self.found}


def judge_streams(task: ToJudge) -> JudgedStreams:
    """Judge streams in the order of their files and lines. Raises BadInput."""
    counts, loop = Counts(), loop_of(task.rules)
    folding = Folding(loop)
    for part in in_parts(range(len(task.files)), lambda number: task.files[number].rows.height, task.part):
        files = {number: task.files[number] for number in part}
        events = read_events(files, loop.columns | {SEQ})
        if task.completed:
            events = folding.completed(events)
        _add(counts, task, files, events, folding.take(events))
    return JudgedStreams(tuple((*place, counted) for place, counted in counts.items()))


def _add(counts: Counts, task: ToJudge, files: Files, events: pl.DataFrame, results: pl.DataFrame) -> None:
    """Count the results of the rules for events of these files, and add the first events that violate them."""
    rules = [pl.col(name) for name in results.columns]
    judged = [(each > 0).sum().name.suffix(" judged") for each in rules]
    failed = [(each == FAILS).sum().name.suffix(" failed") for each in rules]
    counted = results.with_columns(events[FILE]).group_by(FILE, maintain_order=True).agg(*judged, *failed)
    for number, rule in enumerate(task.rules):
        for file, judging, failing in counted.select(FILE, f"{number} judged", f"{number} failed").iter_rows():
            if judging:
                place = task.files[file].input, rule
                counts[place] = counts.get(place, NO_EVENTS).plus(Counted(judging, failing), task.most)
        if counted[f"{number} failed"].sum():
            _show(counts, task, rule, files, events.filter(results[str(number)] == FAILS))


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
