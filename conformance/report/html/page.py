"""Fills the template of a report's page."""

from tidegate.conformance.report.html.environment import environment
from tidegate.conformance.report.html.places import Places
from tidegate.record.report import Report


def render(report: Report, site: str = "") -> str:
    """The page for one report. Links (traces, scripts) are relative to the folder of report.json.

    `site` is the address of a documentation site, which has a page for each rule and setting.
    """
    return environment().get_template("page.html.j2").render(report=report, places=Places(site))
