"""The suite inside somebody else's pytest session: its state, how each item ends, and the report."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tidegate.adapters.resolver import resolve
from tidegate.catalogue import Level, catalogue, rule_named
from tidegate.catalogue.requirements import requirement_set
from tidegate.conformance.assembly import assemble
from tidegate.conformance.plugin import name_violated
from tidegate.conformance.replaying import Replay
from tidegate.conformance.report import known as known_deviations
from tidegate.conformance.report import trust
from tidegate.conformance.report.deviations import read_deviations
from tidegate.conformance.report.files import remove_all, render_all
from tidegate.conformance.report.junit import done_lines
from tidegate.conformance.report.scoring import scored_by
from tidegate.conformance.report.view import label, outcome
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import HARNESS_FAILED, Conformance
from tidegate.conformance.subject import Subject
from tidegate.conformance.trace_checks import check_trace
from tidegate.record.report import Check, CheckResult, Implementation

CHECK = pytest.StashKey[Check]()
"""How the check of an item ended that is no check of the suite's own modules."""


class Gate:
    """One implementation, or several under one name, from the start of the session to its report."""

    def __init__(self, name: str, folder: Path, known: Path | None, requirements: str | None):
        """Find what is named. Raises BadInput for an unknown adapter, set, or malformed file; nothing is started."""
        self._name, self._folder = name, folder
        self._deviations = read_deviations(known, catalogue()) if known else ()
        self._required = requirement_set(requirements) if requirements else None
        factories = resolve(name)
        folder.mkdir(parents=True, exist_ok=True)
        subjects = [Subject(full_name, folder, make()) for full_name, make in factories.items()]
        replay = Replay.here((known,) if known else (), requirements)
        self.conformance = Conformance(subjects, _needs, Selection(), replay=replay)
        self.summary: list[str] = []
        self._today: date = datetime.now(UTC).date()
        self._expected: dict[str, Subject] = {}
        self._ended: set[str] = set()
        self._traces: dict[str, dict[str, Check]] = {}
        self._running: list[Subject] = []

    def start(self) -> None:
        """Start every implementation; `Unavailable` where one cannot be had. An earlier report is removed before."""
        remove_all(self._folder, badge=None, junit=None)
        for subject in self.conformance.subjects:
            subject.start()
            self._running.append(subject)

    def expect(self, item: pytest.Item, subject: Subject) -> None:
        """An item of the suite was collected."""
        self._expected[item.nodeid] = subject

    def end(self, item: pytest.Item, report: pytest.TestReport) -> None:
        """Make the report of an item say what its check found: an excused one is an expected failure."""
        if item.nodeid not in self._expected or (report.when != "call" and report.passed):
            return
        self._ended.add(item.nodeid)
        subject = self._expected[item.nodeid]
        check = item.stash.get(CHECK, None) or subject.checks[-1]
        if CHECK in item.stash:
            name_violated(item, report, check)
        if report.skipped or check.result is CheckResult.KEPT:
            return
        reasons = [self._excuse(subject, rule, check) for rule in check.rules]
        if all(reasons):
            report.outcome = "skipped"
            report.wasxfail = "; ".join(dict.fromkeys(filter(None, reasons)))
        elif not (check.result is CheckResult.UNKNOWN and check.seen.startswith(HARNESS_FAILED)):
            report.longrepr = "\n".join(_evidence(check))

    def trace_check(self, subject: Subject, name: str) -> Check | None:
        """The result of a trace rule, for which the implementation is stopped. None if the rule judged nothing."""
        if subject.name not in self._traces:
            self._stop(subject)
            ran = {rule for check in subject.checks for rule in check.rules}
            checks = check_trace(
                subject.trace_path, ran.__contains__, subject.name, self.conformance.replay,
                without=subject.judged, conditions=subject.conditions,
            )  # fmt: skip
            subject.checks += checks
            self._traces[subject.name] = {check.check: check for check in checks}
        return self._traces[subject.name].get(name)

    def finish(self) -> bool:
        """Stop what runs, and write the report. True if a whole run ends otherwise than with 0."""
        if not self._running and not self._traces:
            return False
        for subject in tuple(self._running):
            self._stop(subject)
        if not any(subject.checks for subject in self.conformance.subjects):
            return False
        whole = self._expected.keys() <= self._ended
        command = f"pytest --tidegate-adapter={self._name}"
        report = assemble(self.conformance, self._deviations, command, whole=whole, today=self._today)
        if self._required is not None:
            report = scored_by(report, self._required.name, self._required.rules)
        render_all(report, self._folder)
        ran = f"{len(self._ended)} of {len(self._expected)} items ran, which is no verdict"
        self.summary = [outcome(report) if whole else ran, f"report: {self._folder}"]
        for each in report.implementations:
            self.summary += [f"{label(each)}, its adapter: {trust.sentence(finding)}" for finding in each.findings]
        self.summary += known_deviations.sentences(report)
        for each in report.implementations:
            self.summary += [f"not as declared, {label(each)}: {gone}" for gone in each.deviations_gone]
        return whole and report.footer.exit_code != 0

    def _stop(self, subject: Subject) -> None:
        if subject in self._running:
            self._running.remove(subject)
            subject.stop()

    def _excuse(self, subject: Subject, rule: str, check: Check) -> str | None:
        """Why this check does not fail the session although it does not show the rule kept; None if it does."""
        if self._required is not None and rule not in self._required.rules:
            return f"not scored by requirements {self._required.name}: {check.seen}"
        if check.result is CheckResult.UNKNOWN:
            return None
        if catalogue()[rule].level is Level.MAY:
            return f"a permission that is not used: {check.seen}"
        identity = subject.adapter.identity
        tested = Implementation(identity.name, identity.version, identity.protocol, subject.name, ())
        for deviation in self._deviations:
            declared = deviation.rule == rule and deviation.concerns(tested) and deviation.matches(check)
            if declared and not deviation.expired(self._today):
                return f"known deviation: {deviation.reason} ({deviation.link})"
        return None


def _needs(rule: str) -> frozenset[str]:
    return frozenset(rule_named(rule, catalogue()).needs)


def _evidence(check: Check) -> Iterator[str]:
    for rule in check.rules:
        yield f"{rule}: {catalogue()[rule].sentence}"
    yield from done_lines(check.done)
    yield f"expected  {check.expected}"
    yield f"seen      {check.seen}"
    yield f"replay    {check.replay}"
