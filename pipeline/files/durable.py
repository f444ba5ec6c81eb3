"""Files that are whole or absent; a disk that is full or cannot be written is reported in one sentence."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from uuid import uuid4

from tidegate.pipeline.files.storage import Place
from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

PARTIAL = "partial"
"""The folder of unfinished files; a finished file gets its place by a rename."""
OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EFBIG}


def put(partial: Place, target: Place, content: bytes) -> None:
    """Write the content to the file `target`, by way of the folder `partial` of the same file system.

    Two writers of one target do not disturb each other; the content of the later one remains.
    """
    if not isinstance(target, Path):
        target.write_bytes(content)
        return
    temporary = Path(str(partial)) / f"{target.name}.{uuid4().hex}"
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    # the folder itself is not synced: a marker holds the lengths of the files that belong to it
    temporary.replace(target)


@contextmanager
def alone_in(folder: Path, lock: str, expected: str) -> Iterator[None]:
    """Lock a folder against other processes, and remove the files that a killed process left half written.

    Raises BadInput with the sentence `expected` where another process holds the lock, and where the folder cannot be
    written.
    """
    try:
        (folder / PARTIAL).mkdir(parents=True, exist_ok=True)
        held = (folder / lock).open("w")
    except OSError as error:
        raise BadInput(f"expected a folder that can be written, but {in_words(error)}", file=folder) from error
    with held:
        try:
            flock(held, LOCK_EX | LOCK_NB)
        except BlockingIOError as error:
            raise BadInput(expected, file=str(folder)) from error
        for leftover in (folder / PARTIAL).iterdir():
            leftover.unlink()
        yield


@contextmanager
def writable(folder: Place) -> Iterator[None]:
    """Raise BadInput where the block cannot write to the folder, if the folder is on a disk of this machine."""
    if not isinstance(folder, Path):
        yield
        return
    try:
        yield
    except OSError as error:
        if error.errno not in OF_THE_DISK:
            raise
        raise BadInput(f"expected a folder that can be written, but {in_words(error)}", file=folder) from error
