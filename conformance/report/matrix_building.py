"""Builds one matrix from the reports of many runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tidegate.catalogue import catalogue
from tidegate.conformance.report import view
from tidegate.conformance.report.boundaries import boundaries
from tidegate.conformance.report.matrix import NOT_AVAILABLE, Cell, Column, Figure, Line, Matrix
from tidegate.conformance.report.verdicts import wording
from tidegate.record.report import CheckKind, CheckResult, ImplementationReport, Report, RuleVerdict
from tidegate.record.verdict import Verdict

NOT_JUDGED = "not judged"
NOT_IN_PART = "not in the part that ran"


@dataclass(frozen=True)
class Source:
    """The origin of one or more columns: a report, or the reason why there is none."""

    name: str
    """The name of an adapter with its version, or the path of a report."""
    report: Report | None
    page: str | None = None
    """The page of the report, as a path from the folder of the matrix."""
    unavailable: str = ""
    """Why there is no report, in one sentence."""


def matrix_of(sources: Sequence[Source], tidegate: str, exit_code: int) -> Matrix:
    """The matrix of these sources; an implementation stands where it is first named, its versions in their order."""
    found = [pair for source in sources for pair in _of_source(source)]
    families = list(dict.fromkeys(column.family for column, _ in found))
    found.sort(key=lambda pair: families.index(pair[0].family))
    judged = [(each, {one.rule: one for one in each.verdicts} if each else {}) for _, each in found]
    lines = (
        Line(
            rule.rule, rule.level, _category(rule.rule), rule.title, rule.sentence,
            tuple(_cell(each, verdicts.get(rule.rule), rule.rule) for each, verdicts in judged),
        )
        for rule in _rules([verdicts for _, verdicts in judged])
    )  # fmt: skip
    return Matrix(tidegate, tuple(column for column, _ in found), tuple(lines), exit_code)


def _of_source(source: Source) -> Iterator[tuple[Column, ImplementationReport | None]]:
    if source.report is None:
        name, _, version = source.name.partition(":")
        yield Column(source.name, name, version, unavailable=source.unavailable), None
        return
    for each in source.report.implementations:
        what = each.implementation
        yield (
            Column(
                source.name, what.name, what.version, what.protocol, what.profile, source.report.spec,
                each.started, each.seconds, sum(len(verdict.checks) for verdict in each.verdicts),
                {kind.value: view.count(each, kind) for kind in Verdict}, source.report.part,
                len(each.left_out), source.page, deviations_gone=each.deviations_gone,
            ),
            each,
        )  # fmt: skip


def _rules(columns: Sequence[Mapping[str, RuleVerdict]]) -> list[RuleVerdict]:
    """Every rule of any column, once, in the order of the specification; rules that it no longer has come last."""
    first: dict[str, RuleVerdict] = {}
    for verdicts in columns:
        for rule, verdict in verdicts.items():
            first.setdefault(rule, verdict)
    order = list(catalogue())
    return sorted(first.values(), key=lambda one: order.index(one.rule) if one.rule in order else len(order))


def _category(rule: str) -> str:
    known = catalogue().get(rule)
    return known.category if known else ""


def _cell(each: ImplementationReport | None, verdict: RuleVerdict | None, rule: str) -> Cell:
    if each is None:
        return Cell(None, NOT_AVAILABLE)
    if verdict is None:
        return Cell(None, NOT_IN_PART if rule in each.left_out else NOT_JUDGED)
    not_kept = [one for one in view.deciding(verdict) if one.check.result is not CheckResult.NOT_USED]
    worst = [one.check.result for one in not_kept[:1]]
    not_kept.sort(key=lambda one: (one.check.result not in worst, one.check.kind is CheckKind.TRACE))
    return Cell(
        verdict.verdict,
        wording(verdict),
        verdict.reason,
        boundaries(verdict),
        tuple(Figure(one.check.check, one.check.expected, one.seen) for one in not_kept),
        verdict.known_deviation,
    )
