"""A disk that is full, or cannot be written, is one sentence."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl

from tidegate.pipeline.storage import Place
from tidegate.record.errors import BadInput

OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO, errno.EFBIG}
LEAST = 64 << 10
"""Free bytes below which a file that is not whole was cut off for want of space; Polars does not say so."""


@contextmanager
def writable(folder: Place) -> Iterator[None]:
    """Raise BadInput where the work in the block cannot write what it has to into the folder of a disk."""
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
