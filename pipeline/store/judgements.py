"""What judging found, one file for each batch of streams, with the states that a later run goes on from."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from tidegate.pipeline.files.durable import put, remove
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.judge.states import NO_EVENTS, Counted, States
from tidegate.pipeline.judge.streams import JudgedStreams
from tidegate.pipeline.store.batches import Batch
from tidegate.pipeline.store.content import digest_of_value
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, read_value, written

ENDING = ".json"


@dataclass(frozen=True)
class JudgedSplits:
    """What the loop with this digest found in these splits of streams, by input and rule.

    `states` stand where more may come.
    """

    loop: str
    splits: dict[str, tuple[str, ...]]
    found: tuple[tuple[str, str, Counted], ...]
    states: States | None


class Earlier(NamedTuple):
    """What an earlier run found in the splits of these names."""

    splits: frozenset[str]
    found: JudgedStreams


NOTHING = Earlier(frozenset(), JudgedStreams({}, None))


def earlier(store: Store, batch: Batch, digest: str) -> Earlier:
    """What stands of an earlier judgement by the loop of this digest, over the first splits of each stream."""
    names = _names(batch)
    try:
        said = read_value(JudgedSplits, _path(store, batch).read_bytes())
    except (FileNotFoundError, BadValue):
        # what cannot be read is found again
        return NOTHING
    if said.loop != digest or said.splits.keys() != names.keys():
        return NOTHING
    if any(names[stream][: len(splits)] != splits for stream, splits in said.splits.items()):
        return NOTHING
    if said.states is None and said.splits != names:
        return NOTHING
    counts = {(name, rule): counted for name, rule, counted in said.found}
    return Earlier(frozenset(chain(*said.splits.values())), JudgedStreams(counts, said.states))


def keep(store: Store, batch: Batch, digest: str, found: JudgedStreams) -> None:
    """Keep what the loop of this digest found in streams, and the states that it ends with."""
    counts = tuple((*place, counted) for place, counted in found.counts.items())
    put(store.partial, _path(store, batch), written(JudgedSplits(digest, _names(batch), counts, found.states)))


def forget_others(store: Store, batches: Iterable[Batch]) -> None:
    """Remove what is kept of batches that are no longer there."""
    wanted = {_path(store, batch) for batch in batches}
    for path in files_in(store.judged):
        if path not in wanted:
            remove(path)


def together(first: JudgedStreams, then: JudgedStreams) -> JudgedStreams:
    """What was found before and what was found after it."""
    counts = dict(first.counts)
    for place, more in then.counts.items():
        counts[place] = counts.get(place, NO_EVENTS).plus(more)
    return JudgedStreams(counts, then.states)


def _names(batch: Batch) -> dict[str, tuple[str, ...]]:
    return {row[0].split.stream: tuple(commit.name for commit in row) for row in batch.rows}


def _path(store: Store, batch: Batch) -> Place:
    return store.judged / f"{digest_of_value(batch.streams)}{ENDING}"
