"""Reads tables of any tool whose head names attributes of a broker's management: each row is one object.

A column is separated by tabs, the lines of a box, commas, semicolons, or at least two blanks.
"""

import json
import re
from collections.abc import Callable, Iterator

from tidegate.why import saved
from tidegate.why.listings import Listing, read_value, spelt
from tidegate.why.lists import BORDER, SEPARATORS, values
from tidegate.why.notices import Notice, Said

NAME = re.compile(r"[A-Za-z_][\w .#%/()-]{0,60}")
"""The name of a column."""
BLANKS = re.compile(r"\s{2,}")
KNOWN = saved.ALARMS | saved.FIGURES | {"queueFlowStopped", "BlockedViaManagement", "Paging", "FlowOverfull"}
CONSUMERS, MESSAGES = {"CONSUMER_COUNT", "consumers", "ConsumerCount"}, {"MESSAGE_COUNT", "messages", "QueueSize"}
"""The names of the number of a queue's consumers, and of its messages."""
LONGEST = 2000
"""The number of characters of the longest line that is read."""
SOUGHT = KNOWN | CONSUMERS
Split = Callable[[str], list[str]]


def _in_a_box(separator: str) -> Split:
    def cells(text: str) -> list[str]:
        inner = text.strip().removeprefix(separator).removesuffix(separator)
        return inner.split(separator) if separator in text else []

    return cells


def _of_values(separator: str) -> Split:
    return lambda text: values(text.strip(), separator)


WAYS: tuple[Split, ...] = (
    *map(_in_a_box, SEPARATORS),
    *map(_of_values, ("\t", ";", ",")),
    lambda text: BLANKS.split(text.strip()),
)
"""How a line is split into its cells."""


class Rows:
    """Reads line by line. A line with another number of cells ends the table."""

    def __init__(self) -> None:
        self._columns: list[str] = []
        self._way: Split = WAYS[0]

    def takes(self, text: str, signs: frozenset[str]) -> bool:
        """Whether the line, which has these signs, is the head or a row of a table, or a line of its box."""
        if len(text) > LONGEST:
            return False
        if self._columns and BORDER.fullmatch(text):
            return bool(text.strip())
        if not signs.isdisjoint(SOUGHT):
            for way in WAYS:
                cells = _cells(way, text)
                if _is_head(cells):
                    self._columns, self._way = cells, way
                    return True
        if self._columns and len(_cells(self._way, text)) != len(self._columns):
            self._columns = []
        return bool(self._columns)

    def said(self, text: str) -> Iterator[Said]:
        """The statements of a row; none for the head."""
        cells = _cells(self._way, text)
        if cells == self._columns or len(cells) != len(self._columns):
            return
        row = dict(zip(self._columns, cells, strict=True))
        yield from _left_alone(row)
        of_an_answer = saved.told(json.dumps({name: read_value(value) for name, value in row.items()}))
        yield from of_an_answer
        if not of_an_answer:
            object_ = Listing()
            for name, value in row.items():
                object_.takes(0, f"{name}\t{value}")
            yield from object_.said()


def _is_head(cells: list[str]) -> bool:
    if len(cells) < 2 or not all(map(NAME.fullmatch, cells)):
        return False
    names = set(map(spelt, cells))
    return bool(KNOWN & names or (CONSUMERS & names and MESSAGES & names))


def _left_alone(row: dict[str, str]) -> Iterator[Said]:
    """The remark that a queue with messages has no consumer, which is no limit, but often leads to one."""
    consumers, messages = (next((row[name] for name in names if name in row), "") for names in (CONSUMERS, MESSAGES))
    name = next((row[name] for name in row if name.lower() == "name"), "")
    if consumers == "0" and messages.isdigit() and int(messages) and name:
        yield Notice("no consumer", clear=f"queue {name} holds {int(messages):,} messages and has no consumer")


def _cells(way: Split, text: str) -> list[str]:
    return [cell.strip() for cell in way(text)]
