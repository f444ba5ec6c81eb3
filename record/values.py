"""Values of dataclasses as JSON texts, read strictly: every field is checked against its type."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import TypeAdapter

Value = TypeVar("Value")


class BadValue(ValueError):
    """A text that is not a value of the wanted kind: the first wrong field, and its fault."""

    def __init__(self, field: str, fault: str):
        self.field, self.fault = field, fault
        super().__init__(f"{field}: {fault}")


def read_value(kind: type[Value], said: bytes) -> Value:
    """The value of this kind in a JSON text; BadValue where there is none, or further fields."""
    from pydantic import ValidationError

    try:
        value: Value = checks(kind).validate_json(said, strict=True, extra="forbid")  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        raise BadValue(".".join(map(str, first["loc"])), f"{first['msg']}, got {first['input']!r}") from error
    return value


@cache
def checks(kind: type) -> "TypeAdapter[Any]":
    """The validator of values of this kind."""
    # imported here, since a command that only writes values should not wait for it
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def written(value: object, indent: int | None = None) -> bytes:
    """A value as a JSON text with a line end. ValueError for a number that JSON does not have."""
    said = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, default=_plain)
    return said.encode() + b"\n"


def packed(value: object, *, nulls: bool = True) -> bytes:
    """A dataclass as compact JSON, for large files that only programs read; many times as fast as `written`.

    Fields that are null are left out unless `nulls`.
    """
    kind: Any = type(value)
    return checks(kind).dump_json(value, exclude_none=not nulls)


def _plain(value: object) -> object:
    """A value that JSON does not have, as one that it has: dataclasses as mappings by the names of their fields."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value that JSON has")
