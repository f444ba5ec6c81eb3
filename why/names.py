"""Cleans the names that a line tells of what a page, a record or a cut put around them."""

import re
from dataclasses import replace

from tidegate.why.notices import Blocked, Released, Said

TAG = r"</?(?:code|pre|span|p|div|td|tr|li|b|i|em|strong|a|br|font|samp|kbd|tt|blockquote)\b"
BEHIND = re.compile(
    rf"(?:`|…|\s?\.{{2}}|{TAG}|"
    r"[\"»”\r]|\s\||\s\[|\s\{[\w.]+\}?|\s\((?!.*\)/)|\sat [\w$.]+\(|\\[nt]|(?<=[^*])\*\*\Z|,\Z).*\Z",
    re.DOTALL,
)
"""The end of a code mark, an ellipsis, a tag, a quotation, a column or a line, and everything behind it."""
CARBON = re.compile(r"\s\{[\w.$]*\}?\Z")
"""The logger that WSO2 writes behind a message, with or without its end."""
IN_FRONT = re.compile(r"'(?=[^']*\Z)")
"""A quotation mark in front of a name whose end was cut off."""


def with_clean_names(said: Said) -> Said:
    """The statement with clean names of its place and client."""
    if isinstance(said, Released):
        return replace(said, client=CARBON.sub("", said.client))
    if not isinstance(said, Blocked):
        return said
    place, client = _clean(said.place), CARBON.sub("", said.client)
    return said if (place, client) == (said.place, said.client) else replace(said, place=place, client=client)


def _clean(name: str) -> str:
    unquoted = name.removeprefix('"') if name.count('"') == 2 else name
    return IN_FRONT.sub("", BEHIND.sub("", unquoted), count=1).strip() or name
