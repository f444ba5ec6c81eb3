"""Judges what the store holds: streams that were judged before are judged again only from where they go on."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tidegate.pipeline.forms import TRACE
from tidegate.pipeline.judge.events import EventsOf
from tidegate.pipeline.judge.loop import RuleNames, loop_of
from tidegate.pipeline.judge.states import Counts
from tidegate.pipeline.judge.streams import ToJudge, judge_streams
from tidegate.pipeline.read.reading import grows
from tidegate.pipeline.store.batches import Batch
from tidegate.pipeline.store.commits import events_of
from tidegate.pipeline.store.judgements import Earlier, earlier, forget_others, keep, together
from tidegate.pipeline.store.layout import Store
from tidegate.pipeline.work.compiling import can_compile
from tidegate.pipeline.work.engines import Runner

COMPILED_FROM = 1_000_000
"""With fewer events a loop takes longer to be compiled than it saves."""


class Judged(NamedTuple):
    """What the rules say of every input; `notes` are sentences."""

    counts: Counts
    notes: list[str]


class Known(NamedTuple):
    """A batch of streams, the names of its rules, and the judgement of its first splits that is stored."""

    batch: Batch
    rules: RuleNames
    before: Earlier

    @property
    def new_events(self) -> int:
        """Events that are not judged yet."""
        new = (commit for commit in self.batch.commits if commit.name not in self.before.splits)
        return sum(commit.account.events for commit in new)

    @property
    def is_judged(self) -> bool:
        """Whether there is nothing new."""
        return self.before.splits.issuperset(commit.name for commit in self.batch.commits)


def judged(store: Store, batches: Sequence[Batch], rules_of: Mapping[str, RuleNames], runner: Runner) -> Judged:
    """Judge the streams of these batches by the rules of each input, by its name."""
    known = _known(store, batches, rules_of)
    new = [each for each in known if not each.is_judged]
    fast = sum(each.new_events for each in new) >= COMPILED_FROM and can_compile()
    said = iter(runner.each(judge_streams, [_task(store, each, fast=fast) for each in new]))
    found = Judged({}, [])
    states = []
    for each in known:
        of_batch, file = each.before.found, each.before.states
        if not each.is_judged:
            of_batch = next(said)
            if of_batch.out_of_order:
                found.notes.append(f"{each.batch.words}: events were sorted first, for {of_batch.out_of_order}")
            else:
                of_batch = together(each.before.found, of_batch)
            file = keep(store, each.batch, loop_of(each.rules).digest, of_batch)
        found.counts.update(of_batch.counts)
        states.append(file)
    forget_others(store, [each.batch for each in known], states)
    return found


def _known(store: Store, batches: Sequence[Batch], rules_of: Mapping[str, RuleNames]) -> list[Known]:
    found = []
    for batch in batches:
        rules = tuple(dict.fromkeys(rule for each in batch.commits for rule in rules_of[each.split.input.name]))
        if rules:
            found.append(Known(batch, rules, earlier(store, batch, loop_of(rules).digest)))
    return found


def _task(store: Store, known: Known, *, fast: bool) -> ToJudge:
    files, new = [], []
    before: dict[str, int] = {}
    for number, commit in enumerate(known.batch.commits):
        name, account = commit.split.input.name, commit.account
        files.append(EventsOf(events_of(store, commit), name, before.get(name, 0)))
        before[name] = before.get(name, 0) + account.lines
        if commit.name not in known.before.splits:
            new.append(number)
    # what may grow is gone on from; a trace is judged anew
    last = known.batch.commits[-1].split.input
    return ToJudge(
        tuple(files), tuple(new), known.rules, known.before.found.states,
        keep=grows(last), fast=fast, completed=last.form != TRACE,
    )  # fmt: skip
