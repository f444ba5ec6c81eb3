"""Past-time operators: values, for rules over a trace, of the events up to and including the present one.

Each operator is defined as a fold: a state, an initial value and a step in the rule language. A reader keeps one
state per place in the rule and per key (`per`, always within one source). Proofs show that each fold agrees with its
sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from tidegate.model.language.rule import primitive, rule

Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Operator:
    """A fold: `step(state, *arguments)` gives the next state, which is also the operator's value now."""

    step: Callable[..., Any]
    initial: Any


@rule
def latest_step(state: int, value: int, when: bool) -> int:
    """PAST-1: the present value if the condition holds now, else the value before."""
    return value if when else state


@rule
def total_step(state: int, value: int) -> int:
    """PAST-2: the sum so far, plus the present value."""
    return state + value


@rule
def greatest_step(state: int, value: int, when: bool) -> int:
    """PAST-3: the present value if the condition holds now and the value is greater than the one before, else the value
    before."""
    return value if when and value > state else state


@primitive
def latest(value: Seen, *, when: bool, per: tuple[str | None, ...]) -> Seen:
    """The value at the latest event with `when`, the present event included; 0 before the first such event."""
    raise NotImplementedError("past-time operators have a meaning only for a reader of traces")


@primitive
def total(value: int, *, per: tuple[str | None, ...]) -> int:
    """The sum of the value over all events of the key, the present one included."""
    raise NotImplementedError("past-time operators have a meaning only for a reader of traces")


@primitive
def greatest(value: int, *, when: bool, per: tuple[str | None, ...]) -> int:
    """The greatest value over the events with `when`, the present event included; 0 where none is above 0."""
    raise NotImplementedError("past-time operators have a meaning only for a reader of traces")


OPERATORS: dict[Callable[..., Any], Operator] = {
    latest: Operator(latest_step, 0),
    total: Operator(total_step, 0),
    greatest: Operator(greatest_step, 0),
}
