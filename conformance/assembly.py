"""Makes the report of a run from its findings."""

from collections import defaultdict
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from datetime import date

from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import WritesLog, declined
from tidegate.catalogue import catalogue, spec_version
from tidegate.conformance.conditions.trying import could_claim, not_tried
from tidegate.conformance.report import declared, trust, verdicts
from tidegate.conformance.report.deviations import Deviation
from tidegate.conformance.report.reproduce import FOLDER, template_of, with_recordings
from tidegate.conformance.selection import Selection
from tidegate.conformance.session import Conformance
from tidegate.conformance.subject import Subject
from tidegate.record.report import Check, CheckKind, Implementation, ImplementationReport, Report
from tidegate.record.version import VERSION

Attribute = Callable[[ImplementationReport, Container[str]], ImplementationReport]
"""Adds the causes of violations to a report; gets the trace sources whose events were judged as they happened too."""


def assemble(
    conformance: Conformance,
    known: Sequence[Deviation],
    command: str,
    *,
    whole: bool,
    today: date,
    attribute: Attribute = lambda report, judged: report,
) -> Report:
    """The report of a run, with the recordings for reproducers. `whole` says that no part of the suite was left out."""
    alone = len(conformance.subjects) == 1
    reports = reports_of(conformance, known, whole=whole, today=today, attribute=attribute, alone=alone)
    return put_together(reports, known, command, conformance.selection, harness_failed=bool(conformance.errors))


def reports_of(
    conformance: Conformance,
    known: Sequence[Deviation],
    *,
    whole: bool,
    today: date,
    attribute: Attribute,
    alone: bool,
) -> tuple[ImplementationReport, ...]:
    """The report on each implementation of a run. `alone` says that the whole report is about one implementation."""
    return tuple(
        declared.applied(
            known, attribute(_trusted(subject, conformance, alone), subject.judged), today=today, whole_run=whole
        )
        for subject in conformance.subjects
    )


def put_together(
    reports: tuple[ImplementationReport, ...],
    known: Sequence[Deviation],
    command: str,
    selection: Selection,
    *,
    harness_failed: bool,
) -> Report:
    """The report over implementations whose own reports are ready."""
    return Report(
        VERSION,
        spec_version(),
        command,
        reports,
        verdicts.footer(reports, harness_failed=harness_failed),
        subset=selection.subset.name if selection.subset else None,
        selected=selection.options,
        declared_elsewhere=declared.elsewhere(known, [each.implementation for each in reports]),
    )


def _trusted(subject: Subject, conformance: Conformance, alone: bool) -> ImplementationReport:
    """The findings on an implementation, doubted as far as its adapter cannot be trusted."""
    report = trust.judged(_of_subject(subject, conformance, alone), subject.otherwise, catalogue())
    return trust.without_mechanism(trust.with_unended(report, subject.unended), catalogue())


def _of_subject(subject: Subject, conformance: Conformance, alone: bool) -> ImplementationReport:
    adapter = subject.adapter
    by_rule: dict[str, list[Check]] = defaultdict(list)
    for check in subject.checks:
        for rule in check.rules:
            by_rule[rule].append(check)
    not_driven: dict[str, dict[str, None]] = defaultdict(dict)
    for check in subject.unsupported:
        for rule in check.rules:
            if check.kind is CheckKind.SCENARIO:
                not_driven[rule][check.check] = None
            if all(other.kind is CheckKind.TRACE for other in by_rule[rule]):
                by_rule[rule].append(replace(check, rules=(rule,)))
    selection = conformance.selection
    left_out = tuple(
        rule
        for rule in catalogue()
        if selection.leaves_out(rule, ran=rule in by_rule, by_faults=conformance.brings_faults((rule,)))
        and conformance.claims(subject, rule)
    )
    judged = (
        verdicts.judge(rule, by_rule[rule.id], subject.capabilities, declined(adapter))
        for rule in catalogue().values()
        if selection.reports(rule.id, ran=rule.id in by_rule) and rule.id not in left_out
    )
    untried = not_tried(subject.checks, subject.can_establish)
    judged = (
        replace(
            verdict,
            not_tried=untried.get(verdict.rule, ()),
            scenarios_not_tried=tuple(not_driven[verdict.rule]),
        )
        for verdict in judged
    )
    assert subject.started is not None
    scripts = FOLDER if alone else f"{FOLDER}/{subject.file_stem}"
    recorded = tuple(with_recordings(verdict, adapter, subject.calls, scripts) for verdict in judged)
    return ImplementationReport(
        implementation=Implementation(
            adapter.identity.name,
            adapter.identity.version,
            adapter.identity.protocol,
            subject.name,
            tuple(sorted(subject.capabilities)),
            _parameters(subject),
        ),
        verdicts=recorded,
        started=subject.started.isoformat(timespec="seconds"),
        seconds=round(subject.seconds, 3),
        trace=subject.trace_path.name,
        log=subject.log_name if offered(adapter, WritesLog) else None,
        left_out=left_out,
        not_tried=tuple(subject.not_tried),
        not_claimed=could_claim(adapter, subject.capabilities),
        script_template=template_of(adapter, recorded),
    )


def _parameters(subject: Subject) -> dict[str, str | int]:
    parameters = subject.adapter.parameters
    figures: dict[str, str | int] = {
        "scale": parameters.scale,
        "smallest message (bytes)": parameters.smallest_message_bytes,
        "eventually (ms)": parameters.eventually_ms,
        "never (ms)": parameters.never_ms,
    }
    if subject.clock.sleeps:
        figures["clock"] = "advance sleeps, although never_ms is 0, so the suite did not watch for what must not happen"
    if subject.restarts:
        figures["started again"] = "; ".join(subject.restarts)
    return {**figures, **parameters.notes}
