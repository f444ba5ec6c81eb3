"""What judging found, kept for each stream, and the states that it ended with: what comes later goes on from there.

Of each stream there are at most two files: the states, and what was found, which names them and is written last.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tidegate.model.language.rule import Definition
from tidegate.pipeline.findings import Evidence
from tidegate.pipeline.splits.summary import Carried, read_carried
from tidegate.pipeline.store.commits import TABLE, Commit
from tidegate.pipeline.store.digests import digest_of_value
from tidegate.pipeline.store.durable import put, remove
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.tallies import Tallies, Tally, Witnesses
from tidegate.record.errors import BadInput
from tidegate.record.values import BadValue, read_value, written

FOUND = ".json"


@dataclass(frozen=True)
class Found:
    """What a rule's definition, by its qualified name, says of one input of a stream."""

    input: str
    rule: str
    tally: Tally
    witnesses: tuple[Evidence, ...]


@dataclass(frozen=True)
class Judgement:
    """What the rules with this digest found in these splits, in their order; `states` is a file, if any were kept."""

    stream: str
    rules: str
    splits: tuple[str, ...]
    found: tuple[Found, ...]
    states: str | None


class Earlier(NamedTuple):
    """What an earlier run found in the first splits of a stream, so many, and the states that they end with."""

    splits: int
    tallies: Tallies
    witnesses: Witnesses
    carried: Carried | None


NOTHING = Earlier(0, {}, {}, None)


def earlier(store: Store, row: Sequence[Commit], rules: Sequence[Definition], digest: str) -> Earlier:
    """What stands of an earlier judgement by the rules of this digest, over the splits of one stream."""
    stream, names = row[0].split.stream, _names(row)
    try:
        said = read_value(Judgement, _path(store, stream).read_bytes())
        count = len(said.splits)
        if (said.stream, said.rules, said.splits) != (stream, digest, names[:count]):
            return NOTHING
        carried = read_carried(store.judged / said.states) if said.states and count < len(names) else None
    except (FileNotFoundError, BadValue, BadInput):
        # what cannot be read is found again
        return NOTHING
    if carried is None and count < len(names):
        return NOTHING
    named = {rule.qualified_name: rule for rule in rules}
    tallies = {(each.input, named[each.rule]): each.tally for each in said.found}
    witnesses = {(each.input, named[each.rule]): each.witnesses for each in said.found if each.witnesses}
    return Earlier(count, tallies, witnesses, carried)


def keep(
    store: Store, row: Sequence[Commit], digest: str, tallies: Tallies, witnesses: Witnesses, carried: Carried | None
) -> None:
    """Keep what the rules of this digest found in a stream, and the states that it ends with."""
    stream, names = row[0].split.stream, _names(row)
    inputs = {commit.split.input.name for commit in row}
    found = tuple(
        Found(name, rule.qualified_name, tally, witnesses.get((name, rule), ()))
        for (name, rule), tally in tallies.items()
        if name in inputs
    )
    states = None
    if carried is not None:
        states = f"{_path(store, stream).stem}-{digest_of_value([digest, names])}{TABLE}"
        put(store.partial, store.judged / states, carried.write)
    said = written(Judgement(stream, digest, names, found, states))
    put(store.partial, _path(store, stream), lambda path: path.write_bytes(said))


def forget_others(store: Store, streams: Iterable[str]) -> None:
    """Remove what is kept of streams that are no longer there, and states that no judgement names."""
    wanted = {_path(store, stream) for stream in streams}
    for path in list(wanted):
        try:
            states = json.loads(path.read_bytes())["states"]
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            continue
        if states is not None:
            wanted.add(store.judged / states)
    for path in list(store.judged.iterdir()):
        if path not in wanted:
            remove(path)


def together(first: Earlier, tallies: Tallies, witnesses: Witnesses, most: int) -> tuple[Tallies, Witnesses]:
    """What was found before and what was found after it, with the first `most` events that violate each rule."""
    added = dict(first.tallies)
    for place, tally in tallies.items():
        before = added.get(place, Tally(0, 0))
        added[place] = Tally(before.judged + tally.judged, before.violated + tally.violated)
    shown = dict(first.witnesses)
    for place, events in witnesses.items():
        both = sorted((*shown.get(place, ()), *events), key=lambda event: (event.source, event.seq))
        shown[place] = tuple(both[:most])
    return added, shown


def _names(row: Sequence[Commit]) -> tuple[str, ...]:
    return tuple(commit.name for commit in row)


def _path(store: Store, stream: str) -> Path:
    return store.judged / f"{digest_of_value(stream)}{FOUND}"
