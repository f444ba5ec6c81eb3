"""Tells the nodes in one file apart by what stands in front of their times, in a form of no known tool."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tidegate.why.heard import Heard
from tidegate.why.notices import Blocked, Released
from tidegate.why.sources import LEVELS

VARIES = re.compile(rf"(?i:\b(?:{LEVELS})\b)|(?:\A|:)\d+[:\t-]")
"""What changes from line to line in front of the time of one node: the level, and the number of the line."""


def with_nodes(lines: Sequence[Heard]) -> Sequence[Heard]:
    """The lines, with their source if what stands in front of their times names nodes.

    It does if it differs between two lines that block one place without a release between them: a broker blocks a
    place once.
    """
    blocked: dict[tuple[str, str, str, str], str] = {}
    for heard in lines:
        said = heard.said
        if isinstance(said, Released):
            blocked.clear()
        elif isinstance(said, Blocked) and said.cause.once and said.place and not heard.of:
            front = _node(heard)
            if blocked.setdefault((heard.file, said.cause.family, said.place, said.client), front) != front:
                return [one if one.of else replace(one, of=_node(one)) for one in lines]
    return lines


def _node(heard: Heard) -> str:
    return VARIES.sub("", heard.front).strip()
