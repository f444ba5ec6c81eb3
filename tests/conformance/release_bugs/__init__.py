"""Release bugs: small changes of the reference, each with the rules whose sentences it breaks.

A bug is written like a patch: what is wrong, the rules, a file of tidegate, then the lines that go (`-`) and those that
come in their place (`+`). How far lines are indented does not matter for finding them. The changed modules are loaded
beside the right ones: the broker is made of them, and what judges it is not.
"""

import importlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Any

from tidegate.adapters.base import Adapter
from tidegate.adapters.resolver import BUILT_IN
from tidegate.conformance.strength.own_copy import imported_anew

OF_THE_BROKER = ("tidegate.model", "tidegate.adapters.reference")
"""The packages that a broken broker has a copy of for itself."""


@dataclass(frozen=True)
class Bug:
    """A change of one file below `tidegate`; `adapter` is the implementation that is asked what it breaks."""

    text: str
    adapter: str
    breaks: tuple[str, ...]
    """The rules whose sentences say otherwise; any of them is the right one to be told first."""
    file: str
    was: tuple[str, ...]
    now: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module that is changed."""
        return "tidegate." + self.file.removesuffix(".py").replace("/", ".")

    def applied(self, source: str) -> str:
        """The source with the change; ValueError unless what goes is there exactly once."""
        found = list(re.finditer(r"\n\s*".join(re.escape(line.strip()) for line in self.was), source))
        if len(found) != 1:
            raise ValueError(f"{self.text}: {self.file} has {self.was[0].strip()!r} {len(found)} times")
        start = found[0].start()
        line = source[source.rfind("\n", 0, start) + 1 :]
        indent = "".join(takewhile(str.isspace, line))
        return source[:start] + f"\n{indent}".join(self.now) + source[found[0].end() :]

    def make(self) -> Adapter:
        """The broken broker."""
        module, _, name = BUILT_IN[self.adapter].partition(":")
        with _changed(self):
            adapter: Adapter = getattr(importlib.import_module(module), name)()
        return adapter


@cache
def bugs() -> tuple[Bug, ...]:
    """Every bug, by file and in the order there."""
    found = (file for file in files(__name__).iterdir() if file.name.endswith(".txt"))
    return tuple(bug for file in sorted(found, key=lambda file: file.name) for bug in _read(file.read_text("utf-8")))


def _read(text: str) -> Iterator[Bug]:
    """The bugs of a file, whose first line names the adapter."""
    adapter, *blocks = re.split(r"\n{2,}", text.strip())
    for block in blocks:
        said, rules, file, *lines = block.split("\n")
        was, now = (tuple(line[2:] for line in lines if line.startswith(sign)) for sign in "-+")
        yield Bug(said, adapter, tuple(rules.split()[1:]), file, was, now)


class _Changed(SourceFileLoader):
    """Loads a module with a bug in it."""

    def __init__(self, bug: Bug, path: str):
        super().__init__(bug.module, path)
        self._bug = bug

    def get_code(self, fullname: str) -> Any:
        source = self._bug.applied(Path(self.path).read_text(encoding="utf-8"))
        return compile(source, self.path, "exec", dont_inherit=True)


@contextmanager
def _changed(bug: Bug) -> Iterator[None]:
    """Within this context, the packages of the broker are imported anew, one module of them with the bug."""

    class Finder(MetaPathFinder):
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
            spec = PathFinder.find_spec(fullname, path, target) if fullname == bug.module else None
            if spec is not None and spec.origin is not None:
                spec.loader = _Changed(bug, spec.origin)
            return spec

    finder = Finder()
    sys.meta_path.insert(0, finder)
    try:
        with imported_anew(OF_THE_BROKER):
            yield
    finally:
        sys.meta_path.remove(finder)
