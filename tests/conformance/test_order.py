"""Every rendering of a report tells first the violation that explains the others, by its clearest evidence."""

from dataclasses import replace
from io import StringIO
from xml.etree.ElementTree import fromstring

import pytest
from rich.console import Console

from tests.conformance.sample_report import ARTEMIS, check
from tidegate.catalogue import catalogue
from tidegate.conformance.report import html, junit, markdown, terminal
from tidegate.conformance.report.order import in_telling_order
from tidegate.conformance.report.verdicts import footer, judge
from tidegate.conformance.report.view import findings
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport, Report, RuleVerdict

BY_ITS_OWN = ("Given a queue", "When a producer sends", "Then the producer is free", "And the queue holds 9 bytes")
BEFORE_ITS_OWN = ("Given a queue", "And another producer", "When a producer sends")
PROMISED = ("Given a queue", "And a producer was stopped")
ON_TOPICS = ("destination: topic",)
ONCE_PURGED = ("history: purged once",)
LONGER = (*BY_ITS_OWN[:1], "And another producer", *BY_ITS_OWN[1:])


def violated(
    rule: str,
    kind: CheckKind = CheckKind.SCENARIO,
    done: tuple[str, ...] = BY_ITS_OWN,
    name: str | None = None,
    conditions: tuple[str, ...] = (),
    scenarios: tuple[str, ...] = (),
) -> RuleVerdict:
    """A verdict by one violated check."""
    found = check(rule, CheckResult.VIOLATED, "free", "stopped", name)
    return judged(rule, replace(found, kind=kind, done=done, conditions=conditions, scenarios=scenarios))


def judged(rule: str, *checks: Check) -> RuleVerdict:
    """The verdict on a rule by these checks."""
    return judge(catalogue()[rule], checks, catalogue()[rule].needs)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (violated("GENERAL-4"), violated("QPID-QUEUE-1", CheckKind.VECTOR)),
        (violated("QPID-QUEUE-2", CheckKind.VECTOR), violated("QPID-QUEUE-1", CheckKind.STATEFUL)),
        (violated("QPID-QUEUE-2", CheckKind.STATEFUL), violated("QPID-QUEUE-1", CheckKind.TRACE)),
        (violated("QPID-QUEUE-2"), violated("QPID-QUEUE-1", done=BEFORE_ITS_OWN)),
        (violated("QPID-QUEUE-9"), violated("GENERAL-3")),
        (violated("QPID-QUEUE-7", done=PROMISED), violated("GENERAL-3")),
        (violated("QPID-QUEUE-8"), violated("QPID-QUEUE-7", done=PROMISED)),
        (violated("ARTEMIS-AMQP-4"), violated("ARTEMIS-AMQP-3")),
        (violated("GENERAL-3"), violated("QPID-LOG-1")),
        (violated("GENERAL-3"), violated("QPID-CLIENT-1")),
        (violated("GENERAL-5"), violated("QPID-QUEUE-3", name="a_capacity_changed_to_0_lets_go_whom_it_held")),
        (violated("QPID-QUEUE-12"), violated("QPID-LOG-1")),
        (violated("QPID-QUEUE-2"), violated("QPID-QUEUE-1", done=LONGER)),
        (violated("QPID-QUEUE-1"), violated("QPID-QUEUE-2")),
        (violated("ARTEMIS-CORE-8"), violated("ARTEMIS-CORE-4")),
        (violated("GENERAL-4"), violated("QPID-QUEUE-1", conditions=("destination: topic",))),
        (violated("QPID-QUEUE-2", conditions=("destination: topic",)), violated("QPID-QUEUE-1", CheckKind.VECTOR)),
        (violated("GENERAL-4", conditions=ON_TOPICS), violated("QPID-QUEUE-1", conditions=(*ON_TOPICS, *ONCE_PURGED))),
        (violated("GENERAL-3"), violated("QPID-QUEUE-5")),
        (violated("QPID-QUEUE-12"), violated("GENERAL-3")),
        (violated("QPID-QUEUE-7"), violated("QPID-QUEUE-3")),
        (violated("ARTEMIS-CORE-5"), violated("ARTEMIS-CORE-2")),
        (violated("ARTEMIS-AMQP-6", CheckKind.STATEFUL), violated("ARTEMIS-BLOCK-1", CheckKind.STATEFUL)),
        (violated("GENERAL-3", CheckKind.TRACE), replace(violated("QPID-QUEUE-1"), known_deviation="as ever")),
        (violated("GENERAL-3", CheckKind.TRACE), replace(violated("QPID-QUEUE-1"), scored=False)),
        (
            violated("GENERAL-3", CheckKind.TRACE),
            judged("QPID-QUEUE-1", check("QPID-QUEUE-1", CheckResult.UNKNOWN, "", "gone")),
        ),
    ],
    ids=lambda verdict: verdict.rule,
)
def test_what_explains_the_other_is_told_first(first: RuleVerdict, then: RuleVerdict) -> None:
    assert in_telling_order([then, first]) == [first, then] == in_telling_order([first, then])


