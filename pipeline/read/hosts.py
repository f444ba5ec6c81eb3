"""Whose log a file is: what the user says, else its folder and its name without what rotation adds."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.read.opening import ENDINGS, without_ending
from tidegate.record.errors import BadInput
from tidegate.record.names import shown

DATE = r"\d{4}-?\d\d-?\d\d(?:[T_.-]?\d\d(?:[:_-]?\d\d){0,2})?"
ROTATED = re.compile(
    rf"(?P<stem>.+?)(?:[._-]{DATE}(?:[._-]\d+)?)?\.log(?:[._-]{DATE})?(?:[._-]\d+)?{ENDINGS}", re.ASCII
)
"""The name of a log, with what rotation adds: `broker.log.3.gz`, `broker-2026-01-31.log`, `broker.log.2026-01-31`.

A number in front of `.log` is part of the name, for it may as well tell hosts apart; behind a date it is not.
"""
NUMBERED = re.compile(rf"\.log(?:\.(?P<number>\d{{1,4}}))?{ENDINGS}$")


class HostPath(NamedTuple):
    """A host, and the file or folder whose logs are of it."""

    host: str
    path: Place

    def leads_to(self, name: str) -> bool:
        """Whether a file or folder of this name is the one that the path leads to, or below it."""
        if isinstance(self.path, Path):
            return Path(os.path.realpath(name)).is_relative_to(os.path.realpath(self.path))
        return f"{name}/".startswith(f"{self.path}/")


def host_path(option: str) -> HostPath:
    """A host as an option of a command gives it, NAME=PATH. Raises BadInput where it is not of that form."""
    host, equals, path = option.partition("=")
    if not (host and equals and path):
        raise BadInput(f"expected NAME=PATH, not {option!r}", field="host")
    if shown(host) != host:
        raise BadInput(f"expected a name in UTF-8, not {shown(host)}", field="host")
    return HostPath(host, place_of(path))


def host_of(name: str, hosts: Sequence[HostPath]) -> str:
    """The host of a file of this name: the one that was named, else its folder and stem."""
    named = named_host(name, hosts)
    if named is not None:
        return named
    place = place_of(name)
    return str(place.parents[0] / stem(place.name))


def named_host(name: str, hosts: Sequence[HostPath]) -> str | None:
    """The host of the longest path given that leads to a file or folder; None where none does."""
    leading = [each for each in hosts if each.leads_to(name)]
    return max(leading, key=lambda each: len(str(each.path))).host if leading else None


def stem(name: str) -> str:
    """The name of a file without what rotation and packing add."""
    rotated = ROTATED.fullmatch(name)
    return rotated["stem"] if rotated else without_ending(name)


def rotation(name: str) -> int | None:
    """The number that rotation gave a file, 0 for the one that is written; None where it gives none."""
    found = NUMBERED.search(name)
    return None if found is None else int(found["number"] or 0)
