"""The progress of the pipeline on the console: a bar on a terminal, a line for each stage elsewhere."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich import progress as rich
from rich.console import Console

from tidegate.pipeline.work.engines import Progress
from tidegate.record.counts import counted


class OnConsole(Progress):
    """Shows the progress of the pipeline on a console; a quiet console shows nothing."""

    def __init__(self, console: Console, bar: rich.Progress):
        self._console = console
        self._bar = bar
        self._doing = bar.add_task("", total=None, lines="")

    def stage(self, doing: str) -> None:
        """Show the stage of work that begins now."""
        self._bar.reset(self._doing, description=doing, total=None, lines="")
        if not self._console.is_terminal:
            self._console.print(doing, highlight=False)

    @contextmanager
    def reading(self, splits: int) -> Iterator[Callable[[int], object]]:
        """Show a bar while this number of splits is read in the block; yield the call for each split."""
        self._bar.reset(self._doing, description="reading", total=splits, lines="")
        read = 0

        def show(lines: int) -> None:
            nonlocal read
            read += lines
            self._bar.update(self._doing, advance=1, lines=counted(read, "lines"))

        yield show


@contextmanager
def on_console(console: Console) -> Iterator[OnConsole]:
    """Show progress on this console while the block runs."""
    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TextColumn("{task.fields[lines]}"),
    )
    shown = console.is_terminal and not console.quiet
    with rich.Progress(*columns, rich.TimeElapsedColumn(), console=console, transient=True, disable=not shown) as bar:
        yield OnConsole(console, bar)