def of_messages(rule: str, *scenarios: str) -> RuleVerdict:
    """A verdict by the traces of some scenarios."""
    return violated(rule, CheckKind.TRACE, done=(), scenarios=scenarios)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (of_messages("GENERAL-2", "full", "drained"), violated("QPID-QUEUE-1", name="full")),
        (violated("QPID-QUEUE-1", name="full"), of_messages("GENERAL-2", "drained")),
        (of_messages("GENERAL-2", "full"), violated("GENERAL-8", name="full")),
        (violated("GENERAL-8", name="full"), of_messages("GENERAL-2", "drained")),
        (of_messages("GENERAL-8", "full"), violated("GENERAL-20", name="full")),
        (of_messages("GENERAL-42", "full"), of_messages("QPID-QUEUE-1", "full")),
        (of_messages("QPID-QUEUE-1", "full", "beside"), of_messages("GENERAL-42", "full")),
    ],
    ids=lambda verdict: verdict.rule,
)
def test_wrong_messages_explain_what_else_fails_in_the_same_scenarios(first: RuleVerdict, then: RuleVerdict) -> None:
    assert in_telling_order([then, first]) == [first, then] == in_telling_order([first, then])


def test_a_rule_whose_scenarios_seldom_fail_comes_after_one_whose_scenarios_often_do() -> None:
    kept = check("QPID-QUEUE-1", CheckResult.KEPT, "free", "free")
    failing = violated("QPID-QUEUE-1").checks
    seldom, often = judged("QPID-QUEUE-1", *failing, *[kept] * 5), judged("QPID-QUEUE-1", *failing, *[kept] * 4)
    other = judged("QPID-QUEUE-2", *violated("QPID-QUEUE-2").checks, *[kept] * 4)
    assert in_telling_order([seldom, other]) == [other, seldom]
    assert in_telling_order([other, often]) == [often, other]


def test_scenarios_that_did_not_come_to_judge_a_rule_do_not_make_it_fail_seldom() -> None:
    unknown = check("QPID-QUEUE-1", CheckResult.UNKNOWN, "", "")
    often = judged("QPID-QUEUE-1", *violated("QPID-QUEUE-1").checks, *[unknown] * 9)
    other = violated("QPID-QUEUE-2")
    assert in_telling_order([other, often]) == [often, other]


def test_of_a_rule_that_fails_under_a_condition_the_scenarios_count_that_ran_under_it() -> None:
    kept = check("QPID-QUEUE-1", CheckResult.KEPT, "free", "free")
    on_topics = replace(kept, conditions=ON_TOPICS)
    failing = violated("QPID-QUEUE-1", conditions=ON_TOPICS).checks
    often = judged("QPID-QUEUE-1", *failing, *[kept] * 9)
    seldom = judged("QPID-QUEUE-1", *failing, *[on_topics] * 5)
    other = violated("QPID-QUEUE-2", conditions=ON_TOPICS)
    assert in_telling_order([other, often]) == [often, other]
    assert in_telling_order([seldom, other]) == [other, seldom]


def test_a_rule_that_seldom_fails_as_written_comes_after_one_that_often_fails_under_a_condition() -> None:
    kept = check("QPID-QUEUE-1", CheckResult.KEPT, "free", "free")
    seldom = judged("QPID-QUEUE-1", *violated("QPID-QUEUE-1").checks, *[kept] * 5)
    often = violated("QPID-QUEUE-2", conditions=ON_TOPICS)
    assert in_telling_order([seldom, often]) == [often, seldom]


