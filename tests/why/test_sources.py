"""Logs of several brokers beside each other: each line that lets producers go is about the broker whose log has it."""

import io

import pytest

from tidegate.why.answer import Answer, Asked, State, answer
from tidegate.why.reading import read
from tidegate.why.sources import name, origin

AT = "2026-11-26 10:{} INFO  [org.apache.activemq.artemis.core.server] "
STARTED = AT + "AMQ221000: live Message Broker is starting with configuration Broker Configuration (x=y)"
STOPPED = (
    AT + "AMQ222183: Blocking message production on address 'orders'; size is currently: 600,000 bytes; max-size-bytes "
    "on address: 500,000, global-max-size is 500,000"
)
FREED = (
    AT + "AMQ221046: Unblocking message production on address 'orders'; size is currently: 400,000 bytes; "
    "max-size-bytes: 500,000"
)
QUIET = AT + "AMQ221038: nothing that tells of a limit"
BLOCKED_NODE = (STARTED.format("00:00,100"), STOPPED.format("01:00,100"), QUIET.format("09:00,100"))
FREE_NODE = (
    STARTED.format("00:00,200"),
    STOPPED.format("02:00,100"),
    FREED.format("05:00,100"),
    QUIET.format("08:00,1"),
)


def told(**files: tuple[str, ...]) -> Answer:
    """The answer for files by name; two underscores stand for a dot."""
    opened = [(one.replace("__", "."), io.BytesIO("\n".join(lines).encode())) for one, lines in files.items()]
    return answer(read(opened), Asked())


@pytest.mark.parametrize("order", [("a__log", "b__log"), ("b__log", "a__log")])
def test_a_release_in_the_log_of_another_node_ends_nothing(order: tuple[str, str]) -> None:
    files = {order[0]: BLOCKED_NODE, order[1]: FREE_NODE}
    found = told(**files)
    assert found.state is State.BLOCKED
    assert found.held is not None
    assert (found.held.file, found.held.since) == (order[0].replace("__", "."), "2026-11-26 10:01:00,100")


def test_nodes_that_are_both_blocked_are_told_apart() -> None:
    found = told(a__log=BLOCKED_NODE, b__log=FREE_NODE[:2] + FREE_NODE[3:])
    assert found.held is not None
    assert (found.held.file, found.others, found.beside) == (
        "b.log",
        1,
        ("orders of a.log since 2026-11-26 10:01:00,100",),
    )


def test_a_restart_of_another_node_ends_nothing_and_one_in_the_next_file_of_the_log_does() -> None:
    late = (STARTED.format("20:00,100"),)
    assert told(a__log=BLOCKED_NODE, b__log=(STARTED.format("00:00,200"), *late)).state is State.BLOCKED
    assert told(a__log__1=BLOCKED_NODE, a__log=late).state is State.NOT_BLOCKED


def test_a_stop_goes_on_over_a_rotation_and_ends_there() -> None:
    assert told(a__log__1=BLOCKED_NODE, a__log=(FREED.format("20:00,100"),)).state is State.NOT_BLOCKED
    again = (STOPPED.format("12:00,100"), FREED.format("20:00,100"))
    assert told(a__log__1=BLOCKED_NODE, a__log=again).state is State.NOT_BLOCKED


def test_what_was_searched_for_in_one_log_twice_is_one_log() -> None:
    found = told(stops=(STOPPED.format("01:00,100"), STOPPED.format("12:00,100")), frees=(FREED.format("13:00,100"),))
    assert found.state is State.NOT_BLOCKED


def test_a_log_without_lines_of_releases_does_not_tell_whether_a_stop_still_holds() -> None:
    found = told(a__log=(STOPPED.format("01:00,100"), STOPPED.format("12:00,100")))
    assert found.held is not None
    assert found.held.since == "2026-11-26 10:12:00,100"
    assert found.held.caveat.startswith("no line tells the end of the stop before, at 2026-11-26 10:01:00,100")
    twice = told(a__log=(STOPPED.format("01:00,100"), STOPPED.format("01:00,100")))
    assert twice.held is not None and twice.held.caveat == ""
    ended = (STOPPED.format("01:00,100"), FREED.format("05:00,100"), STOPPED.format("12:00,100"))
    again = told(a__log=ended)
    assert again.held is not None and again.held.caveat == ""


