"""From checks to verdicts, from verdicts to the exit code, and the effect of known deviations on it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tests.conformance.sample_report import ARTEMIS, check
from tidegate.adapters.groups import AllBut
from tidegate.catalogue import Category, Level, Rule
from tidegate.conformance.report.verdicts import counts, exit_code, footer, judge, wording
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict

K, V, N, U = CheckResult.KEPT, CheckResult.VIOLATED, CheckResult.NOT_USED, CheckResult.UNKNOWN
RULE = "ARTEMIS-AMQP-2"


def rule(level: Level = Level.MUST, needs: Sequence[str] = ("amqp-credit",)) -> Rule:
    kind = Category.DEFAULT
    return Rule(RULE, "title", level, "sentence", kind, tuple(needs), {}, (), None, {}, "", "chapter.md", 1)


def ran(*results: CheckResult, name: str = "window", kind: CheckKind = CheckKind.SCENARIO) -> list[Check]:
    """Runs of one check with these results."""
    return [
        replace(check(RULE, result, "100 credits", f"{result}: 1000 credits", name), kind=kind) for result in results
    ]


def judged(checks: Sequence[Check], level: Level = Level.MUST) -> RuleVerdict:
    return judge(rule(level), checks, ARTEMIS.capabilities)


def report(*verdicts: RuleVerdict) -> ImplementationReport:
    return ImplementationReport(ARTEMIS, verdicts, "2026-11-20T09:30:00Z", 1.0)


@pytest.mark.parametrize(
    ("checks", "verdict", "words"),
    [
        (ran(K), Verdict.KEPT, "kept"),
        (ran(V), Verdict.VIOLATED, "violated"),
        (ran(U), Verdict.UNKNOWN, "unknown"),
        ([], Verdict.UNKNOWN, "unknown"),
        (ran(K) + ran(V, name="other"), Verdict.VIOLATED, "violated"),
        (ran(K) + ran(U, name="other"), Verdict.UNKNOWN, "unknown"),
        (ran(U) + ran(V, name="other"), Verdict.VIOLATED, "violated"),
        (ran(K, V, K), Verdict.VIOLATED, "violated (1 of 3)"),
        (ran(V, V), Verdict.VIOLATED, "violated"),
        (ran(V, U), Verdict.VIOLATED, "violated (1 of 2)"),
        (ran(N), Verdict.UNKNOWN, "unknown"),
        (ran(K, V) + ran(V, name="t", kind=CheckKind.TRACE), Verdict.VIOLATED, "violated (2 of 3)"),
        (ran(K, V) + ran(K, name="t", kind=CheckKind.TRACE), Verdict.UNKNOWN, "unknown"),
        (ran(V) + ran(K, name="t", kind=CheckKind.TRACE), Verdict.VIOLATED, "violated"),
        (
            ran(K, V) + ran(V, name="o") + ran(K, name="t", kind=CheckKind.TRACE),
            Verdict.VIOLATED,
            "violated (2 of 3)",
        ),
    ],
)
def test_what_is_required_is_judged_by_its_worst_check(checks: list[Check], verdict: Verdict, words: str) -> None:
    found = judged(checks)
    assert (found.verdict, wording(found)) == (verdict, words)
    assert found.reason


@pytest.mark.parametrize(
    ("checks", "verdict"),
    [
        (ran(K), Verdict.USED),
        (ran(N), Verdict.NOT_USED),
        (ran(V), Verdict.NOT_USED),
        (ran(N, K), Verdict.USED),
        (ran(U), Verdict.UNKNOWN),
        ([], Verdict.UNKNOWN),
    ],
)
def test_a_permission_is_used_or_not_but_never_violated(checks: list[Check], verdict: Verdict) -> None:
    found = judged(checks, Level.MAY)
    assert found.verdict is verdict
    assert found.reason
    assert not {check.result for check in found.checks} & {K, V}
    assert judge(rule(Level.MAY), found.checks, ARTEMIS.capabilities) == found


def test_an_unmet_should_is_violated_at_its_level() -> None:
    found = judged(ran(V), Level.SHOULD)
    assert wording(found) == "violated, level SHOULD"
    assert exit_code([report(found)]) is ExitCode.VIOLATED


@pytest.mark.parametrize(
    ("untried", "words"),
    [
        ((), "kept"),
        (("topic", "purged"), "kept; not tried: topic, purged"),
        (("topic", "purged", "raised", "lowered"), "kept; 4 conditions not tried"),
    ],
)
def test_a_kept_rule_says_under_which_conditions_it_was_not_tried(untried: tuple[str, ...], words: str) -> None:
    kept = replace(judged(ran(K)), not_tried=untried)
    assert wording(kept) == words


def test_what_is_not_offered_is_not_claimed_and_what_is_excused_says_why() -> None:
    lacking = judge(rule(needs=("amqp-credit", "topics")), [], ARTEMIS.capabilities)
    assert lacking.verdict is Verdict.NOT_CLAIMED and "topics" in lacking.reason
    assert "amqp-credit" not in lacking.reason
    declined = {RULE: "the document describes a deadlock"}
    excused = judge(rule(Level.SHOULD), [], ARTEMIS.capabilities, declined)
    assert (excused.verdict, excused.reason) == (Verdict.NOT_CLAIMED, "the document describes a deadlock")
    with pytest.raises(BadInput, match="a profile can decline only a SHOULD"):
        judge(rule(Level.MUST), [], ARTEMIS.capabilities, declined)


def test_a_part_of_a_product_declines_all_that_it_does_not_decide() -> None:
    others = AllBut("ARTEMIS-", "only its client is there")
    excused = judge(replace(rule(Level.MUST), id="QPID-QUEUE-1"), [], ARTEMIS.capabilities, others)
    assert (excused.verdict, excused.reason) == (Verdict.NOT_CLAIMED, "only its client is there")
    own = judge(replace(rule(Level.MUST), id="ARTEMIS-X"), ran(K), ARTEMIS.capabilities, others)
    assert own.verdict is Verdict.KEPT


def test_the_reason_of_a_violation_is_its_first_figure() -> None:
    found = judged(ran(K, V))
    assert (found.reason, found.times_violated, found.times_run) == ("violated: 1000 credits", 1, 2)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([K], ExitCode.OK),
        ([K, V], ExitCode.VIOLATED),
        ([K, U], ExitCode.UNKNOWN),
        ([V, U, K], ExitCode.VIOLATED),
    ],
)
def test_a_violation_counts_more_than_what_is_unknown(verdicts: list[CheckResult], code: ExitCode) -> None:
    reports = [report(*(judged(ran(result)) for result in verdicts))]
    assert exit_code(reports) is code
    assert exit_code(reports, harness_failed=True) is ExitCode.HARNESS


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        ((), ExitCode.OK),
        ((ExitCode.OK, ExitCode.UNKNOWN), ExitCode.UNKNOWN),
        ((ExitCode.UNKNOWN, ExitCode.VIOLATED, ExitCode.OK), ExitCode.VIOLATED),
        ((ExitCode.VIOLATED, ExitCode.HARNESS, ExitCode.UNKNOWN, ExitCode.BAD_INPUT), ExitCode.HARNESS),
        ((ExitCode.BAD_INPUT, ExitCode.VIOLATED), ExitCode.VIOLATED),
        ((ExitCode.BAD_INPUT, ExitCode.OK), ExitCode.UNKNOWN),
        ((ExitCode.BAD_INPUT, ExitCode.BAD_INPUT), ExitCode.BAD_INPUT),
    ],
)
def test_bad_input_is_never_mixed_with_another_exit_code(codes: tuple[ExitCode, ...], code: ExitCode) -> None:
    assert ExitCode.of_all(codes) is code


def test_the_footer_counts_every_verdict_also_at_none() -> None:
    reports = [report(judged(ran(K, K)), judged(ran(V)))]
    assert counts(reports) == (
        {"kept": 1, "violated": 1, "follows": 0, "used": 0, "not used": 0, "not claimed": 0, "unknown": 0},
        3,
    )
    assert footer(reports).exit_code == ExitCode.VIOLATED
