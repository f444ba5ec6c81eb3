"""Judges streams in a worker: how often each rule holds of the events of their files, and where it does not."""

from bisect import insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import polars as pl

from tidegate.model.language.running import Verdicts
from tidegate.pipeline.files.parquet import PART, Rows, in_parts, rows_of
from tidegate.pipeline.findings.reports import MOST_EVIDENCE, Counted, Counts, Evidence, evidence
from tidegate.pipeline.judge.folding import Folding, Row
from tidegate.pipeline.judge.rules import RuleNames
from tidegate.pipeline.read.tables import FIELDS
from tidegate.record.counts import counted
from tidegate.record.errors import BadInput


class EventsOf(NamedTuple):
    """The events of a split, the name of its input, and the number of lines of the input before the split."""

    rows: Rows
    input: str
    lines_before: int


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


def judge_streams(task: ToJudge) -> Counts:
    """Judge streams in the order of their files and lines. Raises BadInput."""
    folding = Folding(task.rules)
    tallies = {file.input: Tally(task.rules, task.most) for file in task.files}
    for part in in_parts(task.files, lambda file: file.rows.height, task.part):
        events = _events_of(part)
        for file in part:
            tally = tallies[file.input]
            for event in islice(events, file.rows.height):
                completed = folding.completed(event) if task.completed else event
                tally.add(folding.verdicts(completed), event, event.line + file.lines_before)
    return {name: tally.counts() for name, tally in tallies.items()}


def _events_of(files: Sequence[EventsOf]) -> Iterator[Any]:
    """The events of these files, one after the other. BadInput for a file that cannot be read or is incomplete."""
    expected = sum(file.rows.height for file in files)
    try:
        events = rows_of([file.rows for file in files]).select(Row._fields).collect()
    except (OSError, pl.exceptions.PolarsError) as error:
        # Polars describes its plan below the first line
        raise _unreadable(files, str(error).partition("\n")[0]) from error
    if events.height != expected:
        raise _unreadable(files, f"it has {counted(events.height, 'rows')} of {expected:,}")
    rows = zip(*map(_values, events.get_columns()), strict=True)
    return map(partial(tuple.__new__, Row), rows)


def _values(column: pl.Series) -> list[Any]:
    """The values of a column. Equal texts are one object, since rules remember them in many keys."""
    if column.dtype != pl.Categorical:
        return column.to_list()
    texts = column.unique()
    known = dict(zip(texts.to_physical(), texts, strict=True))
    return [known[code] for code in column.to_physical().to_list()]


def _unreadable(files: Sequence[EventsOf], reason: str) -> BadInput:
    paths = [*dict.fromkeys(str(file.rows.path) for file in files)]
    name = paths[0] if len(paths) == 1 else f"{paths[0]} to {paths[-1]}"
    return BadInput(f"expected a table of events that can be read, but {reason}", file=name)


@dataclass(slots=True)
class _Alike:
    """Events with the same verdicts: the places of the rules that judge them and that they violate, and their count."""

    judged: Sequence[int]
    violated: Sequence[int]
    count: int = 0


class Tally:
    """Counts the verdicts of rules on the events of an input, and keeps the first `most` events that violate each."""

    def __init__(self, rules: RuleNames, most: int = MOST_EVIDENCE):
        self._rules, self._most = rules, most
        self._alike: dict[Verdicts, _Alike] = {}
        self._shown: list[list[Evidence]] = [[] for _ in rules]

    def add(self, verdicts: Verdicts, event: Any, line: int) -> Sequence[int]:
        """Count the verdicts on an event, which stands in this line; the result is the places of violated rules."""
        alike = self._alike.get(verdicts)
        if alike is None:
            judged = [place for place, holds in enumerate(verdicts) if holds is not None]
            alike = self._alike[verdicts] = _Alike(judged, [place for place in judged if not verdicts[place]])
        alike.count += 1
        for place in alike.violated:
            shown = self._shown[place]
            if len(shown) < self._most or (event.source, event.seq) < (shown[-1].source, shown[-1].seq):
                fields = {name: getattr(event, name) for name in FIELDS}
                insort(shown, evidence(line, event.source, event.seq, fields), key=lambda one: (one.source, one.seq))
                del shown[self._most :]
        return alike.violated

    def counts(self) -> dict[str, Counted]:
        """The counts of each rule that judges an event, by its name, with the first events that violate it."""
        found: dict[str, Counted] = {}
        for place, rule in enumerate(self._rules):
            judging = [alike for alike in self._alike.values() if place in alike.judged]
            if judging:
                violated = sum(alike.count for alike in judging if place in alike.violated)
                found[rule] = Counted(sum(alike.count for alike in judging), violated, tuple(self._shown[place]))
        return found
