"""Which files are read: those that are named, and in folders those that are called as traces and logs are."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place, Remote
from tidegate.pipeline.read.hosts import ROTATED
from tidegate.pipeline.read.opening import ENDINGS
from tidegate.record.errors import BadInput
from tidegate.record.names import fault_of_name, shown

TRACE = re.compile(rf"trace.*\.jsonl{ENDINGS}")
EXPECTED = "expected a folder with traces (trace*.jsonl) or logs (*.log, rotated or packed too) that are not empty"


class Below(NamedTuple):
    """The files in a folder and below it, and which folders there cannot be read."""

    files: tuple[Path, ...]
    unreadable: tuple[BadInput, ...]


class Named(NamedTuple):
    """A file as the user named it, and where it is."""

    name: str
    path: str


def named_files(paths: Iterable[Place]) -> tuple[list[Named], list[BadInput], list[str]]:
    """The files that paths stand for, each once; what is wrong with other paths; and which of these may hold logs."""
    found: dict[str, Named] = {}
    refused: list[BadInput] = []
    closed: list[str] = []
    for path in paths:
        if isinstance(path, Remote):
            for uri in _in_storage(path, refused, closed):
                found.setdefault(uri, Named(uri, uri))
            continue
        files = list(_below(path, refused, closed)) if path.is_dir() else [path]
        for file in files:
            # unlike resolve, it leaves a link that leads to itself as it is, to be refused when it is opened
            where = os.path.realpath(file)
            fault = fault_of_name(file)
            if fault is None:
                found.setdefault(where, Named(str(file), where))
            else:
                refused.append(fault)
                closed.append(str(fault.file))
    return list(found.values()), refused, closed


def _in_storage(place: Remote, refused: list[BadInput], closed: list[str]) -> Iterator[str]:
    """The file itself, or the traces and logs below it."""
    try:
        if not place.is_dir():
            yield place.uri
            return
        below = [file.uri for file, size in place.below() if TRACE.fullmatch(file.name) or (size and is_log(file.name))]
    except OSError as error:
        refused.append(BadInput(f"expected storage that can be read, but {error.strerror}", file=place.uri))
        closed.append(place.uri)
        return
    yield from below
    if not below:
        refused.append(BadInput(EXPECTED, file=place.uri))


def is_log(name: str) -> bool:
    """Whether a file is called as logs are."""
    return ROTATED.fullmatch(name) is not None


def is_full_log(file: Path) -> bool:
    """Whether a file is called as logs are, and has bytes; a pipe has none. OSError where nobody may ask."""
    return is_log(file.name) and file.is_file() and file.stat().st_size > 0


def below(folder: Path) -> Below:
    """Every file in a folder and below it, sorted by name folder by folder."""
    refused: list[OSError] = []
    files: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=refused.append):
        folders.sort()
        files += (Path(where) / name for name in sorted(names))
    unreadable = tuple(
        BadInput(f"expected a folder that can be read, but {error.strerror}", file=shown(error.filename))
        for error in refused
    )
    return Below(tuple(files), unreadable)


def _below(folder: Path, refused: list[BadInput], closed: list[str]) -> Iterator[Path]:
    """The traces and logs in a folder and below it."""
    there = below(folder)
    chosen = [file for file in there.files if TRACE.fullmatch(file.name) or is_full_log(file)]
    yield from chosen
    refused.extend(there.unreadable)
    closed.extend(str(error.file) for error in there.unreadable)
    if not (chosen or there.unreadable):
        refused.append(BadInput(EXPECTED, file=shown(folder)))
