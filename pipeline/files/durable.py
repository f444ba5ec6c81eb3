"""Files that are whole or not there; a disk that is full, or cannot be written, is one sentence."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from uuid import uuid4

from tidegate.pipeline.files.storage import Place
from tidegate.record.errors import BadInput

PARTIAL = "partial"
"""The folder of files that are being written; they get their place by a rename once they are whole."""
OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EFBIG}


def put(partial: Place, target: Place, content: bytes) -> None:
    """Give the file `target` this content, by way of the folder `partial` of the same file system.

    Two writers of one target do not disturb each other; the later one stands.
    """
    if not isinstance(target, Path):
        target.write_bytes(content)
        return
    temporary = Path(str(partial)) / f"{target.name}.{uuid4().hex}"
    with temporary.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    # the folder is not brought to the disk: a marker says how long the files are to which it belongs
    temporary.replace(target)


def remove(path: Place) -> None:
    """Remove a file, which may be gone already."""
    path.unlink(missing_ok=True)


@contextmanager
def alone_in(folder: Path, lock: str, expected: str) -> Iterator[None]:
    """Keep other processes out of a folder, and clear what one that was killed has left half written.

    Raises BadInput, which says what was expected, where another holds the lock, and where the folder cannot be written.
    """
    try:
        (folder / PARTIAL).mkdir(parents=True, exist_ok=True)
        held = (folder / lock).open("w")
    except OSError as error:
        raise BadInput(f"expected a folder that can be written, but {error.strerror}", file=folder) from error
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
    """Raise BadInput where the block cannot write to the folder, if that is on a disk of this machine."""
    if not isinstance(folder, Path):
        yield
        return
    try:
        yield
    except OSError as error:
        if error.errno not in OF_THE_DISK:
            raise
        raise BadInput(f"expected a folder that can be written, but {error.strerror}", file=folder) from error
