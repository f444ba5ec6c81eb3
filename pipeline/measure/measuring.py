"""Measures streams of events, wherever the work is done, and gathers what a report shows of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from headgate.pipeline.ingest.split import EventsFile
from headgate.pipeline.measure import tables
from headgate.pipeline.measure.findings import Measures, Timeline
from headgate.pipeline.measure.stream import measure_stream
from headgate.pipeline.measure.summary import summarised
from headgate.pipeline.measure.timelines import Wanted, most_stopping, timeline
from headgate.pipeline.runner import Runner

TIMELINES = 12
"""Destinations whose levels are shown over time."""


@dataclass(frozen=True)
class Stream:
    """A stream and its files of events in their order."""

    name: str
    files: tuple[Path, ...]


@dataclass(frozen=True)
class ToMeasure:
    """The work on one stream."""

    folder: Path

    def __call__(self, stream: Stream) -> None:
        """Write its tables below the folder."""
        measure_stream(stream.name, stream.files, self.folder)


@dataclass(frozen=True)
class ToShow:
    """The work on one timeline."""

    folder: Path

    def __call__(self, wanted: tuple[Wanted, tuple[Path, ...]]) -> Timeline:
        """Its points and bands."""
        return timeline(*wanted, self.folder)


def measure(files: Sequence[EventsFile], folder: Path, runner: Runner) -> Measures:
    """Measure all streams; write the tables of measures below `folder`, instead of those of an earlier run."""
    streams = in_streams(files)
    folder = folder.resolve()
    with tables.replaced(folder) as begun:
        runner.each(ToMeasure(begun), streams)
    files_of = {stream.name: stream.files for stream in streams}
    wanted = [(each, files_of[each.stream]) for each in most_stopping(folder, TIMELINES)]
    return replace(summarised(folder), timelines=tuple(runner.each(ToShow(folder), wanted)))


def in_streams(files: Sequence[EventsFile]) -> list[Stream]:
    """The streams of these files, and each stream's files in their order."""
    ordered = sorted(files, key=lambda file: (file.stream, file.ordinal))
    return [
        Stream(name, tuple(file.path.resolve() for file in group))
        for name, group in groupby(ordered, key=lambda file: file.stream)
    ]
