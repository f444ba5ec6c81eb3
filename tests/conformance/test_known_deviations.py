"""Known deviations: their effect on the exit code, the fate of each declaration, and the file that is written."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.conformance.sample_report import ARTEMIS, sample_report
from tests.conformance.test_verdicts import RULE, K, N, U, V, judged, ran, report
from tidegate.catalogue import catalogue
from tidegate.conformance.report import badge, html, known, markdown, view
from tidegate.conformance.report.declared import applied, elsewhere
from tidegate.conformance.report.declaring import declare
from tidegate.conformance.report.deviations import TO_FILL_IN, Deviation, read_deviations
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.verdicts import exit_code, footer
from tidegate.record.errors import BadInput, ExitCode
from tidegate.record.report import (
    NO_TIME_LEFT,
    NOT_REACHED,
    Check,
    CheckKind,
    CheckResult,
    DeviationState,
    Implementation,
    Report,
)
from tidegate.record.verdict import Verdict

ROOT = Path(__file__).parents[2]
TODAY = date(2026, 11, 20)

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
    found = applied([deviation], report(judged(checks)), today=TODAY, whole_run=whole_run)
    return exit_code([found]), found.deviations_gone


def test_a_known_deviation_changes_the_exit_code_and_not_the_verdict() -> None:
    found = applied([declared()], report(judged(ran(V))), today=TODAY)
    assert found.verdicts[0].verdict is Verdict.VIOLATED
    assert found.verdicts[0].known_deviation == "1000 since 2.1 (broker.xml)"
    assert exit_code([found]) is ExitCode.OK


@pytest.mark.parametrize(
    ("unknown", "code"),
    [
        ([(NOT_REACHED, "window")], ExitCode.OK),
        ([(NOT_REACHED, "window"), (NOT_REACHED, "of no declared rule")], ExitCode.UNKNOWN),
        ([("no answer: ", "window")], ExitCode.UNKNOWN),
    ],
)
def test_a_check_that_could_not_begin_because_of_a_deviation_is_excused(
    unknown: Sequence[tuple[str, str]], code: ExitCode
) -> None:
    checks = [replace(ran(U, name=name)[0], seen=f"{why}1000 credits") for why, name in unknown]
    other = replace(judged(checks), rule="ARTEMIS-AMQP-3")
    assert exit_code([applied([declared()], report(other, judged(ran(V))), today=TODAY)]) is code
    assert exit_code([applied([], report(other, judged(ran(K))), today=TODAY)]) is ExitCode.UNKNOWN


@pytest.mark.parametrize(("follows_from", "code"), [((RULE,), ExitCode.OK), (("GENERAL-3",), ExitCode.VIOLATED)])
def test_a_check_that_could_not_begin_because_of_what_follows_from_a_deviation_is_excused(
    follows_from: tuple[str, ...], code: ExitCode
) -> None:
    began = [replace(each, seen=f"{NOT_REACHED}not stopped") for each in ran(U, name="topic")]
    follows = replace(
        judged(ran(V, name="topic")), rule="GENERAL-20", verdict=Verdict.FOLLOWS, follows_from=follows_from
    )
    unknown = replace(judged(began), rule="GENERAL-2")
    found = applied([declared()], report(judged(ran(V)), follows, unknown), today=TODAY)
    assert (found.verdicts[2].known_deviation is not None) is (code is ExitCode.OK)
    assert exit_code([found]) is code


@pytest.mark.parametrize("version", ["2.44.0", ">=2.40,<3", "~=2.44"])
def test_a_deviation_holds_for_its_versions(version: str) -> None:
    assert outcome(declared(version=version), *ran(V)) == (ExitCode.OK, ())


@pytest.mark.parametrize("changed", [{"version": "2.50.0"}, {"version": "<2.44"}, {"implementation": "qpid"}])
def test_a_deviation_says_nothing_about_other_versions_and_rules(changed: dict[str, object]) -> None:
    assert outcome(declared(**changed), *ran(V)) == (ExitCode.VIOLATED, ())
    assert outcome(declared(**changed), *ran(K)) == (ExitCode.OK, ())


@pytest.mark.parametrize("result", [K, N])
def test_a_deviation_that_no_longer_shows_fails(result: CheckResult) -> None:
    code, gone = outcome(declared(), *ran(result))
    assert code in (ExitCode.VIOLATED, ExitCode.UNKNOWN)
    assert bool(gone) == (result is K)


@pytest.mark.parametrize("seen", ["violated: 500 credits", "1000 credits"])
def test_a_deviation_with_another_figure_fails(seen: str) -> None:
    code, gone = outcome(declared(seen=seen), *ran(V))
    assert code is ExitCode.VIOLATED
    assert repr(seen) in gone[0] and "violated: 1000 credits" in gone[0]
    assert f"by another figure in window: declared {seen!r}, seen 'violated: 1000 credits'" in gone[0]


def test_a_racing_deviation_may_be_kept_in_a_run() -> None:
    assert outcome(declared(racing=True), *ran(K)) == (ExitCode.OK, ())
    assert outcome(declared(racing=True), *ran(V)) == (ExitCode.OK, ())


@pytest.mark.parametrize(
    ("racing", "follows_from", "state"),
    [
        (True, ("GENERAL-5",), DeviationState.NOT_SEEN),
        (True, (), DeviationState.CHANGED),
        (False, ("GENERAL-5",), DeviationState.CHANGED),
    ],
)
def test_what_follows_from_another_rule_is_not_compared_with_the_figure_of_a_race(
    racing: bool, follows_from: tuple[str, ...], state: DeviationState
) -> None:
    checks = [replace(each, seen="3 credits", follows_from=follows_from) for each in ran(V)]
    verdict = replace(judged(checks), verdict=Verdict.FOLLOWS if follows_from else Verdict.VIOLATED)
    found = applied([declared(racing=racing)], report(verdict), today=TODAY)
    assert [each.state for each in found.declared] == [state]


def test_every_violated_check_must_deviate_as_declared() -> None:
    assert outcome(declared(check="window"), *ran(V)) == (ExitCode.OK, ())
    code, gone = outcome(declared(check="window"), *ran(V), *ran(V, name="other"))
    assert code is ExitCode.VIOLATED and "other is violated too, and not declared" in gone[0]
    assert outcome(declared(), *ran(V), *ran(V, name="other")) == (ExitCode.OK, ())


def test_a_check_that_did_not_run_is_missed_by_a_whole_run_only() -> None:
    code, gone = outcome(declared(check="renamed"), *ran(K))
    assert code is ExitCode.VIOLATED and "renamed" in gone[0]
    assert outcome(declared(check="renamed"), *ran(K), whole_run=False) == (ExitCode.OK, ())


def test_a_part_that_keeps_the_rule_need_not_hold_the_check_that_deviates() -> None:
    assert outcome(declared(), *ran(K), whole_run=False) == (ExitCode.OK, ())
    assert outcome(declared(check="window"), *ran(K), whole_run=False)[0] is ExitCode.VIOLATED


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


@pytest.mark.parametrize(
    ("seen", "code"), [("7", ExitCode.OK), ("11", ExitCode.VIOLATED), ("3 and 11", ExitCode.VIOLATED)]
)
def test_a_range_without_a_unit_holds_every_figure(seen: str, code: ExitCode) -> None:
    ranged = declared(seen={"from": 1, "to": 10})
    assert outcome(ranged, replace(ran(V)[0], seen=seen))[0] is code


def test_deviations_are_read_from_a_list(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(ENTRY + '  seen: {from: 1, to: 10, unit: ms}\n- {implementation: q, version: ">=1", '
                    'rule: QPID-LOG-1, check: c, reason: r, link: l, seen: s}\n')  # fmt: skip
    first, second = read_deviations(path, catalogue())
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
        (ENTRY, 1, "0"),
        (ENTRY + "  seen: s\n  figures: {c: s}\n", 1, "0"),
        (ENTRY + "  seen: s\n  expires: soon\n", 7, "0.expires"),
        (ENTRY + "  seen: s\n  expires: 2026-13-01\n", 7, None),
        (f"version: 1\ndeviations:\n{ENTRY}  seen: s\n", 1, "version"),
        (f"deviations:\n{ENTRY}  sen: s\n", 7, "deviations.0.sen"),
        (ENTRY + "  seen: s\n  sen: s\n", 7, "0.sen"),
        (ENTRY.replace("2.44.0", "'>>2'") + "  seen: s\n", 2, "0.version"),
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
        read_deviations(path, catalogue())
    assert (refused.value.file, refused.value.line) == (str(path), line)
    if field is not None:
        assert refused.value.field == field


def test_an_unknown_field_gets_the_nearest_right_one(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(f"deviations:\n{ENTRY}  figure: {{c: s}}\n")
    with pytest.raises(BadInput, match=r"^\S+:7: field 'deviations.0.figure': .*; did you mean figures\?$"):
        read_deviations(path, catalogue())


# one entry for a rule, with a figure for each check


def both(first: str = "violated: 1000 credits", second: str = "violated: 1000 credits") -> list[Check]:
    """The two checks that violate a rule."""
    return [replace(ran(V, name="window")[0], seen=first), replace(ran(V, name="other")[0], seen=second)]


FIGURES = {"window": "10 left", "other": {"from": 1, "to": 5, "unit": "ms"}}


@pytest.mark.parametrize(
    ("checks", "state", "why"),
    [
        (both("10 left", "after 3 ms"), DeviationState.HOLDS, ""),
        (both("10 left", "after 6 ms"), DeviationState.CHANGED, "in other: declared '1 to 5 ms', seen 'after 6 ms'"),
        (both("11 left", "after 3 ms"), DeviationState.CHANGED, "in window: declared '10 left', seen '11 left'"),
        (both("10 left (really 1,000)", "after 3 ms"), DeviationState.HOLDS, ""),
        ([both("10 left")[0], *ran(K, name="other")], DeviationState.GONE, "no longer deviates in other: kept"),
        ([both("10 left")[0]], DeviationState.GONE, "no check 'other' ran"),
        ([*both("10 left", "3 ms"), *ran(V, name="third")], DeviationState.CHANGED, "third is violated too, and not"),
        (ran(K, name="window") + ran(U, name="other"), DeviationState.NOT_SEEN, "unknown: unknown: 1000 credits"),
    ],
)
def test_one_entry_has_a_figure_for_each_check(checks: list[Check], state: DeviationState, why: str) -> None:
    found = applied([declared(seen=None, figures=FIGURES)], report(judged(checks)), today=TODAY)
    (one,) = found.declared
    assert (one.state, why in one.why) == (state, True), one
    excused = state in (DeviationState.HOLDS, DeviationState.GONE)
    assert (found.verdicts[0].known_deviation is not None) == excused
    expected = {DeviationState.HOLDS: ExitCode.OK, DeviationState.NOT_SEEN: ExitCode.UNKNOWN}
    assert exit_code([found]) is expected.get(state, ExitCode.VIOLATED)


def shows(seen: str, conditions: str = "", result: CheckResult = V) -> Check:
    """A check on the window, under these conditions."""
    return replace(ran(result, name=f"window ({conditions})" if conditions else "window")[0], seen=seen)


@pytest.mark.parametrize(
    ("figures", "checks", "state", "why"),
    [
        ({"window": "10 left"}, [shows("10 left"), shows("10 left", "topic")], DeviationState.HOLDS, ""),
        ({"window (topic)": "10 left"}, [shows("10 left", "shared, topic")], DeviationState.HOLDS, ""),
        (
            {"window": "10 left"},
            [shows("10 left"), shows("9 left", "topic")],
            DeviationState.CHANGED,
            "in window (topic): declared '10 left', seen '9 left'",
        ),
        (
            {"window": "10 left", "window (topic)": "9 left"},
            [shows("10 left"), shows("9 left", "topic"), shows("9 left", "topic, shared")],
            DeviationState.HOLDS,
            "",
        ),
        (
            {"window": "10 left", "window (topic)": "9 left"},
            [shows("10 left"), shows("8 left", "topic, shared")],
            DeviationState.CHANGED,
            "declared '10 left' or '9 left', seen '8 left'",
        ),
        (
            {"window (topic)": "10 left"},
            [shows("10 left", "shared")],
            DeviationState.CHANGED,
            "window (shared) is violated too, and not declared",
        ),
        ({"window": "10 left", "window (topic)": "10 left"}, [shows("10 left")], DeviationState.HOLDS, ""),
        (
            {"window": "10 left", "window (topic)": "10 left"},
            [shows("10 left"), shows("", "topic", K)],
            DeviationState.GONE,
            "no longer deviates in window (topic): kept",
        ),
    ],
    ids=["all", "more", "another", "both", "neither", "other", "not drawn", "gone"],
)
def test_a_figure_is_declared_for_all_conditions_that_its_name_leaves_open(
    figures: dict[str, str], checks: list[Check], state: DeviationState, why: str
) -> None:
    found = applied([declared(seen=None, figures=figures)], report(judged(checks)), today=TODAY)
    (one,) = found.declared
    assert (one.state, why in one.why) == (state, True), one


def test_a_trace_that_had_no_time_for_all_conditions_need_not_show_a_deviation() -> None:
    one = declared(seen=None, figures={"window": "10 left", "trace:x": "otherwise at 1 of them"})
    whole = report(judged([shows("10 left"), *ran(K, name="trace:x", kind=CheckKind.TRACE)]))
    short = replace(whole, not_tried=(f"window (topic): {NO_TIME_LEFT} 10 minutes",))
    states = [applied([one], each, today=TODAY).declared[0].state for each in (whole, short)]
    assert states == [DeviationState.GONE, DeviationState.HOLDS]


def test_two_entries_share_the_checks_of_a_rule() -> None:
    entries = [declared(seen=None, figures={"window": "10 left"}), declared(reason="another", seen="5 ms")]
    found = applied(entries, report(judged(both("10 left", "5 ms"))), today=TODAY)
    assert [one.state for one in found.declared] == [DeviationState.HOLDS, DeviationState.HOLDS]
    assert exit_code([found]) is ExitCode.OK


def test_a_deviation_that_needs_a_condition_is_not_gone_where_that_was_not_tried(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    written(path, whole(shows("10 left", result=K), shows("10 left", "topic")))
    (kept,) = whole(shows("10 left", result=K)).implementations
    (one,) = applied(read_deviations(path, catalogue()), kept, today=TODAY).declared
    assert one.state is DeviationState.NOT_SEEN


def test_a_rule_that_is_not_claimed_is_no_known_deviation() -> None:
    lacking = replace(judged(ran(V)), verdict=Verdict.NOT_CLAIMED, reason="no credit", checks=())
    found = applied([declared()], report(lacking), today=TODAY)
    assert found.deviations_gone == (f"{RULE}: it was not judged, because it is not claimed: no credit",)
    assert exit_code([found]) is ExitCode.VIOLATED


def test_a_rule_that_did_not_run_is_missed_by_a_whole_run_only() -> None:
    assert applied([declared()], report(), today=TODAY).deviations_gone == (f"{RULE}: it was not judged",)
    part = applied([declared()], report(), today=TODAY, whole_run=False)
    assert (part.deviations_gone, part.declared[0].state) == ((), DeviationState.NOT_SEEN)


@pytest.mark.parametrize(
    ("expires", "code", "state", "soon"),
    [
        ("2026-11-19", ExitCode.VIOLATED, DeviationState.EXPIRED, False),
        ("2026-11-20", ExitCode.OK, DeviationState.HOLDS, True),
        ("2026-12-20", ExitCode.OK, DeviationState.HOLDS, True),
        ("2026-12-21", ExitCode.OK, DeviationState.HOLDS, False),
    ],
)
def test_a_declaration_ends_after_its_last_day(expires: str, code: ExitCode, state: DeviationState, soon: bool) -> None:
    found = applied([declared(expires=expires)], report(judged(ran(V))), today=TODAY)
    (one,) = found.declared
    assert (exit_code([found]), one.state, one.expires_soon) == (code, state, soon)
    said = " ".join(known.of(found))
    assert (f"Known deviations that expire on {expires}: {RULE}." in said) == soon
    if state is DeviationState.EXPIRED:
        assert found.deviations_gone == (f"{RULE}: the declaration expired on {expires}: 1000 since 2.1",)


def judged_as(name: str, version: str, profile: str = "") -> Implementation:
    return replace(ARTEMIS, name=name, version=version, profile=profile or name)


@pytest.mark.parametrize(
    ("declared_for", "sentence"),
    [
        (("Artemis", "2.43.0"), "Artemis 2.43.0, which was not judged; Artemis 2.44.0 was."),
        (("artemis", "2.44.0"), "artemis 2.44.0, which was not judged; did you mean Artemis?"),
        (("Artmeis", "2.44.0"), "Artmeis 2.44.0, which was not judged; did you mean Artemis?"),
        (("Qpid", ">=10"), "Qpid >=10, which was not judged."),
    ],
)
def test_deviations_of_other_implementations_are_named(declared_for: tuple[str, str], sentence: str) -> None:
    name, version = declared_for
    entry = declared(implementation=name, version=version)
    assert elsewhere([entry], [judged_as("Artemis", "2.44.0", "artemis:2.44.0")]) == (
        f"1 known deviation is declared for {sentence}",
    )
    assert elsewhere([declared(implementation="Artemis")], [judged_as("Artemis", "2.44.0")]) == ()


def test_every_rendering_says_what_became_of_each_declaration() -> None:
    each = applied([declared(expires="2026-11-30")], report(judged(ran(V))), today=TODAY)
    other = "1 known deviation is declared for Qpid 1, which was not judged."
    sample = replace(sample_report(), implementations=(each,), footer=footer((each,)), declared_elsewhere=(other,))
    for text in (markdown.render(sample), html.render(sample), "\n".join(known.sentences(sample))):
        plain = text.replace("\\", "")
        assert "Known deviations of artemis 2.44.0: 1 as declared." in plain
        assert f"Known deviations that expire on 2026-11-30: {RULE}." in plain
        assert "declared for Qpid 1, which was not judged" in plain


# the file that is written


def whole(*checks: Check, rule: str = RULE) -> Report:
    """A report of the sample's broker with one rule, judged by these checks."""
    each = replace(report(replace(judged(list(checks)), rule=rule)))
    return replace(sample_report(), implementations=(each,), footer=footer((each,)))


