"""The end of every scenario: the general checks there find a fault about which the scenario has no step."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import broken_logs
from tests.conformance.broken_run import needs_of
from tidegate.adapters.base import Adapter
from tidegate.adapters.reference.qpid import QpidReference
from tidegate.catalogue import catalogue
from tidegate.conformance.runner import run_suite
from tidegate.conformance.selection import Selection
from tidegate.conformance.strength.broker import Behaviour, as_it_is, broken
from tidegate.conformance.strength.levels import FREES, ChangesSize
from tidegate.conformance.strength.mechanisms import MECHANISMS
from tidegate.conformance.strength.messages import Drops, Refuses
from tidegate.conformance.strength.triggers import ALWAYS, TRIGGERS
from tidegate.conformance.trace_checks import check_trace
from tidegate.model.mechanisms import qpid
from tidegate.model.mechanisms.qpid_log import CHANNEL_RELEASED
from tidegate.record.report import CheckResult

GATE = MECHANISMS[0]
GENERAL = {rule for rule in catalogue() if rule.startswith("GENERAL-")}
TOPIC = next(trigger for trigger in TRIGGERS if trigger.name == "topic")
DRAINED_ONCE = next(trigger for trigger in TRIGGERS if trigger.name == "drained-once")
THIRD = next(trigger for trigger in TRIGGERS if trigger.name == "third-producer")
FILLED = "whoever_goes_on_sending_to_a_destination_with_a_limit_is_stopped[3]"
ROOM = "a_message_for_which_there_is_room_is_accepted[400]"
DELIVERED_ONCE = "trace:accepted_is_delivered_once"
RELEASED = "consumption_releases_every_producer_that_waits[1]"
OF_TWO_QUEUES = "a_producer_stopped_by_two_queues_is_released_only_when_both_have_become_underfull"
IGNORES = "a_client_that_ignores_the_order_sends_on[1-1-1002]"
TWICE = "a_destination_that_was_emptied_takes_as_many_messages_as_a_new_one"
IN_HAND = "a_latecomer_is_stopped_by_what_a_consumer_has_in_hand"


def frees_nothing() -> Behaviour:
    return ChangesSize(ALWAYS, GATE.freed["acknowledge"], FREES[0][2])


@pytest.mark.parametrize(
    ("check", "fault", "rule"),
    [
        pytest.param(ROOM, partial(Drops, ALWAYS), "GENERAL-2", id="accepted and nowhere"),
        pytest.param(FILLED, partial(Drops, THIRD), "GENERAL-2", id="accepted and nowhere, more than is consumed"),
        pytest.param(RELEASED, partial(Refuses, DRAINED_ONCE), "GENERAL-21", id="refused once it is empty again"),
        pytest.param(IN_HAND, frees_nothing, "GENERAL-3", id="full after all was acknowledged"),
    ],
)
def test_a_fault_of_which_no_step_speaks_is_found(
    check: str, fault: Callable[[], Behaviour], rule: str, tmp_path: Path
) -> None:
    assert violated(partial(broken, QpidReference, fault), check, tmp_path / "broken") >= {rule}
    assert violated(partial(as_it_is, QpidReference), check, tmp_path / "right") == set()


@pytest.mark.parametrize(
    ("check", "broker", "rule"),
    [
        (OF_TWO_QUEUES, broken_logs.LogsAReleaseForEachQueue, "QPID-LOG-4"),
        (TWICE, broken_logs.LogsTheFirstStopOnly, "QPID-LOG-2"),
        (RELEASED, broken_logs.LogsOverfullTwice, "QPID-LOG-1"),
        (RELEASED, broken_logs.LogsUnderfullTwice, "QPID-LOG-3"),
    ],
)
def test_a_log_that_contradicts_what_was_seen_is_found(
    check: str, broker: type[QpidReference], rule: str, tmp_path: Path
) -> None:
    assert violated(partial(broker), check, tmp_path / "broken") == {rule}
    assert violated(partial(QpidReference), check, tmp_path / "right") == set()


class LogsReleasesOfOldClients(QpidReference):
    """Writes a line for a client that ignores orders, whose stops and releases nobody sees."""

    def open_producer(self, producer: str, connection: str, *further: Any) -> None:
        super().open_producer(producer, connection, *further)
        if not self._clients[producer].options.obeys:
            self._log(self._actors[qpid.ChannelName(producer)], CHANNEL_RELEASED)


def test_lines_about_a_client_that_ignores_orders_are_not_counted(tmp_path: Path) -> None:
    assert violated(LogsReleasesOfOldClients, IGNORES, tmp_path) == set()


def violated(make: Callable[[], Adapter], check: str, folder: Path) -> set[str]:
    """The rules that the check or its trace violates."""
    run = run_suite({"broker": make}, needs_of, folder, selection=Selection(checks=(check,)), judge_traces=False)
    assert run.errors == []
    (subject,) = run.subjects
    found = [*subject.checks, *check_trace(subject.trace_path, GENERAL.__contains__, subject.name, run.replay)]
    return {rule for each in found if each.result is CheckResult.VIOLATED for rule in each.rules}


def test_a_trace_rule_names_its_scenarios_and_the_conditions_that_they_share(tmp_path: Path) -> None:
    checks = (ROOM, f"{ROOM} (topic)", f"{ROOM} (topic, purged once)")
    lost = {
        "on topics": (partial(Drops, TOPIC), checks[1:], ("destination: topic",)),
        "everywhere": (partial(Drops, ALWAYS), checks, ()),
    }
    for name, (fault, scenarios, conditions) in lost.items():
        make = partial(broken, QpidReference, fault)
        selected = Selection(checks=(*checks, DELIVERED_ONCE))
        run = run_suite({"broker": make}, needs_of, tmp_path / name, selection=selected)
        (told,) = (each for each in run.subjects[0].checks if each.check == DELIVERED_ONCE)
        assert (told.scenarios, told.conditions) == (scenarios, conditions)
