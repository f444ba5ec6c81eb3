"""The growth of a log since the last look, also where it was rotated or truncated in between.

A file is recognised by its first bytes, whatever its present name, also where the rotation packed it. Only whole lines
count: a line without its end is read when it has one, or when its file has been rotated away and nobody writes to it
any more.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from glob import escape
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from tidegate.pipeline.read.blocks import EVERYTHING, SIZE, Damaged, pieces
from tidegate.pipeline.read.blocks import opened as unpacked
from tidegate.pipeline.read.files import stem

HEAD = 1024
"""The most first bytes by which a file is recognised."""
BLOCK = 1 << 16


class Size(NamedTuple):
    """The size of a file, unpacked where it is packed, and whether nothing of it is lost by damage."""

    in_bytes: int
    is_whole: bool


@dataclass(frozen=True)
class Part:
    """The seen part of a log's file; the file is the `ordinal`-th since the first look at the log.

    `seen` is the end of its last whole line, in bytes. `after_gap` says that lines before its first line may be lost.
    """

    ordinal: int
    path: str
    head: str
    head_bytes: int
    seen: int
    after_gap: bool = False


def look(log: Path, last: Part | None) -> tuple[Part, ...]:
    """The parts of a log from the last one on, as they are now; raises OSError for a file that cannot be read."""
    if last is not None and _is(log, last):
        grown = _grown(replace(last, path=str(log)))
        # a log that was rotated meanwhile may have left its name, and the new lines, to another file
        if _is(log, last):
            return (grown,)
    rotated = None if last is None else _rotated(log, last)
    parts: list[Part] = []
    after_gap = last is not None and rotated is None
    if last is not None:
        if rotated is not None:
            size = _size(rotated)
            last, after_gap = replace(last, path=str(rotated), seen=size.in_bytes), not size.is_whole
        parts.append(last)
    between = [] if last is None or rotated is None else list(_between(log, last, rotated))
    ordinal = 1 if last is None else last.ordinal + 1
    for path in (*between, log):
        found = _first_look(path, ordinal, after_gap=after_gap, is_rotated=path != log)
        if found is not None:
            part, is_whole = found
            parts.append(part)
            ordinal += 1
            after_gap = not is_whole
    return tuple(parts)


def new_since(last: Part | None, now: Iterable[Part]) -> Iterator[tuple[Part, int]]:
    """The parts with whole lines that are new since `last`, each with the byte at which its new lines begin."""
    for part in now:
        start = last.seen if last is not None and last.ordinal == part.ordinal else 0
        if part.seen > start:
            yield part, start


@contextmanager
def opened(log: Path, part: Part, start: int) -> Iterator[Any | None]:
    """The text of a part's file from the byte `start` on, wherever the file is now or is moved to meanwhile.

    None where the file is gone.
    """
    for path in (Path(part.path), log, *_siblings(log)):
        with ExitStack() as files:
            try:
                text, packed = files.enter_context(unpacked(path))
            except FileNotFoundError:
                continue
            if not _holds(text, part, packed):
                continue
            if packed:  # not every packed file can be read from an earlier byte again
                text, _ = files.enter_context(unpacked(path))
                _skip(text, start)
            else:
                text.seek(start)
            yield text
            return
    yield None


def _is(path: Path, part: Part) -> bool:
    try:
        with unpacked(path) as (text, packed):
            return _holds(text, part, packed)
    except FileNotFoundError:
        return False


def _holds(text: Any, part: Part, packed: bool) -> bool:
    """Whether an open file is the file of the part."""
    if not packed and os.fstat(text.fileno()).st_size < part.seen:
        return False
    return _digest(_begin(text, part.head_bytes)) == part.head


def _begin(text: Any, most: int) -> bytes:
    """The first bytes of a text; fewer where its packed file is damaged before."""
    found = b""
    with suppress(Damaged):
        for piece in pieces(text, most, most):
            found += piece
    return found


def _skip(text: Any, most: int) -> Size:
    """Read over the next `most` bytes of a text, or over those before its end or a damage of its file."""
    skipped = 0
    try:
        for piece in pieces(text, most, SIZE):
            skipped += len(piece)
    except Damaged:
        return Size(skipped, is_whole=False)
    return Size(skipped, is_whole=True)


def _size(path: Path) -> Size:
    """The size of a file."""
    with unpacked(path) as (text, packed):
        return _skip(text, EVERYTHING) if packed else Size(path.stat().st_size, is_whole=True)


def _digest(head: bytes) -> str:
    return blake2b(head, digest_size=16).hexdigest()


def _first_look(path: Path, ordinal: int, *, after_gap: bool, is_rotated: bool) -> tuple[Part, bool] | None:
    """The part of a file that was not seen before, and whether nothing of it is lost; None while it has no whole line.

    A file that was rotated away ends without a line feed, and may be packed.
    """
    empty = Part(ordinal, str(path), "", 0, 0, after_gap)
    try:
        size = _size(path) if is_rotated else Size(_end_of_last_line(path), is_whole=True)
        found = _up_to(empty, size.in_bytes, packed=is_rotated)
    except FileNotFoundError:
        return None
    return (found, size.is_whole) if found.seen else None


def _grown(part: Part) -> Part:
    """The part up to the end of its last whole line."""
    return _up_to(part, max(part.seen, _end_of_last_line(Path(part.path))), packed=False)


def _up_to(part: Part, seen: int, *, packed: bool) -> Part:
    """The part up to this byte of its text."""
    with unpacked(Path(part.path), packed=packed) as (text, _):
        head = _begin(text, min(HEAD, seen))
    return replace(part, head=_digest(head), head_bytes=len(head), seen=seen)


def _end_of_last_line(path: Path) -> int:
    with path.open("rb") as file:
        end = file.seek(0, 2)
        while end > 0:
            start = max(end - BLOCK, 0)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            end = start
    return 0


def _rotated(log: Path, last: Part) -> Path | None:
    """The present path of the file that was the log at the last look; None where it is gone."""
    return next((path for path in _siblings(log) if _is(path, last)), None)


def _between(log: Path, last: Part, rotated: Path) -> Iterator[Path]:
    """Files that were the log in between and were rotated away too, in the order of their last change."""
    since = rotated.stat().st_mtime_ns
    times = {path: path.stat().st_mtime_ns for path in _siblings(log) if _is_named_after(path.name, log.name)}
    found: list[Path] = []
    for path in sorted((path for path, time in times.items() if time > since), key=lambda path: times[path]):
        own = _first_look(path, 0, after_gap=False, is_rotated=True)
        if own is None or _is(path, last):
            continue
        # a file that is being packed is beside its packed copy, which has only the first lines so far
        if not any(_is(other, replace(own[0], seen=0)) for other in (log, rotated, *found)):
            found.append(path)
    yield from found


def _is_named_after(name: str, log: str) -> bool:
    """Whether a name is the log's with what rotation adds."""
    return name.startswith(f"{log}.") or stem(name) == stem(log)


def _siblings(log: Path) -> list[Path]:
    """Files beside the log that it may have been renamed or copied to."""
    return sorted(path for path in log.parent.glob(f"{escape(log.stem)}*") if path != log and path.is_file())
