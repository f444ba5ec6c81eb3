"""What judging a stream remembers, in a form that a file can hold."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KeyStates:
    """What is remembered of each row of keys, its source first: by row so many values, in any size."""

    keys: tuple[tuple[str | int, ...], ...]
    values: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class States:
    """What operators remember, by row of fields in the order of `Loop.keys`, and which channels are stopped by whom."""

    past: tuple[KeyStates, ...]
    stopped: KeyStates
