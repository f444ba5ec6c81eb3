"""Matches patterns of addresses and destinations with names, and sorts patterns by how specific they are."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Protocol, TypeVar


class Matched(Protocol):
    """An entry that is found by its pattern."""

    @property
    def match(self) -> str:
        """The pattern."""


PARTS_OF_WORDS = "#"
"""The wildcard for any number of words, for a broker whose * also stands for a part of a word."""
Found = TypeVar("Found", bound=Matched)


def stands_for(pattern: str, name: str, rest: str, one: str = "*") -> bool:
    """Whether a pattern stands for a name, or for every name of another pattern; dots separate words.

    `rest` stands for any number of words, even none; `one` stands for exactly one.
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
    if pattern[0].endswith(rest):  # the last word is a prefix, such as activemq.management#
        return len(pattern) == 1 and ".".join(name).startswith(pattern[0].removesuffix(rest))
    return _is_word(pattern[0], name[0], rest, one) and _stands_for(pattern[1:], name[1:], rest, one)


def _is_word(pattern: str, word: str, rest: str, one: str) -> bool:
    if pattern in (one, word):
        return True
    if one not in pattern or rest != PARTS_OF_WORDS:
        return False
    return re.fullmatch(".+".join(map(re.escape, pattern.split(one))), word) is not None


def most_specific_first(matched: Iterable[Found], rest: str, one: str = "*") -> list[Found]:
    """Entries sorted by pattern: plain words before `one`, and `one` before `rest`; of equal patterns the later entry
    first."""

    def rank(placed: tuple[int, Found]) -> tuple[tuple[int, ...], int, int]:
        place, found = placed
        words = found.match.split(".")
        return tuple(2 if word == rest else 1 if word == one else 0 for word in words), -len(words), -place

    return [found for _, found in sorted(enumerate(matched), key=rank)]
