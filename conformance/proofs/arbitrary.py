"""Hypothesis strategies for the parameters of rules and claims, from their annotations alone.

Within one example, all tables over one key type share their keys, and a key is one of them.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from tidegate.conformance.proofs.annotations import key_types, key_word, parameter_types, types_in

SMALL = st.integers(-3, 8)
"""Small figures, -1 and 0 among them, so that levels and limits often meet."""
MOST_KEYS = 3
Keys = Mapping[Any, tuple[str, ...]]


def arguments(function: Callable[..., Any], numbers: SearchStrategy[int] = SMALL) -> SearchStrategy[dict[str, Any]]:
    """Values for every parameter of a function, by name."""
    hints = parameter_types(function)

    @st.composite
    def drawn(draw: DrawFn) -> dict[str, Any]:
        kinds = dict.fromkeys(kind for hint in hints.values() for kind in key_types(hint))
        keys = {kind: _named(kind, draw(st.integers(1, MOST_KEYS))) for kind in kinds}
        return {name: draw(_values(hint, keys, numbers)) for name, hint in hints.items()}

    return drawn()


def _named(kind: Any, size: int) -> tuple[str, ...]:
    return tuple(f"{key_word(kind)}{number}" for number in range(1, size + 1))


def _values(hint: Any, keys: Keys, numbers: SearchStrategy[int]) -> SearchStrategy[Any]:
    """The strategy for one annotation; TypeError for one that no rule uses."""
    if hint is int:
        return numbers
    if hint is bool:
        return st.booleans()
    if hint is str:
        return st.sampled_from(("", "a", "b"))
    if hint is type(None):
        return st.none()
    if isinstance(hint, NewType):
        return st.sampled_from(keys[hint])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    if is_dataclass(hint) and isinstance(hint, type):
        hints = types_in(hint)
        parts = {part.name: _values(hints[part.name], keys, numbers) for part in fields(hint)}
        return st.builds(hint, **parts)
    if get_origin(hint) is Annotated:
        return _values(get_args(hint)[0], keys, numbers)
    if get_origin(hint) in (UnionType, Union):
        return st.one_of(*(_values(part, keys, numbers) for part in get_args(hint)))
    if get_origin(hint) is Mapping:
        kind, entry = get_args(hint)
        return st.fixed_dictionaries({key: _values(entry, keys, numbers) for key in keys[kind]})
    raise TypeError(f"no strategy for {hint!r}")
