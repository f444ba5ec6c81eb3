"""The text of files, packed or not: in pieces, in lines, and in blocks of whole records that are held at once.

A packed file is recognised by its first bytes, whatever its name.
"""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from io import BufferedReader
from typing import IO, Any, NamedTuple

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.lines.careful import LONGEST_LINE, decoded

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
            with _unpacking():
                while wanted > 0 and (some := file.read1(min(wanted, PIECE))):
                    got.append(some)
                    wanted -= len(some)
        except Damaged:
            if got:
                yield b"".join(got)
            raise
        piece = b"".join(got)
        if not piece:
            return
        most -= len(piece)
        yield piece


def lines_of(file: Any) -> Iterator[bytes]:
    """The lines of a file with their ends; a line longer than LONGEST_LINE comes in pieces. Raises Damaged."""
    with _unpacking():
        yield from iter(partial(file.readline, LONGEST_LINE + 1), b"")


@contextmanager
def _unpacking() -> Iterator[None]:
    """Raise Damaged where the block cannot unpack a file further."""
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError, OSError) as error:
        # an unpacker raises an OSError without a number
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise Damaged from error


SIZE = 16 << 20
"""The bytes that are read at once, of one log or of many. Larger blocks take more memory and, for it, more time."""
LONGEST_RECORD = 64 << 20
"""A block of more bytes ends with a line, even if no other record has begun."""
EVERYTHING = 1 << 62
"""An end, in bytes, beyond the end of any file."""
BYTE_ORDER_MARK = "\ufeff"
BEGINNING = 1000
"""The first bytes of a line, by which a record is told; of a line too long for a block only these are kept."""


class Block(NamedTuple):
    """Some records: their begin in the unpacked file, their bytes, and their end.

    `damaged` says that the packed file cannot be read beyond this block, so its last line is torn.
    A block that is `too_long` is one line of which only the first bytes are held.
    """

    offset: int
    text: bytes
    end: int
    damaged: bool = False
    too_long: bool = False

    def line(self, begin: int, end: int) -> str:
        """The line between these bytes of the text."""
        text = decoded(self.text[begin:end])
        return text.removeprefix(BYTE_ORDER_MARK) if self.offset + begin == 0 else text

    def record_at(self, end: int, begins: re.Pattern[str]) -> str | None:
        """The first line of the record whose last line ends at `end`; None if the block lacks it."""
        while end >= 0:
            begin = self.text.rfind(b"\n", 0, end) + 1
            line = self.line(begin, end)
            if begins.match(line):
                return line
            end = begin - 1
        return None


def blocks(
    file: Any, start: int, end: int, begins: re.Pattern[str], size: int = SIZE, longest: int = LONGEST_RECORD
) -> Iterator[Block]:
    """The blocks of a file, positioned at `start`, up to `end`, read `size` bytes at a time; no line is in two blocks.

    A block ends with a record, or with a line where a record is longer than `longest` bytes. A longer line is skipped.
    """
    offset, held, damaged = start, b"", False
    skipped: Block | None = None
    read = pieces(file, end - start, size)
    while True:
        try:
            piece = next(read, b"")
        except Damaged:
            damaged = True
            break
        if not piece:
            break
        if skipped is not None:
            ended = piece.find(b"\n") + 1
            offset += ended or len(piece)
            if not ended:
                continue
            yield skipped._replace(end=offset)
            piece, skipped = piece[ended:], None
        held += piece
        if offset + len(held) == end:
            # the last block is not cut, since nothing follows it
            break
        cut = last_beginning(held, begins) or (held.rfind(b"\n") + 1 if len(held) > longest else 0)
        if cut:
            yield Block(offset, held[:cut], offset + cut)
            offset, held = offset + cut, held[cut:]
        if len(held) > longest and b"\n" not in held:
            skipped = Block(offset, held[:BEGINNING], offset, too_long=True)
            offset, held = offset + len(held), b""
    if skipped is not None:
        yield skipped._replace(end=offset)
    elif held or damaged:
        yield Block(offset, held, offset + len(held), damaged)


def last_beginning(text: bytes, begins: re.Pattern[str]) -> int:
    """The start of the last whole line that begins a record; 0 where that is the first line or no line begins one."""
    end = text.rfind(b"\n")
    while end > 0:
        start = text.rfind(b"\n", 0, end) + 1
        if start and begins.match(decoded(text[start : min(end, start + BEGINNING)])):
            return start
        end = start - 1
    return 0


def next_beginning(file_path: Place, start: int, end: int, begins: re.Pattern[str]) -> int | None:
    """The start of the first record at or after `start` in a plain file; None where no record begins before `end`.

    `start` itself may be within a line.
    """
    with file_path.open("rb") as file:
        file.seek(start - 1)
        _to_next_line(file, end)
        while (at := file.tell()) < end:
            if begins.match(decoded(file.readline(BEGINNING))):
                return at
            file.seek(at)
            _to_next_line(file, end)
    return None


def _to_next_line(file: IO[bytes], end: int) -> None:
    """Move to the begin of the next line, or beyond `end`."""
    while file.tell() < end and (some := file.readline(PIECE)) and not some.endswith(b"\n"):
        pass
