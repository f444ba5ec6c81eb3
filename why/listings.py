"""Reads attributes of management that a tool lists, one a line, and judges them together.

A line is `name = value`, `name: value`, or two columns. jmxterm names the bean in front of its attributes; `activemq
query` lists the parts of the bean's name among them, and qpid-tool the name of a queue.
"""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from tidegate.why import saved
from tidegate.why.lines import qpidd
from tidegate.why.lines.rabbitmq_figures import figures_of
from tidegate.why.notices import Blocked, Said

DOMAINS = (saved.OF_CLASSIC, saved.OF_ARTEMIS, saved.OF_QPID)
OF_APACHE = "org.apache."
HEAD = re.compile(
    r"\W{0,3}(?:m?[Bb]ean|ObjectName)?\s?[:=]?\s?"
    rf"(?P<bean>(?:{'|'.join(map(re.escape, DOMAINS))})\S[^{{}}]*?)[:;]?\s*"
)
"""A line that names the bean of the attributes behind it, and nothing more."""
OF_ONE = re.compile(
    r"\W{0,3}(?:Queue|Topic|Address|Destination)\s?[:=]\s?[\"'`]?(?P<name>[^\s\"'`]{1,200}?)[\"'`]?:?\s*"
)
"""A line that names the queue or address of the attributes behind it, and nothing more."""
PARTS = ("type", "brokerName", "destinationType", "destinationName")
"""The parts of the name of a bean of Classic, in their order in the name."""
FLOW_STOPPED = "flowStopped"
"""What qpid-tool shows of a queue, with the queue's name in columns of blanks."""
SEPARATED = re.compile(r"[\t|│]")
GAP = re.compile(r"\s{2,}|[\t|│]")
OF_CONSOLE = ("Address", "Name", "QueueSize", "BrokerName")
"""Attributes that say whose the others are, if a console shows all of one object."""
OF_BROKER_J = {"queueFlowStopped", "overflowPolicy"}
ATTRIBUTES = {
    *OF_BROKER_J,
    *saved.FIGURES,
    *saved.ALARMS,
    "BlockedViaManagement",
    "Paging",
    "FlowOverfull",
    FLOW_STOPPED,
}
PAIR = re.compile(
    r"[\s|│]*(?:- )?(?P<name>[A-Za-z][\w-]{1,60}(?: [A-Za-z-]{1,20}){0,5}?)"
    r"(?: {0,40}(?P<mark>[=:])| ?(?:\t| *[|│] ?|  )\s*(?=\S))(?P<value>.*)"
)
"""An attribute and its value; consoles show the words of its name apart: `Address limit percent`."""
LONGEST_OTHER = 60
"""The number of characters of another attribute's value; a longer text behind a colon is a message."""
AT_ONCE = 128
"""The number of names that are kept: the first words of a log's lines are often the same."""
LONGEST = 300
"""The number of characters of the longest line that is read."""
MOST_LINES = 500
"""The number of lines of the longest list that is read as one."""
PLAIN = re.compile(r"[ _-]")
OF_A_LIST = re.compile(r"\s*- ")
"""The beginning of the next object in a list of YAML."""
NODE = re.compile(r"[\w-]{1,60}@[\w.-]{1,200}")
"""The name of a node of RabbitMQ."""
SPELT = {PLAIN.sub("", name).lower(): name for name in (*PARTS, *ATTRIBUTES, *OF_CONSOLE)}
"""Each attribute by its letters alone."""
TRUTH = {"true": True, "false": False}


class Listing:
    """Collects the lines of one list, each with its number."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self._bean = ""
        self._parts: dict[str, str] = {}
        self._values: dict[str, Any] = {}
        self._name = ""
        self._node = ""
        self._headed = ""

    def takes(self, count: int, text: str) -> bool:
        """Whether the line belongs to the list, which then keeps it."""
        if len(text) > LONGEST or len(self.lines) >= MOST_LINES:
            return False
        if self.lines and OF_A_LIST.match(text):
            return False
        found = PAIR.fullmatch(text)
        name = spelt(found["name"]) if found is not None else ""
        value = found["value"].strip(" \t|│").rstrip(";,").strip('" ') if found is not None else ""
        in_columns = found is not None and found["mark"] is None
        if in_columns and GAP.search(value):
            return False  # a row with more columns
        if name in PARTS:
            self._parts[name] = value
        elif name in OF_CONSOLE and found is not None and found["name"][0].isupper() and (in_columns or self.lines):
            self._values[name] = value
        elif name == "Name" and NODE.fullmatch(value):
            self._node = value
        elif name in ATTRIBUTES:
            self._values[name] = read_value(value)
        elif name == "Name" and in_columns and not SEPARATED.search(text):
            self._name = value
        elif name == "Name" and in_columns:
            self._name = value  # it may also be the head of a table, so it begins no list
            if not self.lines:
                return False
        elif (
            not (self.lines or self._bean or self._headed)
            or found is None
            or (found["mark"] == ":" and len(value) > LONGEST_OTHER)
        ):
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
        one = OF_ONE.fullmatch(text) if found is None and len(text) <= LONGEST else None
        self._headed = one["name"] if one is not None else ""
        return found is not None

    def said(self) -> Iterator[Said]:
        """The statements of all attributes together; none if they show no limit of the bean."""
        if self._values.get(FLOW_STOPPED) is True:
            yield Blocked(qpidd.FLOW, self._name)
        if OF_BROKER_J & self._values.keys():
            yield from saved.told(json.dumps({"name": self._name or self._headed, **self._values}))
        elif saved.ALARMS & self._values.keys():
            yield from saved.told(json.dumps({"name": self._node, **self._values}))
        else:
            yield from figures_of(self._values)
        bean = self._bean
        if not bean and "brokerName" in self._parts:
            bean = saved.OF_CLASSIC + ",".join(f"{part}={self._parts[part]}" for part in PARTS if part in self._parts)
        if not bean and {"Name", "QueueSize"} <= self._values.keys():
            bean = f"{saved.OF_CLASSIC}destinationName={self._values['Name']}"
        elif not bean and "BrokerName" in self._values:
            bean = f"{saved.OF_CLASSIC}type=Broker,brokerName={self._values['BrokerName']}"
        yield from saved.of_bean(bean, self._values)


@lru_cache(maxsize=AT_ONCE)
def spelt(name: str) -> str:
    """The attribute's own name in place of the words that a console shows."""
    return name if name in PARTS else SPELT.get(PLAIN.sub("", name).lower(), name)


def read_value(value: str) -> Any:
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
