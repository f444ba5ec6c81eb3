"""One line on stderr that names a long step."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def progress(doing: str) -> Iterator[None]:
    """Show `doing` while the block runs: a spinner on a terminal, one plain line elsewhere."""
    console = Console(stderr=True)
    if console.is_terminal:
        with console.status(doing):
            yield
    else:
        console.print(doing, markup=False, highlight=False, soft_wrap=True)
        yield
