"""The words of a difference that every rendering shows."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tidegate.conformance.report.diff import Change, Difference, Direction, Kind

TITLES = {
    Kind.IMPLEMENTATION: "Implementations",
    Kind.VERDICT: "Verdicts that changed",
    Kind.ASKED: "Rules that only one of the two was judged by",
    Kind.RESULT: "Checks with another result",
    Kind.FIGURE: "Figures that changed",
    Kind.CHECK: "Checks that only one of the two ran",
}


def summary(difference: Difference) -> str:
    """The numbers of changes by direction, in one line."""
    if not difference.changes:
        return "Nothing changed."
    numbers = Counter(change.direction for change in difference.changes)
    return (
        f"{numbers[Direction.WORSE]} worse, {numbers[Direction.BETTER]} better, "
        f"{numbers[Direction.OTHER]} other changes."
    )


def unlike_parts(difference: Difference) -> str | None:
    """One sentence if the two ran different parts of the suite; None otherwise."""
    if difference.comparable_checks:
        return None
    before, after = (part or "the whole suite" for part in difference.parts)
    return f"Before, {before} ran; after, {after}: checks that only one of the two ran are not shown."


def grouped(changes: Sequence[Change]) -> Iterator[tuple[Kind, tuple[Change, ...]]]:
    """The changes by kind, within a kind the worse ones first."""
    order = list(Direction)
    for kind in Kind:
        of_kind = sorted((one for one in changes if one.kind is kind), key=lambda one: order.index(one.direction))
        if of_kind:
            yield kind, tuple(of_kind)
