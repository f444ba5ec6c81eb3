"""A form of a log line: the text that marks it, its fields, and what it says."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from tidegate.model.language.message_text import PLACEHOLDER, SHAPES
from tidegate.why.notices import Said

GROUPING = ".,' \u00a0\u202f\u2019"
"""What locales put between groups of three digits."""
NUMBER = rf"-?\d{{1,3}}(?:[{GROUPING}]\d{{3}})+(?!\d)|-?\d+"
RELEASE = r"(?P<release>\d+(?:\.\d+){1,3})"
"""The version that a broker writes as it starts; what a build appends, such as -SNAPSHOT, is left out."""
Fields = Mapping[str, str]
COMMON = frozenset(
    (
        " blocked",
        " blocking",
        " flow",
        "\tblocked",
        "\tblocking",
        "\tflow",
        "eason",
        "AMQP",
        "2053",
        "/msgs/",
        "_percent",
        "_pct",
        '"attribute"',
        '"resource"',
        '"state"',
        "disk_free",
        "disk_free_limit",
        "memory_high_watermark",
        "MEMORY_HIGH_WATERMARK",
        ",[disk",
        ",[memory",
        "high watermark set to",
        "limit set to",
        "alarm_handler: {set,",
        "alarm_handler: {clear,",
        "Memory Limit reached. Producer (",
    )
)
"""Marks that say nothing by themselves."""


@dataclass(frozen=True)
class LineForm:
    """`mark` is a text that every such line has; `pattern` matches the message, and not what stands in front of it.

    An expression is compiled as the first line with its mark comes, for there are hundreds. `says` is None for figures
    that tell of no limit: what else the line has is looked at.
    """

    mark: str
    expression: str
    says: Callable[[Fields], Said | None]
    cut_off: bool = False
    """Whether this is what is left of a line: it is read only where no other form reads the line or those around."""
    sets: bool = False
    """Whether such a text sets a limit: that it is reached is told with an if only."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return _compiled(self.expression)

    @property
    def common(self) -> bool:
        """Whether lines of many other programs have the mark too; that alone makes a line none of a broker's."""
        return self.mark in COMMON


def form(
    mark: str, pattern: str, says: Callable[[Fields], Said | None], *, cut_off: bool = False, sets: bool = False
) -> LineForm:
    """The form of the lines that a regular expression describes."""
    return LineForm(mark, pattern, says, cut_off, sets)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def template(text: str) -> str:
    """A template of the model as a regular expression; a field of a locale's number takes every grouping."""
    pieces, position = [], 0
    for found in PLACEHOLDER.finditer(text):
        shape = {**SHAPES, "number": NUMBER, "quoted": r".{1,500}?"}[found["type"]]
        pieces.append(f"{re.escape(text[position : found.start()])}(?P<{found['field']}>{shape})")
        position = found.end()
    return "".join(pieces) + re.escape(text[position:])


def number(text: str | None) -> int | None:
    """The figure that a line shows, without the grouping; None where there is none, or it is no limit (-1)."""
    if not text:
        return None
    value = int(re.sub(rf"[{GROUPING}]", "", text))
    return None if value < 0 else value


JOLOKIA = r"\{\s?\"(?:request|timestamp|status|value)\""
"""How an answer of Jolokia begins."""


def read_by_jolokia(attribute: str, value: str) -> str:
    """The pattern of an answer of Jolokia to a read of one attribute."""
    return rf"(?:{JOLOKIA}.{{0,600}}?)?\"attribute\"\s?:\s?\"{attribute}\b.{{0,300}}?\"value\"\s?:\s?{value}"
