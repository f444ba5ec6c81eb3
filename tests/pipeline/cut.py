"""Events cut into files, and what the plain reader says of them and of the streams, for tests of judging."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import polars as pl

from tidegate.model.language.judge import Judge
from tidegate.model.language.rule import Definition
from tidegate.pipeline.files.parquet import Rows
from tidegate.pipeline.findings.reports import Counts
from tidegate.pipeline.judge.rules import names_of
from tidegate.pipeline.judge.streams import EventsOf, ToJudge, judge_streams
from tidegate.pipeline.read.tables import EVENT_COLUMNS, FIELDS, polars_schema
from tidegate.record.events import Event, Kind

STREAM = "stream"
NAME = "file"
MOST = 3

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


def all_completed(events: Iterable[Event]) -> list[Event]:
    """The events of a log as they are judged: what ends a stop and names no destination gets that of the stop."""
    by: dict[tuple[str, str], str] = {}
    return [_completed(event, by) for event in events]


def _completed(event: Event, by: dict[tuple[str, str], str]) -> Event:
    channel = event.source, event.channel or ""
    if event.kind is Kind.START:
        # the broker calls its connections by the same names again
        for started in [stopped for stopped in by if stopped[0] == event.source]:
            del by[started]
    if not event.channel or event.kind not in (Kind.STOP, Kind.RELEASE, Kind.CLOSE):
        return event
    if event.kind is Kind.STOP:
        by[channel] = event.destination or ""
        return event
    stopped_by = by.pop(channel, "")
    return replace(event, destination=event.destination or stopped_by or None)


def judged(files: Sequence[EventsOf], rules: Sequence[Definition], **more: Any) -> Counts:
    """What judging says of a stream, one file after the other."""
    asked = {"most": MOST, "part": 1, **more}
    return judge_streams(ToJudge(tuple(files), names_of(rules), **asked))


def said(judgement: Counts, rules: Sequence[Definition]) -> Said:
    """What a judgement says, in the same form; of a rule that it does not name it has judged nothing."""
    names = {rule.qualified_name: rule.name for rule in rules}
    counts = dict.fromkeys(names.values(), (0, 0))
    found = [(names[rule], each) for of_input in judgement.values() for rule, each in of_input.items()]
    counts |= {name: (each.judged, each.violated) for name, each in found}
    shown = {
        name: tuple((one.line, one.source, one.seq) for one in each.evidence) for name, each in found if each.evidence
    }
    return counts, shown


def by_streams(files: Sequence[EventsOf], rules: Sequence[Definition], most: int = MOST, **more: Any) -> Said:
    """What judging says of a stream, in the same form."""
    return said(judged(files, rules, most=most, **more), rules)


def cut(folder: Path, events: Sequence[Event], at: Iterable[int] = (), stream: str = STREAM) -> tuple[EventsOf, ...]:
    """The events as files, cut before the events at these places."""
    edges = [0, *sorted(at), len(events)]
    return tuple(
        written(folder, events[start:end], number, stream, start)
        for number, (start, end) in enumerate(itertools.pairwise(edges), start=1)
    )


def written(
    folder: Path, events: Sequence[Event], number: int = 1, stream: str = STREAM, lines_before: int = 0
) -> EventsOf:
    """One file; lines count from 1 in it."""
    path = folder / f"{stream}-{number}.parquet"
    table(events).write_parquet(path)
    return EventsOf(Rows(path, len(events)), NAME, lines_before)


def table(events: Sequence[Event], name: str = NAME) -> pl.DataFrame:
    """Events in the columns of a split."""
    rows = [{"input": name, "line": line, **_plain(event)} for line, event in enumerate(events, start=1)]
    return pl.DataFrame(rows, polars_schema(*EVENT_COLUMNS))


def _plain(event: Event) -> dict[str, object]:
    values = asdict(event)
    return {field: str(value) if isinstance(value := values[field], str) else value for field in FIELDS}
