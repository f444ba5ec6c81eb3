"""The text of a split in blocks that a worker holds at once, each from the beginning of a record to that of another."""

import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.lines.careful import decoded
from tidegate.pipeline.read.opening import PIECE, Damaged, pieces, unpacked
from tidegate.pipeline.read.split import Split

SIZE = 64 << 20
"""Bytes that are read at once."""
LONGEST_RECORD = 64 << 20
"""Bytes after which a block ends with a line, even if no other record has begun."""
EVERYTHING = 1 << 62
BEGINNING = 1000
"""Bytes of a line by which it is told whether a record begins there, and that are kept of one that no block holds."""


class Block(NamedTuple):
    """Some records: where they begin in the unpacked file, and their bytes.

    `damaged` says that the packed file cannot be read beyond this block, so that its last line is a torn one.
    A block that is `too_long` is one line of which only the first bytes are held.
    """

    offset: int
    text: bytes
    damaged: bool = False
    too_long: bool = False


def blocks(split: Split, begins: re.Pattern[str], size: int = SIZE, longest: int = LONGEST_RECORD) -> Iterator[Block]:
    """The blocks of a split, read `size` bytes at once; no line is in two of them.

    A block ends with a record, or with a line where a record is longer than `longest` bytes. A line that is longer is
    not held.
    """
    offset, held, damaged = split.start, b"", False
    end = EVERYTHING if split.input.packed else split.end
    skipping = False
    with unpacked(place_of(split.input.path), split.input.packed) as file:
        if not split.input.packed:
            file.seek(split.start)
        read = pieces(file, end - offset, size)
        while True:
            try:
                piece = next(read, b"")
            except Damaged:
                damaged = True
                break
            if not piece:
                break
            if skipping:
                ended = piece.find(b"\n") + 1
                offset += ended or len(piece)
                if not ended:
                    continue
                piece, skipping = piece[ended:], False
            held += piece
            if offset + len(held) == end:
                # the last block is not cut, for nothing follows it
                break
            cut = last_beginning(held, begins) or (held.rfind(b"\n") + 1 if len(held) > longest else 0)
            if cut:
                yield Block(offset, held[:cut])
                offset, held = offset + cut, held[cut:]
            if len(held) > longest and b"\n" not in held:
                yield Block(offset, held[:BEGINNING], too_long=True)
                offset, held, skipping = offset + len(held), b"", True
    if held or (damaged and not skipping):
        yield Block(offset, held, damaged)


def last_beginning(text: bytes, begins: re.Pattern[str]) -> int:
    """Where the last line that begins a record starts, of those that are whole; 0 where that is the first line."""
    end = text.rfind(b"\n")
    while end > 0:
        start = text.rfind(b"\n", 0, end) + 1
        if start and begins.match(decoded(text[start : min(end, start + BEGINNING)])):
            return start
        end = start - 1
    return 0


def next_beginning(file_path: Place, start: int, end: int, begins: re.Pattern[str]) -> int | None:
    """Where the first line from `start` on that begins a record starts, in a plain file; None before `end` if nowhere.

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
    """Go on to where the next line begins, or beyond `end`."""
    while file.tell() < end and (some := file.readline(PIECE)) and not some.endswith(b"\n"):
        pass
