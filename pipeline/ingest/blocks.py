"""The text of a split in blocks that a worker holds at once, each from the beginning of a record to that of another."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tidegate.pipeline.ingest.careful import decoded
from tidegate.pipeline.ingest.opening import DAMAGED, pieces, unpacked
from tidegate.pipeline.ingest.split import Split

SIZE = 64 << 20
"""Bytes that are read at once."""
EVERYTHING = 1 << 62
LONGEST_RECORD = 64 << 20
"""Bytes after which a block ends with a line, even if no other record has begun."""


class Block(NamedTuple):
    """Some records: where they begin in the unpacked file, and their bytes.

    `damaged` says that the packed file cannot be read beyond this block, so that its last line is a torn one.
    """

    offset: int
    text: bytes
    damaged: bool = False


def blocks(split: Split, begins: re.Pattern[str], size: int = SIZE, longest: int = LONGEST_RECORD) -> Iterator[Block]:
    """The blocks of a split. None ends within a line, however long that is."""
    offset, held, damaged = split.start, b"", False
    end = EVERYTHING if split.input.packed else split.end
    with unpacked(Path(split.input.path), split.input.packed) as file:
        file.seek(split.start)
        read = pieces(file, end - offset, size)
        while True:
            try:
                piece = next(read, b"")
            except DAMAGED:
                damaged = True
                break
            if not piece:
                break
            held += piece
            if offset + len(held) == end:
                # the last block is not cut, for nothing follows it
                break
            cut = last_beginning(held, begins) or (held.rfind(b"\n") + 1 if len(held) > longest else 0)
            if cut:
                yield Block(offset, held[:cut])
                offset, held = offset + cut, held[cut:]
    if held or damaged:
        yield Block(offset, held, damaged)


def last_beginning(text: bytes, begins: re.Pattern[str]) -> int:
    """Where the last line that begins a record starts, of those that are whole; 0 where that is the first line."""
    end = text.rfind(b"\n")
    while end > 0:
        start = text.rfind(b"\n", 0, end) + 1
        if start and begins.match(decoded(text[start:end])):
            return start
        end = start - 1
    return 0


def next_beginning(file_path: Path, start: int, end: int, begins: re.Pattern[str]) -> int | None:
    """Where the first line from `start` on that begins a record starts, in a plain file; None before `end` if nowhere.

    `start` itself may be within a line.
    """
    with file_path.open("rb") as file:
        file.seek(start - 1)
        file.readline()
        while (at := file.tell()) < end:
            if begins.match(decoded(file.readline())):
                return at
    return None
