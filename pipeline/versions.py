"""Digests of the code on which a result depends: they say which results a changed reader or rule puts out of date.

A digest of readers, or of measures, is one of their whole sources, and of what these take from the model by its value,
so that a changed rule does not count as a changed reader. What judging found belongs to the loop that found it.
"""

import ast
import builtins
import hashlib
import inspect
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType, ModuleType, UnionType

from tidegate.model.language.rule import Definition, definition_of
from tidegate.pipeline import forms, read, stops

DIGEST_BYTES = 16
DECIDING_EVENTS = ("tidegate.pipeline.schema", "tidegate.record.events", "tidegate.record.trace")
"""Modules that decide what an event is."""
FROM_THE_MODEL = re.compile(r"^ *(from tidegate\.model\b[\w.]* import (?:\([^)]*\)|.*))$", re.MULTILINE)
"""A module's imports of what the model defines."""


@cache
def reader_set() -> str:
    """The digest of the readers, and of what they take from the model."""
    return _digest_of_modules((forms, read), DECIDING_EVENTS)


@cache
def measure_set() -> str:
    """The digest of the measures, and of what they take from the model."""
    return _digest_of_modules((forms, stops), DECIDING_EVENTS)


def _digest_of_modules(packages: Iterable[ModuleType], beside: Iterable[str]) -> str:
    names = [module.name for each in packages for module in walk_packages(each.__path__, f"{each.__name__}.")]
    found: dict[str, str] = {}
    for name in (*names, *beside):
        found[name] = source = _source(name)
        for statement in FROM_THE_MODEL.findall(source):
            # only now, for some modules take long to import
            module = import_module(name)
            for taken in _names_taken(statement):
                found[f"{name} takes {taken}"] = _described(getattr(module, taken), found)
    return _digest(found)


def _names_taken(statement: str) -> list[str]:
    """The names that an import gives to what it takes."""
    (node,) = ast.parse(statement).body
    assert isinstance(node, ast.ImportFrom)
    return [taken.asname or taken.name for taken in node.names]


def _gather(rule: Definition, found: dict[str, str]) -> None:
    """Add the tree of a rule, and those of all that it names."""
    if rule.qualified_name in found:
        return
    trees = [ast.dump(statement) for statement in rule.body]
    found[rule.qualified_name] = f"{inspect.signature(rule.function)} {trees}"
    for node in (node for statement in rule.body for node in ast.walk(statement)):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=part) if name not in rule.local_names:
                value = getattr(rule.scope[name], part)
                found[f"{rule.qualified_name} uses {name}.{part}"] = _described(value, found)
            case ast.Name(id=name) if name not in rule.local_names and not hasattr(builtins, name):
                found[f"{rule.qualified_name} uses {name}"] = _described(rule.scope[name], found)


def _described(value: object, found: dict[str, str]) -> str:
    """A text that is the same wherever and whenever the value is; TypeError for a value that none is known of."""
    if isinstance(value, Definition):
        return value.qualified_name
    definition = definition_of(value) if callable(value) else None
    if definition is not None:
        _gather(definition, found)
        return definition.qualified_name
    match value:
        case ModuleType():
            return _source(value.__name__)
        case Enum():
            return repr(value.value)
        case str() | int() | float() | None | UnionType():
            return repr(value)
        case re.Pattern():
            return f"{value.pattern!r} {value.flags}"
        case Mapping():
            return str(sorted((_described(key, found), _described(each, found)) for key, each in value.items()))
        case Set():
            return str(sorted(_described(each, found) for each in value))
        case tuple() | list():
            return str([_described(each, found) for each in value])
        case type() if issubclass(value, Enum):
            return value.__qualname__
        case type():
            return _written(value)
    if is_dataclass(value):
        parts = [(part.name, _described(getattr(value, part.name), found)) for part in fields(value)]
        return f"{type(value).__qualname__} {parts}"
    if inspect.isfunction(value):
        return _written(value)
    raise TypeError(f"no digest of {value!r} is known")


@cache
def _written(value: type | FunctionType) -> str:
    """The source of a class or a function."""
    return inspect.getsource(value)


def _source(name: str) -> str:
    """The source of a module that need not be imported for it."""
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).read_text(encoding="utf-8")


def _digest(found: Mapping[str, str]) -> str:
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for name in sorted(found):
        digest.update(f"{name}\0{found[name]}\0".encode())
    return digest.hexdigest()
