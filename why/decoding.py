"""Reads the lines of a log as text: unpacks and decodes its bytes."""

import bz2
import gzip
import io
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from tidegate.record.errors import BadInput
from tidegate.record.hints import in_words

LONGEST = 20_000
"""The number of characters read of a line; the rest is skipped."""
DUMP = b'"methodName"'
"""A line with this is a thread dump in JSON, of a thread or of all."""
LONGEST_DUMP = 16_000_000
"""The number of characters read of a dump in one line."""
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
"""The first bytes of packed files, and the function that unpacks each kind."""
NOT_UNPACKED = {b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zst"}
LOOKED_AT = 256
"""The number of bytes at the beginning that tell the packing and the encoding of a file."""


class _Whole(io.RawIOBase):
    """A file whose first bytes have been read already."""

    def __init__(self, start: bytes, file: BinaryIO):
        self._start, self._file = start, file

    def readable(self) -> bool:
        return True

    def readinto(self, into: "memoryview | bytearray") -> int:  # type: ignore[override]
        read = self._start[: len(into)] or self._file.read(len(into)) or b""
        self._start = self._start[len(into) :]
        into[: len(read)] = read
        return len(read)


def opened(name: str) -> BinaryIO:
    """Open the log of this name. BadInput if it cannot be read."""
    try:
        file = Path(name).open("rb")  # noqa: SIM115
        file.peek(1)
    except OSError as error:
        raise BadInput(f"expected a log that can be read, but {in_words(error)}", file=name) from None
    return file


def lines_of(file: BinaryIO, name: str = "") -> Iterator[str]:
    """Each line without its end, unpacked, decoded from UTF-8, UTF-16 or else Windows-1252. BadInput for a zip or
    zst."""
    start = file.read(LOOKED_AT)
    for magic, packing in NOT_UNPACKED.items():
        if start.startswith(magic):
            raise BadInput(f"expected a log, not a {packing} file; unpack it first", file=name)
    whole: BinaryIO = io.BufferedReader(_Whole(start, file))
    for magic, unpack in PACKED.items():
        if start.startswith(magic):
            whole = unpack(whole)  # type: ignore[operator]
            start = whole.read(LOOKED_AT)
            whole = io.BufferedReader(_Whole(start, whole))
    encoding = _wide(start)
    if encoding is None:
        yield from _lines(whole)
        return
    text = io.TextIOWrapper(whole, encoding=encoding, errors="replace")
    while line := text.readline(LONGEST):
        yield line.rstrip("\r\n").lstrip("\ufeff")


def _wide(start: bytes) -> str | None:
    """The encoding if characters take two bytes, even without a byte order mark; else None."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    half = len(start) // 2
    if start[1::2].count(0) > half * 0.7:
        return "utf-16-le"
    return "utf-16-be" if start[::2].count(0) > half * 0.7 else None


def _lines(file: BinaryIO) -> Iterator[str]:
    while line := file.readline(LONGEST):
        if DUMP in line and not line.endswith(b"\n"):
            line += file.readline(LONGEST_DUMP)
        yield _decoded(line.rstrip(b"\r\n")).lstrip("\ufeff")
        while not line.endswith(b"\n") and (line := file.readline(LONGEST)):
            pass  # skip what exceeds the longest part of a line


def _decoded(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")
