"""Cleans the names that a line tells of what a page, a record or a cut put around them."""

import re
from dataclasses import replace

from tidegate.why.notices import Blocked, Said

BEHIND = re.compile(
    r"(?:`|…|\s?\.{2}|</?[a-z]|[\"»”\r]|\s\||\s\[|\s\((?!.*\)/)|\sat [\w$.]+\(|\\[nt]|\*\*\Z|,\Z).*\Z", re.DOTALL
)
"""The end of a code mark, an ellipsis, a tag, a quotation, a column or a line, and everything behind it."""
IN_FRONT = re.compile(r"'(?=[^']*\Z)")
"""A quotation mark in front of a name whose end was cut off."""


def with_clean_names(said: Said) -> Said:
    """The statement with clean names of its place and client."""
    if not isinstance(said, Blocked):
        return said
    place = _clean(said.place)
    return said if place == said.place else replace(said, place=place)


def _clean(name: str) -> str:
    unquoted = name.removeprefix('"') if name.count('"') == 2 else name
    return IN_FRONT.sub("", BEHIND.sub("", unquoted), count=1).strip() or name
