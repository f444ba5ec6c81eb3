"""Reads the tables of `rabbitmqctl list_queues`, `list_connections` and `list_channels`, and of rabbitmqadmin.

Only the head of a table says what a cell means. The columns are separated by tabs, commas, or the lines of a box.
"""

import csv
import re
from collections.abc import Iterator, Mapping

from tidegate.why.lines.rabbitmq import BLOCKING, FLOW, QUEUE_FLOW, TOLD
from tidegate.why.lines.rabbitmq_figures import LENGTH
from tidegate.why.notices import Blocked, Figures, Said

COLUMN = re.compile(r"[a-z]+(?:[_.][a-z]+)*")
STATES = {"blocked": TOLD, "blocking": BLOCKING, "flow": FLOW}
OF_CONNECTIONS = {"peer_host", "connection", "channels", "client_properties"}
"""Columns that no table of queues has."""
BETWEEN_ADDRESSES = " -> "
COMMAND = re.compile(r"\blist_(?P<of>queues|connections|channels)\b(?P<rest>[^`'\"|;]{0,300})")
"""A command that the operator pasted with its answer: before 3.8, and with -q, the answer has no head."""
OPTION = re.compile(r"\s--?\w[\w-]*(?:=\S+|(?<=-[pnt])\s\S+)?")
USUAL = {"connections": ["user", "peer_host", "peer_port", "state"]}
"""The columns of a command that names none."""
OPENING = re.compile(r"Timeout: |Listing ")
"""The beginnings of lines between a command and the rows."""
LIMITS = ("arguments", "effective_policy_definition")
"""The columns that have the limits of a queue."""
BORDER = re.compile(r"[-+|─│┌┐└┘├┤┬┴┼═\s]*")
"""The lines of a box."""
SEPARATORS = ("|", "│")
REFUSES = "reject-publish"
LENGTHS = (
    ("messages", re.compile(r"max-length[\"']?\s{0,3}[,:=]\s{0,3}(?P<limit>\d{1,18})"), ("messages_ready", "messages")),
    (
        "bytes",
        re.compile(r"max-length-bytes[\"']?\s{0,3}[,:=]\s{0,3}(?P<limit>\d{1,18})"),
        ("message_bytes_ready", "message_bytes"),
    ),
)
"""The unit of a limit, its text, and the columns with the level; messages that a consumer has do not count."""


class Lists:
    """Reads line by line. A line that is no row ends the table."""

    def __init__(self) -> None:
        self._columns: list[str] = []

    def takes(self, text: str) -> bool:
        """Whether the line is the head or a row of a table."""
        cells = _cells(text)
        if _is_head(cells):
            self._columns = cells
            return True
        command = COMMAND.search(text) if "list_" in text else None
        if command is not None:
            columns = OPTION.sub(" ", command["rest"]).split() or USUAL.get(command["of"], [])
            self._columns = columns if all(map(COLUMN.fullmatch, columns)) else []
            return False
        if self._columns and OPENING.match(text):
            return False
        if self._columns and BORDER.fullmatch(text):
            return bool(text.strip())
        if len(cells) != len(self._columns):
            self._columns = []
        return bool(self._columns)

    def said(self, text: str) -> Iterator[Said]:
        """The statements of a row; none for the head."""
        cells = _cells(text)
        if self._columns and len(cells) == len(self._columns) and cells != self._columns:
            yield from of_row(dict(zip(self._columns, cells, strict=True)))


def of_row(row: Mapping[str, str]) -> Iterator[Said]:
    """The statements about a connection, a channel or a queue by its columns."""
    name, state = row.get("name", ""), row.get("state", "")
    if OF_CONNECTIONS & row.keys() or BETWEEN_ADDRESSES in name:
        if state in STATES:
            yield Blocked(STATES[state], "", name or _address(row))
    elif name:
        if state == "flow":
            yield Blocked(QUEUE_FLOW, name)
        yield from _too_long(name, row)


def _address(row: Mapping[str, str]) -> str:
    there = ":".join(row[part] for part in ("peer_host", "peer_port") if row.get(part))
    return " at ".join(part for part in (row.get("user", ""), there) if part) or row.get("pid", "a connection")


def _too_long(name: str, row: Mapping[str, str]) -> Iterator[Said]:
    """The statement that a queue is as long as it may be and refuses messages."""
    limits = " ".join(row.get(column, "") for column in LIMITS)
    if REFUSES not in limits:
        return
    for unit, told, levels in LENGTHS:
        found = told.search(limits)
        level = next((row[column] for column in levels if row.get(column, "").isdigit()), None)
        if found is not None and level is not None and int(level) >= int(found["limit"]):
            limit = int(found["limit"])
            yield Blocked(LENGTH, name, figures=Figures(int(level), limit, limit - 1, unit))


def _is_head(cells: list[str]) -> bool:
    """Whether the line is the head of a table: names of columns, among them the state or the limits of a queue."""
    names = len(cells) > 1 and all(map(COLUMN.fullmatch, cells))
    return names and ("state" in cells or ("name" in cells and any(column in cells for column in LIMITS)))


def _cells(text: str) -> list[str]:
    text = text.strip(" \r\n")
    if "\t" in text:
        return [cell.strip() for cell in text.split("\t")]
    separator = next((one for one in SEPARATORS if text.startswith(one) and text.endswith(one)), "")
    if separator:
        return [cell.strip() for cell in text.strip(separator).split(separator)]
    return values(text) if text.startswith('"') and '","' in text else []


def values(text: str, separator: str = ",") -> list[str]:
    """The values of a line of CSV; none of a line that is no CSV, such as one with a line break of its own."""
    try:
        return next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []
