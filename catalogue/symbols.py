"""The parameters of a rule as symbols: terms, dataclasses of terms, and tables of unknown keys."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from tidegate.catalogue.notation import Table, Term
from tidegate.model.language.reading import Value

KEY_NAME_SUFFIX = "Name"
"""The ending of the type of a table's keys; the part before it names a key."""


def _need_their_name(function: Callable[..., Any]) -> Mapping[str, bool]:
    """Whether the fields of each parameter need its name in front, since another parameter has a field of the same
    name."""
    names: dict[str, list[str]] = {}
    hints = get_type_hints(function)
    for parameter in inspect.signature(function).parameters:
        hint = hints[parameter]
        names[parameter] = [part.name for part in fields(hint)] if is_dataclass(hint) else [parameter]
    return {
        parameter: any(set(own) & set(others) for other, others in names.items() if other != parameter)
        for parameter, own in names.items()
    }


def symbols_of(function: Callable[..., Any]) -> dict[str, Value]:
    """The symbol of each parameter; a dataclass's fields go without the parameter's name where no other field has
    theirs."""
    owned = _need_their_name(function)
    hints = get_type_hints(function)
    return {
        parameter: _symbol(hint, parameter if owned[parameter] or not is_dataclass(hint) else "")
        for parameter, hint in hints.items()
        if parameter in owned
    }


def _symbol(hint: Any, path: str) -> Value:
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        prefix = f"{path}." if path else ""
        parts = {part.name: _symbol(hints[part.name], prefix + part.name) for part in fields(hint)}
        return hint(**parts)
    origin = get_origin(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = get_args(hint)
        return Table(path, _key_name(key), lambda name: _symbol(value, f"{path}[{name.text}]"))
    return Term(path)


def _key_name(key: Any) -> str:
    return str(key.__name__).removesuffix(KEY_NAME_SUFFIX).lower()
