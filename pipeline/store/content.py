"""Whether a file still holds what was read of it: digests of bytes, of texts and of values."""

import hashlib
import json
from dataclasses import dataclass

from tidegate.pipeline.files.storage import Place, place_of
from tidegate.pipeline.read.opening import pieces, unpacked
from tidegate.pipeline.read.split import Input, Split

HEAD_BYTES = 4096
"""How much of a file's beginning says whether it may be another one under a new name."""
BLOCK = 1 << 20
DIGEST_BYTES = 16


def digest_of_bytes(path: Place, start: int, end: int) -> str:
    """The digest of the file's bytes from `start` up to `end`; of fewer where the file is shorter."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with path.open("rb") as file:
        file.seek(start)
        left = end - start
        while left > 0 and (block := file.read(min(BLOCK, left))):
            found.update(block)
            left -= len(block)
    return found.hexdigest()


def digest_of_text(text: bytes) -> str:
    """The digest of some bytes."""
    return hashlib.blake2b(text, digest_size=DIGEST_BYTES).hexdigest()


def digest_of_value(value: object) -> str:
    """The digest of what JSON can hold."""
    return digest_of_text(json.dumps(value, sort_keys=True).encode())


@dataclass(frozen=True)
class FileSeen:
    """A file as it was looked up before any of it was read: its size in bytes, and when it was changed, in ns."""

    size: int
    modified: int


@dataclass(frozen=True)
class Content:
    """The digests of the bytes of a split and of how its file's text begins, and the file as it was seen before."""

    digest: str
    head: str
    seen: FileSeen


def seen(path: str) -> FileSeen:
    """The file as it is now. Raises OSError where it cannot be looked up."""
    found = place_of(path).stat()
    return FileSeen(found.st_size, found.st_mtime_ns)


def content_of(split: Split, seen: FileSeen) -> Content:
    """What the split holds. Raises OSError where the file cannot be read."""
    whole = place_of(split.input.path)
    if split.input.packed or split.start or split.end > BLOCK:
        return Content(digest_of_bytes(whole, split.start, split.end), head(split.input, seen.size), seen)
    # a small log is looked at once
    with whole.open("rb") as file:
        text = file.read(max(split.end, HEAD_BYTES))
    return Content(digest_of_text(text[: split.end]), digest_of_text(text[: min(HEAD_BYTES, seen.size)]), seen)


def head(file: Input, size: int) -> str:
    """The digest of how a file's text begins, in no more than `size` bytes; packing changes nothing in it.

    Raises OSError where the file cannot be read.
    """
    with unpacked(place_of(file.path), file.packed) as text:
        return digest_of_text(next(pieces(text, min(HEAD_BYTES, size), HEAD_BYTES), b""))


def still_holds(work: tuple[str, int, int, str]) -> bool:
    """Whether the bytes of a file from one place up to another have this digest."""
    path, start, end, digest = work
    return digest_of_bytes(place_of(path), start, end) == digest
