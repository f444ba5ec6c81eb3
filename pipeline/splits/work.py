"""What a worker does with one split: it reads the file itself, and what it gives back is small."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from headgate.pipeline.schema import INPUT
from headgate.pipeline.splits.columns import SplitColumns
from headgate.pipeline.splits.order import SEQ, seen_in
from headgate.pipeline.splits.plan import SOURCE, Plan, RuleNames, columns_of, fields_of, plan_of
from headgate.pipeline.splits.reading import read_events, read_rows
from headgate.pipeline.splits.tables import Parts, States, after

ROW = "row"
FEW_SOURCES = 100
"""A split with so few sources or fewer is a stretch of long streams: what it says of their keys will be needed."""


@dataclass(frozen=True)
class Look:
    """A split to look at first; `parts` asks for those of the innermost operators too, where there are few sources."""

    path: Path
    rules: RuleNames
    parts: bool


@dataclass(frozen=True)
class Seen:
    """What is in a split, by `seen_in`, and the parts of its innermost operators where they were asked for."""

    sources: pl.DataFrame
    parts: Parts | None


@dataclass(frozen=True)
class Level:
    """A split of which the parts at one depth are asked for, given the states of the operators below it."""

    path: Path
    rules: RuleNames
    depth: int
    sources: tuple[str, ...]
    states: States


@dataclass(frozen=True)
class Judging:
    """A split to judge from the states with which it begins.

    `keep` asks for those with which it ends, and `look` for what is in it, where that is not known yet.
    """

    path: Path
    rules: RuleNames
    most: int
    states: States = field(default_factory=dict)
    keep: bool = False
    look: bool = False


@dataclass(frozen=True)
class InTurn:
    """The splits of a stream, each to be judged from the states with which the one before it ends.

    `going_on` says for each of them the sources that come again later, whose states are kept; None is all.
    """

    splits: tuple[Judging, ...]
    going_on: tuple[frozenset[str] | None, ...]


@dataclass(frozen=True)
class Failing:
    """An event of which a rule, by its number, does not hold: its row in the file, from 0."""

    input: str
    rule: int
    source: str
    seq: int
    row: int


@dataclass(frozen=True)
class Judged:
    """What a split shows: (input, number of the rule) to events judged and violated, and the first that violate it."""

    sources: pl.DataFrame | None
    counts: Mapping[tuple[str, int], tuple[int, int]]
    failing: tuple[Failing, ...]
    states: States


@dataclass(frozen=True)
class Rows:
    """Events of a split that are to be shown."""

    path: Path
    rows: tuple[int, ...]


def look(task: Look) -> Seen:
    """What is in a split. Raises BadInput, TooLarge."""
    plan = plan_of(task.rules)
    fields = fields_of(plan.at(1)) if task.parts else frozenset()
    return seen(plan, read_events(task.path, {SOURCE, SEQ, *fields}), parts=task.parts)


def seen(plan: Plan, events: pl.DataFrame, *, parts: bool) -> Seen:
    """What is in events, with the parts of the innermost operators if asked for and useful. Raises TooLarge."""
    sources = seen_in(events)
    useful = parts and 0 < sources.height <= FEW_SOURCES
    return Seen(sources, parts_of(plan, events, 1, {}) if useful else None)


def level(task: Level) -> Parts:
    """What the events of some sources of a split say at one depth. Raises BadInput, TooLarge."""
    plan = plan_of(task.rules)
    events = read_events(task.path, {SOURCE, *fields_of((*plan.below(task.depth), *plan.at(task.depth)))})
    if task.sources:
        events = events.filter(pl.col(SOURCE).cast(pl.String).is_in(task.sources))
    return parts_of(plan, events, task.depth, task.states)


def parts_of(plan: Plan, events: pl.DataFrame, depth: int, states: States) -> Parts:
    """The parts of the operators at one depth. Raises TooLarge."""
    below, groups = plan.below(depth), plan.at(depth)
    columns = SplitColumns(plan, events, states, below, summed=groups)
    columns.run()
    return {group.id: columns.parts(group) for group in groups}


def judge_split(task: Judging) -> Judged:
    """What the rules say of each event of a split. Raises BadInput, TooLarge."""
    plan = plan_of(task.rules)
    terms = [term for lowered in plan.rules for term in (lowered.judged, lowered.holds)]
    events = read_events(task.path, {SOURCE, SEQ, INPUT, *fields_of(plan.groups, *terms)})
    if events.is_empty():
        return Judged(seen_in(events) if task.look else None, {}, (), {})
    columns = SplitColumns(plan, events, task.states, plan.groups, terms=terms)
    columns.run()
    frame = columns.frame({SOURCE, SEQ, INPUT, *columns_of(*terms)})
    counts: dict[tuple[str, int], tuple[int, int]] = {}
    failing: list[Failing] = []
    for name, part in _by_input(frame):
        found = _counted(plan, part)
        counts |= {(name, rule): each for rule, each in enumerate(found)}
        wrong = [rule for rule, (_, violated) in enumerate(found) if violated]
        failing += _first(plan, part, name, wrong, task.most)
    states = {group.id: columns.states(group) for group in plan.groups} if task.keep else {}
    return Judged(seen_in(events) if task.look else None, counts, tuple(failing), states)


def judge_in_turn(task: InTurn) -> list[Judged]:
    """What the rules say of each event of a stream; the states are those after all of it. Raises BadInput, TooLarge."""
    plan = plan_of(task.splits[0].rules)
    states, found = task.splits[0].states, []
    for split, going_on in zip(task.splits, task.going_on, strict=True):
        judged = judge_split(replace(split, states=states, keep=going_on is None or bool(going_on)))
        states = after(plan, states, judged.states, going_on)
        found.append(replace(judged, states={}))
    return [*found[:-1], replace(found[-1], states=states)]


def show(task: Rows) -> list[dict[str, Any]]:
    """Events as they came, nulls included."""
    return read_rows(task.path, list(task.rows))


def _by_input(frame: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    numbered = frame.with_row_index(ROW)
    code = numbered[INPUT].to_physical()
    if code.min() == code.max():
        return [(numbered[INPUT][0], numbered)]
    return [(str(name), part) for (name,), part in numbered.partition_by(INPUT, as_dict=True).items()]


def _counted(plan: Plan, frame: pl.DataFrame) -> list[tuple[int, int]]:
    of = plan.expressions.of
    sums = [
        each.sum().alias(f"{n} {what}")
        for n, lowered in enumerate(plan.rules)
        for what, each in (("judged", of(lowered.judged)), ("violated", of(lowered.judged) & ~of(lowered.holds)))
    ]
    found = frame.lazy().select(sums).collect().row(0)
    return list(zip(found[::2], found[1::2], strict=True))


def _first(plan: Plan, frame: pl.DataFrame, name: str, rules: list[int], most: int) -> list[Failing]:
    shown = []
    for rule in rules:
        lowered = plan.rules[rule]
        fails = plan.expressions.of(lowered.judged) & ~plan.expressions.of(lowered.holds)
        place = pl.col(SOURCE).cast(pl.String), SEQ, ROW
        rows = frame.lazy().filter(fails).select(place).sort(SOURCE, SEQ).head(most).collect()
        shown += [Failing(name, rule, *row) for row in rows.iter_rows()]
    return shown