def written(path: Path, made: Report, *, whole_run: bool = True) -> tuple[tuple[str, ...], ExitCode]:
    """The lines of the writer, and the exit code of the same run with the written file."""
    said = declare(made, path, catalogue(), whole_run=whole_run)
    entries = read_deviations(path, catalogue())
    again = tuple(applied(entries, each, today=TODAY, whole_run=whole_run) for each in made.implementations)
    return said, exit_code(again)


@pytest.mark.parametrize(
    ("checks", "lines"),
    [
        (both(), ["  seen: 'violated: 1000 credits'"]),
        (both("10 left", "11 left"), ["  figures:", "    window: 10 left", "    other: 11 left"]),
        (both("it was accepted", "it was accepted"), ["    window: it was accepted", "    other: it was accepted"]),
        (both("no", "1: 2"), ['    window: "no"', '    other: "1: 2"']),
        (both("9 bytes (really 900)", "9 bytes"), ["  seen: 9 bytes"]),
        (
            [replace(ran(V, name="trace:x", kind=CheckKind.TRACE)[0], seen="otherwise at 3 of them, first at s1")],
            ["    trace:x: {from: 1, to: 3, unit: of them}"],
        ),
        (
            [shows("10 left"), shows("10 left", "topic"), shows("11 left", "topic, killed once")],
            ["    window: 10 left", "    window (topic, killed once): 11 left"],
        ),
        ([shows("10 left"), shows("10 left", "topic")], ["  seen: 10 left"]),
        ([shows("10 left", "topic"), shows("10 left", "topic, shared")], ["    window (topic): 10 left"]),
    ],
)  # fmt: skip
def test_a_new_file_excuses_the_run_that_it_was_written_from(
    tmp_path: Path, checks: list[Check], lines: list[str]
) -> None:
    path = tmp_path / "known.yaml"
    said, code = written(path, whole(*checks))
    assert said == (f"added {RULE}, whose reason is to be filled in",)
    assert code is ExitCode.OK
    text = path.read_text(encoding="utf-8").replace('"violated: 1000 credits"', "'violated: 1000 credits'")
    assert set(lines) <= set(text.splitlines()), text
    assert text.splitlines()[4:7] == ["implementation: artemis", "version: 2.44.0", "deviations:"]


