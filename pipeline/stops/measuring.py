"""Measures streams of events, wherever the work is done, and gathers what a report shows of them."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.findings.measures import Measures, Timeline
from tidegate.pipeline.stops import tables
from tidegate.pipeline.stops.frames import read
from tidegate.pipeline.stops.kept import copied, keep, known
from tidegate.pipeline.stops.stream import measured
from tidegate.pipeline.stops.summary import summarised
from tidegate.pipeline.stops.timelines import Wanted, most_stopping, timelines
from tidegate.pipeline.work.engines import Runner

KEPT = "measured"
"""The folder of what was measured of each stream."""
MEASURES = "1"
"""The version of the measures, raised when they give other figures: all events are then measured again."""
TIMELINES = 12
"""Destinations whose levels are shown over time."""


class MeasuredStream(NamedTuple):
    """A stream, its files of events in their order, and when its last line was written, in ms, where that is known."""

    name: str
    files: tuple[Path, ...]
    end_ms: int | None = None


@dataclass(frozen=True)
class ToMeasure:
    """The work on one stream, by measures of this version; what an earlier run measured is not measured again."""

    folder: Path
    measures: str

    def __call__(self, stream: MeasuredStream) -> None:
        """Bring what is kept of the stream up to date."""
        kept, names = self.folder / KEPT, [file.stem for file in stream.files]
        so_far = known(kept, stream.name, names, self.measures)
        if so_far.files == len(names):
            return
        begun = tables.of_stream(self.folder / tables.BEGUN, stream.name)
        tables.made(begun)
        if so_far.files:
            copied(tables.of_stream(kept, stream.name), begun)
        parts = map(read, stream.files[so_far.files :])
        measured(stream.name, parts, begun, so_far.carried, so_far.files, stream.end_ms)
        keep(begun, kept, stream.name, names, self.measures, so_far.carried)


@dataclass(frozen=True)
class ToShow:
    """The work on the timelines of one stream."""

    folder: Path

    def __call__(self, stream: tuple[Sequence[Wanted], tuple[Path, ...]]) -> list[Timeline]:
        """Their points and bands."""
        return timelines(*stream, self.folder)


def measure(streams: Sequence[MeasuredStream], folder: Path, runner: Runner) -> Measures:
    """Measure what is new in the streams; the tables of all below `folder` then replace those of an earlier run."""
    folder = folder.resolve()
    # what a run that was killed had begun
    shutil.rmtree(folder / tables.BEGUN, ignore_errors=True)
    (folder / KEPT).mkdir(exist_ok=True)
    runner.each(ToMeasure(folder, MEASURES), streams)
    with tables.replaced(folder) as begun:
        for stream in streams:
            copied(tables.of_stream(folder / KEPT, stream.name), begun)
    shutil.rmtree(folder / tables.BEGUN)
    _forget_others(folder / KEPT, streams)
    return replace(summarised(folder), timelines=tuple(_shown(streams, folder, runner)))


def _shown(streams: Sequence[MeasuredStream], folder: Path, runner: Runner) -> list[Timeline]:
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


def _forget_others(kept: Path, streams: Sequence[MeasuredStream]) -> None:
    """Remove what is kept of streams that are no more."""
    present = {tables.of_stream(kept, stream.name) for stream in streams}
    for gone in set(kept.iterdir()) - present:
        shutil.rmtree(gone)
