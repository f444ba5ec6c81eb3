"""Files that are whole or not there; a disk that is full, or cannot be written, is one sentence."""

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import polars as pl

from tidegate.pipeline.files.storage import Place
from tidegate.record.errors import BadInput

PARTIAL = "partial"
"""The folder of files that are being written; they get their place by a rename once they are whole."""
OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EFBIG}
LEAST = 64 << 10
"""Free bytes below which a file that is not whole was cut off for want of space; Polars does not say so."""


def put(partial: Place, target: Place, write: Callable[[Path], object]) -> None:
    """Let `write` write a file in the folder `partial`, of the same file system, and give it its place `target`.

    Two writers of one target do not disturb each other; the later one stands.
    """
    if not isinstance(target, Path):
        with TemporaryDirectory() as folder:
            write(Path(folder) / "file")
            target.write_bytes((Path(folder) / "file").read_bytes())
        return
    temporary = Path(str(partial)) / f"{target.name}.{uuid4().hex}"
    write(temporary)
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
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
    except pl.exceptions.PolarsError as error:
        if not folder.exists() or shutil.disk_usage(folder).free > LEAST:
            raise
        raise BadInput("expected a folder that can be written, but its disk is full", file=folder) from error
