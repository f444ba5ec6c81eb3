"""Opening files, packed or not, whatever they are called: a packed file is known by its first bytes."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

GZIP = b"\x1f\x8b"
DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What reading a packed file raises where it is cut off or damaged."""


def is_packed(path: Path) -> bool:
    """Whether a file is packed by gzip. Raises OSError where it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


@contextmanager
def unpacked(path: Path, packed: bool) -> Iterator[BufferedReader | gzip.GzipFile]:
    """The file's text, unpacked as it is read."""
    with gzip.open(path, "rb") if packed else path.open("rb") as file:
        yield file


def pieces(file: BufferedReader | gzip.GzipFile, most: int, size: int) -> Iterator[bytes]:
    """The next `most` bytes of a file, or what it has, in pieces of `size` bytes.

    Raises one of DAMAGED, after all that can be read, where a packed file is cut off or damaged.
    """
    while most > 0:
        got: list[bytes] = []
        wanted = min(size, most)
        try:
            # read1 gives what there is before it fails; read would lose it
            while wanted > 0 and (some := file.read1(wanted)):
                got.append(some)
                wanted -= len(some)
        except DAMAGED:
            if got:
                yield b"".join(got)
            raise
        piece = b"".join(got)
        if not piece:
            return
        most -= len(piece)
        yield piece
