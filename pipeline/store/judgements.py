"""What judging found, one file for each stream, with the states that it ended with: a later run goes on from there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tidegate.pipeline.files.durable import put, remove
from tidegate.pipeline.files.storage import Place, files_in
from tidegate.pipeline.findings.reports import Evidence
from tidegate.pipeline.judge.states import NO_TALLY, States, Tally
from tidegate.pipeline.judge.streams import JudgedStream
from tidegate.pipeline.store.commits import Commit
from tidegate.pipeline.store.content import digest_of_value
from tidegate.pipeline.store.layout import Store
from tidegate.record.values import BadValue, read_value, written

ENDING = ".json"


@dataclass(frozen=True)
class RuleOfInput:
    """What a trace rule, by its name, says of one input of a stream."""

    input: str
    rule: str
    tally: Tally
    witnesses: tuple[Evidence, ...]


@dataclass(frozen=True)
class JudgedSplits:
    """What the loop with this digest found in these splits of a stream; `states` stand where more may come."""

    stream: str
    loop: str
    splits: tuple[str, ...]
    found: tuple[RuleOfInput, ...]
    states: States | None


class Earlier(NamedTuple):
    """What an earlier run found in the first splits of a stream, so many."""

    splits: int
    found: JudgedStream


NOTHING = Earlier(0, JudgedStream({}, {}, None))


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
    tallies = {(each.input, each.rule): each.tally for each in said.found}
    witnesses = {(each.input, each.rule): each.witnesses for each in said.found if each.witnesses}
    return Earlier(count, JudgedStream(tallies, witnesses, said.states))


def keep(store: Store, row: Sequence[Commit], digest: str, found: JudgedStream) -> None:
    """Keep what the loop of this digest found in a stream, and the states that it ends with."""
    stream, shown = row[0].split.stream, found.shown
    rules = tuple(RuleOfInput(*place, tally, shown.get(place, ())) for place, tally in found.tallies.items())
    said = written(JudgedSplits(stream, digest, _names(row), rules, found.states))
    put(store.partial, _path(store, stream), lambda path: path.write_bytes(said))


def forget_others(store: Store, streams: Iterable[str]) -> None:
    """Remove what is kept of streams that are no longer there."""
    wanted = {_path(store, stream) for stream in streams}
    for path in files_in(store.judged):
        if path not in wanted:
            remove(path)


def together(first: JudgedStream, then: JudgedStream, most: int) -> JudgedStream:
    """What was found before and what was found after it, with the first `most` events that violate each rule."""
    added, shown = dict(first.tallies), dict(first.shown)
    for place, tally in then.tallies.items():
        added[place] = added.get(place, NO_TALLY).plus(tally)
    for place, events in then.shown.items():
        both = sorted((*shown.get(place, ()), *events), key=lambda event: (event.source, event.seq))
        shown[place] = tuple(both[:most])
    return JudgedStream(added, shown, then.states)


def _names(row: Sequence[Commit]) -> tuple[str, ...]:
    return tuple(commit.name for commit in row)


def _path(store: Store, stream: str) -> Place:
    return store.judged / f"{digest_of_value(stream)}{ENDING}"
