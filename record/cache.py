"""A cache in the user's folder for results that take long to compute and never change; a missing result is made
again."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_dir

DIGEST_BYTES = 16
MOST = 64
"""The most files of one kind that are kept, unless the kind has many small ones."""


def cache_folder(what: str) -> Path:
    """The folder of this kind of files; it may not exist yet."""
    return Path(user_cache_dir("tidegate")) / what


def cached(what: str, sources: Iterable[bytes], make: Callable[[], bytes], most: int = MOST) -> bytes:
    """The result of `make`, now or earlier for the same sources, which must be everything it depends on; `most` as
    in `keep`."""
    sources = tuple(sources)
    found = kept(what, sources)
    if found is None:
        found = make()
        keep(what, sources, found, most)
    return found


def kept(what: str, sources: Iterable[bytes]) -> bytes | None:
    """The kept result for these sources; None where there is none, or where its file was cut off or changed since."""
    try:
        said = _place(what, sources).read_bytes()
    except OSError:
        return None
    digest, found = said[:DIGEST_BYTES], said[DIGEST_BYTES:]
    return found if digest == _digest(found) else None


def keep(what: str, sources: Iterable[bytes], made: bytes, most: int = MOST) -> None:
    """Write the result for these sources to the cache. A cache that cannot be written is ignored.

    The newest `most` files of this kind are kept, and up to an eighth more, since the age of each has to be read.
    """
    with suppress(OSError):
        put(_place(what, sources), _digest(made) + made)
        there = list(cache_folder(what).iterdir())
        if len(there) <= most + most // 8:
            return
        for old in sorted(there, key=lambda file: file.stat().st_mtime_ns)[:-most]:
            old.unlink()


def put(path: Path, content: bytes) -> None:
    """Write a file that is whole or absent, with the folders above it. OSError where it cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
    Path(file.name).replace(path)


def _place(what: str, sources: Iterable[bytes]) -> Path:
    return cache_folder(what) / _digest(*sources).hex()


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        digest.update(len(part).to_bytes(8))
        digest.update(part)
    return digest.digest()
