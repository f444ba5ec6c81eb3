"""Judges what the store holds: streams that were judged before by the same rules are not judged again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headgate.model.language import Definition
from headgate.pipeline.store.commits import Commit, events_file
from headgate.pipeline.store.judgements import forget_others, keep, standing
from headgate.pipeline.store.layout import Store
from headgate.pipeline.streams import Piece, Stream
from headgate.pipeline.tallies import Tallies, Witnesses
from headgate.pipeline.versions import rule_set
from headgate.pipeline.workers import JudgeStreams

Rules = tuple[Definition, ...]


@dataclass(frozen=True)
class Judged:
    """What the rules say of every input, and the first events of which they do not hold."""

    tallies: Tallies
    witnesses: Witnesses


def judged(
    store: Store, commits: Sequence[Commit], rules_of: Mapping[str, Rules], judge: JudgeStreams, most: int
) -> Judged:
    """Judge the streams of these splits by the rules of each input, by its name; at most `most` events are shown."""
    by_stream: dict[str, list[Commit]] = {}
    for commit in commits:
        by_stream.setdefault(commit.split.stream, []).append(commit)
    found = Judged({}, {})
    digests: dict[Rules, str] = {}
    left: list[tuple[Stream, str]] = []
    for name, row in by_stream.items():
        rules = tuple(dict.fromkeys(rule for each in row for rule in rules_of[each.split.input.name]))
        digest = digests.setdefault(rules, "") or rule_set(rules)
        digests[rules] = digest
        known = standing(store, name, row, rules, digest)
        if known is None:
            left.append((Stream(name, _pieces(store, row), rules), digest))
        else:
            _add(found, known)
    if left:
        new = judge([stream for stream, _ in left], most)
        for stream, digest in left:
            keep(store, stream.name, by_stream[stream.name], digest, *new)
        _add(found, new)
    forget_others(store, by_stream)
    return found


def _pieces(store: Store, row: Sequence[Commit]) -> tuple[Piece, ...]:
    pieces = []
    before: dict[str, int] = {}
    for commit in row:
        name = commit.split.input.name
        pieces.append(Piece(events_file(store, commit), name, commit.name, before.get(name, 0)))
        before[name] = before.get(name, 0) + commit.account.lines
    return tuple(pieces)


def _add(found: Judged, more: tuple[Tallies, Witnesses]) -> None:
    found.tallies.update(more[0])
    found.witnesses.update(more[1])
