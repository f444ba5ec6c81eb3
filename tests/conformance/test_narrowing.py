"""A violation under several conditions is repeated under fewer, and names the conditions that it needs."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.broken_elsewhere import NeverStopsOnATopic
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Limits, Outcome
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import catalogue
from tidegate.conformance.conditions import narrowing
from tidegate.conformance.report.verdicts import judge
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.subject import Subject
from tidegate.model.mechanisms import qpid
from tidegate.record.report import CheckResult, RuleVerdict

RULE = "GENERAL-11"
SCENARIO = "what_a_closed_consumer_was_handed_takes_space_until_another_one_has_it"


class StopsNobodyInTransactionsOnTopics(QpidReference):
    """Messages that a transaction commits to a topic block no producer."""

    def __init__(self) -> None:
        super().__init__()
        self._is_topic = False

    def declare_topic(self, destination: str, limits: Limits) -> None:
        self._is_topic = True
        super().declare_topic(destination, limits)

    def commit(self, producer: str) -> Outcome:
        outcome = super().commit(producer)
        if self._is_topic:
            held = dict.fromkeys(self._state.queues, False)
            self._state = replace(self._state, holds={**self._state.holds, qpid.ChannelName(producer): held})
        return outcome

    def end_scenario(self) -> None:
        self._is_topic = False
        super().end_scenario()


def ran(cls: type, folder: Path, *values: str) -> Subject:
    """The subject after one check under all of these values, with the repetitions under fewer."""
    name = f"{SCENARIO} ({', '.join(values)})"
    conformance = run_suite(
        {cls.__name__: cls}, needs_of, folder, selection=Selection(checks=(name,)), judge_traces=False, narrows=True
    )
    assert conformance.errors == []
    return conformance.subjects[0]


def verdict_on(subject: Subject, rule: str) -> RuleVerdict:
    return judge(catalogue()[rule], [each for each in subject.checks if rule in each.rules], subject.capabilities)


ROW = ("topic", "transacted", "persistent", "drained once", "last first")


@pytest.mark.parametrize(
    ("cls", "needed"),
    [(NeverStopsOnATopic, ("topic",)), (StopsNobodyInTransactionsOnTopics, ("topic", "transacted"))],
)
def test_a_verdict_names_just_what_its_violation_needs(cls: type, needed: tuple[str, ...], tmp_path: Path) -> None:
    subject = ran(cls, tmp_path, *ROW)
    assert verdict_on(subject, "GENERAL-20").only_under == needed
    assert subject.not_tried == []


def test_what_is_kept_is_not_run_again(tmp_path: Path) -> None:
    assert [check.result for check in ran(QpidReference, tmp_path, *ROW).checks] == [CheckResult.KEPT]


def test_what_was_not_run_again_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "MOST", 2)
    subject = ran(NeverStopsOnATopic, tmp_path, *ROW)
    assert len({check.check for check in subject.checks}) == 1 + 2
    assert len(subject.not_tried) == 1 + len(ROW) - 2
    assert subject.not_tried[0] == f"{SCENARIO} (transacted): at most 2 checks are run again"
