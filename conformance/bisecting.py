"""Finding the two neighbouring versions between which an answer changes, by asking few of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

Ask = Callable[[str], str | None]
"""What a version answers; None where it gives no answer, and is passed over."""


@dataclass(frozen=True)
class Found:
    """What was found of a list of versions, oldest first."""

    before: str | None = None
    """The newest version that was seen to answer as the oldest one does; None where no version answers."""
    after: str | None = None
    """The oldest version that was seen to answer otherwise; None where the newest one answers alike."""
    between: tuple[str, ...] = ()
    """The versions between both, none of which answers."""


def bisect(versions: Sequence[str], ask: Ask) -> Found:
    """Where the answer changes between the oldest and the newest of these versions that answer at all.

    Each version is asked once at most. Where the answer changes several times, one of the changes is found.
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
    """All places between two, the middle one first."""
    middle = (low + high) // 2
    return iter(sorted(range(low + 1, high), key=lambda place: abs(place - middle)))
