"""Runs the suite on several implementations at once, each in a child of this process."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

from tidegate.adapters.base import Adapter
from tidegate.conformance.mutants.in_a_child import in_children
from tidegate.conformance.report.files import JUNIT_OF_CHECKS
from tidegate.conformance.runner import nothing_selected
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance
from tidegate.record.errors import TidegateError
from tidegate.record.report import ImplementationReport

Factories = Mapping[str, Callable[[], Adapter]]
NO_LIMIT_SECONDS = 10**8
"""The processor seconds of a child: a run ends by itself."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run: the report on each implementation, and the failures of tidegate itself."""

    reports: tuple[ImplementationReport, ...]
    errors: tuple[str, ...]
    left_out: frozenset[str] = frozenset()
    """The names of checks that an implementation claims and that the selection does not take."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing was checked, and nothing failed."""
        has_checks = any(verdict.checks for report in self.reports for verdict in report.verdicts)
        return not (has_checks or self.errors)


Run = Callable[..., Conformance]
"""`run_suite` with all but the factories, `junit` and `may_be_empty`."""
ReportsOf = Callable[..., tuple[ImplementationReport, ...]]
"""`reports_of` with all but the finished run and `alone`."""


def outcome_of(
    factories: Factories, folder: Path, selection: Selection, run: Run, reports_of: ReportsOf, jobs: int
) -> Outcome:
    """Run the suite on all implementations, at most `jobs` of them at a time; JUnit results go to the folder.

    Raises what `run_suite` raises.
    """
    if jobs == 1 or len(factories) == 1:
        conformance = run(factories)
        return _outcome(conformance, reports_of, alone=len(factories) == 1)
    ended: dict[str, Outcome] = {}
    with TemporaryDirectory(prefix="tidegate-junit-") as kept:
        files = {name: Path(kept) / f"{number}.xml" for number, name in enumerate(factories)}
        tasks = [
            (name, partial(_in_child, {name: make}, files[name], run, reports_of)) for name, make in factories.items()
        ]
        for name, outcome in in_children(tasks, jobs, NO_LIMIT_SECONDS):
            if isinstance(outcome, TidegateError):
                raise outcome
            assert isinstance(outcome, Outcome)
            ended[name] = outcome
        _join_junit(files.values(), folder / JUNIT_OF_CHECKS)
    parts = [ended[name] for name in factories]
    left_out = frozenset(check for part in parts for check in part.left_out)
    if all(part.is_empty for part in parts):
        raise nothing_selected(selection, left_out)
    reports = tuple(report for part in parts for report in part.reports)
    return Outcome(reports, tuple(error for part in parts for error in part.errors), left_out)


def _outcome(conformance: Conformance, reports_of: ReportsOf, *, alone: bool) -> Outcome:
    reports = reports_of(conformance, alone=alone)
    return Outcome(reports, tuple(conformance.errors), frozenset(conformance.left_out))


def _in_child(factories: Factories, junit: Path, run: Run, reports_of: ReportsOf) -> Outcome | TidegateError:
    """The outcome on one implementation; an error that a user can repair goes to the parent, which raises it."""
    try:
        conformance = run(factories, junit=junit, may_be_empty=True)
        return _outcome(conformance, reports_of, alone=False)
    except TidegateError as error:
        return error


def _join_junit(parts: Iterable[Path], whole: Path) -> None:
    """Write the test suites of all parts into one file."""
    suites = ElementTree.Element("testsuites", name="pytest tests")
    for part in parts:
        # pytest has just written the part
        suites.extend(ElementTree.parse(part).findall("testsuite"))  # noqa: S314
    ElementTree.ElementTree(suites).write(whole, encoding="utf-8", xml_declaration=True)
