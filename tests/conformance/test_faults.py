"""Faults come last and within their budget, faults that are not tried are reported, and all effects are recorded."""

import re
from pathlib import Path

import pytest

from tests.cli.command import tidegate
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import AdapterError, Limits
from tidegate.adapters.capabilities import FAULTS
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import catalogue
from tidegate.conformance.lab import Lab
from tidegate.conformance.lab.faults import CUT, RESTART
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.record.errors import ExitCode
from tidegate.record.events import Event, Kind
from tidegate.record.report import Check, CheckKind

OF_FAULTS = tuple(rule.id for rule in catalogue().values() if not FAULTS.isdisjoint(rule.needs))
LIMITS = Limits(limit_bytes=1000, resume_bytes=800)


def run(folder: Path, faults: int | None, *rules: str) -> tuple[list[Check], list[str]]:
    selection = Selection(rules=rules, kinds=(CheckKind.SCENARIO,), faults=faults)
    conformance = run_suite({"q": QpidReference}, needs_of, folder, selection=selection, judge_traces=False)
    assert conformance.errors == []
    return conformance.subjects[0].checks, conformance.subjects[0].not_tried


def is_of_faults(check: Check) -> bool:
    return not set(OF_FAULTS).isdisjoint(check.rules)


def ended(folder: Path, *options: str) -> tuple[int, str]:
    words = ("run", "--adapter", "reference:qpid-0.18", "--strength", "0", "--only", "scenario")
    run_here = tidegate(*words, *options, folder=folder)
    return run_here.returncode, run_here.stdout


def test_faults_come_last(tmp_path: Path) -> None:
    checks, _ = run(tmp_path, None, *OF_FAULTS, "GENERAL-3", "QPID-QUEUE-1")
    faults = list(map(is_of_faults, checks))
    assert True in faults
    assert False in faults
    assert faults == sorted(faults)


def test_a_budget_goes_to_each_rule_before_any_is_tried_twice_and_the_rest_is_said(tmp_path: Path) -> None:
    everything, _ = run(tmp_path, None, *OF_FAULTS)
    checks, not_tried = run(tmp_path, len(OF_FAULTS), *OF_FAULTS)
    assert {rule for check in checks for rule in check.rules} == set(OF_FAULTS)
    assert len(checks) == len(OF_FAULTS)
    assert len(not_tried) == len(everything) - len(checks) > 0
    assert all("only 7 checks may kill, pause or cut something (--faults)" in each for each in not_tried)


def test_a_report_says_what_the_budget_left_out(tmp_path: Path) -> None:
    code, said = ended(tmp_path, "--faults", "2", *(word for rule in OF_FAULTS for word in ("--rule", rule)))
    assert code == ExitCode.UNKNOWN
    assert re.search(
        r"\d+ checks not tried because only 2 checks may kill, pause or cut something \(--faults\)\.", said
    )
    assert re.search(r"checks, \d+ more not tried", said)


def test_without_faults_their_rules_are_left_out_and_not_unknown(tmp_path: Path) -> None:
    code, said = ended(tmp_path, "--faults", "0")
    assert code == ExitCode.OK
    assert "only --only scenario --faults 0 ran: 7 claimed rules are not judged;" in said


def test_after_a_restart_nobody_is_attached_and_messages_in_hand_are_back(lab: Lab, events: list[Event]) -> None:
    lab.keep_data()
    lab.declare("destination", LIMITS)
    lab.open_producer("producer", "destination")
    lab.send("producer", 400)
    lab.open_consumer("consumer", "destination")
    taken = lab.take("consumer")
    lab.restart_broker()
    assert not lab.producers
    assert [event.kind for event in events][-4:] == [Kind.CLOSE, Kind.RETURN, Kind.START, Kind.LEVEL]
    assert (events[-4].cause, events[-1].cause, events[-1].messages) == (RESTART, RESTART, 1)
    lab.open_consumer("consumer", "destination")
    assert lab.take("consumer") == taken


def test_a_broker_that_keeps_nothing_is_not_started_again(lab: Lab) -> None:
    lab.declare("destination", LIMITS)
    with pytest.raises(AdapterError, match="only a broker that keeps its data can be restarted"):
        lab.restart_broker()


@pytest.mark.parametrize(("arrives", "messages"), [(True, 1), (False, 0)])
def test_a_cut_ends_its_producer_and_only_a_whole_message_is_there(
    lab: Lab, events: list[Event], arrives: bool, messages: int
) -> None:
    lab.declare("destination", LIMITS)
    lab.make_cuttable("producer")
    lab.open_producer("producer", "destination")
    lab.cut_in_send("producer", 400, arrives=arrives)
    assert not lab.producers
    assert lab.depth("destination").messages == messages
    assert [event.cause for event in events if event.kind is Kind.CLOSE] == [CUT]


def test_a_producer_on_a_stalled_connection_is_not_looked_at(lab: Lab) -> None:
    lab.declare("destination", LIMITS)
    lab.open_producer("producer", "destination")
    lab.open_producer("other", "destination")
    lab.stall("producer")
    before = len(lab.calls)
    lab.send("other", 1)
    assert [call.arguments for call in lab.calls[before:] if call.verb == "standing"] == [("s1.other",)]
    lab.unstall("producer")
    assert lab.in_sight == ("producer", "other")
