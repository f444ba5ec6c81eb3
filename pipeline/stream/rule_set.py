"""Which rules a saved state is of."""

from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable


@cache
def digest_of_rules() -> str:
    """A digest of the model's whole source: a state is of places in it, and a line more above a rule moves them."""
    found = blake2b(digest_size=16)
    for name, source in _sources(files("tidegate.model")):
        found.update(name.encode() + b"\0" + source + b"\0")
    return found.hexdigest()


def _sources(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """The name and text of every module in the folder and below it, always in the same order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from ((f"{entry.name}/{name}", source) for name, source in _sources(entry))
        elif entry.name.endswith(".py"):
            yield entry.name, entry.read_bytes()
