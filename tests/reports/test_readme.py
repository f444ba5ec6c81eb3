"""The page of the reports says how each of them was run."""

import re
from pathlib import Path

import pytest

from tidegate.conformance.report.store import read_report

REPORTS = Path(__file__).parents[2] / "reports"
ROW = re.compile(r"^\| `(?P<folder>[^`/]+)/` \|.*\| `(?P<command>tidegate run [^`]+)` \|$", re.MULTILINE)
HOW = re.compile(r" --(?:report \S+|quiet)| --strength 1(?= |$)")
"""What changes nothing about a run, or is so by default."""
ROWS = {row["folder"]: row["command"] for row in ROW.finditer((REPORTS / "README.md").read_text(encoding="utf-8"))}


def test_every_report_has_a_row() -> None:
    assert set(ROWS) == {file.parent.name for file in REPORTS.glob("*/report.json")}


@pytest.mark.parametrize("folder", ROWS)
def test_the_command_of_a_row_is_that_of_its_report(folder: str) -> None:
    ran = read_report(REPORTS / folder / "report.json").command
    assert HOW.sub("", ROWS[folder]) == HOW.sub("", ran)
