"""The state of a rule by condition, from its checks: kept, violated, unknown or not tried."""

from dataclasses import replace

from tests.conformance.sample_report import sample_report
from tidegate.catalogue import catalogue
from tidegate.conformance.report import html, markdown
from tidegate.conformance.report.by_condition import State, Under, of_implementation, of_rule
from tidegate.conformance.report.verdicts import judge
from tidegate.record.report import Check, CheckKind, CheckResult, Report, RuleVerdict

TOPIC, PURGED, WINDOWED = "destination: topic", "history: purged once", "window: windowed"


def check(result: CheckResult, *conditions: str, kind: CheckKind = CheckKind.SCENARIO) -> Check:
    return Check(f"check {conditions}", kind, result, ("GENERAL-3",), (), "", "", "", conditions)


def verdict(*checks: Check, not_tried: tuple[str, ...] = ()) -> RuleVerdict:
    return replace(judge(catalogue()["GENERAL-3"], checks, {"stops-producers"}), not_tried=not_tried)


def report_of(*verdicts: RuleVerdict) -> Report:
    report = sample_report()
    return replace(report, implementations=(replace(report.implementations[0], verdicts=verdicts),))


PARTLY = verdict(
    check(CheckResult.KEPT),
    check(CheckResult.KEPT, PURGED),
    check(CheckResult.VIOLATED, TOPIC),
    check(CheckResult.VIOLATED, TOPIC, PURGED, WINDOWED),
    check(CheckResult.UNKNOWN, kind=CheckKind.STATEFUL),
    not_tried=("raised",),
)


def test_each_value_is_what_its_checks_say() -> None:
    assert of_rule(PARTLY) == (
        Under("", "as written", State.KEPT),
        Under("history", "purged once", State.KEPT),
        Under("destination", "topic", State.VIOLATED),
        Under("window", "windowed", State.UNKNOWN),
        Under("road", "raised", State.NOT_TRIED),
    )


def test_what_is_violated_as_it_is_written_is_so_under_every_value() -> None:
    both = verdict(check(CheckResult.VIOLATED), check(CheckResult.VIOLATED, PURGED))
    assert [each.state for each in of_rule(both)] == [State.VIOLATED, State.VIOLATED]


def test_a_rule_that_is_tried_as_it_is_written_alone_is_shown_under_no_condition() -> None:
    assert of_rule(verdict(check(CheckResult.KEPT))) == ()


def test_the_values_of_an_implementation_stand_in_the_order_of_their_conditions() -> None:
    lines = of_implementation(report_of(PARTLY).implementations[0])
    assert [line.value for line in lines] == ["as written", "topic", "windowed", "raised", "purged once"]
    assert lines[1].rules[State.VIOLATED] == ("GENERAL-3",)


def test_both_pages_show_what_is_otherwise_than_kept() -> None:
    report = report_of(PARTLY)
    table = markdown.render(report)
    assert "| topic | destination | 0 | violated: GENERAL-3 |" in table
    assert "| raised | road | 0 | not tried: GENERAL-3 |" in table
    assert "| purged once | history | 1 |  |" in table
    page = html.render(report)
    assert '<span class="violated">✗ topic (violated)</span>' in page
    assert '<span class="not-tried">– not tried: <span class="whole">GENERAL-3</span></span>' in page
