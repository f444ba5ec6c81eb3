"""What takes long to make and is always the same: kept in a folder of the user's, and made again where it is gone."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_cache_dir

DIGEST_BYTES = 16
MOST = 64
"""Files of one kind that are kept, unless that kind has many small ones."""


def cache_folder(what: str) -> Path:
    """Where this kind of thing is kept; it need not be there."""
    return Path(user_cache_dir("tidegate")) / what


def cached(what: str, sources: Iterable[bytes], make: Callable[[], bytes], most: int = MOST) -> bytes:
    """What `make` gives, or gave for the same sources, which must be all that it depends on; `most` as in `keep`."""
    sources = tuple(sources)
    found = kept(what, sources)
    if found is None:
        found = make()
        keep(what, sources, found, most)
    return found


def kept(what: str, sources: Iterable[bytes]) -> bytes | None:
    """What was made of these sources; None where nothing was, or where it was cut off or changed since."""
    try:
        said = _place(what, sources).read_bytes()
    except OSError:
        return None
    digest, found = said[:DIGEST_BYTES], said[DIGEST_BYTES:]
    return found if digest == _digest(found) else None


def keep(what: str, sources: Iterable[bytes], made: bytes, most: int = MOST) -> None:
    """Write what was made of these sources to the cache. A cache that cannot be written is passed over.

    Of this kind the newest `most` files stay.
    """
    with suppress(OSError):
        put(_place(what, sources), _digest(made) + made)
        oldest_first = sorted(cache_folder(what).iterdir(), key=lambda file: file.stat().st_mtime_ns)
        for old in oldest_first[:-most]:
            old.unlink()


def put(path: Path, content: bytes) -> None:
    """Write a file that is whole or not there, with the folders above it. OSError where there can be none."""
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
