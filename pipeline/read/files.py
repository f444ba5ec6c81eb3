"""The files that are read, by their own names or by the names of traces and logs in folders, and their hosts."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.files.storage import Place, Remote, place_of
from tidegate.pipeline.read.blocks import ENDINGS, without_ending
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.names import is_text, not_text, shown

DATE = r"\d{4}-?\d\d-?\d\d(?:[T_.-]?\d\d(?:[:_-]?\d\d){0,2})?"
ROTATED = re.compile(
    rf"(?P<stem>.+?)(?:[._-]{DATE}(?:[._-]\d+)?)?\.log(?:[._-]{DATE})?(?:[._-]\d+)?{ENDINGS}", re.ASCII
)
"""The name of a log, with the parts that rotation adds: `broker.log.3.gz`, `broker-2026-01-31.log`,
`broker.log.2026-01-31`.

A number before `.log` is part of the name, since it may stand for a host; after a date it is not.
"""
NUMBERED = re.compile(rf"\.log(?:\.(?P<number>\d{{1,4}}))?{ENDINGS}$")


class HostPath(NamedTuple):
    """A host, and the file or folder of its logs."""

    host: str
    path: Place

    def leads_to(self, name: str) -> bool:
        """Whether the path is this file or folder, or a folder above it."""
        if isinstance(self.path, Path):
            return Path(os.path.realpath(name)).is_relative_to(os.path.realpath(self.path))
        return f"{name}/".startswith(f"{self.path}/")


def host_path(option: str) -> HostPath:
    """A host from an option of a command, NAME=PATH. Raises BadInput where the option has another form."""
    host, equals, path = option.partition("=")
    if not (host and equals and path):
        raise BadInput(f"expected NAME=PATH, not {option!r}", field="host")
    if shown(host) != host:
        raise BadInput(f"expected a name in UTF-8, not {shown(host)}", field="host")
    return HostPath(host, place_of(path))


def host_of(name: str, hosts: Sequence[HostPath]) -> str:
    """The host of a file of this name: its named host, else its folder and stem."""
    named = named_host(name, hosts)
    if named is not None:
        return named
    place = place_of(name)
    return str(place.parents[0] / stem(place.name))


def named_host(name: str, hosts: Sequence[HostPath]) -> str | None:
    """The host of the longest given path that leads to a file or folder; None where none does."""
    leading = [each for each in hosts if each.leads_to(name)]
    return max(leading, key=lambda each: len(str(each.path))).host if leading else None


def stem(name: str) -> str:
    """The name of a file without the parts that rotation and packing add."""
    rotated = ROTATED.fullmatch(name)
    return rotated["stem"] if rotated else without_ending(name)


def rotation(name: str) -> int | None:
    """The number that rotation gave a file, 0 for the current one; None for other names."""
    found = NUMBERED.search(name)
    return None if found is None else int(found["number"] or 0)


TRACE = re.compile(rf"trace.*\.jsonl{ENDINGS}")
EXPECTED = "expected a folder with traces (trace*.jsonl) or logs (*.log, rotated or packed too) that are not empty"


class Below(NamedTuple):
    """The files in a folder and below it, and the folders there that cannot be read."""

    files: tuple[Path, ...]
    unreadable: tuple[BadInput, ...]


class Named(NamedTuple):
    """A file as the user named it, its real path, and its size in bytes; the size of a missing file is 0."""

    name: str
    path: str
    size: int


class NamedFiles(NamedTuple):
    """The files that paths stand for, each once; errors of other paths; and the refused paths that may hold logs."""

    files: tuple[Named, ...]
    refused: tuple[BadInput, ...]
    closed: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(each.size for each in self.files)


def named_files(paths: Iterable[Place]) -> NamedFiles:
    """The files that paths stand for."""
    found: dict[str, Named] = {}
    refused: list[BadInput] = []
    closed: list[str] = []
    for path in paths:
        if isinstance(path, Remote):
            for uri, size in _in_storage(path, refused, closed):
                found.setdefault(uri, Named(uri, uri, size))
            continue
        for each in _below(path, refused, closed) if path.is_dir() else [_named(path)]:
            if is_text(each.name + each.path):
                found.setdefault(each.path, each)
            else:
                refused.append(not_text(each.name))
                closed.append(shown(each.name))
    return NamedFiles(tuple(found.values()), tuple(refused), tuple(closed))


def _named(file: Path) -> Named:
    # realpath, unlike resolve, keeps a link that leads to itself, which is then refused when it is opened
    where = os.path.realpath(file)
    return Named(str(file), where, _size(where))


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _in_storage(place: Remote, refused: list[BadInput], closed: list[str]) -> Iterator[tuple[str, int]]:
    """The file itself, or the traces and logs below it."""
    try:
        if not place.is_dir():
            yield place.uri, place.stat().st_size if place.exists() else 0
            return
        below = [
            (file.uri, size)
            for file, size in place.below()
            if TRACE.fullmatch(file.name) or (size and is_log(file.name))
        ]
    except OSError as error:
        refused.append(BadInput(f"expected storage that can be read, but {in_words(error)}", file=place.uri))
        closed.append(place.uri)
        return
    yield from below
    if not below:
        refused.append(BadInput(EXPECTED, file=place.uri))


def is_log(name: str) -> bool:
    """Whether a file has the name of a log."""
    return ROTATED.fullmatch(name) is not None


def is_full_log(file: Path) -> bool:
    """Whether a file has the name of a log and has bytes, unlike a pipe. OSError where its folder may not be read."""
    return is_log(file.name) and file.is_file() and file.stat().st_size > 0


def below(folder: Path) -> Below:
    """Every file in a folder and below it, sorted by name folder by folder."""
    refused: list[OSError] = []
    files = tuple(_walked(folder, refused))
    return Below(files, _unreadable(refused))


def _below(folder: Path, refused: list[BadInput], closed: list[str]) -> Iterator[Named]:
    """The traces and logs in a folder and below it."""
    faults: list[OSError] = []
    count = 0
    for file in _walked(folder, faults):
        try:
            wanted = TRACE.fullmatch(file.name) or is_full_log(file)
        except OSError:
            continue  # it went since
        if wanted:
            yield _named(file)
            count += 1
    unreadable = _unreadable(faults)
    refused.extend(unreadable)
    closed.extend(str(error.file) for error in unreadable)
    if not (count or unreadable):
        refused.append(BadInput(EXPECTED, file=shown(folder)))


def _walked(folder: Path, refused: list[OSError]) -> Iterator[Path]:
    """Every file in a folder and below it, sorted by name folder by folder. Links to folders are not followed."""
    for where, folders, names in os.walk(folder, onerror=refused.append):
        folders.sort()
        yield from (Path(where) / name for name in sorted(names))


def _unreadable(errors: Iterable[OSError]) -> tuple[BadInput, ...]:
    return tuple(
        BadInput(f"expected a folder that can be read, but {in_words(error)}", file=shown(error.filename))
        for error in errors
    )
