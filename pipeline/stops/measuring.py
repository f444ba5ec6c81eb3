"""Measures streams of events, in this process or on Spark, and gathers the measures for a report."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import chain
from operator import call
from typing import NamedTuple

from tidegate.pipeline.files.parquet import PART, Rows, in_parts, rows_of
from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import Measures, Timeline
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.frames import read
from tidegate.pipeline.stops.stream import measured
from tidegate.pipeline.stops.summary import summarised
from tidegate.pipeline.stops.timelines import most_stopping, timelines
from tidegate.pipeline.work.engines import HERE, Runner

MEASURES = "3"
"""The version of the measures, raised when their figures change: all events are then measured again."""
TIMELINES = 12
"""The most destinations whose levels are shown over time."""


class MeasuredStream(NamedTuple):
    """A stream, its files of events in their order, and a function for the time of its last line, in ms."""

    name: str
    files: Mapping[str, Rows]
    """The rows of each file; other events never have the same name."""
    end_ms: Callable[[], int | None] = lambda: None


def _write_tables(folder: Place, streams: Sequence[MeasuredStream]) -> list[str]:
    """Write the tables of a batch of streams; the result is the names of their files below the folder.

    In a batch of several, each stream is the only source of its events and has its name.
    """
    found = _tables_of(folder, streams)
    ends = {stream.name: end for stream in streams if (end := stream.end_ms()) is not None}
    rows = [rows for each in streams for rows in each.files.values()]
    parts = in_parts(rows, lambda each: each.height)
    measured((read(rows_of(part)) for part in parts), found, ends)
    found.done()
    return [*found.files, found.marker]


def _tables_of(folder: Place, streams: Sequence[MeasuredStream]) -> tables.BatchTables:
    """The tables of streams; their name is computed from everything that determines their content."""
    whole = [MEASURES, {stream.name: [*stream.files] for stream in streams}]
    return tables.BatchTables(
        folder, sha256(json.dumps(whole).encode()).hexdigest()[:16], [each.name for each in streams]
    )


class Measuring:
    """Measures batches of streams: `tasks` write the tables that are missing, and `done` reads all of them.

    Afterwards the tables below `folder` are exactly those of the batches.
    """

    def __init__(self, batches: Sequence[Sequence[MeasuredStream]], folder: Place) -> None:
        tables.made(folder)
        kept = [_tables_of(folder, batch).known() for batch in batches]
        new = [batch for batch, names in zip(batches, kept, strict=True) if names is None]
        self.tasks = [partial(_write_tables, folder, batch) for batch in new]
        self._batches, self._folder = batches, folder
        self._kept = [name for names in kept if names is not None for name in names]

    def done(self, written: Iterable[Sequence[str]], runner: Runner) -> Measures:
        """The measures, once the tasks wrote these files."""
        tables.remove_others(self._folder, {*self._kept, *chain.from_iterable(written)})
        shown = _shown([*chain(*self._batches)], self._folder, runner)
        return replace(summarised(self._folder), timelines=tuple(shown))


def measure(batches: Sequence[Sequence[MeasuredStream]], folder: Place, runner: Runner) -> Measures:
    """Measure batches of streams, and do nothing else beside it."""
    measuring = Measuring(batches, folder)
    return measuring.done(runner.each(call, measuring.tasks), runner)


def _shown(streams: Sequence[MeasuredStream], folder: Place, runner: Runner) -> list[Timeline]:
    """The timelines of the destinations that stopped senders for the longest time, longest first."""
    wanted = most_stopping(folder, TIMELINES)
    files = {stream.name: [*stream.files.values()] for stream in streams}
    of_streams = {each.stream: [other for other in wanted if other.stream == each.stream] for each in wanted}
    shown = [(those, files[name]) for name, those in of_streams.items()]
    # few events are not worth another process
    work = runner if sum(rows.height for _, row in shown for rows in row) > PART else HERE
    made = dict(
        pair
        for (those, _), lines in zip(shown, work.each(partial(timelines, folder=folder), shown), strict=True)
        for pair in zip(those, lines, strict=True)
    )
    return [made[each] for each in wanted]
