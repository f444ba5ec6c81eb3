"""Opening files, packed or not, whatever their names: a packed file is recognised by its first bytes."""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from typing import IO, Any

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.lines.careful import LONGEST_LINE

PIECE = 1 << 20
ENDINGS = r"(?:\.(?:gz|bz2|xz|zst))?"
"""The endings that packing adds to the name of a file, as a pattern."""


def without_ending(name: str) -> str:
    """The name of a file without the ending of its packing."""
    return re.sub(f"{ENDINGS}$", "", name)


class Damaged(Exception):
    """A packed file is cut off or damaged from here on."""


def _zstd(file: IO[bytes]) -> Any:
    # imported here, since it takes long to load
    import pyarrow as pa  # type: ignore[import-untyped]  # it comes without types

    return BufferedReader(pa.CompressedInputStream(file, "zstd"))


UNPACKED: Mapping[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}
"""The unpacker of a file, by the first bytes of the file."""
LONGEST_MAGIC = max(map(len, UNPACKED))


@contextmanager
def opened(path: Place, packed: bool = True) -> Iterator[tuple[Any, bool]]:
    """The file's text, and whether the file is packed; if `packed` is False, the file is read as it is.

    The text is a binary file with read1, and with seek where the file is not packed. It is unpacked as it is read.
    """
    with path.open("rb") as file:
        begin = file.read(LONGEST_MAGIC) if packed else b""
        file.seek(0)
        unpacking = next((unpacking for magic, unpacking in UNPACKED.items() if begin.startswith(magic)), None)
        yield file if unpacking is None else unpacking(file), unpacking is not None


def pieces(file: Any, most: int, size: int) -> Iterator[bytes]:
    """The next `most` bytes of a file, or fewer at its end, in pieces of `size` bytes.

    Raises Damaged, after all readable bytes, where a packed file is cut off or damaged.
    """
    while most > 0:
        got: list[bytes] = []
        wanted = min(size, most)
        try:
            # read1 returns the bytes before a failure; read would lose them
            while wanted > 0 and (some := file.read1(min(wanted, PIECE))):
                got.append(some)
                wanted -= len(some)
        except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
            # an unpacker raises an OSError without a number
            if isinstance(error, OSError) and error.errno is not None:
                raise
            if got:
                yield b"".join(got)
            raise Damaged from error
        piece = b"".join(got)
        if not piece:
            return
        most -= len(piece)
        yield piece


def lines_of(file: Any) -> Iterator[bytes]:
    """The lines of a file with their ends. A line longer than LONGEST_LINE is cut there, and the rest of the file is
    not read.

    Raises Damaged as `pieces` does.
    """
    held = b""
    for piece in pieces(file, 1 << 62, PIECE):
        held += piece
        *lines, held = held.split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(held) > LONGEST_LINE:
            break
    if held:
        yield held[: LONGEST_LINE + 1]
