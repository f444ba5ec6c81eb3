"""How far the model of each released version agrees with it, from committed reports and their notes.

`tidegate built check` and the tests show that every check without a note agrees.
"""

from collections import Counter
from pathlib import Path

from packaging.version import Version

from generate.markup import table
from tidegate.conformance.report.accept import NOTES, by_name, checks_in, read_notes
from tidegate.conformance.report.files import REPORT_JSON
from tidegate.model.built.profiles import PROFILES
from tidegate.record.report import CheckResult

REPORTS = Path(__file__).parents[2] / "reports"
HEADS = ["version", "replacements", "checks", "agree", "of these deviate alike", "lacks", "unexplained"]


def agreement() -> str:
    """A row for each profile: its replacements, and the numbers of checks in its report that agree, and that do not."""
    names = sorted(PROFILES, key=lambda name: (name.rpartition("-")[0], Version(name.rpartition("-")[2])))
    return table(HEADS, [_row(name) for name in names])


def _row(name: str) -> tuple[str, ...]:
    path = REPORTS / name / REPORT_JSON
    checks = by_name(checks_in(path))
    notes = {note.check: note.kind for note in read_notes(path.with_name(NOTES))}
    kinds = Counter(notes.values())
    agreeing = [check for check_name, check in checks.items() if check_name not in notes]
    deviating = sum(check.result is CheckResult.VIOLATED for check in agreeing)
    unexplained = kinds["unexplained"]
    share = f"{unexplained} ({100 * unexplained / len(checks):.1f} %)" if unexplained else "0"
    figures = (len(PROFILES[name].replacements), len(checks), len(agreeing), deviating, kinds["lacks"])
    return (name, *map(str, figures), share)
