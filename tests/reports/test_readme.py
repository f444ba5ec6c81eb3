"""The page of the reports says how each of them was run, and what is declared beside them leads to them."""

import re
from pathlib import Path

import pytest

from tidegate.catalogue import catalogue
from tidegate.conformance.report.deviations import read_deviations
from tidegate.conformance.report.store import read_report

REPORTS = Path(__file__).parents[2] / "reports"
ROW = re.compile(r"^\| `(?P<folder>[^`/]+)/` \|.*\| `(?P<command>tidegate run [^`]+)` \|$", re.MULTILINE)
HOW = re.compile(r" --(?:report \S+|quiet)| --strength 1(?= |$)")
"""What changes nothing about a run, or is so by default."""
DECLARED = sorted(REPORTS.glob("*/*-deviations.yaml"))
ROWS = {row["folder"]: row["command"] for row in ROW.finditer((REPORTS / "README.md").read_text(encoding="utf-8"))}


def test_every_report_has_a_row() -> None:
    assert set(ROWS) == {file.parent.name for file in REPORTS.glob("*/report.json")}


@pytest.mark.parametrize("folder", ROWS)
def test_the_command_of_a_row_is_that_of_its_report(folder: str) -> None:
    ran = read_report(REPORTS / folder / "report.json").command
    assert HOW.sub("", ROWS[folder]) == HOW.sub("", ran)


@pytest.mark.parametrize("file", DECLARED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_declared_deviation_links_to_a_report_that_is_there(file: Path) -> None:
    links = {one.link for one in read_deviations(file, catalogue()) if one.link.startswith(f"{REPORTS.name}/")}
    assert [link for link in links if not (REPORTS.parent / link).is_file()] == []
