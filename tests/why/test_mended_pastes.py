"""Layouts of pastes whose answer was wrong or told too little: times in brackets, pods, lists, tracebacks."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

OVERFULL = "[vh(/)/qu(till)] QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"
UNDERFULL = "[vh(/)/qu(till)] QUE-1004 : Underfull : Size : 700 bytes, Resume Capacity : 800"


def test_a_time_in_brackets_is_no_connection_of_the_broker() -> None:
    found = held(f"INFO  [2026-11-25 12:00:00.001] {OVERFULL}", f"INFO  [2026-11-25 12:00:09.500] {UNDERFULL}")
    assert (found.since, found.until) == ("2026-11-25 12:00:00.001", "2026-11-25 12:00:09.500")


STOP = (
    "{} WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on address 'till'; size "
    "is currently: 2,000 bytes; max-size-bytes on address: 1,000, global-max-size is -1"
)
END = (
    "{} INFO  [org.apache.activemq.artemis.core.server] AMQ221046: Unblocking message production on address 'till'; "
    "size is currently: 200 bytes; max-size-bytes: 1,000"
)


@pytest.mark.parametrize(("other", "state"), [("mq-1", State.BLOCKED), ("mq-0", State.NOT_BLOCKED)])
def test_a_release_of_another_pod_ends_nothing_even_if_that_pod_told_no_stop(other: str, state: State) -> None:
    lines = STOP.format("2026-11-25 10:00:00,100"), END.format("2026-11-25 10:00:05,100")
    assert ask(f"[pod/mq-0/broker] {lines[0]}", f"[pod/{other}/broker] {lines[1]}").state is state


@pytest.mark.parametrize("head", ["{} | CHANGED | rc=0 >>", "==> {}/artemis.log <=="])
@pytest.mark.parametrize(("other", "state"), [("mq-1", State.BLOCKED), ("mq-0", State.NOT_BLOCKED)])
def test_a_head_tells_of_which_node_the_lines_behind_it_are(head: str, other: str, state: State) -> None:
    lines = STOP.format("2026-11-25 10:00:00,100"), END.format("2026-11-25 10:00:05,100")
    assert ask(head.format("mq-0"), lines[0], head.format(other), lines[1]).state is state


def test_the_head_of_a_rotated_file_begins_no_other_node() -> None:
    lines = STOP.format("2026-11-25 10:00:00,100"), END.format("2026-11-25 10:00:05,100")
    assert ask("==> a.log.1 <==", lines[0], "==> a.log <==", lines[1]).state is State.NOT_BLOCKED


def test_an_alarm_ends_by_the_line_of_any_node() -> None:
    told = "2026-11-25 10:00:0{}.000 [warning] <0.337.0> disk resource limit alarm {} on node rabbit@mq-0"
    lines = f"[pod/mq-0/r] {told.format(0, 'set')}.", f"[pod/mq-1/r] {told.format(5, 'cleared')}"
    assert ask(*lines).state is State.NOT_BLOCKED


@pytest.mark.parametrize("item", ["2. `Usage Manager Memory Limit reached` in the log of the broker",
                                  "- `Usage Manager Memory Limit reached`, look into activemq.log"])  # fmt: skip
def test_a_message_in_a_list_of_what_to_look_for_is_no_log(item: str) -> None:
    assert ask("If ActiveMQ hangs:", item).state is State.UNKNOWN


def test_a_message_in_backticks_that_nothing_follows_is_a_log() -> None:
    assert ask("2. `Usage Manager Memory Limit reached`").state is not State.UNKNOWN


def test_a_sender_that_waits_for_credit_has_sent_nothing() -> None:
    line = "proton._exceptions.Timeout: Connection amqp://mq:5672 timed out: Sending on sender till"
    assert "granted no credit" in held(f"{line} waiting for credit").reason
    assert "was sent" in held(line).reason


def test_the_exception_of_a_traceback_knows_more_than_its_stack() -> None:
    found = ask(
        "Traceback (most recent call last):",
        '  File "/till/v/pika/adapters/blocking_connection.py", line 2265, in basic_publish',
        "    self._flush_output()",
        '  File "/till/v/pika/adapters/blocking_connection.py", line 523, in _flush_output',
        "    raise self._closed_result.value.error",
        "pika.exceptions.ConnectionBlockedTimeout: Blocked connection timeout expired.",
    )
    assert found.held is not None
    assert "connection.blocked" in found.held.reason
    assert found.others == 0


QUEUE = [
    "| attribute | value |",
    "|---|---|",
    "| name | till |",
    "| maximumQueueDepthBytes | 1000 |",
    "| queueDepthBytes | 1200 |",
    "| overflowPolicy | PRODUCER_FLOW_CONTROL |",
    "| queueFlowStopped | true |",
]


def test_a_table_of_the_attributes_of_one_queue_of_broker_j_is_read() -> None:
    found = held(*QUEUE)
    assert (found.place, found.limit, found.level) == ("queue till", 1000, 1200)


def test_a_queue_whose_flow_is_not_stopped_stops_nobody() -> None:
    assert ask(*QUEUE[:-1], "| queueFlowStopped | false |").held is None


def test_the_connections_that_a_program_of_python_printed_are_read() -> None:
    line = "[{'name': '10.0.0.9:39110 -> 10.0.0.2:5672', 'state': '%s', 'user': 'till', 'channels': 1}]"
    assert held(line % "blocked").clients == ("10.0.0.9:39110 -> 10.0.0.2:5672",)
    assert ask(line % "running").held is None
