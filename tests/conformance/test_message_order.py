"""The order of messages in traces: who sent and who was handed each, and what the trace alone finds."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.conformance.broken_order import HandsOutTheSecondFirst, ReleasesTheLastFirst
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Limits
from tidegate.adapters.reference.artemis import ArtemisReference
from tidegate.adapters.reference.classic import ClassicReference
from tidegate.conformance.lab import Lab
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.trace_checks import check_of
from tidegate.model.language.judge import Judge
from tidegate.model.language.tracing import rules_in
from tidegate.model.traces import general_order
from tidegate.record.events import Event, Kind
from tidegate.record.report import CheckKind, CheckResult

ABOUT_OTHERS = (
    "every_accepted_message_is_delivered_once",
    "every_accepted_message_is_delivered_once (windowed)",
    "every_accepted_message_is_delivered_once (topic)",
)
"""Checks of another rule; in the second of them several messages of one producer wait for room."""


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """The lab with a consumer of a destination that holds a message."""
    lab.declare("destination", Limits(limit_bytes=1000, resume_bytes=800))
    lab.open_producer("producer", "destination")
    lab.send("producer", 400)
    lab.open_consumer("consumer", "destination")
    return lab


def test_a_delivery_names_the_sender_and_the_consumer(lab: Lab, events: list[Event]) -> None:
    lab.take("consumer")
    (taken,) = (event for event in events if event.kind is Kind.TAKE)
    assert (taken.producer, taken.channel, taken.connection) == ("s1.producer", "s1.consumer", None)


def test_messages_go_back_otherwise_if_the_connection_of_their_consumer_broke(lab: Lab, events: list[Event]) -> None:
    lab.take("consumer")
    lab.close_consumer("consumer")
    lab.open_consumer("other", "destination")
    lab.take("other")
    lab.kill("other")
    assert [event.cause for event in events if event.kind is Kind.RETURN] == [None, general_order.BROKEN]


@pytest.mark.parametrize(("cause", "holds"), [(None, [True, True, False]), (general_order.DELAY, [True, True])])
def test_a_message_with_a_delay_may_come_after_messages_that_were_sent_later(
    cause: str | None, holds: list[bool], lab: Lab, events: list[Event]
) -> None:
    for _ in range(2):
        lab.send("producer", 200)
    first, second, third = (event for event in events if event.kind is Kind.SEND)
    sent = [first, replace(second, cause=cause), third]
    taken = [replace(one, kind=Kind.TAKE, seq=third.seq + 1 + turn) for turn, one in enumerate((first, third, second))]
    judge = Judge(rules_in(general_order))
    assert [judgement.holds for event in (*sent, *taken) for judgement in judge.judge(event)] == holds


@pytest.mark.parametrize(
    ("cls", "breaks"),
    [
        (ClassicReference, False),
        (ReleasesTheLastFirst, True),
        (ArtemisReference, False),
        (HandsOutTheSecondFirst, True),
    ],
)
def test_the_trace_of_scenarios_about_another_rule_shows_a_wrong_order(cls: type, breaks: bool, tmp_path: Path) -> None:
    (rule,) = rules_in(general_order)
    selection = Selection(checks=(*ABOUT_OTHERS, check_of(rule)))
    (subject,) = run_suite({cls.__name__: cls}, needs_of, tmp_path, selection=selection).subjects
    violated = [(check.kind, check.rules) for check in subject.checks if check.result is CheckResult.VIOLATED]
    assert violated == ([(CheckKind.TRACE, ("GENERAL-52",))] if breaks else [])
