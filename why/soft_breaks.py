"""Undoes how mails encode long lines (quoted-printable): `=` at the end of a line that goes on, and `=3D` for `=`."""

import quopri
from collections.abc import Iterable, Iterator

HEADER = "quoted-printable"
"""The encoding that the source of a mail names; behind it all lines may be encoded."""
FULL = 76
"""The length of a line that was broken to keep the limit of mails."""
LOOKED_AHEAD = 40
"""The most lines that one line was broken into."""


def without_soft_breaks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Numbered lines; the pieces of an encoded line become one line, with the number of the first piece."""
    encoded = False
    held: list[tuple[int, str]] = []
    for number, line in lines:
        encoded = encoded or HEADER in line.lower()
        goes_on = line.endswith("=") and (encoded or len(line) == FULL) and len(held) < LOOKED_AHEAD
        if goes_on:
            held.append((number, line[:-1]))
        elif held:
            yield held[0][0], _decoded("".join([*(text for _, text in held), line]))
            held = []
        else:
            yield number, _decoded(line) if encoded else line
    yield from ((number, f"{text}=") for number, text in held)


def _decoded(line: str) -> str:
    """The text of an encoded line; the line itself if it holds no encoded text."""
    try:
        return quopri.decodestring(line.encode()).decode() if "=" in line else line
    except UnicodeDecodeError:
        return line
