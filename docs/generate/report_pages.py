"""The committed reports as pages of the site, each with its scripts and linked files."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from packaging.version import Version

from generate.found import REPORT_JSON, REPORTS
from tidegate.conformance.report import html
from tidegate.conformance.report.files import REPORT_HTML
from tidegate.conformance.report.scripts import scripts
from tidegate.conformance.report.store import read_report
from tidegate.record.report import Report

FOLDER = "reports"
TO_THE_SITE = "../.."
"""The path from a report's page to the folder of the site."""


@cache
def reports() -> dict[str, Report]:
    """The committed reports by the name of their folder, with the versions of an implementation in order."""
    names = [path.parent.name for path in REPORTS.glob(f"*/{REPORT_JSON}")]
    return {name: read_report(REPORTS / name / REPORT_JSON) for name in sorted(names, key=_place)}


def _place(name: str) -> tuple[str, Version]:
    """The implementation and the version in a folder name such as `artemis-core-2.44.0`."""
    implementation, _, version = name.rpartition("-")
    return implementation, Version(version)


def page_of(name: str) -> str:
    """The page of a report, as a path from the docs folder."""
    return f"{FOLDER}/{name}/{REPORT_HTML}"


def pages() -> Iterator[tuple[str, str]]:
    """The path and HTML of each report's page."""
    for name, report in reports().items():
        yield page_of(name), html.render(report, TO_THE_SITE)


def reproducers() -> Iterator[tuple[str, str]]:
    """The path and text of each script that a report links to."""
    for name, report in reports().items():
        for path, text in scripts(report):
            yield f"{FOLDER}/{name}/{path}", text


def files() -> Iterator[tuple[str, Path]]:
    """The path in the site, and the file, of each trace and log that a report links to."""
    for name, report in reports().items():
        for linked in _linked(report):
            yield f"{FOLDER}/{name}/{linked}", REPORTS / name / linked


def _linked(report: Report) -> Iterator[str]:
    for each in report.implementations:
        yield from filter(None, (each.trace, each.log))
