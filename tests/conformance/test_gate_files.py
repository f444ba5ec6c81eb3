"""The files that the gate of a CI job reads: the score by a requirement set, the badge, JUnit by rule, the summary."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conformance.sample_report import sample_report
from tidegate.catalogue import catalogue
from tidegate.conformance.report import badge, junit, markdown, summary
from tidegate.conformance.report.files import render_for_ci
from tidegate.conformance.report.scoring import scored_by
from tidegate.conformance.report.verdicts import footer
from tidegate.conformance.report.view import outcome
from tidegate.record.errors import ExitCode
from tidegate.record.report import Report
from tidegate.record.verdict import Verdict


def not_green(report: Report) -> set[str]:
    """The rules that are violated or unknown."""
    found = [one for each in report.implementations for one in each.verdicts]
    return {one.rule for one in found if one.verdict in {Verdict.VIOLATED, Verdict.UNKNOWN}}


def none_gone(report: Report) -> Report:
    """The report without declarations that no longer hold."""
    implementations = tuple(replace(each, deviations_gone=()) for each in report.implementations)
    return replace(report, implementations=implementations, footer=footer(implementations))


def all_declared(report: Report) -> Report:
    """The report with all violations declared, and without unknown rules."""
    implementations = tuple(
        replace(each, verdicts=tuple(
            replace(one, known_deviation="so it is") if one.verdict is Verdict.VIOLATED else one
            for one in each.verdicts if one.verdict is not Verdict.UNKNOWN
        ))
        for each in none_gone(report).implementations
    )  # fmt: skip
    return replace(report, implementations=implementations, footer=footer(implementations))


def test_what_is_not_required_is_shown_and_does_not_count() -> None:
    report = none_gone(sample_report())
    assert report.footer.exit_code == ExitCode.VIOLATED
    scored = scored_by(report, "1.0", catalogue().keys() - not_green(report))
    assert scored.footer.exit_code == ExitCode.OK
    assert scored.footer.verdicts == report.footer.verdicts
    assert "violated, not scored" in markdown.render(scored)
    assert outcome(scored).endswith(
        "12 claimed rules are not scored by 1.0, 4 of them violated, 2 of them unknown; exit code 0"
    )


@pytest.mark.parametrize("rule", ["ARTEMIS-AMQP-2", "ARTEMIS-AMQP-9"])
def test_what_is_required_counts(rule: str) -> None:
    scored = scored_by(none_gone(sample_report()), "1.0", {rule})
    assert scored.footer.exit_code == (ExitCode.VIOLATED if rule == "ARTEMIS-AMQP-2" else ExitCode.UNKNOWN)


def test_a_failure_of_tidegate_stays_one_whatever_is_required() -> None:
    report = sample_report()
    failed = replace(report, footer=footer(report.implementations, harness_failed=True))
    assert scored_by(failed, "1.0", set()).footer.exit_code == ExitCode.HARNESS


@pytest.mark.parametrize(
    ("code", "colour", "is_error"),
    [
        (ExitCode.OK, "brightgreen", False),
        (ExitCode.VIOLATED, "red", False),
        (ExitCode.UNKNOWN, "yellow", True),
        (ExitCode.HARNESS, "lightgrey", True),
    ],
)
def test_the_badge_has_the_colour_of_the_exit_code(code: ExitCode, colour: str, is_error: bool) -> None:
    kept = replace(sample_report(), implementations=sample_report().implementations[:1])
    shown = json.loads(badge.render(replace(kept, footer=replace(kept.footer, exit_code=code))))
    assert (shown["schemaVersion"], shown["label"]) == (1, "tidegate")
    assert (shown["color"], shown["isError"]) == (colour, is_error)


def test_the_badge_counts_what_is_scored() -> None:
    report = sample_report()
    assert json.loads(badge.render(report))["message"].startswith("4 violated, 2 unknown, 1 not as declared, ")
    declared = json.loads(badge.render(all_declared(report)))
    assert declared["message"].endswith(" kept, 4 known deviations")
    assert declared["color"] == "green"
    scored = json.loads(badge.render(scored_by(none_gone(report), "1.0", {"ARTEMIS-AMQP-2"})))
    assert scored["label"] == "tidegate 1.0"
    assert scored["message"] == "1 violated, 1 kept, 30 not scored (3 violated, 2 unknown)"


def reference_alone() -> Report:
    """The sample's reference alone, which keeps all claimed rules."""
    report = sample_report()
    implementations = report.implementations[:1]
    return replace(report, implementations=implementations, footer=footer(implementations))


def artemis_without(*verdicts: Verdict) -> Report:
    """The sample's deviating broker alone, with all violations declared, and without verdicts of these kinds."""
    each = all_declared(sample_report()).implementations[1]
    implementations = (replace(each, verdicts=tuple(one for one in each.verdicts if one.verdict not in verdicts)),)
    return replace(sample_report(), implementations=implementations, footer=footer(implementations))


