"""Fills the template of a report's page."""

from tidegate.conformance.report.html.environment import environment
from tidegate.record.report import Report


def render(report: Report) -> str:
    """The page for one report. Links (traces, scripts) are relative to the folder of report.json."""
    return environment().get_template("page.html.j2").render(report=report)
