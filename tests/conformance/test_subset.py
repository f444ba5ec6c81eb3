"""The boundary subset: its checks, and the statement in its report of all that it leaves out."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tests.cli.command import tidegate
from tidegate.catalogue import catalogue
from tidegate.conformance.feature_files import scenarios
from tidegate.conformance.report import html, markdown, terminal
from tidegate.conformance.report.store import read_report
from tidegate.conformance.report.verdicts import judge
from tidegate.conformance.report.view import rows
from tidegate.conformance.selection import Selection
from tidegate.conformance.subset import boundary
from tidegate.record.report import CheckKind, Report
from tidegate.record.verdict import Verdict

SENTENCE = "Only the boundary subset ran: "


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("subset")
    adapter = "reference:qpid-0.18"
    ended = tidegate("run", "--adapter", adapter, "--subset", "boundary", "--report", "out", folder=folder)
    assert ended.returncode == 0, ended.stderr
    assert SENTENCE.lower() in ended.stdout
    return folder / "out" / "report.json"


@pytest.fixture(scope="module")
def report(run: Path) -> Report:
    return read_report(run)


def test_every_outline_with_three_points_is_in_it_but_for_bursts_and_nothing_random() -> None:
    three = {scenario.check for scenario in scenarios() if scenario.examples >= 3}
    assert "a_queue_is_overfull_only_above_its_capacity" in three
    assert boundary().scenarios <= three
    assert three - boundary().scenarios == {
        "many_producers_who_send_at_once_overshoot_by_no_more_messages_than_they_hold_credits",
        "producers_who_attach_while_an_address_fills_overshoot_by_no_more_messages_than_they_hold_credits",
    }
    assert boundary().takes(
        ("QPID-QUEUE-1",), "a_queue_is_overfull_only_above_its_capacity[999-free]", CheckKind.SCENARIO
    )
    assert boundary().takes(("QPID-QUEUE-1",), "vector[x]", CheckKind.VECTOR)
    assert not boundary().takes(("QPID-QUEUE-1",), "random_sends", CheckKind.STATEFUL)
    assert not boundary().takes(("GENERAL-1",), "vector[x]", CheckKind.VECTOR)


def test_the_names_of_scenarios_are_those_of_the_checks_that_ran(report: Report) -> None:
    ran = {check.check.partition("[")[0] for verdict in report.implementations[0].verdicts for check in verdict.checks}
    of_qpid = {one.check for one in scenarios() if one.has_three_points and one.rules[0].startswith("QPID-QUEUE")}
    assert len(of_qpid) >= 5
    assert of_qpid <= ran


def test_a_rule_that_the_subset_leaves_out_is_named_and_has_no_verdict(report: Report) -> None:
    each = report.implementations[0]
    judged = {verdict.rule: verdict.verdict for verdict in each.verdicts}
    assert report.subset == "boundary"
    assert {"QPID-QUEUE-9", "QPID-LOG-1", "GENERAL-1"} <= set(each.left_out)
    assert judged["QPID-QUEUE-1"] is Verdict.KEPT
    assert judged["ARTEMIS-AMQP-1"] is Verdict.NOT_CLAIMED
    assert set(judged) | set(each.left_out) == set(catalogue())
    assert set(judged).isdisjoint(each.left_out)


def test_no_random_sequence_ran(report: Report) -> None:
    kinds = {check.kind for verdict in report.implementations[0].verdicts for check in verdict.checks}
    assert kinds == {CheckKind.SCENARIO, CheckKind.VECTOR, CheckKind.TRACE}


def test_every_rendering_says_that_it_is_a_part(report: Report) -> None:
    console = Console(width=200, record=True, file=StringIO())
    terminal.show(report, console)
    for text in (console.export_text(), html.render(report), markdown.render(report)):
        # the terminal says so in its last line, after the counts
        said = f"{SENTENCE}{len(report.implementations[0].left_out)} claimed rules are not judged"
        assert said.lower() in text.lower()


def test_a_rule_that_one_leaves_out_and_no_other_claims_has_no_row(report: Report) -> None:
    rule = catalogue()["QPID-QUEUE-9"]
    other = replace(report.implementations[0], verdicts=(judge(rule, (), ()),), left_out=())
    both = replace(report, implementations=(report.implementations[0], other))
    assert rule.id not in {row.rule for row in rows(both)}
    assert rule.id in {row.rule for row in rows(replace(both, implementations=(other,)))}


def test_a_second_run_gives_the_same_checks(run: Path, tmp_path: Path) -> None:
    again = tidegate(
        "run", "--adapter", "reference:qpid-0.18", "--subset", "boundary", "--report", "out", "--quiet", folder=tmp_path
    )
    assert again.returncode == 0
    assert _timeless(run) == _timeless(tmp_path / "out" / "report.json")


def test_a_rule_of_the_subset_that_did_not_run_is_not_left_out() -> None:
    selection = Selection(subset=boundary())
    assert not selection.leaves_out("QPID-QUEUE-1", ran=False)
    assert selection.leaves_out("QPID-QUEUE-9", ran=False)
    assert not selection.leaves_out("QPID-QUEUE-9", ran=True)
    assert not Selection().leaves_out("QPID-QUEUE-9", ran=False)
    assert not selection.is_whole and Selection().is_whole


def _timeless(path: Path) -> Any:
    content = json.loads(path.read_text(encoding="utf-8"))
    del content["command"]
    for each in content["implementations"]:
        del each["started"], each["seconds"]
    return content


def test_no_two_scenarios_have_one_name() -> None:
    """A scenario's name is the name of its check: the second of two equal names would get a number that may change."""
    names = [scenario.check for scenario in scenarios()]
    assert len(names) == len(set(names))
