"""From what a run found to its report."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from tidegate.adapters.capabilities import offered
from tidegate.adapters.groups import WritesLog, declined
from tidegate.catalogue import catalogue, spec_version
from tidegate.conformance.report import deviations, verdicts
from tidegate.conformance.report.reproduce import with_scripts
from tidegate.conformance.session import Conformance
from tidegate.conformance.subject import Subject
from tidegate.record.report import Check, Implementation, ImplementationReport, Report
from tidegate.record.version import VERSION


def assemble(
    conformance: Conformance,
    known: Sequence[deviations.Deviation],
    folder: Path,
    command: str,
    *,
    whole: bool,
) -> Report:
    """The report of a run; reproducers are written below the folder. `whole` says that nothing was left out."""
    reports = tuple(
        deviations.applied(known, _of_subject(subject, folder, conformance), whole_run=whole)
        for subject in conformance.subjects
    )
    footer = verdicts.footer(reports, harness_failed=bool(conformance.errors))
    subset = conformance.selection.subset
    return Report(VERSION, spec_version(), command, reports, footer, subset=subset.name if subset else None)


def _of_subject(subject: Subject, folder: Path, conformance: Conformance) -> ImplementationReport:
    adapter = subject.adapter
    by_rule: dict[str, list[Check]] = defaultdict(list)
    for check in subject.checks:
        for rule in check.rules:
            by_rule[rule].append(check)
    selection = conformance.selection
    reported = [rule for rule in catalogue().values() if selection.reports(rule.id, ran=rule.id in by_rule)]
    left_out = tuple(
        rule.id
        for rule in reported
        if selection.leaves_out(rule.id, ran=rule.id in by_rule) and conformance.claims(subject, rule.id)
    )
    judged = (
        verdicts.judge(rule, by_rule[rule.id], adapter.capabilities, declined(adapter))
        for rule in reported
        if rule.id not in left_out
    )
    assert subject.started is not None
    return ImplementationReport(
        implementation=Implementation(
            adapter.identity.name,
            adapter.identity.version,
            adapter.identity.protocol,
            subject.name,
            tuple(sorted(adapter.capabilities)),
            _parameters(subject),
        ),
        verdicts=tuple(with_scripts(verdict, adapter, subject.calls, folder) for verdict in judged),
        started=subject.started.isoformat(timespec="seconds"),
        seconds=round(subject.seconds, 3),
        trace=subject.trace_path.name,
        log=subject.log_name if offered(adapter, WritesLog) else None,
        left_out=left_out,
    )


def _parameters(subject: Subject) -> dict[str, str | int]:
    parameters = subject.adapter.parameters
    figures: dict[str, str | int] = {
        "scale": parameters.scale,
        "smallest message (bytes)": parameters.smallest_message_bytes,
        "eventually (ms)": parameters.eventually_ms,
        "never (ms)": parameters.never_ms,
    }
    if subject.restarts:
        figures["started again"] = "; ".join(subject.restarts)
    return {**figures, **parameters.notes}
