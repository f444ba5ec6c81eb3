"""The files of a report's folder."""

from pathlib import Path

from tidegate.conformance.report import badge as badges
from tidegate.conformance.report import html, markdown
from tidegate.conformance.report import junit as test_cases
from tidegate.conformance.report import summary as summaries
from tidegate.conformance.report.scripts import write_scripts
from tidegate.conformance.report.store import write_report
from tidegate.record.report import Report

REPORT_JSON = "report.json"
REPORT_MD = "report.md"
REPORT_HTML = "report.html"
JUNIT_OF_CHECKS = "junit.xml"
"""A test case for each check, as pytest writes it."""
PICTURE = ".svg"
"""The suffix of a badge that is a picture; any other badge is JSON."""


def render_all(report: Report, folder: Path, site: str = "") -> tuple[Path, ...]:
    """Write report.json, report.md, report.html and the scripts, and create the folder if needed.

    With a `site`, the page links to the site's pages of rules and settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_report(report, folder / REPORT_JSON)
    return folder / REPORT_JSON, *render(report, folder, site)


def render(report: Report, folder: Path, site: str = "") -> tuple[Path, ...]:
    """Write report.md, report.html and the scripts of violations, and create the folder if needed.

    Raises BadInput if the data for a script has no meaning.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / REPORT_MD).write_text(markdown.render(report), encoding="utf-8")
    (folder / REPORT_HTML).write_text(html.render(report, site), encoding="utf-8")
    return folder / REPORT_MD, folder / REPORT_HTML, *write_scripts(report, folder)


def remove_all(folder: Path, *, badge: Path | None, junit: Path | None) -> None:
    """Remove the files of an earlier run, so that none is taken for a file of the run that begins.

    The trace and the log start anew with the implementation; a summary belongs to the job and is appended to.
    """
    for path in (*(folder / name for name in (REPORT_JSON, REPORT_MD, REPORT_HTML, JUNIT_OF_CHECKS)), badge, junit):
        if path is None or not path.is_file():
            continue
        if path.is_symlink():  # the target of a link stays, such as a file that /dev/stdout leads to
            path.write_bytes(b"")
        else:
            path.unlink()


def render_for_ci(report: Report, *, badge: Path | None, junit: Path | None, summary: Path | None) -> None:
    """Write the files that the gate of a CI job reads, as far as their paths are given; a summary is appended."""
    draw_badge = badges.picture if badge is not None and badge.suffix == PICTURE else badges.render
    for path, text in ((badge, draw_badge), (junit, test_cases.render)):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text(report), encoding="utf-8")
    if summary is not None:
        summaries.append(report, summary)
