"""A mechanism: the steps of one destination and its producers from state to state.

Random sequences, the sweep and other users that step a broker step this record; each of its functions only calls rules
of the model. Sizes and levels are in bytes; producers are given by name.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

Settings = TypeVar("Settings")
"""The configuration of the destination."""
State = TypeVar("State")
"""The destination and its producers: a frozen dataclass."""


@dataclass(frozen=True)
class Mechanism(Generic[Settings, State]):
    """One documented mechanism over one destination."""

    empty: Callable[[Settings], State]
    """The destination without messages and without producers."""
    after_attach: Callable[[State, str], State]
    """The state after a producer is attached."""
    after_request: Callable[[State, str, int], State]
    """The state after a producer requests credit for a message of this size; unchanged where nobody requests credit."""
    may_send: Callable[[State, str, int], bool]
    """Whether nothing stops a message of this size of this producer, once the producer has requested its credit."""
    stores: Callable[[State, int], bool]
    """Whether a sent message of this size is stored; otherwise it is rejected."""
    after_send: Callable[[State, str, int], State]
    """The state after a producer sends a message of this size."""
    after_removal: Callable[[State, str, int], State]
    """The state after a message of this size, sent by this producer, leaves the destination for good."""
    after_change: Callable[[State, Settings], State]
    """The state after other settings come into force."""
    after_close: Callable[[State, str], State]
    """The state after a producer is closed."""
    level: Callable[[State], int]
    """The bytes that the destination is charged."""
    after_order: Callable[[State, bool], State] | None = None
    """The state after management orders the producers to stop, or lifts the order; None in a mechanism without
    orders."""
    credit: Callable[[State, str], int] | None = None
    """The credit that a producer has left; None in a mechanism without credit."""
    tells_ahead: bool = True
    """Whether a producer learns that it may not send before it tries to send."""


def frozen_form(state: Any) -> Hashable:
    """A state as nested tuples; equal states give equal tuples, in any order of their tables."""
    if isinstance(state, Mapping):
        return tuple(sorted((key, frozen_form(value)) for key, value in state.items()))
    if is_dataclass(state):
        return tuple(frozen_form(getattr(state, part.name)) for part in fields(state))
    assert isinstance(state, Hashable)
    return state
