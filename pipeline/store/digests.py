"""Digests of bytes and of values: how the store knows what it has read."""

import hashlib
import json

from tidegate.pipeline.storage import Place

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
