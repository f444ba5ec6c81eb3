"""Events cut into splits, and what the plain reader says of them, for tests of judging split by split."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import polars as pl

from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.runner import Here
from tidegate.pipeline.schema import EVENT_COLUMNS, FIELDS, polars_schema
from tidegate.pipeline.splits.judging import Judgement
from tidegate.record.events import Event

STREAM = "stream"
NAME = "file"
MOST = 3
IN_TURN = Here()
"""One worker: every stream is judged in turn."""
AT_ONCE = Here(workers=1000)
"""As if there were so many workers that it always pays to judge all splits at once."""

Said = tuple[dict[str, tuple[int, int]], dict[str, tuple[tuple[int, str, int], ...]]]
"""By the name of a rule how many events it judges and how many violate it, and (line, source, seq) of the first."""


def by_folds(events: Sequence[Event], rules: Sequence[Definition], most: int = MOST) -> Said:
    """What the plain reader says; the line of an event is its place among all."""
    counts = {rule.name: (0, 0) for rule in rules}
    failing: dict[str, list[tuple[str, int, int]]] = {}
    judge = Judge(rules)
    for line, event in enumerate(events, start=1):
        for each in judge.judge(event):
            judged, violated = counts[each.rule.name]
            counts[each.rule.name] = (judged + 1, violated + (not each.holds))
            if not each.holds:
                failing.setdefault(each.rule.name, []).append((event.source, event.seq, line))
    shown = {
        name: tuple((line, source, seq) for source, seq, line in sorted(found)[:most])
        for name, found in failing.items()
    }
    return counts, shown


def said(judgement: Judgement) -> Said:
    """What a judgement says, in the same form."""
    counts = {rule.name: (tally.judged, tally.violated) for (_, rule), tally in judgement.tallies.items()}
    shown = {
        rule.name: tuple((one.line, one.source, one.seq) for one in found)
        for (_, rule), found in judgement.witnesses.items()
    }
    return counts, shown


def cut(folder: Path, events: Sequence[Event], at: Iterable[int], stream: str = STREAM) -> tuple[EventsFile, ...]:
    """The events as files, cut before the events at these places."""
    edges = [0, *sorted(at), len(events)]
    return tuple(
        written(folder, events[start:end], ordinal, stream)
        for ordinal, (start, end) in enumerate(itertools.pairwise(edges), start=1)
    )


def lines_before(files: Sequence[EventsFile]) -> dict[Path, int]:
    """As many lines as events before each file of a stream."""
    before, found = 0, {}
    for file in files:
        found[file.path] = before
        before += file.events
    return found


def written(folder: Path, events: Sequence[Event], ordinal: int = 1, stream: str = STREAM) -> EventsFile:
    """One split; lines count from 1 in it."""
    path = folder / f"{stream}-{ordinal}.parquet"
    table(events).write_parquet(path)
    return EventsFile(stream, ordinal, path, len(events))


def table(events: Sequence[Event], name: str = NAME) -> pl.DataFrame:
    """Events in the columns of a split."""
    rows = [{"input": name, "line": line, **_plain(event)} for line, event in enumerate(events, start=1)]
    return pl.DataFrame(rows, polars_schema(*EVENT_COLUMNS))


def _plain(event: Event) -> dict[str, object]:
    values = asdict(event)
    return {field: str(value) if isinstance(value := values[field], str) else value for field in FIELDS}
