"""The form of a log line: the text that marks it, its fields, and its statement."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from tidegate.model.language.message_text import PLACEHOLDER, SHAPES
from tidegate.why.lines.needed import Clause, needed
from tidegate.why.notices import Said

GROUPING = ".,' \u00a0\u202f\u2019"
"""Characters that locales put between groups of three digits."""
NUMBER = rf"-?\d{{1,3}}(?:[{GROUPING}]\d{{3}})+(?!\d)|-?\d+"
RELEASE = r"(?P<release>\d+(?:\.\d+){1,3})"
"""The version that a broker writes when it starts, without the suffix of a build, such as -SNAPSHOT."""
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
        "ESTAB",
        "ESTABLISHED",
        "2053",
        "/msgs/",
        "_percent",
        "_pct",
        '"attribute"',
        '"resource"',
        '"state"',
        "(none)",
        "for credit",
        "for link credit",
        "for sender credit",
        "disk_free",
        "disk_free_limit",
        "memory_high_watermark",
        "MEMORY_HIGH_WATERMARK",
        ",[disk",
        ",[memory",
        "high watermark set to",
        "rabbit on node ",
        "Halting Erlang VM",
        ") stopped",
        ") is shutting down",
        "limit set to",
        "alarm_handler: {set,",
        "alarm_handler: {clear,",
        "Memory Limit reached. Producer (",
    )
)
"""Marks that also occur in lines of many other programs."""


@dataclass(frozen=True)
class LineForm:
    """`mark` is a text that every line of the form has; `pattern` matches the message without the text in front of it.

    An expression is compiled when the first line with its mark is read, because there are hundreds of forms. `says`
    gives None for figures without a reached limit; the rest of the line is then read.
    """

    mark: str
    expression: str
    says: Callable[[Fields], Said | None]
    cut_off: bool = False
    """Whether the form matches the rest of a cut-off line: it is tried only if no other form reads the line or its
    neighbours."""
    sets: bool = False
    """Whether the text sets a limit; a reached limit is then reported only as a possibility."""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled expression."""
        return _compiled(self.expression)

    def may_match(self, text: str) -> bool:
        """Whether a text has what every match has; a fast check, because a search can take long."""
        for clause in _needed(self.expression):  # loops, because generators take twice the time
            for each in clause:
                if each in text:
                    break
            else:
                return False
        return True

    @property
    def common(self) -> bool:
        """Whether lines of many other programs have the mark too, so that the mark alone makes no broker's line."""
        return self.mark in COMMON


def form(
    mark: str, pattern: str, says: Callable[[Fields], Said | None], *, cut_off: bool = False, sets: bool = False
) -> LineForm:
    """The form of the lines that match a regular expression."""
    return LineForm(mark, pattern, says, cut_off, sets)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


@cache
def _needed(expression: str) -> tuple[Clause, ...]:
    # a text that few lines have rules out most of them at once
    return tuple(sorted(needed(expression), key=lambda clause: (len(clause), -min(map(len, clause)))))


def template(text: str) -> str:
    """A template of the model as a regular expression; a number may have the grouping of any locale."""
    pieces, position = [], 0
    for found in PLACEHOLDER.finditer(text):
        shape = {**SHAPES, "number": NUMBER, "quoted": r".{1,500}?"}[found["type"]]
        pieces.append(f"{re.escape(text[position : found.start()])}(?P<{found['field']}>{shape})")
        position = found.end()
    return "".join(pieces) + re.escape(text[position:])


def number(text: str | None) -> int | None:
    """The figure in a line, without grouping; None if there is none, or it means no limit (-1)."""
    if not text:
        return None
    value = int(re.sub(rf"[{GROUPING}]", "", text))
    return None if value < 0 else value


JOLOKIA = r"\{\s?\"(?:request|timestamp|status|value)\""
"""The beginning of an answer of Jolokia."""


def read_by_jolokia(attribute: str, value: str) -> str:
    """The pattern of Jolokia's answer to a read of one attribute."""
    return rf"(?:{JOLOKIA}.{{0,600}}?)?\"attribute\"\s?:\s?\"{attribute}\b.{{0,300}}?\"value\"\s?:\s?{value}"
