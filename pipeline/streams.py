"""A stream to be judged: its events on disk, split after split, and the rules that judge it."""

from collections.abc import Sequence
from typing import NamedTuple

from tidegate.model.language.rule import Definition
from tidegate.pipeline.ingest.split import EventsFile


class Piece(NamedTuple):
    """The events of a split, of which input, and how many lines of that input stand before it."""

    file: EventsFile
    input: str
    split: str
    lines_before: int


class Stream(NamedTuple):
    """An ordered row of splits, which the rules judge together."""

    name: str
    pieces: tuple[Piece, ...]
    rules: tuple[Definition, ...]


def rules_of_all(streams: Sequence[Stream]) -> tuple[Definition, ...]:
    """Every rule that judges one of the streams, once."""
    return tuple(dict.fromkeys(rule for stream in streams for rule in stream.rules))
