"""Reads the strings of a JSON array that stand one a line, such as the lines of a command that Ansible shows."""

import json
import re
from collections.abc import Iterable, Iterator

OPENS = re.compile(r"(?:\s*\"[\w. -]{1,60}\"\s?: ?)?\[\s*")
"""The beginning of an array, alone or as the value of a name."""
ELEMENT = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"),?\s*")


def without_arrays(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Numbered lines; a string of an array is replaced by the lines of its text, which have the number of the
    string."""
    within = False
    for number, line in lines:
        element = ELEMENT.fullmatch(line) if within else None
        within = element is not None or (line.rstrip().endswith("[") and OPENS.fullmatch(line) is not None)
        text = None if element is None else _text(element[1])
        if text is None:
            yield number, line
        else:
            yield from ((number, each) for each in text.splitlines() or [""])


def _text(string: str) -> str | None:
    """The text of a JSON string; None if the string has an escape that JSON does not know."""
    try:
        return str(json.loads(string, strict=False))
    except ValueError:
        return None
