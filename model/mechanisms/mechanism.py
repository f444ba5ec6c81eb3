"""A mechanism: how one destination and its producers go from state to state.

Random sequences, the sweep and whoever else steps a broker step this record; each of its functions only calls rules
of the model. Sizes and levels are in bytes, producers go by their names.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

Settings = TypeVar("Settings")
"""What is configured for the destination."""
State = TypeVar("State")
"""The destination and its producers: a frozen dataclass."""


@dataclass(frozen=True)
class Mechanism(Generic[Settings, State]):
    """One documented mechanism over one destination."""

    empty: Callable[[Settings], State]
    """The destination without messages and without producers."""
    after_attach: Callable[[State, str], State]
    """A producer attached."""
    after_request: Callable[[State, str, int], State]
    """A producer asked for what a message of this size needs; the same state where nobody has to ask."""
    may_send: Callable[[State, str, int], bool]
    """Whether nothing holds a message of this size of this producer back, once it has asked for what it needs."""
    stores: Callable[[State, int], bool]
    """Whether a message of this size that was sent is stored; otherwise it is rejected."""
    after_send: Callable[[State, str, int], State]
    """A producer sent a message of this size."""
    after_removal: Callable[[State, str, int], State]
    """A message of this size, sent by this producer, left the destination for good."""
    after_change: Callable[[State, Settings], State]
    """Other settings are in force."""
    after_close: Callable[[State, str], State]
    """A producer is gone."""
    level: Callable[[State], int]
    """The bytes that the destination is charged."""
    after_order: Callable[[State, bool], State] | None = None
    """Management ordered the producers to stop, or lifted its order; None where the mechanism knows no orders."""
    credit: Callable[[State, str], int] | None = None
    """The credit that a producer has left; None where there is no credit."""
    tells_ahead: bool = True
    """Whether a producer learns that it may not send before it tries to."""


def frozen_form(state: Any) -> Hashable:
    """A state as nested tuples, equal for equal states, whatever the order of its tables."""
    if isinstance(state, Mapping):
        return tuple(sorted((key, frozen_form(value)) for key, value in state.items()))
    if is_dataclass(state):
        return tuple(frozen_form(getattr(state, part.name)) for part in fields(state))
    assert isinstance(state, Hashable)
    return state
