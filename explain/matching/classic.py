"""Patterns of ActiveMQ Classic: the destinations that they stand for, and which of several entries counts."""

from collections.abc import Iterable

from tidegate.explain.matching.entries import Found

ONE, REST = "*", ">"
"""The wildcards for one word, and, at the end of a pattern, for any number of words; dots separate words."""


def stands_for(match: str, name: str) -> bool:
    """Whether a pattern stands for a destination, or for every destination of another pattern."""
    if match == name:
        return True
    words, prefix = name.split("."), _prefix(match)
    if prefix is None:
        return ONE in match.split(".") and len(words) == match.count(".") + 1 and _fits(match.split("."), words)
    inner = _prefix(name)
    inner = words if inner is None else inner
    return len(inner) >= len(prefix) and _fits(prefix, inner)


def common(one: str, other: str) -> str | None:
    """The pattern of the names for which both patterns stand; None if there is no such name."""
    mine, theirs = one.split("."), other.split(".")
    found: list[str] = []
    while mine and theirs:
        if REST in (mine[0], theirs[0]) and (mine == [REST] or theirs == [REST]):
            rest = theirs if mine == [REST] else mine
            return ".".join([*found, *rest])
        if mine[0] != theirs[0] and ONE not in (mine[0], theirs[0]):
            return None
        found.append(theirs[0] if mine[0] == ONE else mine[0])
        mine, theirs = mine[1:], theirs[1:]
    left = mine or theirs
    return ".".join(found) if not left or left == [REST] else None  # A stands within A.> too


def that_counts(name: str, entries: Iterable[Found]) -> Found | None:
    """The only entry that counts for a destination: its own one, else the one that a broker takes before the others.

    If a broker may take either of two, it is the one with more plain words in front, then the later one.
    """
    best: Found | None = None
    for each in entries:
        if best is None or each.match == name or (best.match != name and not _is_before(best.match, each.match)):
            best = each
    return best


def is_left_to_chance(one: str, other: str) -> bool:
    """Whether a broker may take either of two entries: they have one pattern, or each pattern contains the other
    one for a broker."""
    return one == other or (_filters(one, other) and _filters(other, one))


def _is_before(one: str, other: str) -> bool:
    """Whether a broker takes `one` and not `other`."""
    if is_left_to_chance(one, other):
        return _plain(one) > _plain(other)
    if _filters(one, other):
        return False
    return _filters(other, one) or one < other


def _filters(match: str, other: str) -> bool:
    """Whether a broker takes one pattern for a part of another; it then takes a * in the part for any word."""
    words, prefix = other.split("."), _prefix(match)
    if prefix is not None:
        enough = len(words) >= len(prefix)
        return enough and all(ONE in (mine, word) or mine == word for mine, word in zip(prefix, words, strict=False))
    mine = match.split(".")
    return ONE in mine and len(mine) == len(words) and all(a in (ONE, b) for a, b in zip(mine, words, strict=True))


def _prefix(match: str) -> list[str] | None:
    """The words in front of each > at the end; None for a pattern without one there."""
    words = match.split(".")
    if words[-1] != REST:
        return None
    while words and words[-1] == REST:
        words.pop()
    return words


def _fits(match: list[str], words: list[str]) -> bool:
    """Whether each word of a pattern, as far as it goes, stands for the word at its place."""
    return all(mine == word or (mine == ONE and word != REST) for mine, word in zip(match, words, strict=False))


def _plain(match: str) -> tuple[bool, ...]:
    return tuple(word not in (ONE, REST) for word in match.split("."))
