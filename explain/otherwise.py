"""Tells how the documents and other releases would treat a file without a named release."""

from collections.abc import Iterator, Mapping

from tidegate.explain.vocabulary import Destination, Limit

SHOWN = 3
"""The number of shown differences for each version; further ones are only counted."""
NAMED = 2
"""The number of destinations named for one difference."""


def differences(here: tuple[Destination, ...], others: Mapping[str, tuple[Destination, ...]]) -> tuple[str, ...]:
    """A sentence for each distinct set of differences, with all versions that share it; `others` is by version, such as
    5.3.1."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, there in others.items():
        if differing := tuple(_differing(here, there)):
            groups.setdefault(differing, []).append(name)
    return tuple(_sentence(names, differing) for differing, names in groups.items())


def _sentence(names: list[str], differing: tuple[str, ...]) -> str:
    further = len(differing) - SHOWN
    parts = [*differing[:SHOWN], *([f"{further} more"] if further > 0 else [])]
    return f"With the rules of {' or '.join(names)}: {'; '.join(parts)}."


def _differing(here: tuple[Destination, ...], there: tuple[Destination, ...]) -> Iterator[str]:
    """The verdicts that differ, and below equal verdicts the limits that differ, each with its destinations."""
    found: dict[tuple[str, str], list[str]] = {}
    for one, other in zip(here, there, strict=True):
        differs = one.verdict != other.verdict
        changes = [("", f' would read "{other.verdict}"')] if differs else list(_limits(one.limits, other.limits))
        for change in changes:
            found.setdefault(change, []).append(one.name)
    for (before, after), destinations in found.items():
        others = " and others" if destinations[NAMED:] else ""
        yield f"{before}{', '.join(destinations[:NAMED])}{others}{after}"


def _limits(here: tuple[Limit, ...], there: tuple[Limit, ...]) -> Iterator[tuple[str, str]]:
    """The limits that differ in their figure, or only in the level at which producers are released: the words before
    and after the names of the destinations."""
    known = {limit.name: limit for limit in here}
    for limit in there:
        one = known.get(limit.name)
        if one is not None and one.shown != limit.shown:
            yield "", f" would have {limit.name} = {limit.shown}"
        elif one is not None and limit.frees and one.frees and one.frees != limit.frees:
            yield "at ", f", producers that {limit.name} holds back would be released by {limit.frees}"
