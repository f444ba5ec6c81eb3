"""The summary of a measurement: the shares by mechanism, and the faults that were missed or not told first."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tidegate.conformance.strength.conditions_met import Met
from tidegate.conformance.strength.measure import Row

HEADINGS = ("mechanism", "faults", "found", "right rule", "right rule first", "seconds")
ALL = "all"


@dataclass(frozen=True)
class Measured:
    """A measurement: the faults, the control, and the conditions that woven scenarios meet."""

    rows: tuple[Row, ...]
    flags: Mapping[str, tuple[str, ...]]
    """For each right adapter, the rules that the suite calls violated; empty if the control did not run."""
    conditions: Mapping[str, Met]
    """For each adapter, the counts of conditions that its woven scenarios meet."""
    candidates: int
    """The number of combinations of mechanism, operator and trigger, including those without a witness."""
    same: int
    """The number of combinations that showed no difference from the right broker."""

    @property
    def is_clean(self) -> bool:
        """Whether every fault is found and no right adapter in the control is flagged."""
        return all(row.found for row in self.rows) and not any(self.flags.values())


def table(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """A row of texts for each mechanism, in the order of `HEADINGS`, and one for all."""
    names = tuple(dict.fromkeys(row.mechanism for row in rows))
    for name in (*names, *((ALL,) if len(names) > 1 else ())):
        mine = [row for row in rows if name in (row.mechanism, ALL)]
        shares = (sum(row.found for row in mine), sum(row.right for row in mine), sum(row.right_first for row in mine))
        yield (
            name, str(len(mine)), *(f"{share} ({share / len(mine):.0%})" for share in shares),
            f"{sum(row.told.seconds for row in mine):.0f}",
        )  # fmt: skip


def lists(rows: Sequence[Row]) -> Iterator[tuple[str, Sequence[Row]]]:
    """The faults without the right rule first, by the kind of this lack."""
    yield "missed, as the suite did not end", [row for row in rows if not row.told.ended]
    yield "missed", [row for row in rows if row.told.ended and not row.found]
    yield "found by other rules only", [row for row in rows if row.found and not row.right]
    yield "another rule first", [row for row in rows if row.right and not row.right_first]


def as_json(measured: Measured) -> dict[str, Any]:
    """The figures as plain data."""
    return {
        "candidates": measured.candidates,
        "same": measured.same,
        "rows": [
            {**asdict(row), "found": row.found, "right": row.right, "right_first": row.right_first}
            for row in measured.rows
        ],
        "flags": {name: list(rules) for name, rules in measured.flags.items()},
        "conditions": {name: asdict(met) for name, met in measured.conditions.items()},
    }
