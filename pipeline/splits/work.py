"""What a worker does with one split: it reads the file itself, and what it gives back is small."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from tidegate.pipeline.schema import INPUT
from tidegate.pipeline.splits.by_columns import by_columns
from tidegate.pipeline.splits.columns import SplitColumns
from tidegate.pipeline.splits.evaluation import Evaluation
from tidegate.pipeline.splits.figures import fits
from tidegate.pipeline.splits.loop import NoLoop, loop_of
from tidegate.pipeline.splits.order import SEQ, seen_in
from tidegate.pipeline.splits.plan import SOURCE, Plan, RuleNames, fields_of, plan_of
from tidegate.pipeline.splits.reading import read_events, read_rows
from tidegate.pipeline.splits.tables import Parts, States, after

ROW = "row"
FEW_SOURCES = 100
"""A split with so few sources or fewer is a stretch of long streams: what it says of their keys will be needed."""


class Look(NamedTuple):
    """A split to look at first; `parts` asks for those of the innermost operators too, where there are few sources."""

    path: Path
    rules: RuleNames
    parts: bool


class Seen(NamedTuple):
    """What is in a split, by `seen_in`, and the parts of its innermost operators where they were asked for."""

    sources: pl.DataFrame
    parts: Parts | None


class Level(NamedTuple):
    """A split of which the parts at one depth are asked for, given the states of the operators below it."""

    path: Path
    rules: RuleNames
    depth: int
    sources: tuple[str, ...]
    states: States


@dataclass(frozen=True)
class Judging:
    """A split to judge from the states with which it begins.

    `keep` asks for those with which it ends, `look` for what is in it, where that is not known yet, and `loop` for a
    compiled loop where the rules allow one.
    """

    path: Path
    rules: RuleNames
    most: int
    states: States = field(default_factory=dict)
    keep: bool = False
    look: bool = False
    loop: bool = False


class InTurn(NamedTuple):
    """The splits of a stream, each to be judged from the states with which the one before it ends.

    `going_on` says for each of them the sources that come again later, whose states are kept; None is all.
    """

    splits: tuple[Judging, ...]
    going_on: tuple[frozenset[str] | None, ...]


class Failing(NamedTuple):
    """An event of which a rule, by its number, does not hold: its row in the file, from 0."""

    input: str
    rule: int
    source: str
    seq: int
    row: int


class Judged(NamedTuple):
    """What a split shows: (input, number of the rule) to events judged and violated, and the first that violate it."""

    sources: pl.DataFrame | None
    counts: Mapping[tuple[str, int], tuple[int, int]]
    failing: tuple[Failing, ...]
    states: States


class Rows(NamedTuple):
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
    events = read_events(task.path, {SOURCE, SEQ, INPUT, *fields_of(plan.groups, *plan.terms)})
    if events.is_empty():
        return Judged(seen_in(events) if task.look else None, {}, (), {})
    found = _evaluated(plan, events, task)
    failing = [
        failing
        for (name, rule), (_, violated) in found.counts.items()
        if violated
        for failing in _first(events, found.fails(rule), name, rule, task.most)
    ]
    states = {group.id: found.states(group) for group in plan.groups} if task.keep else {}
    return Judged(seen_in(events) if task.look else None, found.counts, tuple(failing), states)


def _evaluated(plan: Plan, events: pl.DataFrame, task: Judging) -> Evaluation:
    """What the rules say, by a loop where one was asked for and can say it."""
    if task.loop and fits(events, plan.groups, plan.terms, task.states.values()):
        # imported here, for few events are judged without numpy
        from tidegate.pipeline.splits.by_loop import by_loop

        try:
            return by_loop(plan, loop_of(plan), events, task.states)
        except NoLoop:
            return by_columns(plan, events, task.states)
    return by_columns(plan, events, task.states)


def judge_in_turn(task: InTurn) -> list[Judged]:
    """What the rules say of each event of a stream; the states are those after all of it. Raises BadInput, TooLarge."""
    plan = plan_of(task.splits[0].rules)
    states, found = task.splits[0].states, []
    for split, going_on in zip(task.splits, task.going_on, strict=True):
        judged = judge_split(replace(split, states=states, keep=going_on is None or bool(going_on)))
        states = after(plan, states, judged.states, going_on)
        found.append(judged._replace(states={}))
    return [*found[:-1], found[-1]._replace(states=states)]


def show(task: Rows) -> list[dict[str, Any]]:
    """Events as they came, nulls included."""
    return read_rows(task.path, list(task.rows))


def _first(events: pl.DataFrame, fails: pl.Series, name: str, rule: int, most: int) -> list[Failing]:
    """The first events of an input that violate a rule, by source and seq."""
    rows = events.lazy().with_row_index(ROW).filter(fails, pl.col(INPUT) == name)
    shown = rows.select(pl.col(SOURCE).cast(pl.String), SEQ, ROW).sort(SOURCE, SEQ).head(most).collect()
    return [Failing(name, rule, *row) for row in shown.iter_rows()]