UNSCORED = scored_by(none_gone(sample_report()), "1.0", catalogue().keys() - not_green(sample_report()))


@pytest.mark.parametrize(
    ("report", "colour", "message"),
    [
        (reference_alone(), "brightgreen", "16 kept"),
        (artemis_without(), "green", "10 kept, 4 known deviations"),
        (artemis_without(Verdict.KEPT, Verdict.NOT_USED), "yellowgreen", "0 kept, 4 known deviations"),
        (UNSCORED, "yellowgreen", "20 kept, 12 not scored (4 violated, 2 unknown)"),
        (scored_by(reference_alone(), "1.0", {"GENERAL-1"}), "brightgreen", "1 kept, 15 not scored"),
        (scored_by(reference_alone(), "1.0", set()), "yellowgreen", "0 kept, 16 not scored"),
        (replace(reference_alone(), subset="boundary"), "yellowgreen", "16 kept; only the boundary subset ran"),
        (replace(reference_alone(), selected="--rule X"), "yellowgreen", "16 kept; only --rule X ran"),
    ],
)
def test_the_badge_is_no_brighter_than_what_was_judged(report: Report, colour: str, message: str) -> None:
    shown = badge.badge_of(report)
    assert report.footer.exit_code == ExitCode.OK
    assert (shown.colour, shown.message) == (colour, message)


def test_junit_has_a_case_for_each_rule_that_fails_as_the_run_does() -> None:
    report = sample_report()
    tree = ElementTree.fromstring(junit.render(report))
    reference, artemis = tree.findall("testsuite")
    assert (reference.attrib["failures"], reference.attrib["errors"]) == ("0", "0")
    assert (artemis.attrib["failures"], artemis.attrib["errors"]) == ("5", "2")
    failed = {case.attrib["name"].split()[0] for case in artemis.findall("testcase[failure]")}
    assert failed == {"ARTEMIS-AMQP-2", "ARTEMIS-AMQP-3", "ARTEMIS-AMQP-6", "GENERAL-2", "known"}
    text = next(
        case.findtext("failure") or "" for case in artemis if case.get("name", "").startswith("ARTEMIS-AMQP-2 ")
    )
    assert "expected  100 credits issued at attach\nseen      1000 credits issued at attach" in text
    for excused in (all_declared(report), scored_by(none_gone(report), "1.0", set())):
        assert not ElementTree.fromstring(junit.render(excused)).findall(".//failure")


def test_junit_stays_well_formed_whatever_a_broker_says() -> None:
    report = none_gone(sample_report())
    first, *others = report.implementations
    hostile = replace(first.verdicts[0], verdict=Verdict.UNKNOWN, reason="\x00\x1b[31m]]>&<\ud7ff")
    spoilt = replace(first, verdicts=(hostile, *first.verdicts[1:]))
    tree = ElementTree.fromstring(junit.render(replace(report, implementations=(spoilt, *others))))
    assert tree.find(".//error") is not None


def test_the_summary_is_appended(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("before\n", encoding="utf-8")
    summary.append(sample_report(), path)
    assert path.read_text(encoding="utf-8") == "before\n" + markdown.render(sample_report())


def test_a_summary_too_large_is_cut_at_a_heading_and_says_so(tmp_path: Path) -> None:
    text = markdown.render(sample_report())
    cut = summary.fitted(text, len(text.encode()) - 1)
    assert cut.endswith(summary.CUT)
    assert text.startswith(cut.removesuffix(summary.CUT))
    assert text[len(cut.removesuffix(summary.CUT)) :].lstrip().startswith("#")
    assert len(cut.encode()) < len(text.encode())
    path = tmp_path / "full.md"
    path.write_bytes(b"x" * summary.MOST_BYTES)
    summary.append(sample_report(), path)
    assert path.stat().st_size == summary.MOST_BYTES


def test_a_badge_whose_file_ends_with_svg_is_a_picture_that_says_the_same(tmp_path: Path) -> None:
    report = sample_report()
    render_for_ci(report, badge=tmp_path / "badge.svg", junit=None, summary=None)
    drawn = ElementTree.fromstring((tmp_path / "badge.svg").read_text(encoding="utf-8"))
    shown = badge.badge_of(report)
    assert drawn.get("aria-label") == f"{shown.label}: {shown.message}"
    texts = [each.text for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [shown.label, shown.message]
    fills = {each.get("fill") for each in drawn.iter("{http://www.w3.org/2000/svg}rect")}
    assert fills == {badge.TONES[shown.colour]}
    render_for_ci(report, badge=tmp_path / "badge.json", junit=None, summary=None)
    assert json.loads((tmp_path / "badge.json").read_text())["message"] == shown.message


def test_a_picture_has_a_colour_for_every_badge() -> None:
    assert set(badge.TONES) == {badge.BRIGHT, badge.DECLARED, badge.LESS, *badge.COLOURS.values()}
