"""The behaviour of an implementation around each boundary, read from the examples of scenarios in a report.

The steps of an example are the steps of its scenario with the example's figures. The words of a `Given` or `When` that
differ between examples say where each example stands; the differing words of a `Then` say what the document states
there.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest

from tidegate.conformance.report.view import AS_STATED, in_order
from tidegate.record.report import Check, CheckKind, CheckResult, RuleVerdict

THREE = 3
"""Points that a boundary needs at least: at, below and above."""
_LEVEL = re.compile(r" at (\d[\d,]*) ")
_NEXT_CLAUSE = re.compile(r",(?!\d)| \(| of | at ")


@dataclass(frozen=True)
class Point:
    """One example of a boundary scenario."""

    at: str
    """The figures by which this example differs from the other examples."""
    documented: str
    """What the document states for this example."""
    seen: str
    """What the implementation did, in the words of the document; `?` if nothing is known."""
    result: CheckResult

    @property
    def place(self) -> str:
        """The figures of this example, with a mark if the behaviour is not as documented."""
        return f"{self.at} ✗" if self.result is CheckResult.VIOLATED else self.at


@dataclass(frozen=True)
class Boundary:
    """A scenario whose examples stand around a boundary, in their order."""

    scenario: str
    points: tuple[Point, ...]

    @property
    def edges(self) -> tuple[Point, ...]:
        """The points between which the behaviour changes, and the points where it is not as documented."""
        runs = [list(run) for _, run in groupby(self.points, key=lambda point: point.seen)]
        kept: list[Point] = []
        for number, run in enumerate(runs):
            last = run[-1:] if number + 1 < len(runs) else []
            first = run[:1] if number > 0 else []
            odd = [point for point in run if point.result not in AS_STATED]
            kept += [point for point in run if point in (*first, *last, *odd)]
        return tuple(kept)

    @property
    def deviates(self) -> bool:
        """Whether the implementation did otherwise than documented at any of the points."""
        return any(point.result is CheckResult.VIOLATED for point in self.points)

    def __str__(self) -> str:
        if len({point.seen for point in self.points}) == 1:
            return f"{self.points[0].seen} at {', '.join(point.place for point in self.points)}"
        return " → ".join(f"{point.seen} at {point.place}" for point in self.edges)


def boundaries(verdict: RuleVerdict) -> tuple[Boundary, ...]:
    """The boundaries at which a rule was judged.

    Each is a scenario, without conditions, with three examples or more for which the document does not state the same.
    """
    by_scenario: dict[str, list[Check]] = {}
    for finding in in_order(verdict):
        is_as_written = finding.check.kind is CheckKind.SCENARIO and not finding.check.conditions
        if is_as_written and "[" in finding.check.check:
            by_scenario.setdefault(finding.check.check.partition("[")[0], []).append(finding.check)
    found = (_boundary(name, checks) for name, checks in by_scenario.items() if len(checks) >= THREE)
    return tuple(each for each in found if len({point.documented for point in each.points}) > 1)


def _boundary(name: str, checks: Sequence[Check]) -> Boundary:
    before, after = zip(*(_steps(check) for check in checks), strict=True)
    places, outcomes = _differences(before), [_outcome(words) for words in _differences(after)]
    vocabulary = {word for outcome in outcomes for word in outcome.split(", ") if word and not _is_figure(word)}
    points = (
        Point(_place(check, place), outcome, _seen(check, outcome, vocabulary), check.result)
        for check, place, outcome in zip(checks, places, outcomes, strict=True)
    )
    return Boundary(name.replace("_", " "), tuple(points))


def _steps(check: Check) -> tuple[Sequence[str], Sequence[str]]:
    """The steps before the first `Then`, and the steps from there on; a violated check ends with its failed step."""
    first = next((number for number, step in enumerate(check.done) if step.startswith("Then ")), len(check.done))
    return check.done[:first], check.done[first:]


def _differences(examples: Sequence[Sequence[str]]) -> list[list[str]]:
    """For each example, the words of its steps that the other examples do not share."""
    words: list[list[str]] = [[] for _ in examples]
    for same_step in zip_longest(*examples):
        split = [step.split() if step is not None else None for step in same_step]
        for same_place in zip_longest(*(each or () for each in split)):
            if len({word for word, each in zip(same_place, split, strict=True) if each is not None}) > 1:
                for number, word in enumerate(same_place):
                    words[number] += [word.strip('",')] if word is not None else []
    return words


def _outcome(words: Iterable[str]) -> str:
    """What a document states for an example: the words, or the figures if there are no words."""
    every = list(words)
    return ", ".join([word for word in every if not _is_figure(word)] or every)


def _place(check: Check, words: Sequence[str]) -> str:
    level = _LEVEL.search(check.expected)
    if len(words) != 1 and level:
        return level[1]
    return " and ".join(f"{int(word):,}" if _is_figure(word) else word for word in words)


def _seen(check: Check, documented: str, vocabulary: Iterable[str]) -> str:
    said = {word: found.start() for word in vocabulary if (found := re.search(rf"\b{re.escape(word)}\b", check.seen))}
    match check.result:
        case CheckResult.KEPT | CheckResult.USED if documented and not all(map(_is_figure, documented.split(", "))):
            return documented
        case CheckResult.VIOLATED if said:
            return min(said, key=said.__getitem__)
        case CheckResult.UNKNOWN:
            return "?"
        case _:
            return _NEXT_CLAUSE.split(check.seen)[0] or documented


def _is_figure(word: str) -> bool:
    return word.removeprefix("-").isdigit()
