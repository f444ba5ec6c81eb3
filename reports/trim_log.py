"""Trims a broker's log to the lines of some scenarios, and to what was logged before the first scenario."""

import re
from collections.abc import Collection, Iterator
from itertools import groupby
from pathlib import Path

from scenes import prefix

WHOLE_LINES = 1000
"""A log with at most this many lines is kept as it is."""
LONGEST_LINE = 2000
"""The most characters that are kept of a line: a broker may log whole messages."""
_DATED = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|[A-Z]+\b")
_SCENARIO = re.compile(r"\bs\d+\.")
_PEER = re.compile(r"/((?:\d+\.){3}\d+:\d+)[/)]")
"""The address of a client in the name of its connection, also while the connection opens: ports are used again."""
_HOST = re.compile(r"\bvh\(/([^()]+)\)")
"""The name of a virtual host."""


def trim_log(log: Path, trimmed: Path, sources: Collection[str]) -> int:
    """Write the kept lines to another file; the number of these lines.

    An entry is a line with its continuation lines, such as a stack trace. An entry that names no scenario belongs to
    the scenario that last had its connection, or else its virtual host; without either it is kept up to the first entry
    that names a scenario.
    """
    text = log.read_text(encoding="utf-8", errors="surrogateescape")
    lines = text.splitlines(keepends=True)
    kept = lines if len(lines) <= WHOLE_LINES else list(_kept(lines, {prefix(source) for source in sources}))
    trimmed.write_text("".join(map(_cut, kept)), encoding="utf-8", errors="surrogateescape")
    return len(kept)


def _kept(lines: list[str], prefixes: Collection[str]) -> Iterator[str]:
    begun = False
    had: dict[str, set[str]] = {}
    for entry in _entries(lines):
        text = "".join(entry)
        named, peers = set(_SCENARIO.findall(text)), _PEER.findall(text)
        begun = begun or bool(named)
        # the last name is what the line is about, the first one who caused it
        owners = [*_HOST.findall(text)[-1:], *peers[-1:]]
        if not named and owners:
            named = had.get(owners[-1], set())
        had.update((each, named) for each in (*owners, *peers) if named)
        if named & set(prefixes) or not begun:
            yield from entry


def _cut(line: str) -> str:
    more = len(line.rstrip("\n")) - LONGEST_LINE
    return line if more <= 0 else f"{line[:LONGEST_LINE]} ({more:,} more characters)\n"


def _entries(lines: list[str]) -> Iterator[list[str]]:
    number = 0

    def entry_of(line: str) -> int:
        nonlocal number
        number += bool(_DATED.match(line))
        return number

    for _, entry in groupby(lines, key=entry_of):
        yield list(entry)
