"""The text of a file in blocks that are held at once, each from the begin of one record to the begin of another."""

import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from tidegate.pipeline.files.storage import Place
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.read.opening import PIECE, Damaged, pieces

SIZE = 64 << 20
"""The bytes that are read at once."""
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
