"""Reads the table of `activemq dstat`: a row names a destination, and only the head names the columns."""

import re

from tidegate.why.lines.classic import EITHER_MEMORY, FULL
from tidegate.why.notices import Blocked, Figures, Said

HEAD = ("Queue Size", "Producer #", "Memory %")
MEMORY = "Memory %"
GAP = re.compile(r"\s{2,}|\t")
FIGURE = re.compile(r"\d{1,18}")


class Table:
    """Reads line by line. A line that is no row ends the table."""

    def __init__(self) -> None:
        self._columns: list[str] = []

    def fed(self, text: str) -> Said | None:
        """The statement of a row about its destination; None for a destination with room, and for any other line."""
        if all(name in text for name in HEAD):
            self._columns = GAP.split(text.strip())
            return None
        if not self._columns:
            return None
        cells = GAP.split(text.strip())
        if len(cells) != len(self._columns) or not all(map(FIGURE.fullmatch, cells[1:])):
            self._columns = []
            return None
        percent = int(cells[self._columns.index(MEMORY)]) if MEMORY in self._columns else 0
        if percent < FULL:
            return None
        return Blocked(EITHER_MEMORY, cells[0], figures=Figures(text=f"{percent}% used"))
