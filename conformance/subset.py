"""Named parts of the suite that are worth running alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from tidegate.conformance.conditions.weaving import WEAVE_IN_NAME
from tidegate.conformance.feature_files import scenarios
from tidegate.record.report import CheckKind


@dataclass(frozen=True)
class Subset:
    """A named part of the suite, the same on every run."""

    name: str
    scenarios: frozenset[str]
    """The names of its scenarios' checks, without the figures of an example."""
    rules: frozenset[str]
    """The rules of these scenarios; their vectors belong to the subset too."""

    def takes(self, rules: Sequence[str], check: str, kind: CheckKind) -> bool:
        """Whether a check of these rules belongs to the subset. Random sequences and woven scenarios never do."""
        match kind:
            case CheckKind.SCENARIO:
                return check.partition("[")[0] in self.scenarios and not WEAVE_IN_NAME.search(check)
            case CheckKind.VECTOR:
                return not self.rules.isdisjoint(rules)
            case _:
                return False


@cache
def boundary() -> Subset:
    """The scenarios with examples at, below and above a boundary, and the vectors of their rules.

    Scenarios with bursts are left out: messages of several producers come in no order, so their number is no side of a
    boundary.
    """
    found = [each for each in scenarios() if each.has_three_points and "bursts" not in each.needs]
    rules = frozenset(rule for scenario in found for rule in scenario.rules)
    return Subset("boundary", frozenset(scenario.check for scenario in found), rules)


SUBSETS: Mapping[str, Callable[[], Subset]] = {"boundary": boundary}
"""Each subset by its name."""
