"""The line of a file that an event was read from, as it stands there."""

from itertools import islice
from pathlib import Path

from tidegate.pipeline.lines.careful import decoded, readable
from tidegate.pipeline.read.opening import Damaged, opened

LONGEST = 400
"""Characters of a line that are shown."""
FARTHEST = 64 << 20
"""A line that begins behind so many bytes is looked for only where its place is known."""


def raw_line(name: str, line: int, offset: int | None = None) -> str:
    """A line of a file, counted from 1, which begins at a byte where that is known; empty where it is gone."""
    path = Path(name)
    try:
        with opened(path) as (file, packed):
            if offset is not None and not packed:
                file.seek(offset)
                found = file.readline(4 * LONGEST)
            elif path.stat().st_size > FARTHEST:
                return ""
            else:
                found = next(islice(file, line - 1, line), b"")
    except (OSError, Damaged):
        return ""
    text = readable(decoded(found)).rstrip()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
