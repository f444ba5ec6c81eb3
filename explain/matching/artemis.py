"""Matches of Artemis: the addresses that they stand for, and which match goes before which."""

import re
from collections.abc import Iterable
from functools import cache

from tidegate.explain.matching.entries import Found

ONE, REST = "*", "#"
"""The wildcards for one word (or for a part of one), and for any number of words; dots separate words."""


def stands_for(match: str, name: str) -> bool:
    """Whether a match stands for an address, or for every address of another match."""
    if match in (name, REST):
        return True
    if not name.endswith(REST):
        return _pattern(match).fullmatch(name) is not None
    inner = _without_rest(name)
    return match.endswith(REST) and bool(inner) and _pattern(match).fullmatch(inner) is not None


def is_refused(match: str) -> bool:
    """Whether a broker does not start with the match, because something stands behind its first #."""
    return REST in match[:-1]


def most_specific_first(matched: Iterable[Found]) -> list[Found]:
    """Settings in the order in which a broker asks them; of equally specific ones, plain words come first."""
    return sorted(matched, key=lambda found: (_rank(found.match), _words(found.match)))


def is_left_to_chance(one: str, other: str) -> bool:
    """Whether nothing decides which of two matches goes before the other one."""
    return one != other and _rank(one) == _rank(other)


def _rank(match: str) -> tuple[int, tuple[bool, ...], int]:
    """The rank of a match: names, then matches with * (plain words first), then matches with # (long ones first)."""
    if REST in match:
        return 2, (), -len(match)
    return (1, _words(match), len(match)) if ONE in match else (0, (), 0)


def _words(match: str) -> tuple[bool, ...]:
    return tuple(word == ONE for word in match.split("."))


def _without_rest(match: str) -> str:
    """A match with # at its end, up to the last word that is written out."""
    return match.removesuffix(REST).removesuffix(".")


@cache
def _pattern(match: str) -> re.Pattern[str]:
    plain = _without_rest(match) if match.endswith(REST) else match
    words = r"[^.]+".join(map(re.escape, plain.split(ONE)))
    return re.compile(words + (r"(\..+)?" if match.endswith(REST) else ""), re.DOTALL)
