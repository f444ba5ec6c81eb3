"""Files that are whole or not there: in a folder by a rename once they are on the disk, in storage by its promise."""

import os
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from tidegate.pipeline.storage import Place


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
