"""Reads the annotations of functions in the rule language: the parameters, and the key types of tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NewType, get_args, get_origin, get_type_hints


def types_in(annotated: Any) -> Mapping[str, Any]:
    """The type of every name that a function or a dataclass annotates; cached, because each proof asks many times."""
    return _types_in(annotated)


@cache
def _types_in(annotated: Any) -> Mapping[str, Any]:
    return MappingProxyType(get_type_hints(annotated))


def parameter_types(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotation of each parameter."""
    return {name: hint for name, hint in types_in(function).items() if name != "return"}


def key_types(annotation: Any) -> Iterator[Any]:
    """The key types that occur in an annotation."""
    if get_origin(annotation) is not None:
        for argument in get_args(annotation):
            yield from key_types(argument)
    elif is_dataclass(annotation):
        for hint in types_in(annotation).values():
            yield from key_types(hint)
    elif isinstance(annotation, NewType):
        yield annotation


def key_word(key_type: Any) -> str:
    """The word for a key of this type, such as `queue` for `QueueName`."""
    return str(key_type.__name__).removesuffix("Name").lower()
