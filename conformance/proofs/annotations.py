"""What the annotations of a function of the rule language say: its parameters, and the key types of its tables."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, NewType, get_args, get_origin, get_type_hints


def types_in(annotated: Any) -> Mapping[str, Any]:
    """Every name that a function or a dataclass annotates, with its type; asked for many times in each proof."""
    return _types_in(annotated)


@cache
def _types_in(annotated: Any) -> Mapping[str, Any]:
    return MappingProxyType(get_type_hints(annotated))


def parameter_types(function: Callable[..., Any]) -> dict[str, Any]:
    """Parameter to annotation."""
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
    """How keys of a type are called: `QueueName` are `queue`."""
    return str(key_type.__name__).removesuffix("Name").lower()
