"""Files that are whole or not there: written under another name, brought to the disk, then renamed."""

import os
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4


def put(partial: Path, target: Path, write: Callable[[Path], object]) -> None:
    """Let `write` write a file in the folder `partial`, of the same file system, and give it its place `target`.

    Two writers of one target do not disturb each other; the later one stands.
    """
    temporary = partial / f"{target.name}.{uuid4().hex}"
    write(temporary)
    with temporary.open("rb") as written:
        os.fsync(written.fileno())
    # the folder is not brought to the disk: a marker says how long the files are to which it belongs
    temporary.replace(target)


def remove(path: Path) -> None:
    """Remove a file, which may be gone already."""
    path.unlink(missing_ok=True)
