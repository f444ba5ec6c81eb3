"""Lines on a terminal, which go on below their text where they are longer than it is wide; whole lines in a pipe."""

import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LEAST_COLUMNS = 40
"""A terminal that is narrower gets whole lines."""


def columns() -> int | None:
    """How wide the terminal of standard output is; None for a file or a pipe, whose readers want whole lines."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(line: str, width: int | None, under: int = 2) -> str:
    """A line broken between words to fit a width, its rest so many characters to the right of where it begins.

    A word that is longer than the width, such as a path, stays whole, so that it can be copied.
    """
    if width is None or width < LEAST_COLUMNS or len(line) <= width:
        return line
    text = line.lstrip()
    indent = len(line) - len(text)
    return textwrap.fill(
        text,
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + under),
        break_long_words=False,
        break_on_hyphens=False,
        expand_tabs=False,
        replace_whitespace=False,
    )


def print_line(line: "Text", console: "Console", under: int = 2) -> None:
    """Print a line with its styles, wrapped on a terminal."""
    # imported here, for commands that answer at once need no more than the width
    from rich.text import Text

    width = console.width if console.is_terminal else None
    plain, end = line.plain, 0
    for number, part in enumerate(wrapped(plain, width, under).split("\n") if "\n" not in plain else [plain]):
        text = part.lstrip() if number else part
        start = plain.index(text, end)
        end = start + len(text)
        console.print(Text.assemble(" " * (len(part) - len(text)), line[start:end]), soft_wrap=True)
