"""The check that distinguishes each scored reading from other readings of the same words."""

import json
from pathlib import Path

from generate.markup import code, literal, table
from tidegate.catalogue import catalogue

TOLD_APART = Path(__file__).parents[2] / "tests" / "conformance" / "told_apart.json"


def told_apart(file: Path = TOLD_APART) -> str:
    """One row for each reading that is not scored, by rule, with the shortest check that it violates."""
    found: dict[str, list[str]] = json.loads(file.read_text(encoding="utf-8"))
    order = list(catalogue())
    rows = [
        (rule, literal(says), code(checks[0]), further(len(checks) - 1))
        for name, checks in sorted(found.items(), key=lambda each: order.index(each[0].partition(": ")[0]))
        for rule, says in [name.split(": ", 1)]
    ]
    return table(["rule", "other reading", "violates the check", "and"], rows)


def further(count: int) -> str:
    """The number of further checks in words; empty for none."""
    return f"{count} more" if count else ""
