"""How the pipeline tells how far it is, whoever shows it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Show = Callable[[int], object]
"""Told of each split that is read how many lines it has."""


class Progress:
    """Told what is being done; by itself it tells nobody."""

    def stage(self, doing: str) -> None:
        """Something else is being done now."""

    def reading(self, splits: int) -> AbstractContextManager[Show]:
        """So many splits are read while the block runs."""
        return nullcontext(lambda lines: None)


NO_PROGRESS = Progress()
