"""Whether a file still holds what was read of it: digests of bytes and of values."""

import hashlib
import json
from dataclasses import dataclass

from tidegate.pipeline.files.storage import place_of
from tidegate.pipeline.read.split import Split

BLOCK = 1 << 20
DIGEST_BYTES = 16


@dataclass(frozen=True)
class FileSeen:
    """A file as it was looked up before any of it was read: its size in bytes, and when it was changed, in ns."""

    size: int
    modified: int


@dataclass(frozen=True)
class Content:
    """The digest of the bytes of a split, and its file as it was seen before."""

    digest: str
    seen: FileSeen


def seen(path: str) -> FileSeen:
    """The file as it is now. Raises OSError where it cannot be looked up."""
    found = place_of(path).stat()
    return FileSeen(found.st_size, found.st_mtime_ns)


def digest_of_split(split: Split) -> str:
    """The digest of the bytes of a split, as far as its file has them. Raises OSError where it cannot be read."""
    found = hashlib.blake2b(digest_size=DIGEST_BYTES)
    with place_of(split.input.path).open("rb") as file:
        file.seek(split.start)
        left = split.end - split.start
        while left > 0 and (block := file.read(min(BLOCK, left))):
            found.update(block)
            left -= len(block)
    return found.hexdigest()


def digest_of_value(value: object) -> str:
    """The digest of what JSON can hold."""
    return hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=DIGEST_BYTES).hexdigest()
