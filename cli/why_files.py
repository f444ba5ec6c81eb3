"""The files that `tidegate why` reads for its paths: logs, configurations, and folders with both."""

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words
from tidegate.record.names import shown
from tidegate.why.folders import MAY_CONFIGURE

if TYPE_CHECKING:
    from tidegate.explain.read.reading import Read
    from tidegate.why.folders import Folder

PASTED = "-"
EXPECTED = "expected a folder with logs (*.log, rotated or packed too) that are not empty"


@dataclass
class Given:
    """Names of logs in the order of reading, configurations by name, and the folders that were searched.

    `folder_of` maps each log of a folder to the folder, as the user named it; `left_out` has a sentence for each file
    there that cannot be read. `broken` has the error of each configuration that the user named and that cannot be read.
    """

    logs: list[str] = field(default_factory=list)
    configurations: dict[str, "tuple[Read, ...]"] = field(default_factory=dict)
    folders: list["Folder"] = field(default_factory=list)
    folder_of: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    broken: list[BadInput] = field(default_factory=list)

    def said(self) -> "tuple[Read, ...]":
        """The settings of the configurations, with broker properties of Artemis over the broker.xml if there is one."""
        if not self.configurations:
            return ()
        from tidegate.explain.read.reading import put_together

        found = [(Path(name), read) for name, reads in self.configurations.items() for read in reads]
        return tuple(read for _, read in put_together(found))


def given(paths: Iterable[str]) -> Given:
    """The logs and configurations that paths stand for, each file once. BadInput for a folder without a non-empty
    log."""
    found = Given()
    seen: set[str] = set()
    for path in paths:
        if path != PASTED and Path(path).is_dir():
            _look_into(path, found, seen)
        elif path == PASTED or _new(path, seen):
            try:
                read = _set_in(path)
            except BadInput as error:
                found.broken.append(error)
                continue
            if read is None:
                found.logs.append(path)
            else:
                found.configurations[path] = read
                found.left_out += _unread(read)
    return found


def _set_in(path: str) -> "tuple[Read, ...] | None":
    """The brokers' configurations in a file; None for a log."""
    if Path(path).suffix not in MAY_CONFIGURE:
        return None
    from tidegate.why.configured import configurations

    return configurations(path)


def files(there: Given, opened: Callable[[str], BinaryIO]) -> Iterator[tuple[str, BinaryIO]]:
    """Each log with its name, open while it is read; a log of a folder that cannot be opened is left out."""
    for log in there.logs:
        if log == PASTED:
            yield log, _pasted()
            continue
        try:
            file = opened(log)
        except BadInput as error:
            if log not in there.folder_of:
                raise
            there.left_out.append(f"{log} is not read: {error.expected}")
            continue
        with file:
            yield log, file


def _look_into(name: str, found: Given, seen: set[str]) -> None:
    from tidegate.pipeline.read.files import below, is_full_log
    from tidegate.why.folders import Folder

    there = below(Path(name))
    # a name that is not UTF-8 cannot be shown, so its file is passed over
    new = [file for file in there.files if shown(file) == str(file) and _new(file, seen)]
    logs = sorted(filter(is_full_log, new), key=_age)
    before, left_out = len(found.configurations), len(found.left_out)
    for file in new:
        if file not in logs and (read := _configurations(str(file), found)):
            found.configurations[str(file)] = read
    found.left_out += map(str, there.unreadable)
    if not logs:
        raise there.unreadable[0] if there.unreadable else BadInput(EXPECTED, file=shown(name))
    configured = len(found.configurations) - before
    unread = len(found.left_out) - left_out - len(there.unreadable)
    found.logs += map(str, logs)
    found.folder_of |= {str(log): name for log in logs}
    others = len(there.files) - len(logs) - configured - unread
    for read in list(found.configurations.values())[before:]:
        found.left_out += _unread(read)
    found.folders.append(Folder(name, len(logs), configured, others))


def _unread(read: "tuple[Read, ...]") -> Iterator[str]:
    """The values of configurations that cannot be read, each with what the broker does."""
    yield from (str(each) for broker in read for each in broker.unread)


def _configurations(name: str, found: Given) -> "tuple[Read, ...] | None":
    """The configurations in a file of a folder, where most XML files are not a broker's configuration."""
    from tidegate.explain.read.foreign import NotOfBroker
    from tidegate.explain.read.reading import PROPERTIES_FILE
    from tidegate.why.configured import configurations, names_broker

    if name.endswith(".properties") and Path(name).name != PROPERTIES_FILE:
        return None  # the folder does not show whether a broker uses properties of another name
    try:
        return configurations(name)
    except NotOfBroker:
        pass
    except BadInput as error:
        if names_broker(Path(name)):
            found.left_out.append(f"{error} (not read)")
    except OSError as error:
        found.left_out.append(f"{name} is not read: {in_words(error)}")
    return None


def _new(file: str | Path, seen: set[str]) -> bool:
    where = os.path.realpath(file)
    new = where not in seen
    seen.add(where)
    return new


def _age(file: Path) -> tuple[str, bool, int, str]:
    """The sort key of a host's logs, oldest first, for lines whose times do not order them."""
    from tidegate.pipeline.read.blocks import without_ending
    from tidegate.pipeline.read.files import host_of, rotation, stem

    is_written = without_ending(file.name) == f"{stem(file.name)}.log"
    return host_of(str(file), ()), is_written, -(rotation(file.name) or 0), file.name


def _pasted() -> BinaryIO:
    """The standard input; a terminal is read to its end here, since a second read would wait for a second Ctrl-D."""
    if not sys.stdin.isatty():
        return sys.stdin.buffer
    click.echo("Paste lines of a log, and end with Ctrl-D on a line of its own.", err=True)
    return io.BytesIO(b"".join(sys.stdin.buffer.readlines()))
