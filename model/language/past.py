"""Past-time operators: what a rule over a trace may say about the events up to and including the present one.

Each operator is defined as a fold: a state, an initial value and a step in the rule language. A reader keeps one
state per place in the rule and per key (`per`, always within one source); the columns of the pipeline have one
form for each, held against the folds by tests. Proofs show that each fold says what its sentence says.

Beside its step each operator has a *part*: all that a stretch of events says of one key. Parts of neighbouring
stretches are combined, and a state is carried past a stretch by its part alone, so that stretches can be judged
apart from each other. Proofs show that this says the same as the steps one after the other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from tidegate.model.language.rule import primitive, rule

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Operator:
    """A fold: `step(state, *arguments)` gives the next state, which is also what the operator says now.

    `part_of(*arguments)` is the part of one event, `unit` that of no event, `combine(first, then)` that of two
    neighbouring stretches, and `carry(state, part)` the state after a stretch.
    """

    step: Callable[..., Any]
    initial: Any
    part_of: Callable[..., Any]
    unit: Any
    combine: Callable[..., Any]
    carry: Callable[..., Any]


@dataclass(frozen=True)
class LatestPart:
    """What a stretch says of `latest`: whether the condition held in it, and the value when it last did, else 0."""

    seen: bool
    value: int


@rule
def latest_step(state: int, value: int, when: bool) -> int:
    """PAST-1: the present value if the condition holds now, else what it was before."""
    return value if when else state


@rule
def latest_part(value: int, when: bool) -> LatestPart:
    """PAST-1: of one event, its value if the condition holds there."""
    return LatestPart(seen=when, value=value if when else 0)


@rule
def latest_combined(first: LatestPart, then: LatestPart) -> LatestPart:
    """PAST-1: of two stretches, what the later one says if the condition held in it, else what the first one says."""
    return LatestPart(seen=first.seen or then.seen, value=then.value if then.seen else first.value)


@rule
def latest_carried(state: int, part: LatestPart) -> int:
    """PAST-1: after a stretch, its value if the condition held in it, else what it was before."""
    return part.value if part.seen else state


@rule
def total_step(state: int, value: int) -> int:
    """PAST-2: what was summed up so far and the present value."""
    return state + value


@rule
def total_part(value: int) -> int:
    """PAST-2: of one event, its value."""
    return value


@rule
def total_combined(first: int, then: int) -> int:
    """PAST-2: of two stretches, the sum of their sums."""
    return first + then


@rule
def total_carried(state: int, part: int) -> int:
    """PAST-2: after a stretch, what was summed up before it and its sum."""
    return state + part


@primitive
def latest(value: Seen, *, when: bool, per: tuple[str | None, ...]) -> Seen:
    """The value at the latest event, the present one included, at which `when` held; before there was one, 0."""
    raise NotImplementedError("past-time operators have a meaning only for a reader of traces")


@primitive
def total(value: int, *, per: tuple[str | None, ...]) -> int:
    """The sum of the value over all events of the key, the present one included."""
    raise NotImplementedError("past-time operators have a meaning only for a reader of traces")


OPERATORS: dict[Callable[..., Any], Operator] = {
    latest: Operator(
        latest_step, 0, latest_part, LatestPart(seen=False, value=0), combine=latest_combined, carry=latest_carried
    ),
    total: Operator(total_step, 0, total_part, 0, combine=total_combined, carry=total_carried),
}
