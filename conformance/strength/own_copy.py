"""Copies the modules of a broker, so that its rules can be changed without a change of the rules that judge it."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

MODEL = "tidegate.model"


@contextmanager
def imported_anew(packages: tuple[str, ...]) -> Iterator[None]:
    """Load these packages anew for imports within the block; afterwards everything is as before."""
    own = _modules_of(packages)
    for name in own:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _modules_of(packages):
            del sys.modules[name]
        sys.modules.update(own)
        for name in packages:  # an import binds a package as a name of the one above it too
            above, _, last = name.rpartition(".")
            if name in own:
                setattr(sys.modules[above], last, own[name])


def copied(cls: type) -> tuple[type, list[ModuleType]]:
    """A copy of a class with its own modules: copies of the model, and of the class's package."""
    packages = (MODEL, cls.__module__.rpartition(".")[0])
    with imported_anew(packages):
        copy: type = getattr(importlib.import_module(cls.__module__), cls.__name__)
        return copy, list(_modules_of(packages).values())


def put(modules: list[ModuleType], place: str, changed: Any) -> None:
    """Replace the function `place`, module:function below the model, by `changed` of it, wherever it is bound."""
    module, _, name = place.partition(":")
    own = {one.__name__: one for one in modules}
    original = getattr(own[f"{MODEL}.mechanisms.{module}"], name)
    replacement = changed(original)
    _keep_definition(own[f"{MODEL}.language.rule"], original, replacement)
    for one in modules:
        for known, value in list(vars(one).items()):
            if value is original:
                setattr(one, known, replacement)


def _keep_definition(language: ModuleType, original: Any, replacement: Any) -> None:
    """Register the replacement as the rule that it stands for, since a linker takes only rules."""
    definition = language.definition_of(original)
    if definition is not None:
        language.keep_definition(replace(definition, function=replacement))


def _modules_of(packages: tuple[str, ...]) -> dict[str, ModuleType]:
    inside = tuple(f"{package}." for package in packages)
    return {name: module for name, module in sys.modules.items() if name in packages or name.startswith(inside)}
