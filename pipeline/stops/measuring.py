"""Measures streams of events, wherever the work is done, and gathers what a report shows of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.findings.measures import Measures, Timeline
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.frames import read
from tidegate.pipeline.stops.kept import begin, keep, known, state_of
from tidegate.pipeline.stops.stream import measured
from tidegate.pipeline.stops.summary import summarised
from tidegate.pipeline.stops.timelines import Wanted, most_stopping, timelines
from tidegate.pipeline.work.engines import Runner

MEASURES = "1"
"""The version of the measures, raised when they give other figures: all events are then measured again."""
TIMELINES = 12
"""Destinations whose levels are shown over time."""


class MeasuredStream(NamedTuple):
    """A stream, its files of events in their order, and when its last line was written, in ms, where that is known."""

    name: str
    files: tuple[Place, ...]
    end_ms: int | None = None


@dataclass(frozen=True)
class ToMeasure:
    """The work on one stream, by measures of this version; what an earlier run measured is not measured again."""

    folder: Place
    measures: str

    def __call__(self, stream: MeasuredStream) -> list[str]:
        """Bring what is kept of the stream up to date; the names of its files below the folder."""
        names = [file.stem for file in stream.files]
        so_far = known(self.folder, stream.name, names, self.measures)
        found = so_far.tables
        if so_far.files < len(names):
            found = begin(so_far)
            measured(map(read, stream.files[so_far.files :]), found, so_far.carried, so_far.files, stream.end_ms)
            keep(found, names, self.measures, so_far.carried)
        return [*found.files, state_of(stream.name)]


@dataclass(frozen=True)
class ToShow:
    """The work on the timelines of one stream."""

    folder: Place

    def __call__(self, stream: tuple[Sequence[Wanted], tuple[Place, ...]]) -> list[Timeline]:
        """Their points and bands."""
        return timelines(*stream, self.folder)


def measure(streams: Sequence[MeasuredStream], folder: Place, runner: Runner) -> Measures:
    """Measure what is new in the streams; the tables below `folder` are then of these streams and of no other."""
    tables.made(folder)
    written = runner.each(ToMeasure(folder, MEASURES), streams)
    tables.remove_others(folder, {name for each in written for name in each})
    return replace(summarised(folder), timelines=tuple(_shown(streams, folder, runner)))


def _shown(streams: Sequence[MeasuredStream], folder: Place, runner: Runner) -> list[Timeline]:
    """The timelines of the destinations that stopped somebody for the longest time, that one first."""
    wanted = most_stopping(folder, TIMELINES)
    of_streams = [([each for each in wanted if each.stream == stream.name], stream.files) for stream in streams]
    shown = [(those, files) for those, files in of_streams if those]
    made = dict(
        pair
        for (those, _), lines in zip(shown, runner.each(ToShow(folder), shown), strict=True)
        for pair in zip(those, lines, strict=True)
    )
    return [made[each] for each in wanted]
