"""From checks to verdicts, from verdicts to the exit code, and what known deviations change of it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tidegate.catalogue import Category, Level, Rule
from tidegate.conformance.report.deviations import Deviation, applied, read_deviations
from tidegate.conformance.report.verdicts import counts, exit_code, footer, judge, wording
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.report import Check, CheckKind, CheckResult, ImplementationReport, RuleVerdict
from tidegate.record.verdict import Verdict
from tests.conformance.sample_report import ARTEMIS, check

K, V, N, U = CheckResult.KEPT, CheckResult.VIOLATED, CheckResult.NOT_TAKEN, CheckResult.UNKNOWN
RULE = "ARTEMIS-AMQP-2"


def rule(level: Level = Level.MUST, needs: Sequence[str] = ("amqp-credit",)) -> Rule:
    kind = Category.DEFAULT
    return Rule(RULE, "title", level, "sentence", kind, tuple(needs), {}, (), None, {}, "", "chapter.md", 1)


def ran(*results: CheckResult, name: str = "window", kind: CheckKind = CheckKind.SCENARIO) -> list[Check]:
    """Runs of one check that ended like this."""
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
        (ran(K), Verdict.KEPT),
        (ran(N), Verdict.ALLOWED),
        (ran(V), Verdict.ALLOWED),
        (ran(N, K), Verdict.KEPT),
        (ran(U), Verdict.UNKNOWN),
        ([], Verdict.UNKNOWN),
    ],
)
def test_a_permission_is_taken_or_not_but_never_violated(checks: list[Check], verdict: Verdict) -> None:
    assert judged(checks, Level.MAY).verdict is verdict


def test_an_unmet_should_is_violated_at_its_level() -> None:
    found = judged(ran(V), Level.SHOULD)
    assert wording(found) == "violated, level SHOULD"
    assert exit_code([report(found)]) is ExitCode.VIOLATED


def test_what_is_not_offered_is_not_claimed_and_what_is_excused_says_why() -> None:
    lacking = judge(rule(needs=("amqp-credit", "topics")), [], ARTEMIS.capabilities)
    assert lacking.verdict is Verdict.NOT_CLAIMED and "topics" in lacking.reason
    assert "amqp-credit" not in lacking.reason
    declined = {RULE: "the document describes a deadlock"}
    excused = judge(rule(Level.SHOULD), [], ARTEMIS.capabilities, declined)
    assert (excused.verdict, excused.reason) == (Verdict.NOT_CLAIMED, "the document describes a deadlock")
    with pytest.raises(BadInput, match="only a property of ours can be declined"):
        judge(rule(Level.MUST), [], ARTEMIS.capabilities, declined)


def test_the_reason_of_a_violation_is_its_first_figure() -> None:
    found = judged(ran(K, V))
    assert (found.reason, found.times_violated, found.times_run) == ("violated: 1000 credits", 1, 2)


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        ([K], ExitCode.OK),
        ([K, V], ExitCode.VIOLATED),
        ([K, U], ExitCode.UNKNOWN),
        ([V, U, K], ExitCode.UNKNOWN),
    ],
)
def test_of_several_exit_codes_the_highest_wins(verdicts: list[CheckResult], code: ExitCode) -> None:
    reports = [report(*(judged(ran(result)) for result in verdicts))]
    assert exit_code(reports) is code
    assert exit_code(reports, harness_failed=True) is ExitCode.HARNESS


def test_the_footer_counts_every_verdict_also_at_none() -> None:
    reports = [report(judged(ran(K, K)), judged(ran(V)))]
    assert counts(reports) == (
        {"kept": 1, "violated": 1, "allowed": 0, "not claimed": 0, "unknown": 0},
        3,
    )
    assert footer(reports).exit_code == ExitCode.VIOLATED


# known deviations

DECLARED: dict[str, object] = {
    "implementation": "artemis",
    "version": "2.44.0",
    "rule": RULE,
    "reason": "1000 since 2.1",
    "link": "broker.xml",
    "seen": "violated: 1000 credits",
}


def declared(**changed: object) -> Deviation:
    return Deviation.model_validate(DECLARED | changed)


def outcome(deviation: Deviation, *checks: Check, whole_run: bool = True) -> tuple[ExitCode, tuple[str, ...]]:
    found = applied([deviation], report(judged(checks)), whole_run=whole_run)
    return exit_code([found]), found.deviations_gone


def test_a_known_deviation_changes_the_exit_code_and_not_the_verdict() -> None:
    found = applied([declared()], report(judged(ran(V))))
    assert found.verdicts[0].verdict is Verdict.VIOLATED
    assert found.verdicts[0].known_deviation == "1000 since 2.1 (broker.xml)"
    assert exit_code([found]) is ExitCode.OK


@pytest.mark.parametrize("version", ["2.44.0", ">=2.40,<3", "~=2.44"])
def test_it_holds_for_its_versions(version: str) -> None:
    assert outcome(declared(version=version), *ran(V)) == (ExitCode.OK, ())


@pytest.mark.parametrize("changed", [{"version": "2.50.0"}, {"version": "<2.44"}, {"implementation": "qpid"}])
def test_it_says_nothing_about_others(changed: dict[str, object]) -> None:
    assert outcome(declared(**changed), *ran(V)) == (ExitCode.VIOLATED, ())
    assert outcome(declared(**changed), *ran(K)) == (ExitCode.OK, ())


@pytest.mark.parametrize("result", [K, N])
def test_one_that_no_longer_deviates_fails(result: CheckResult) -> None:
    code, gone = outcome(declared(), *ran(result))
    assert code in (ExitCode.VIOLATED, ExitCode.UNKNOWN)
    assert bool(gone) == (result is K)


@pytest.mark.parametrize("seen", ["violated: 500 credits", "1000 credits"])
def test_one_that_deviates_by_another_figure_fails(seen: str) -> None:
    code, gone = outcome(declared(seen=seen), *ran(V))
    assert code is ExitCode.VIOLATED
    assert repr(seen) in gone[0] and "violated: 1000 credits" in gone[0]


def test_a_racing_one_may_be_kept_in_a_run() -> None:
    assert outcome(declared(racing=True), *ran(K)) == (ExitCode.OK, ())
    assert outcome(declared(racing=True), *ran(V)) == (ExitCode.OK, ())


def test_every_violated_check_must_deviate_as_declared() -> None:
    assert outcome(declared(check="window"), *ran(V)) == (ExitCode.OK, ())
    assert outcome(declared(check="window"), *ran(V), *ran(V, name="other")) == (ExitCode.VIOLATED, ())
    assert outcome(declared(), *ran(V), *ran(V, name="other")) == (ExitCode.OK, ())


def test_a_check_that_did_not_run_is_missed_by_a_whole_run_only() -> None:
    code, gone = outcome(declared(check="renamed"), *ran(K))
    assert code is ExitCode.VIOLATED and "renamed" in gone[0]
    assert outcome(declared(check="renamed"), *ran(K), whole_run=False) == (ExitCode.OK, ())


def test_an_unknown_verdict_is_excused_by_nothing() -> None:
    assert outcome(declared(), *ran(U)) == (ExitCode.UNKNOWN, ())


@pytest.mark.parametrize(
    ("seen", "code"),
    [
        ("free after 3 ms", ExitCode.OK),
        ("free after 2.5 ms, then after 9 ms", ExitCode.OK),
        ("free after 10 ms", ExitCode.OK),
        ("free after 10.5 ms", ExitCode.VIOLATED),
        ("free after 3 ms, then after 11 ms", ExitCode.VIOLATED),
        ("free after 3 msgs", ExitCode.VIOLATED),
        ("never free", ExitCode.VIOLATED),
    ],
)
def test_a_range_holds_every_figure_of_its_unit(seen: str, code: ExitCode) -> None:
    ranged = declared(seen={"from": 1, "to": 10, "unit": "ms"})
    assert outcome(ranged, replace(ran(V)[0], seen=seen))[0] is code


def test_deviations_are_read_from_a_list(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(ENTRY + '  seen: {from: 1, to: 10, unit: ms}\n- {implementation: q, version: ">=1", '
                    'rule: QPID-LOG-1, check: c, reason: r, link: l, seen: s}\n')  # fmt: skip
    first, second = read_deviations(path, {RULE, "QPID-LOG-1"})
    assert str(first.seen) == "1 to 10 ms"
    assert (second.check, second.seen) == ("c", "s")


ENTRY = """\
- implementation: artemis
  version: 2.44.0
  rule: ARTEMIS-AMQP-2
  reason: r
  link: l
"""


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (ENTRY, 1, "0.seen"),
        (ENTRY + "  seen: s\n  sen: s\n", 7, "0.sen"),
        (ENTRY.replace("2.44.0", "newest") + "  seen: s\n", 2, "0.version"),
        (ENTRY.replace("AMQP-2", "AMQP-99") + "  seen: s\n", 3, "rule"),
        (ENTRY + "  seen: {from: 10, to: 1, unit: ms}\n", 6, None),
        (ENTRY + "  seen: 5\n", 6, None),
        ("implementation: artemis\n", 1, None),
        ("- [unclosed\n", 2, None),
        ("", 1, None),
    ],
)
def test_a_malformed_entry_is_refused_with_its_place(tmp_path: Path, text: str, line: int, field: str | None) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text)
    with pytest.raises(BadInput) as refused:
        read_deviations(path, {RULE})
    assert (refused.value.file, refused.value.line) == (str(path), line)
    if field is not None:
        assert refused.value.field == field
