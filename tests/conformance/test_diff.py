"""The changes between two reports, and which of them are for the worse."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from tests.conformance.sample_report import ARTEMIS, HOSTILE, REFERENCE, sample_report
from tidegate.catalogue import catalogue
from tidegate.conformance.report import diff_markdown, diff_terminal
from tidegate.conformance.report.diff import Change, Direction, Kind, difference
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.verdicts import footer, judge
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport, Report, RuleVerdict

RULE = "ARTEMIS-AMQP-4"
KEPT, VIOLATED, UNKNOWN = CheckResult.KEPT, CheckResult.VIOLATED, CheckResult.UNKNOWN
WORSE, BETTER, OTHER = Direction.WORSE, Direction.BETTER, Direction.OTHER


def check(
    result: CheckResult, seen: str = "31 left", name: str = "refill[69]", kind: CheckKind = CheckKind.SCENARIO
) -> Check:
    return Check(name, kind, result, (RULE,), ("Given credit",), "31 left", seen, "")


def verdict(*checks: Check, claimed: bool = True) -> RuleVerdict:
    return judge(catalogue()[RULE], checks, catalogue()[RULE].needs if claimed else ())


def report(*verdicts: RuleVerdict, subset: str | None = None, left_out: tuple[str, ...] = ()) -> Report:
    each = ImplementationReport(ARTEMIS, verdicts, "2026-11-20T09:30:00Z", 1.0, left_out=left_out)
    return Report("0.1.0", "0.1", "tidegate run", (each,), footer((each,)), subset=subset)


def changes(before: Report, after: Report) -> list[tuple[Kind, Direction]]:
    return [(change.kind, change.direction) for change in difference(before, after).changes]


def test_a_report_does_not_differ_from_itself() -> None:
    found = difference(sample_report(), sample_report())
    assert found.changes == () and not found.worse


@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        (KEPT, VIOLATED, WORSE),
        (KEPT, UNKNOWN, WORSE),
        (VIOLATED, UNKNOWN, WORSE),
        (UNKNOWN, VIOLATED, WORSE),
        (VIOLATED, KEPT, BETTER),
        (UNKNOWN, KEPT, BETTER),
    ],
)
def test_a_verdict_that_becomes_violated_or_unknown_is_worse(
    before: CheckResult, after: CheckResult, direction: Direction
) -> None:
    found = difference(report(verdict(check(before))), report(verdict(check(after))))
    assert [(change.kind, change.direction) for change in found.changes] == [(Kind.VERDICT, direction)]
    assert found.worse == (direction is WORSE)


def test_a_permission_that_is_no_longer_taken_is_a_change_and_not_worse() -> None:
    rule = catalogue()["ARTEMIS-AMQP-7"]
    used, declined = (
        judge(rule, [replace(check(result), rules=(rule.id,))], rule.needs) for result in (KEPT, CheckResult.NOT_USED)
    )
    assert changes(report(used), report(declined)) == [(Kind.VERDICT, OTHER)]


def test_a_rule_that_is_not_judged_any_more_is_worse() -> None:
    judged, unclaimed = verdict(check(KEPT)), verdict(claimed=False)
    assert changes(report(judged), report(unclaimed)) == [(Kind.ASKED, WORSE)]
    assert changes(report(judged), report()) == [(Kind.ASKED, WORSE)]
    assert changes(report(unclaimed), report(judged)) == [(Kind.ASKED, BETTER)]
    assert changes(report(), report(verdict(check(VIOLATED)))) == [(Kind.ASKED, WORSE)]
    assert changes(report(), report(unclaimed)) == []


def test_a_rule_that_only_the_subset_leaves_out_is_not_worse() -> None:
    part = report(subset="boundary", left_out=(RULE,))
    assert changes(report(verdict(check(KEPT))), part) == [(Kind.ASKED, OTHER)]


def test_a_check_that_is_no_longer_kept_is_worse_where_the_verdict_stays() -> None:
    one, both = [check(VIOLATED), check(KEPT, name="refill[70]")], [check(VIOLATED), check(VIOLATED, name="refill[70]")]
    assert changes(report(verdict(*one)), report(verdict(*both))) == [(Kind.RESULT, WORSE)]
    assert changes(report(verdict(*both)), report(verdict(*one))) == [(Kind.RESULT, BETTER)]


def test_another_figure_is_a_change_that_is_not_worse() -> None:
    before, after = report(verdict(check(VIOLATED, "931 left"))), report(verdict(check(VIOLATED, "930 left")))
    (change,) = difference(before, after).changes
    assert change == Change(Kind.FIGURE, OTHER, f"{RULE} in refill[69]", "931 left", "930 left", "expected 31 left")
    assert not difference(before, after).worse


def test_figures_that_differ_from_run_to_run_or_by_scale_are_no_change() -> None:
    for kind in (CheckKind.TRACE, CheckKind.STATEFUL):
        before, after = (report(verdict(check(KEPT, seen, kind=kind))) for seen in ("60 events", "61 events"))
        assert changes(before, after) == []
    scaled = (report(verdict(check(KEPT, seen))) for seen in ("9 bytes (really 90)", "9 bytes (really 900)"))
    assert changes(*scaled) == []


def test_checks_that_only_one_of_them_ran_are_shown_unless_the_parts_differ() -> None:
    before, after = verdict(check(KEPT)), verdict(check(KEPT), check(KEPT, name="refill[70]"))
    assert changes(report(before), report(after)) == [(Kind.CHECK, OTHER)]
    assert changes(report(after), report(before)) == [(Kind.CHECK, OTHER)]
    assert changes(report(before, subset="boundary"), report(after)) == []


def test_implementations_are_paired_by_profile_or_because_there_is_but_one() -> None:
    both = sample_report()
    alone = replace(both, implementations=both.implementations[:1])
    assert changes(both, alone) == [(Kind.IMPLEMENTATION, WORSE)]
    assert changes(alone, both) == [(Kind.IMPLEMENTATION, OTHER)]
    other = replace(report(), implementations=(replace(report().implementations[0], implementation=REFERENCE),))
    assert len(difference(report(), other).pairs) == 1


def test_markdown_and_terminal_show_what_got_worse_and_no_markup_of_a_broker() -> None:
    found = difference(report(verdict(check(KEPT))), report(verdict(check(VIOLATED, HOSTILE))))
    tokens = MarkdownIt("commonmark").enable("table").parse(diff_markdown.render(found))
    inline = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    assert "1 worse, 0 better, 0 other changes." in inline
    assert f"violated, level SHOULD; seen: {HOSTILE}; expected: 31 left" in inline and "worse" in inline
    kinds = {token.type for token in tokens} | {child.type for token in tokens for child in token.children or ()}
    assert not kinds & {"html_block", "html_inline", "em_open", "link_open"}
    console = Console(width=250, record=True, file=StringIO())
    diff_terminal.show(found, console)
    shown = console.export_text()
    assert "Verdicts that changed" in shown and HOSTILE in shown and "1 worse" in shown


def test_a_terminal_counts_the_checks_that_only_one_of_them_ran_unless_asked_for_each() -> None:
    found = difference(report(verdict(check(KEPT))), report(verdict(check(KEPT), check(KEPT, name="refill[70]"))))
    console = Console(width=80, record=True, file=StringIO())
    diff_terminal.show(found, console, every_check=False)
    assert "1 check, none for the worse; -v names each" in console.export_text(clear=False)
    assert "refill[70]" not in console.export_text()
    diff_terminal.show(found, console)
    assert "refill[70]" in console.export_text()


def test_nothing_is_said_where_nothing_changed() -> None:
    same = difference(sample_report(), sample_report())
    assert "**Nothing changed.**" in diff_markdown.render(same)
    part = difference(report(subset="boundary"), report())
    assert "Before, the boundary subset ran; after, the whole suite" in diff_markdown.render(part)


def test_a_bare_figure_comes_with_what_was_expected() -> None:
    reports = Path(__file__).parents[2] / "reports"
    before, after = (read_report(reports / name / "report.json") for name in ("classic-5.3.1", "classic-6.3.1"))
    (pair,) = difference(before, after).pairs
    by_subject = {change.subject: change for change in pair.changes}
    changed = by_subject["GENERAL-42"].after
    assert changed.startswith("violated, level SHOULD, only under: topic; seen: 1; ")
    assert changed.endswith("; expected: 2 messages")
    figures = [change for change in pair.changes if change.kind is Kind.FIGURE]
    assert figures and all(change.title.startswith("expected ") for change in figures)
