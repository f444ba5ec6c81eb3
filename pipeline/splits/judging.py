"""Judges events split by split: how many each rule judges, of how many it fails, and which.

Either each stream is judged in turn, every split from the states with which the one before it ends. Or all splits are
judged at once, from states that are found before: for each depth of nesting, every split says what its events say of
each key, and what the splits say is combined in their order. That takes more passes and uses all workers; what pays
depends on how many there are. A stream that is one split is judged in one pass.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from tidegate.model.language.rule import Definition
from tidegate.pipeline.compiling import can_compile
from tidegate.pipeline.ingest.split import EventsFile
from tidegate.pipeline.runner import Runner
from tidegate.pipeline.splits.levels import levels
from tidegate.pipeline.splits.plan import names_of, plan_of
from tidegate.pipeline.splits.showing import witnesses
from tidegate.pipeline.splits.stream import Stream
from tidegate.pipeline.splits.summary import Carried, OtherRules, Summary
from tidegate.pipeline.splits.tables import after
from tidegate.pipeline.splits.work import InTurn, Judged, Judging, Look, Seen, judge_in_turn, judge_split, look
from tidegate.pipeline.tallies import Place, Tallies, Tally, Witnesses

PASS_OF_A_LEVEL = {False: 0.4, True: 1.6}
"""How much of the work of judging a split, by columns or by a loop, it is to say what its events say at one depth."""
LOOP_PAYS_FROM = 2_000_000
"""With fewer events a loop takes longer to be compiled than it saves, if it was not compiled before."""


class Judgement(NamedTuple):
    """What the rules say of the events, and by stream what a later run goes on from, where that was asked for."""

    tallies: Tallies
    witnesses: Witnesses
    carried: Mapping[str, Carried]


def judge(
    files: Iterable[EventsFile],
    rules: Mapping[str, Sequence[Definition]],
    runner: Runner,
    *,
    most: int,
    lines_before: Mapping[Path, int] | None = None,
    summaries: Mapping[Path, Summary] | None = None,
    carried: Mapping[str, Carried] | None = None,
    keep: bool = False,
    loop: bool | None = None,
) -> Judgement:
    """Judge each stream by its rules, and show the first `most` events of an input that violate one.

    `lines_before` says by file how many lines of its input come before it, `summaries` what ingest found in it,
    `carried` by stream what an earlier run ended with; `keep` asks for what this one ends with. `loop` says whether to
    judge by a compiled loop, else that is decided by how many events there are. Raises OrderNotProved, TooLarge,
    BadInput for a file that cannot be read, OtherRules where something carried in is not of these rules.
    """
    streams = _streams(files, rules, carried or {}, keep)
    if loop is None:
        loop = can_compile() and sum(stream.events for stream in streams) >= LOOP_PAYS_FROM
    cut = [stream for stream in streams if stream.is_cut]
    in_turn = _pays_in_turn(cut, summaries or {}, runner, PASS_OF_A_LEVEL[loop])
    _look(cut, summaries or {}, runner, parts=not in_turn)
    judged = (_in_turn if in_turn else _at_once)(streams, runner, most, loop)
    return Judgement(
        _tallies(streams, judged),
        witnesses(streams, judged, runner, lines_before or {}, most),
        {stream.name: stream.end(found[-1].states) for stream, found in zip(streams, judged, strict=True) if keep},
    )


def _streams(
    files: Iterable[EventsFile],
    rules: Mapping[str, Sequence[Definition]],
    carried: Mapping[str, Carried],
    keep: bool,
) -> list[Stream]:
    found: dict[str, list[EventsFile]] = {}
    for file in files:
        found.setdefault(file.stream, []).append(file)
    streams = []
    for name, splits in found.items():
        names = names_of(rules[name])
        stream = Stream(name, tuple(splits), tuple(rules[name]), names, plan_of(names), carried.get(name), keep)
        if stream.before is not None and stream.before.fingerprint != stream.plan.fingerprint:
            raise OtherRules(f"{name}: what an earlier run ended with is not of the same rules")
        streams.append(stream)
    return streams


def _pays_in_turn(
    cut: Sequence[Stream], summaries: Mapping[Path, Summary], runner: Runner, pass_of_a_level: float
) -> bool:
    """Whether judging each stream in turn is no more work for the busiest worker than judging all splits at once."""
    events = sum(stream.events for stream in cut)
    depth = max((stream.plan.depth for stream in cut), default=0)
    known = all(file.path in summaries for stream in cut for file in stream.files)
    at_once = events * (1 + pass_of_a_level * (depth - known)) / runner.workers
    longest = max((stream.events for stream in cut), default=0)
    return max(longest, events / runner.workers) <= at_once


def _look(cut: Sequence[Stream], summaries: Mapping[Path, Summary], runner: Runner, *, parts: bool) -> None:
    """Look at every split of the streams that are cut, as far as no summary tells of it. Raises OrderNotProved."""
    for stream in cut:
        known = [summaries.get(file.path) for file in stream.files]
        stream.seen = [
            None if each is None or each.fingerprint != stream.plan.fingerprint else each.seen for each in known
        ]
    unseen = [(stream, n) for stream in cut for n, seen in enumerate(stream.seen) if seen is None]
    found = runner.each(look, [Look(stream.files[n].path, stream.names, parts) for stream, n in unseen])
    for (stream, n), seen in zip(unseen, found, strict=True):
        stream.seen[n] = seen
    for stream in cut:
        stream.require_order()


def _in_turn(streams: Sequence[Stream], runner: Runner, most: int, loop: bool) -> list[list[Judged]]:
    tasks = []
    for stream in streams:
        splits = [Judging(file.path, stream.names, most, look=not stream.is_cut, loop=loop) for file in stream.files]
        splits[0] = replace(splits[0], states=stream.states)
        tasks.append(InTurn(tuple(splits), stream.going_on_after()))
    found = runner.each(judge_in_turn, tasks)
    _require_order(streams, found)
    return found


def _at_once(streams: Sequence[Stream], runner: Runner, most: int, loop: bool) -> list[list[Judged]]:
    begins = {each.stream.name: each for each in levels([stream for stream in streams if stream.is_cut], runner)}
    tasks = [
        Judging(file.path, stream.names, most, begins[stream.name].begins[number], loop=loop)
        if stream.is_cut
        else Judging(file.path, stream.names, most, stream.states, keep=stream.keep, look=True, loop=loop)
        for stream in streams
        for number, file in enumerate(stream.files)
    ]
    judged = iter(runner.each(judge_split, tasks))
    found = [[next(judged) for _ in stream.files] for stream in streams]
    _require_order(streams, found)
    for stream, splits in zip(streams, found, strict=True):
        if stream.keep:
            ends = begins[stream.name].ends if stream.is_cut else splits[-1].states
            splits[-1] = splits[-1]._replace(states=after(stream.plan, stream.states, ends, None))
    return found


def _require_order(streams: Sequence[Stream], judged: Sequence[Sequence[Judged]]) -> None:
    """Of streams that are one split, which was looked at only while it was judged. Raises OrderNotProved."""
    for stream, (first, *_) in zip(streams, judged, strict=True):
        if not stream.is_cut and first.sources is not None:
            stream.seen = [Seen(first.sources, None)]
            stream.require_order()


def _tallies(streams: Sequence[Stream], judged: Sequence[Sequence[Judged]]) -> Tallies:
    found: dict[Place, Tally] = {}
    for stream, splits in zip(streams, judged, strict=True):
        for split in splits:
            for (name, rule), (events, violated) in split.counts.items():
                place = (name, stream.rules[rule])
                before = found.get(place, Tally(0, 0))
                found[place] = Tally(before.judged + events, before.violated + violated)
    return found
