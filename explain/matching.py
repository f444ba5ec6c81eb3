"""Patterns of addresses and destinations: which names they stand for, and which of several is more specific."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Protocol, TypeVar


class Matched(Protocol):
    """What is found by its match."""

    @property
    def match(self) -> str:
        """The pattern."""


PARTS_OF_WORDS = "#"
"""What stands for any number of words with a broker that also takes * for a part of a word."""
Found = TypeVar("Found", bound=Matched)


def stands_for(pattern: str, name: str, rest: str, one: str = "*") -> bool:
    """Whether a pattern stands for a name, or for every name of another pattern; words are parted by dots.

    `rest` stands for any number of words (none too), `one` for exactly one.
    """
    return _stands_for(tuple(pattern.split(".")), tuple(name.split(".")), rest, one)


@cache
def _stands_for(pattern: tuple[str, ...], name: tuple[str, ...], rest: str, one: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == rest:
        return any(_stands_for(pattern[1:], name[skipped:], rest, one) for skipped in range(len(name) + 1))
    if not name or name[0] == rest:
        return False
    if pattern[0].endswith(rest):  # a word that goes on, such as activemq.management#
        return len(pattern) == 1 and ".".join(name).startswith(pattern[0].removesuffix(rest))
    return _is_word(pattern[0], name[0], rest, one) and _stands_for(pattern[1:], name[1:], rest, one)


def _is_word(pattern: str, word: str, rest: str, one: str) -> bool:
    if pattern in (one, word):
        return True
    if one not in pattern or rest != PARTS_OF_WORDS:
        return False
    return re.fullmatch(".+".join(map(re.escape, pattern.split(one))), word) is not None


def most_specific_first(matched: Iterable[Found], rest: str, one: str = "*") -> list[Found]:
    """Sorted so that words go before `one`, and both before `rest`; where alike, what stands later goes first."""

    def rank(placed: tuple[int, Found]) -> tuple[tuple[int, ...], int, int]:
        place, found = placed
        words = found.match.split(".")
        return tuple(2 if word == rest else 1 if word == one else 0 for word in words), -len(words), -place

    return [found for _, found in sorted(enumerate(matched), key=rank)]
