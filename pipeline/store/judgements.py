"""What judging found, one file for each batch of streams, and one with the states that a later run goes on from."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from tidegate.pipeline.files.durable import put, remove
from tidegate.pipeline.files.storage import files_in
from tidegate.pipeline.judge.states import NO_EVENTS, Counted, States
from tidegate.pipeline.judge.streams import JudgedStreams
from tidegate.pipeline.store.batches import Batch
from tidegate.pipeline.store.content import digest_of_value
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, packed, read_value

ENDING = ".json"


@dataclass(frozen=True)
class JudgedSplits:
    """What the loop with this digest found in these splits of streams, by input and rule.

    Where more may come, `states` is the file of the states that the loop ended with.
    """

    loop: str
    splits: dict[str, tuple[str, ...]]
    found: tuple[tuple[str, str, Counted], ...]
    states: str


class Earlier(NamedTuple):
    """What an earlier run found in the splits of these names, and the file of the states that it ended with."""

    splits: frozenset[str]
    found: JudgedStreams
    states: str = ""


NOTHING = Earlier(frozenset(), JudgedStreams({}, None))


def earlier(store: Store, batch: Batch, digest: str) -> Earlier:
    """What stands of an earlier judgement by the loop of this digest, over the first splits of each stream.

    Where streams go on, with the states that they go on from.
    """
    names = _names(batch)
    try:
        said = read_value(JudgedSplits, (store.judged / _file(batch.streams)).read_bytes())
        if said.loop != digest or said.splits.keys() != names.keys():
            return NOTHING
        if any(names[stream][: len(splits)] != splits for stream, splits in said.splits.items()):
            return NOTHING
        # states are large, and are read where they are needed
        states = None if said.splits == names else read_value(States, (store.judged / said.states).read_bytes())
    except (OSError, BadValue):
        # what cannot be read is found again
        return NOTHING
    counts = {(name, rule): counted for name, rule, counted in said.found}
    return Earlier(frozenset(chain(*said.splits.values())), JudgedStreams(counts, states), said.states)


def keep(store: Store, batch: Batch, digest: str, found: JudgedStreams) -> str:
    """Keep what the loop of this digest found in streams; the file of the states that it ends with, if any."""
    splits, states = _names(batch), ""
    if found.states is not None:
        # by the splits, so that it belongs to no other judgement
        states = _file(splits)
        put(store.partial, store.judged / states, packed(found.states))
    counts = tuple((*place, counted) for place, counted in found.counts.items())
    put(store.partial, store.judged / _file(batch.streams), packed(JudgedSplits(digest, splits, counts, states)))
    return states


def forget_others(store: Store, batches: Iterable[Batch], states: Iterable[str]) -> None:
    """Remove what is kept of batches that are no longer there, and other states."""
    wanted = {*(_file(batch.streams) for batch in batches), *states}
    for path in files_in(store.judged):
        if path.name not in wanted:
            remove(path)


def together(first: JudgedStreams, then: JudgedStreams) -> JudgedStreams:
    """What was found before and what was found after it."""
    counts = dict(first.counts)
    for place, more in then.counts.items():
        counts[place] = counts.get(place, NO_EVENTS).plus(more)
    return JudgedStreams(counts, then.states)


def _names(batch: Batch) -> dict[str, tuple[str, ...]]:
    return {row[0].split.stream: tuple(commit.name for commit in row) for row in batch.rows}


def _file(of: object) -> str:
    return f"{digest_of_value(of)}{ENDING}"
