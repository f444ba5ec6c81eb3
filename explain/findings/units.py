"""Finds sizes without a unit, or with a unit that is not the broker's."""

import re
from collections.abc import Iterable, Iterator

from tidegate.explain.sizes import shown
from tidegate.explain.vocabulary import Figure, Finding, Traffic

LEAST = 1000
"""A lower limit, in bytes, has no room for a message with a header: more likely its unit is missing."""
_BITS = re.compile(r"\s*\d+\s*[KMG]b\s*")


def in_bits(figures: Iterable[Figure], rule: str) -> Iterator[Finding]:
    """Sizes such as 10Mb, which means bits elsewhere; every unit of a broker is a power of 1,024 bytes."""
    for figure in figures:
        if figure.value is not None and _BITS.fullmatch(figure.text):
            sentence = f"{figure.text.strip()} is taken for {shown(figure.value)}, not for bits."
            yield Finding(figure.origin, rule, sentence)


def is_tiny(limit: int, traffic: Traffic) -> bool:
    """Whether a limit in bytes is so low that its unit may be missing."""
    return 0 < limit < min(LEAST, traffic.size)