NAMED = {
    "compose": "broker-{}  | ",
    "kubectl": "[pod/broker-{}/broker] ",
    "stern": "broker-{} broker ",
    "journald": "Nov 26 10:00:01 mq{} artemis[812]: ",
    "rsyslog": "2026-11-26T10:00:01.345678+01:00 mq{} artemis[812]: ",
}


@pytest.mark.parametrize("front", NAMED.values(), ids=NAMED)
def test_lines_of_several_nodes_in_one_file_are_told_apart_by_what_stands_in_front(front: str) -> None:
    node, other = ([front.format(number) + line for line in BLOCKED_NODE + FREE_NODE] for number in (1, 2))
    found = told(a__log=(node[0], node[1], other[4], other[5]))
    assert found.state is State.BLOCKED
    assert found.held is not None and found.held.line == 2
    assert told(a__log=(node[0], node[1], node[4], node[5])).state is State.NOT_BLOCKED
    restarted = (node[0], node[1], other[3])
    assert told(a__log=restarted).state is State.BLOCKED
    assert told(a__log=(*restarted, node[3])).state is State.NOT_BLOCKED


def test_the_level_that_a_wrapper_has_in_front_is_no_node() -> None:
    lines = (f"WARN   | jvm 1    | {BLOCKED_NODE[1]}", f"INFO   | jvm 1    | {FREE_NODE[2]}")
    assert told(a__log=lines).state is State.NOT_BLOCKED


def test_a_pod_of_a_deployment_is_the_same_after_a_restart() -> None:
    first, second = (f"[pod/mq-7d9f8b6c5d-{pod}/broker] " for pod in ("x2x4z", "9bq7k"))
    assert told(a__log=(first + BLOCKED_NODE[1], second + STARTED.format("03:00,1"))).state is State.NOT_BLOCKED


@pytest.mark.parametrize(
    "file",
    [
        "log/broker.log.1",
        "log/broker.log.2.gz",
        "log/broker-2026-11-21.log",
        "log/broker.log.2026-11-21-07",
        "log/broker.log",
    ],
)
def test_rotated_files_have_the_name_of_their_log(file: str) -> None:
    assert name(file) == "log/broker"
    assert name(file) != name(file.replace("broker", "broker2"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("warn  | queue is full", ""),
        ("info-desk-1  | queue is full", "info-desk-1"),
        ("broker | queue is full", "broker"),
    ],
)
def test_a_level_in_front_of_a_bar_is_no_source(line: str, expected: str) -> None:
    assert origin(line) == expected


@pytest.mark.parametrize("names", [("[mq-a] ", "[mq-b] "), ("site=east ", "site=west "), ("12:a> ", "13:b> ")])
def test_a_name_of_no_known_form_tells_nodes_apart_if_both_block_one_place(names: tuple[str, str]) -> None:
    one, other = names
    lines = (one + STOPPED.format("01:00,100"), other + STOPPED.format("02:00,100"), other + FREED.format("03:00,100"))
    found = told(a__log=lines)
    assert found.held is not None
    assert (found.state, found.held.since) == (State.BLOCKED, "2026-11-26 10:01:00,100")
    ended = told(a__log=(*lines, one + FREED.format("04:00,100")))
    assert ended.state is State.NOT_BLOCKED


def test_threads_and_levels_in_front_of_the_time_are_no_nodes() -> None:
    lines = ("WARN [t-1] " + STOPPED.format("01:00,100"), "INFO [t-2] " + FREED.format("02:00,100"))
    assert told(a__log=lines).state is State.NOT_BLOCKED
    again = ("12:" + STOPPED.format("01:00,100"), "19:" + STOPPED.format("02:00,100"))
    found = told(a__log=again)
    assert found.held is not None and found.held.caveat.startswith("no line tells the end of the stop before")
