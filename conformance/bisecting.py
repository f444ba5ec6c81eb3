"""Finds two neighbouring versions between which an answer changes, with few questions."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Ask = Callable[[str], str | None]
"""The answer of a version; None if it gives none and is skipped."""


@dataclass(frozen=True)
class Found:
    """The result of a bisection of versions, oldest first."""

    before: str | None = None
    """The newest version seen to answer as the oldest one does; None if no version answers."""
    after: str | None = None
    """The oldest version seen to answer otherwise; None if the newest one answers as the oldest."""
    between: tuple[str, ...] = ()
    """The versions between both, none of which gives an answer."""


def bisect(versions: Sequence[str], ask: Ask) -> Found:
    """Where the answer changes between the oldest and the newest version that give one.

    Each version is asked at most once. If the answer changes several times, one of the changes is found.
    """
    answers: dict[str, str | None] = {}

    def answered(version: str) -> str | None:
        if version not in answers:
            answers[version] = ask(version)
        return answers[version]

    def first(places: Iterator[int]) -> int | None:
        return next((place for place in places if answered(versions[place]) is not None), None)

    low = first(iter(range(len(versions))))
    if low is None:
        return Found()
    high = first(iter(range(len(versions) - 1, low, -1)))
    oldest = answered(versions[low])
    if high is None or answered(versions[high]) == oldest:
        return Found(before=versions[low if high is None else high])
    while (middle := first(_from_the_middle(low, high))) is not None:
        low, high = (middle, high) if answered(versions[middle]) == oldest else (low, middle)
    return Found(versions[low], versions[high], tuple(versions[low + 1 : high]))


def _from_the_middle(low: int, high: int) -> Iterator[int]:
    """All places between two, the nearest to the middle first."""
    middle = (low + high) // 2
    return iter(sorted(range(low + 1, high), key=lambda place: abs(place - middle)))
