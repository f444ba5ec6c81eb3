"""Tables on a terminal and in a pipe, in which no word is cut off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill

from rich.cells import cell_len, chop_cells
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

NARROWEST_TEXT = 9
"""How narrow a column of several words becomes, in characters, before long words break elsewhere."""
ANY_WIDTH = 100_000
WORD = re.compile(r"\S+")
SIGNS_OF_NAMES = "/@:.)-_"
"""The signs behind which a long name breaks: addresses, clients and beans are made of parts."""
NARROWEST_NAME = 16
"""How narrow a column becomes by breaking long words, in characters, before a table runs past the right edge."""


def print_whole(table: Table, console: Console) -> None:
    """Print a table without cutting anything off.

    In a pipe or a file, each line of a cell stays one line, unless its column has a `max_width`. On a terminal, texts
    wrap between words, except in a column of `no_wrap`, whose heading does; where that is not enough, long words break
    there, then columns become as narrow as a word, and at last as NARROWEST_TEXT. After that, rows run past the right
    edge.
    """
    sizes = [_sizes(table, column, console) for column in table.columns]
    widths = [size.maximum for size in sizes]
    if console.is_terminal:
        room = console.width - (_natural(table, console) - sum(widths))
        gentle = [max(size.minimum, min(size.maximum, NARROWEST_TEXT)) for size in sizes]
        widths = _narrowed(widths, gentle, room)
        broken = [
            width if column.no_wrap else min(width, NARROWEST_NAME)
            for width, column in zip(widths, table.columns, strict=True)
        ]
        widths = _narrowed(widths, broken, room)
        words = [min(width, size.minimum) for width, size in zip(widths, sizes, strict=True)]
        widths = _narrowed(widths, words, room)
        least = [
            width if column.no_wrap else min(width, NARROWEST_TEXT)
            for width, column in zip(widths, table.columns, strict=True)
        ]
        widths = _narrowed(widths, least, room)
    for column, width in zip(table.columns, widths, strict=True):
        column.width, column.max_width, column.overflow = width, None, "fold"
        column._cells = [_parted(cell, width) if isinstance(cell, str | Text) else cell for cell in column.cells]
        if column.no_wrap and isinstance(column.header, str):
            column.header = "\n".join(fill(line, width) for line in column.header.split("\n"))
    console.print(WithoutPadding(_AtItsWidth(table)), crop=False)


def _parted(cell: str | Text, width: int) -> str | Text:
    """A cell whose words that are too long for this width break behind a sign, if one stands in their second half."""
    text = Text.from_markup(cell) if isinstance(cell, str) else cell
    breaks: list[int] = []
    for word in WORD.finditer(text.plain):
        begin = word.start()
        while cell_len(text.plain[begin : word.end()]) > width:
            piece = chop_cells(text.plain[begin : word.end()], width)[0]
            sign = max(map(piece.rfind, SIGNS_OF_NAMES)) + 1
            begin += sign if 2 * sign > len(piece) else len(piece)
            breaks.append(begin)
    return Text("\n").join(text.divide(breaks)) if breaks else cell


@dataclass(frozen=True)
class _AtItsWidth:
    """A table as wide as its columns; by itself, a console narrows everything to its own width."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from console.render(self.table, options.update(width=_natural(self.table, console)))


@dataclass(frozen=True)
class WithoutPadding:
    """A content whose lines end with their text, so that no copy of them has spaces at its end."""

    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self.content, options)):
            yield from _without_padding(list(line))
            yield Segment.line()


def _without_padding(line: list[Segment]) -> list[Segment]:
    """The line without the spaces at its end, which would wrap, and stand in every copy of it."""
    while line and not line[-1].text.rstrip():
        line.pop()
    return [*line[:-1], Segment(line[-1].text.rstrip(), line[-1].style)] if line else []


def _natural(table: Table, console: Console) -> int:
    return Measurement.get(console, console.options.update(width=ANY_WIDTH), table).maximum


def _sizes(table: Table, column: Column, console: Console) -> Measurement:
    """How wide a column is at least, with no word broken, and at most."""
    options = console.options.update(width=ANY_WIDTH)
    heading = [Measurement.get(console, options, column.header)] if table.show_header else []
    cells = [Measurement.get(console, options, cell) for cell in column.cells]
    widest = max((size.maximum for size in [*heading, *cells]), default=0)
    narrowest = max(
        [size.minimum for size in heading] + [size.maximum if column.no_wrap else size.minimum for size in cells],
        default=0,
    )
    if column.max_width is not None:
        widest = max(min(widest, column.max_width), narrowest)
    return Measurement(narrowest, widest)


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths, the widest ones taken back to what they need at least, until they fit in the room."""
    narrowed = list(widths)
    while sum(narrowed) > room:
        free = [place for place, width in enumerate(narrowed) if width > least[place]]
        if not free:
            break
        narrowed[max(free, key=narrowed.__getitem__)] -= 1
    return narrowed
