"""Judges what the store holds: a stream that was judged before is judged again only from where it goes on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tidegate.model.language.rule import Definition
from tidegate.pipeline.ingest.reading import grows
from tidegate.pipeline.splits import judging as splits
from tidegate.pipeline.splits.order import OrderNotProved
from tidegate.pipeline.splits.summary import Summary, read_summary
from tidegate.pipeline.store.commits import TABLE, Commit, events_file
from tidegate.pipeline.store.judgements import Earlier, earlier, forget_others, keep, together
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.streams import Piece, Stream
from tidegate.pipeline.tallies import Tallies, Witnesses
from tidegate.pipeline.versions import rule_set
from tidegate.pipeline.workers import Workers

Rules = tuple[Definition, ...]


@dataclass
class Judged:
    """What the rules say of every input, and the first events of which they do not hold; `notes` are sentences."""

    tallies: Tallies = field(default_factory=dict)
    witnesses: Witnesses = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


class Row(NamedTuple):
    """A stream: its splits in their order, its rules, their digest, and what is known of its first splits."""

    commits: Sequence[Commit]
    rules: Rules
    digest: str
    before: Earlier

    @property
    def name(self) -> str:
        """The name of the stream."""
        return self.commits[0].split.stream

    @property
    def new(self) -> Sequence[Commit]:
        """The splits that are to be judged."""
        return self.commits[self.before.splits :]

    @property
    def goes_on(self) -> bool:
        """Whether more may come of it, so that the states at its end are worth keeping."""
        return grows(self.commits[-1].split.input)


def judged(
    store: Store, commits: Sequence[Commit], rules_of: Mapping[str, Rules], at_work: Workers, most: int
) -> Judged:
    """Judge the streams of these splits by the rules of each input, by its name; at most `most` events are shown."""
    rows = _rows(store, commits, rules_of)
    found = Judged()
    for row in rows:
        if not row.new:
            found.tallies.update(row.before.tallies)
            found.witnesses.update(row.before.witnesses)
    left = [row for row in rows if row.new]
    for goes_on in (True, False):
        _judge(store, [row for row in left if row.goes_on is goes_on], found, at_work, most, keep_states=goes_on)
    forget_others(store, [row.name for row in rows])
    return found


def _rows(store: Store, commits: Sequence[Commit], rules_of: Mapping[str, Rules]) -> list[Row]:
    by_stream: dict[str, list[Commit]] = {}
    for commit in commits:
        by_stream.setdefault(commit.split.stream, []).append(commit)
    digests: dict[Rules, str] = {}
    rows = []
    for row in by_stream.values():
        rules = tuple(dict.fromkeys(rule for each in row for rule in rules_of[each.split.input.name]))
        if not rules:
            continue
        if rules not in digests:
            digests[rules] = rule_set(rules)
        rows.append(Row(row, rules, digests[rules], earlier(store, row, rules, digests[rules])))
    return rows


def _judge(store: Store, rows: Sequence[Row], found: Judged, at_work: Workers, most: int, *, keep_states: bool) -> None:
    """Judge rows in the split form, or in the other form of the workers where that is refused."""
    if not rows:
        return
    pieces = {row.name: _pieces(store, row.commits) for row in rows}
    new = [piece for row in rows for piece in pieces[row.name][row.before.splits :]]
    try:
        said = splits.judge(
            [piece.file for piece in new],
            {row.name: row.rules for row in rows},
            at_work.runner,
            most=most,
            lines_before={piece.file.path: piece.lines_before for piece in new},
            summaries=_summaries(store, new),
            carried={row.name: row.before.carried for row in rows if row.before.carried is not None},
            keep=keep_states,
        )
        for row in rows:
            names = {commit.split.input.name for commit in row.new}
            tallies = {place: tally for place, tally in said.tallies.items() if place[0] in names}
            witnesses = {place: events for place, events in said.witnesses.items() if place[0] in names}
            both = together(row.before, tallies, witnesses, most)
            keep(store, row.commits, row.digest, *both, said.carried.get(row.name))
            found.tallies.update(both[0])
            found.witnesses.update(both[1])
    except OrderNotProved as refused:
        found.notes.append(f"judged {at_work.other_form} and not split by split, because: {refused}")
        whole = at_work.judge([Stream(row.name, pieces[row.name], row.rules) for row in rows], most)
        for row in rows:
            keep(store, row.commits, row.digest, *whole, None)
        found.tallies.update(whole[0])
        found.witnesses.update(whole[1])


def _pieces(store: Store, row: Sequence[Commit]) -> tuple[Piece, ...]:
    pieces = []
    before: dict[str, int] = {}
    for commit in row:
        name = commit.split.input.name
        pieces.append(Piece(events_file(store, commit), name, commit.name, before.get(name, 0)))
        before[name] = before.get(name, 0) + commit.account.lines
    return tuple(pieces)


def _summaries(store: Store, pieces: Sequence[Piece]) -> Mapping[Path, Summary]:
    """What was written beside the events, of the splits of which something was."""
    paths = {piece.file.path: store.summaries / f"{piece.split}{TABLE}" for piece in pieces}
    return {file: read_summary(path) for file, path in paths.items() if path.exists()}
