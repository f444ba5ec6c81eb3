"""How the pipeline tells how far it is, whoever shows it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

Show = Callable[[int, int], object]
"""Told how many splits are read, and how many lines they have together."""


class Progress(Protocol):
    """Told what is being done."""

    def stage(self, doing: str) -> None:
        """Something else is being done now."""

    def reading(self, splits: int) -> AbstractContextManager[Show]:
        """So many splits are read while the block runs."""


class NoProgress:
    """Tells nobody."""

    def stage(self, doing: str) -> None:
        pass

    def reading(self, splits: int) -> AbstractContextManager[Show]:
        return nullcontext(lambda read, lines: None)


NO_PROGRESS: Progress = NoProgress()
