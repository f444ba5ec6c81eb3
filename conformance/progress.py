"""A progress line during a run."""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Value
from multiprocessing.sharedctypes import RawArray

from rich.console import Console
from rich.progress import Progress, ProgressColumn, SpinnerColumn, Task, TimeElapsedColumn
from rich.table import Column
from rich.text import Text

from tidegate.record.report import Check

LONGEST_NAME = 50
"""The most bytes of a check's name, so that the line fits into 80 columns."""


class _Checks(ProgressColumn):
    """The number of checks that ended, and the name of the last one, from memory that all processes of a run share."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))
        self._ended = Value("i", 0)
        self._last = RawArray(ctypes.c_char, LONGEST_NAME)
        self._last.value = b"starting"

    def ended(self, check: Check) -> None:
        """Count a check; called in any process."""
        with self._ended:
            self._ended.value += 1
        self._last.value = check.check.encode()[: LONGEST_NAME - 1]

    def render(self, task: Task) -> Text:
        """The line's text."""
        return Text(f"{self._ended.value} checks  {self._last.value.decode(errors='ignore')}")


@contextmanager
def showing_progress(console: Console) -> Iterator[Callable[[Check], None]]:
    """Show a line that counts checks and names the last one, until the block ends; nothing without a terminal.

    The function that it gives counts a check. Forked children of this process may call it too.
    """
    checks = _Checks()
    columns = (SpinnerColumn(), TimeElapsedColumn(), checks)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task("", total=None)
        yield checks.ended
