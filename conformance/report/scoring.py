"""A requirement set applied to a report: the verdicts that count for the exit code."""

from collections.abc import Container
from dataclasses import replace

from tidegate.conformance.report.verdicts import footer
from tidegate.record.errors import ExitCode
from tidegate.record.report import Report


def scored_by(report: Report, requirements: str, rules: Container[str]) -> Report:
    """The report with the verdicts on all other rules marked as not scored, and with the resulting exit code."""
    implementations = tuple(
        replace(each, verdicts=tuple(replace(verdict, scored=verdict.rule in rules) for verdict in each.verdicts))
        for each in report.implementations
    )
    failed = report.footer.exit_code == ExitCode.HARNESS
    return replace(
        report,
        implementations=implementations,
        footer=footer(implementations, harness_failed=failed),
        requirements=requirements,
    )
