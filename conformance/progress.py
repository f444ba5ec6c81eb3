"""A progress line during a run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from tidegate.record.report import Check


@contextmanager
def showing_progress(console: Console) -> Iterator[Callable[[Check], None]]:
    """Show a line that counts checks and names the last one, until the block ends; nothing without a terminal."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.completed} checks"),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("starting", total=None)
        yield lambda check: progress.update(task, advance=1, description=check.check[:80])
