"""Fills the template of a report's page."""

from tidegate.conformance.report import view
from tidegate.conformance.report.html.environment import environment
from tidegate.record.report import Report


def render(report: Report) -> str:
    """The page for one report. Links (traces, scripts) are relative to the folder of report.json."""
    groups = view.groups(report)
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            report=report,
            claimed=[group for group in groups if group.claimed],
            silent=[group for group in groups if not group.claimed],
            deviating=list(view.unlike_kept(report)),
        )
    )
