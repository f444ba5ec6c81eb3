"""What judging found, one file for each stream, with the states that it ended with: a later run goes on from there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tidegate.pipeline.files.durable import put, remove
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.judge.states import NO_EVENTS, Counted, States
from tidegate.pipeline.judge.streams import JudgedStream
from tidegate.pipeline.store.commits import Commit
from tidegate.pipeline.store.content import digest_of_value
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, read_value, written

ENDING = ".json"


@dataclass(frozen=True)
class JudgedSplits:
    """What the loop with this digest found in these splits of a stream, by input and rule.

    `states` stand where more may come.
    """

    stream: str
    loop: str
    splits: tuple[str, ...]
    found: tuple[tuple[str, str, Counted], ...]
    states: States | None


class Earlier(NamedTuple):
    """What an earlier run found in the first splits of a stream, so many."""

    splits: int
    found: JudgedStream


NOTHING = Earlier(0, JudgedStream({}, None))


def earlier(store: Store, row: Sequence[Commit], digest: str) -> Earlier:
    """What stands of an earlier judgement by the loop of this digest, over the splits of one stream."""
    stream, names = row[0].split.stream, _names(row)
    try:
        said = read_value(JudgedSplits, _path(store, stream).read_bytes())
    except (FileNotFoundError, BadValue):
        # what cannot be read is found again
        return NOTHING
    count = len(said.splits)
    if (said.stream, said.loop, said.splits) != (stream, digest, names[:count]):
        return NOTHING
    if said.states is None and count < len(names):
        return NOTHING
    counts = {(name, rule): counted for name, rule, counted in said.found}
    return Earlier(count, JudgedStream(counts, said.states))


def keep(store: Store, row: Sequence[Commit], digest: str, found: JudgedStream) -> None:
    """Keep what the loop of this digest found in a stream, and the states that it ends with."""
    stream, counts = row[0].split.stream, tuple((*place, counted) for place, counted in found.counts.items())
    said = written(JudgedSplits(stream, digest, _names(row), counts, found.states))
    put(store.partial, _path(store, stream), said)


def forget_others(store: Store, streams: Iterable[str]) -> None:
    """Remove what is kept of streams that are no longer there."""
    wanted = {_path(store, stream) for stream in streams}
    for path in files_in(store.judged):
        if path not in wanted:
            remove(path)


def together(first: JudgedStream, then: JudgedStream) -> JudgedStream:
    """What was found before and what was found after it."""
    counts = dict(first.counts)
    for place, more in then.counts.items():
        counts[place] = counts.get(place, NO_EVENTS).plus(more)
    return JudgedStream(counts, then.states)


def _names(row: Sequence[Commit]) -> tuple[str, ...]:
    return tuple(commit.name for commit in row)


def _path(store: Store, stream: str) -> Place:
    return store.judged / f"{digest_of_value(stream)}{ENDING}"