def failing(rule: str, *names: str, done: tuple[str, ...] = BY_ITS_OWN) -> RuleVerdict:
    """A verdict by a violated check of each name."""
    return judged(rule, *(each for name in names for each in violated(rule, name=name, done=done).checks))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (failing("QPID-QUEUE-2", "full", "drained"), failing("QPID-QUEUE-1", "full")),
        (failing("GENERAL-3", "full", "drained"), failing("QPID-QUEUE-11", "full")),
        (failing("QPID-QUEUE-11", "full"), failing("GENERAL-36", "full", "drained")),
        (failing("GENERAL-36", "full", "drained"), failing("GENERAL-5", "full")),
        (failing("QPID-QUEUE-1", "full"), failing("QPID-LOG-1", "full", "drained")),
        (failing("QPID-QUEUE-5", "full", "drained"), failing("QPID-QUEUE-1", "full")),
        (failing("QPID-QUEUE-1", "full"), failing("QPID-QUEUE-2", "full[999-free]", "full[1000-free]")),
        (failing("QPID-QUEUE-1", "full"), failing("QPID-QUEUE-2", "full", "full (topic)")),
        (failing("QPID-QUEUE-1", "full"), failing("QPID-QUEUE-2", "full", "drained", done=PROMISED)),
    ],
    ids=lambda verdict: verdict.rule,
)
def test_a_rule_that_fails_in_more_scenarios_comes_first(first: RuleVerdict, then: RuleVerdict) -> None:
    assert in_telling_order([then, first]) == [first, then] == in_telling_order([first, then])


def test_what_is_as_stated_is_not_told() -> None:
    kept = judged("QPID-QUEUE-1", check("QPID-QUEUE-1", CheckResult.KEPT, "free", "free"))
    assert in_telling_order([kept]) == []


def test_the_evidence_of_a_rule_begins_with_the_clearest() -> None:
    longer = violated("QPID-QUEUE-1", done=LONGER, name="longer").checks
    short = violated("QPID-QUEUE-1", name="short").checks
    chance = violated("QPID-QUEUE-1", CheckKind.STATEFUL, name="by chance").checks
    trace = violated("QPID-QUEUE-1", CheckKind.TRACE, done=(), name="trace").checks
    verdict = judged("QPID-QUEUE-1", *trace, *chance, *longer, *short)
    assert [one.check.check for one in findings(verdict)] == ["short", "longer", "by chance", "trace"]


def test_the_reason_of_a_verdict_is_what_its_clearest_evidence_saw() -> None:
    trace = replace(violated("QPID-QUEUE-1", CheckKind.TRACE).checks[0], seen="otherwise at 2 of them")
    assert judged("QPID-QUEUE-1", trace, *violated("QPID-QUEUE-1").checks).reason == "stopped"


def a_report() -> Report:
    """A report in which the rule that comes first in the specification is told last."""
    told = (
        violated("QPID-QUEUE-1", CheckKind.TRACE),
        violated("QPID-QUEUE-2", CheckKind.VECTOR),
        violated("GENERAL-4"),
    )
    each = ImplementationReport(ARTEMIS, told, "2026-11-20T09:30:01Z", 1.0)
    return Report("0.1.0", "0.1", "tidegate run", (each,), footer([each]))


def on_a_terminal(report: Report) -> str:
    """The report as the terminal shows it."""
    console = Console(width=80, file=StringIO())
    with console.capture() as shown:
        terminal.show(report, console)
    return shown.get()


def in_junit(report: Report) -> str:
    """The names of the cases in the JUnit file, in order."""
    return " ".join(case.get("name", "") for case in fromstring(junit.render(report)).iter("testcase"))


@pytest.mark.parametrize("rendered", [on_a_terminal, in_junit, markdown.render, html.render])
def test_every_rendering_tells_them_in_this_order(rendered: object) -> None:
    text = rendered(a_report())  # type: ignore[operator]
    told = text[text.find("Violated") :] if rendered is markdown.render else text
    places = [told.index(rule) for rule in ("GENERAL-4", "QPID-QUEUE-2", "QPID-QUEUE-1")]
    assert places == sorted(places)
