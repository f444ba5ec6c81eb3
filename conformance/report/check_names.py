"""Names of checks: the scenario, vector or trace rule that runs, and in brackets the conditions."""

import re
from dataclasses import dataclass

_NAME = re.compile(r"(?P<check>.*?)(?: \((?P<conditions>[^()]*)\))?", re.DOTALL)


@dataclass(frozen=True)
class CheckName:
    """A check as it is written, and the conditions that were woven in: `overfull[999-free] (topic, transacted)`."""

    check: str
    conditions: frozenset[str]

    def covers(self, other: "CheckName") -> bool:
        """Whether the other is the same check under these conditions and possibly more."""
        return self.check == other.check and self.conditions <= other.conditions


def check_name(text: str) -> CheckName:
    """The parts of a check's name."""
    found = _NAME.fullmatch(text)
    assert found is not None, text
    return CheckName(found["check"], frozenset((found["conditions"] or "").split(", ")) - {""})


def scenario_named(text: str) -> str:
    """The name of a check without the figures of its example and its conditions."""
    return check_name(text).check.partition("[")[0]