def test_until_a_reason_is_given_the_run_and_its_badge_say_so(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    made = whole(*both())
    declare(made, path, catalogue(), whole_run=True)
    each = applied(read_deviations(path, catalogue()), made.implementations[0], today=TODAY)
    excused = replace(made, implementations=(each,), footer=footer((each,)))
    assert f"whose reason or link is still to be filled in: {RULE}." in " ".join(known.sentences(excused))
    assert badge.badge_of(excused).message.endswith("1 declared without a reason")


@pytest.mark.parametrize(("version", "reason"), [(">=2.40", "of a trace"), ("2.43.0", TO_FILL_IN)])
def test_the_reason_of_a_range_is_taken_over_for_the_same_version_only(
    version: str, reason: str, tmp_path: Path
) -> None:
    newer, path = tmp_path / "newer.yaml", tmp_path / "known.yaml"
    entry = f"{{rule: {RULE}, reason: of a trace, link: l, figures: {{other: {{from: 1, to: 5, unit: of them}}}}}}"
    newer.write_text(f"implementation: artemis\nversion: '{version}'\ndeviations: [{entry}]\n", encoding="utf-8")
    made = whole(replace(ran(V, name="other")[0], seen="otherwise at 3 of them", kind=CheckKind.TRACE))
    declare(made, path, catalogue(), whole_run=True, elsewhere=[newer])
    (taken,) = read_deviations(path, catalogue())
    assert taken.reason == reason


def test_the_command_in_a_new_file_can_be_pasted_into_a_shell(tmp_path: Path) -> None:
    path, made = tmp_path / "known ones.yaml", whole(*both())
    profile = replace(made.implementations[0].implementation, profile="cmd:node mybroker.js")
    declare(
        replace(made, implementations=(replace(made.implementations[0], implementation=profile),)),
        path, catalogue(), whole_run=True,
    )  # fmt: skip
    (command,) = (line for line in path.read_text(encoding="utf-8").splitlines() if "tidegate run" in line)
    assert shlex.split(command, comments=False)[1:] == [
        *("tidegate", "run", "--adapter", "cmd:node mybroker.js", "--known-deviations", str(path)),
    ]


def test_the_last_line_of_a_run_counts_the_known_deviations() -> None:
    made = whole(*ran(V))
    each = applied([declared()], made.implementations[0], today=TODAY)
    excused = replace(made, implementations=(each,), footer=footer((each,)))
    assert view.outcome(excused).startswith("1 violated, 0 unknown, 1 known deviation")


WRITTEN_BY_HAND = f"""\
# ours

implementation: artemis
version: ">=2.40"
deviations:
# the window
- rule: {RULE}
  reason: it is so  # since 2.1
  link: https://example.org/1
  expires: 2027-01-31
  figures:
    window: 10 left
    other: {{from: 1, to: 5, unit: ms}}

- implementation: Qpid
  version: 10.1.0
  rule: QPID-QUEUE-1
  reason: not ours
  link: l
  seen: s
"""


def test_reasons_and_links_that_a_person_wrote_stay(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(WRITTEN_BY_HAND, encoding="utf-8")
    assert written(path, whole(*both("10 left", "2 ms"))) == ((), ExitCode.OK)
    assert path.read_text(encoding="utf-8") == WRITTEN_BY_HAND
    said, code = written(path, whole(*both("11 left", "7 ms")))
    assert (said, code) == ((f"changed the figure of {RULE}",), ExitCode.OK)
    changed = WRITTEN_BY_HAND.replace("10 left", "11 left").replace("to: 5", "to: 7")
    assert path.read_text(encoding="utf-8") == changed
    declare(whole(*both("11 left", "0.5 ms")), path, catalogue(), whole_run=True)
    assert path.read_text(encoding="utf-8") == changed.replace("from: 1", "from: 0.5")


@pytest.mark.parametrize(
    ("checks", "whole_run", "said"),
    [
        (ran(K, name="window") + ran(K, name="other"), True, (f"dropped {RULE}, which is kept",)),
        (ran(K, name="window") + ran(K, name="other"), False, ()),
        (ran(U, name="window") + ran(K, name="other"), True, ()),
        (both("10 left")[:1], True, (f"changed the figure of {RULE}",)),
        (ran(V, name="third"), True, (
            f"dropped {RULE}, whose declared checks are kept", f"added {RULE}, whose reason is to be filled in")),
    ],
)  # fmt: skip
def test_a_deviation_that_is_gone_is_dropped_and_named(
    tmp_path: Path, checks: list[Check], whole_run: bool, said: Sequence[str]
) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(WRITTEN_BY_HAND, encoding="utf-8")
    assert declare(whole(*checks), path, catalogue(), whole_run=whole_run) == said
    kept = [one.rule for one in read_deviations(path, catalogue())]
    assert (RULE in kept) == ("which is kept" not in " ".join(said))
    assert "QPID-QUEUE-1" in kept
    assert path.read_text(encoding="utf-8").startswith("# ours\n")


def test_a_plain_list_stays_a_plain_list(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(ENTRY + "  check: window\n  seen: 10 left\n", encoding="utf-8")
    said, code = written(path, whole(*both("10 left", "9 left")))
    assert (said, code) == ((f"added {RULE}, whose reason is to be filled in",), ExitCode.OK)
    first, second = read_deviations(path, catalogue())
    assert (first.by_check, second.reason, second.version) == ({"window": "10 left"}, TO_FILL_IN, "2.44.0")


@pytest.mark.parametrize("version", ["1.2.0-SNAPSHOT", "qpid-0.18", "a1b2c3d", "0.18", "2026-11-20"])
def test_a_deviation_is_declared_for_a_version_however_the_version_is_written(tmp_path: Path, version: str) -> None:
    made = whole(*ran(V))
    (each,) = made.implementations
    named = replace(each, implementation=replace(each.implementation, version=version))
    assert written(tmp_path / "known.yaml", replace(made, implementations=(named,)))[1] is ExitCode.OK
    other = replace(each, implementation=replace(each.implementation, version=f"{version}1"))
    assert not read_deviations(tmp_path / "known.yaml", catalogue())[0].concerns(other.implementation)


def test_a_run_that_keeps_everything_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    assert declare(whole(*ran(K)), path, catalogue(), whole_run=True) == ()
    assert not path.exists()


# what follows from a declared rule

CAUSE, FOLLOWER, OTHER = "QPID-QUEUE-2", "QPID-QUEUE-5", "QPID-QUEUE-10"


def with_followers(*rules: str) -> Report:
    """A run in which one rule is violated, and these other rules follow from it."""
    made = whole(*ran(V))
    (each,) = made.implementations
    cause = replace(each.verdicts[0], rule=CAUSE)
    follow = (replace(cause, rule=rule, verdict=Verdict.FOLLOWS, follows_from=(CAUSE,)) for rule in rules)
    return replace(made, implementations=(replace(each, verdicts=(cause, *follow)),))


def test_what_follows_is_named_with_its_cause_and_is_no_entry_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    made = with_followers(FOLLOWER)
    assert f"changed what follows from {CAUSE}: {FOLLOWER}" in declare(made, path, catalogue(), whole_run=True)
    (entry,) = read_deviations(path, catalogue())
    assert (entry.rule, entry.also) == (CAUSE, (FOLLOWER,))
    assert f"also: [{FOLLOWER}]" in path.read_text()
    assert declare(made, path, catalogue(), whole_run=True) == ()
    found = applied([entry], made.implementations[0], today=TODAY)
    assert [one.state for one in found.declared] == [DeviationState.HOLDS]
    assert exit_code([found]) is ExitCode.OK
    declare(with_followers(), path, catalogue(), whole_run=True)
    assert read_deviations(path, catalogue())[0].also == ()


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ((FOLLOWER, OTHER), f"{OTHER} follows from it too, and is not declared"),
        ((), f"{FOLLOWER} does not follow from it any more"),
    ],
)
def test_an_entry_covers_what_it_says_to_follow_and_nothing_else(rules: tuple[str, ...], why: str) -> None:
    (each,) = with_followers(*rules).implementations
    entry = declared(rule=CAUSE, also=[FOLLOWER], seen=each.verdicts[0].checks[0].seen)
    (one,) = applied([entry], each, today=TODAY).declared
    assert (one.state, one.why) == (DeviationState.CHANGED, why)


@pytest.mark.parametrize(("whole_run", "state"), [(False, DeviationState.HOLDS), (True, DeviationState.CHANGED)])
def test_in_a_part_a_rule_may_follow_from_another_declared_cause(whole_run: bool, state: DeviationState) -> None:
    (each,) = with_followers(FOLLOWER).implementations
    seen = each.verdicts[0].checks[0].seen
    entries = [declared(rule=CAUSE, also=[OTHER], seen=seen), declared(rule="QPID-QUEUE-3", also=[FOLLOWER], seen=seen)]
    found = applied(entries, each, today=TODAY, whole_run=whole_run).declared
    assert found[0].state is state
    (alone,) = applied(entries[:1], each, today=TODAY, whole_run=False).declared
    assert (alone.state, alone.why) == (DeviationState.CHANGED, f"{FOLLOWER} follows from it too, and is not declared")


def test_what_several_declarations_say_of_an_undeclared_check_is_told_once() -> None:
    named = {"seen": None, "figures": {"window": "violated: 1000 credits"}}
    entries = [declared(**named), declared(**named, reason="another cause")]
    undeclared = replace(ran(V, name="another check")[0], rules=("ARTEMIS-AMQP-2",))
    found = applied(entries, report(judged([*ran(V), undeclared])), today=TODAY)
    assert len(found.deviations_gone) == 1
    assert "another check is violated too, and not declared" in found.deviations_gone[0]


# what is committed

COMMITTED = sorted(path.parent for path in (ROOT / "reports").glob("*/known-deviations.yaml"))
OF_STOPPED_PRODUCERS = (1, 2, 4, 5, 8, 9, 10, 11, 12, 19, 22, 23, 25, 26, 30, 32, 41, 43, 50)
NOT_JUDGED = {
    "qpid-0.18": {"QPID-CLIENT-6"},
    "qpid-6.1.7": {"QPID-CLIENT-6"},
    "qpid-10.1.0": {"GENERAL-52"},
    "artemis-stomp-2.44.0": {f"GENERAL-{number}" for number in OF_STOPPED_PRODUCERS},
}
"""For each report, the rules that its run could not judge: after a failed send, a transaction of Qpid gives no answer;
an exchange stops no producer by AMQP 1.0; and no producer by STOMP is ever stopped."""


@pytest.mark.parametrize("folder", COMMITTED, ids=lambda folder: folder.name)
def test_every_committed_report_ends_well_under_its_deviations(folder: Path) -> None:
    entries = read_deviations(folder / "known-deviations.yaml", catalogue())
    (each,) = read_report(folder / "report.json").implementations
    found = applied(entries, each, today=TODAY)
    assert {one.state for one in found.declared} == {DeviationState.HOLDS}
    assert len(found.declared) == len(entries)
    assert all(one.explained for one in found.declared)
    unknown = {verdict.rule: verdict for verdict in found.verdicts if verdict.verdict is Verdict.UNKNOWN}
    assert unknown.keys() == NOT_JUDGED.get(folder.name, set())
    is_excused = all(verdict.known_deviation is not None for verdict in unknown.values())
    assert exit_code([found]) is (ExitCode.OK if is_excused else ExitCode.UNKNOWN)
