"""Reads attributes of management that a tool lists, one a line, and judges them together.

A line is `name = value`, `name: value`, or two columns. jmxterm names the bean in front of its attributes; `activemq
query` lists the parts of the bean's name among them, and qpid-tool the name of a queue.
"""

import re
from collections.abc import Iterator
from typing import Any

from tidegate.why import saved
from tidegate.why.lines import qpidd
from tidegate.why.notices import Blocked, Said

DOMAINS = (saved.OF_CLASSIC, saved.OF_ARTEMIS, saved.OF_QPID)
OF_APACHE = "org.apache."
HEAD = re.compile(
    r"\W{0,3}(?:m?[Bb]ean|ObjectName)?\s?[:=]?\s?"
    rf"(?P<bean>(?:{'|'.join(map(re.escape, DOMAINS))})\S[^{{}}]*?)[:;]?\s*"
)
"""A line that names the bean of the attributes behind it, and nothing more."""
PARTS = ("type", "brokerName", "destinationType", "destinationName")
"""The parts of the name of a bean of Classic, in their order in the name."""
FLOW_STOPPED, NAME = "flowStopped", "name"
"""What qpid-tool shows of a queue."""
ATTRIBUTES = {*saved.FIGURES, "BlockedViaManagement", "Paging", "FlowOverfull", FLOW_STOPPED}
PAIR = re.compile(r"\s*(?P<name>[A-Za-z]\w{1,60}) ?(?:(?P<mark>[=:])|[ \t|│]{2,}(?=\S))(?P<value>.*)")
OTHER = re.compile(r"\s*[A-Za-z]\w{1,60}(?: ?= ?|\s{2,}\S)")
"""The beginning of another attribute, which may stand within a list but begins none."""
LONGEST = 300
"""The number of characters of the longest line that is read."""
MOST_LINES = 500
"""The number of lines of the longest list that is read as one."""
TRUTH = {"true": True, "false": False}


class Listing:
    """Collects the lines of one list, each with its number."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self._bean = ""
        self._parts: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self._name = ""

    def takes(self, count: int, text: str) -> bool:
        """Whether the line belongs to the list, which then keeps it."""
        if len(text) > LONGEST or len(self.lines) >= MOST_LINES:
            return False
        found = PAIR.fullmatch(text)
        name = found["name"] if found is not None else ""
        value = found["value"].strip(" \t|│").removesuffix(";").strip('" ') if found is not None else ""
        in_columns = found is not None and found["mark"] is None
        if name in PARTS:
            self._parts[name] = value
        elif name in ATTRIBUTES:
            self._values[name] = _read(value)
        elif name == NAME and in_columns:
            self._name = value
        elif not (self.lines or self._bean) or OTHER.match(text) is None:
            return False
        self.lines.append((count, text))
        return True

    def ends_before(self, text: str) -> bool:
        """Whether a line that is no attribute ends the list; an empty line does not end the list of a named bean."""
        return bool(text.strip()) or not self._bean

    def begins(self, text: str) -> bool:
        """Whether this line names the bean of a list."""
        found = HEAD.fullmatch(text) if OF_APACHE in text and len(text) <= LONGEST else None
        self._bean = found["bean"] if found is not None else ""
        return found is not None

    def said(self) -> Iterator[Said]:
        """The statements of all attributes together; none if they show no limit of the bean."""
        if self._values.get(FLOW_STOPPED) is True:
            yield Blocked(qpidd.FLOW, self._name)
        bean = self._bean
        if not bean and "brokerName" in self._parts:
            bean = saved.OF_CLASSIC + ",".join(f"{part}={self._parts[part]}" for part in PARTS if part in self._parts)
        yield from saved.of_bean(bean, self._values)


def _read(value: str) -> Any:
    """The value of an attribute: a truth, an integer, a fraction, or the text itself."""
    if value.lower() in TRUTH:
        return TRUTH[value.lower()]
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value
