"""Finds the pattern that a misspelt one may have been meant for."""

from collections.abc import Iterator
from difflib import SequenceMatcher

NEAR = 0.84
"""The least similarity, from 0 to 1, at which one word is taken for a misspelling of another."""
_LEAST = 4
"""Shorter words resemble each other by chance."""


def respelt(pattern: str, name: str) -> Iterator[str]:
    """The pattern with one of its words replaced by the similar word at the same place of a name, for each such word.

    Words that differ in figures only, such as order1 and order2, are different names and not misspelt.
    """
    words, right = pattern.split("."), name.split(".")
    for at, (mine, theirs) in enumerate(zip(words, right, strict=False)):
        if _is_misspelt(mine, theirs):
            yield ".".join((*words[:at], theirs, *words[at + 1 :]))


def _is_misspelt(mine: str, theirs: str) -> bool:
    if mine == theirs or min(len(mine), len(theirs)) < _LEAST or _letters(mine) == _letters(theirs):
        return False
    return SequenceMatcher(None, mine.lower(), theirs.lower()).ratio() >= NEAR


def _letters(word: str) -> str:
    return "".join(each for each in word if not each.isdigit())
