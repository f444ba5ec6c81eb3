"""A violation only under a condition that an implementation does not keep follows from the condition's rule."""

from dataclasses import replace
from pathlib import Path

import pytest

from tidegate.adapters.resolver import resolve
from tidegate.catalogue import catalogue
from tidegate.conformance.attribution import attributed
from tidegate.conformance.conditions.promised import PROMISED
from tidegate.conformance.report import verdicts
from tidegate.record.report import (
    Check,
    CheckKind,
    CheckResult,
    Implementation,
    ImplementationReport,
    RuleVerdict,
)
from tidegate.record.verdict import Verdict

DROPS = "full: drops pages"


def failing(rule: str, name: str, *conditions: str, result: CheckResult = CheckResult.VIOLATED) -> RuleVerdict:
    suffix = f" ({', '.join(each.partition(': ')[2] for each in conditions)})" if conditions else ""
    check = Check(name + suffix, CheckKind.SCENARIO, result, (rule,), (), "", name, "", conditions=conditions)
    verdict = Verdict.VIOLATED if result is CheckResult.VIOLATED else Verdict.KEPT
    return RuleVerdict(rule, "SHOULD", "", "", verdict, "", checks=(check,))


def told(*found: RuleVerdict) -> dict[str, str]:
    report = ImplementationReport(Implementation("Mine", "1", "", "mine:Adapter", ()), found, "", 0)
    said = attributed(report, folder=Path(), resolve=resolve)
    return {verdict.rule: verdicts.wording(verdict) for verdict in said.verdicts if verdict.checks}


def test_each_value_is_promised_by_rules_that_there_are() -> None:
    assert DROPS in PROMISED
    assert {rule for rules in PROMISED.values() for rule in rules} <= {rule.id for rule in catalogue().values()}


@pytest.mark.parametrize(
    ("also", "expected"),
    [
        ((failing("GENERAL-34", "pages"),), "follows from GENERAL-34"),
        ((failing("GENERAL-34", "pages", result=CheckResult.KEPT),), "violated, level SHOULD"),
        ((failing("GENERAL-33", "drops"),), "violated, level SHOULD"),
        ((failing("GENERAL-34", "pages", DROPS),), "violated, level SHOULD"),
        ((), "violated, level SHOULD"),
    ],
    ids=["broken", "kept", "of another value", "broken under it only", "not tried"],
)
def test_a_check_follows_where_its_condition_is_broken(also: tuple[RuleVerdict, ...], expected: str) -> None:
    assert told(failing("GENERAL-8", "charged", DROPS), *also)["GENERAL-8"] == expected


def test_a_trace_rule_says_nothing_of_the_conditions_under_which_it_failed() -> None:
    pages = failing("GENERAL-34", "pages")
    (check,) = pages.checks
    of_trace = replace(pages, checks=(replace(check, kind=CheckKind.TRACE),))
    assert told(failing("GENERAL-8", "charged", DROPS), of_trace)["GENERAL-8"] == "violated, level SHOULD"


def test_what_fails_as_it_is_written_too_follows_from_nothing() -> None:
    broken = failing("GENERAL-34", "pages")
    alone, under = failing("GENERAL-8", "charged"), failing("GENERAL-7", "charged", DROPS)
    assert told(broken, alone, under) == {
        "GENERAL-34": "violated, level SHOULD",
        "GENERAL-8": "violated, level SHOULD",
        "GENERAL-7": "violated, level SHOULD",
    }


def test_under_other_conditions_too_a_rule_follows_from_the_rules_that_are_broken() -> None:
    found = told(failing("GENERAL-8", "charged", "kind: topic", DROPS), failing("GENERAL-34", "pages"))
    assert found["GENERAL-8"] == "follows from GENERAL-34"
