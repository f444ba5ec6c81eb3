"""Files that are whole or not there; a disk that is full, or cannot be written, is one sentence."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
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
