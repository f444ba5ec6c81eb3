"""Whether a file still holds what was read of it."""

from dataclasses import dataclass
from pathlib import Path

from headgate.pipeline.ingest.split import Split
from headgate.pipeline.store.digests import digest_of_bytes

HEAD_BYTES = 4096
"""How much of a file's beginning says whether it may be another one under a new name."""


@dataclass(frozen=True)
class Seen:
    """A file as it was looked up before any of it was read: its size in bytes, and when it was changed, in ns."""

    size: int
    modified: int


@dataclass(frozen=True)
class Content:
    """The digests of the bytes of a split and of the file's first bytes, and the file as it was seen before."""

    digest: str
    head: str
    seen: Seen


def seen(path: str) -> Seen:
    """The file as it is now. Raises OSError where it cannot be looked up."""
    found = Path(path).stat()
    return Seen(found.st_size, found.st_mtime_ns)


def content_of(split: Split, seen: Seen) -> Content:
    """What the split holds. Raises OSError where the file cannot be read."""
    path = Path(split.input.path)
    return Content(digest_of_bytes(path, split.start, split.end), head(path, seen.size), seen)


def head(path: Path, size: int) -> str:
    """The digest of the first bytes of a file, as they were when it had this size."""
    return digest_of_bytes(path, 0, min(HEAD_BYTES, size))


def still_holds(work: tuple[str, int, int, str]) -> bool:
    """Whether the bytes of a file from one place up to another have this digest."""
    path, start, end, digest = work
    return digest_of_bytes(Path(path), start, end) == digest
