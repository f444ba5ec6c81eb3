"""The log of RabbitMQ: alarms of a node, in records of several lines; no rule judges them."""

import pytest

from tests.pipeline.real_logs import read, read_lines
from tidegate.model.language.judge import Judge
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.record.events import Event, Kind

NODE = "tidegatelogs@localhost"
BANNER = [
    "",
    "**********************************************************",
    "*** Publishers will be blocked until this alarm clears ***",
    "**********************************************************",
    "",
]
ALARM = "2020-11-25 22:03:29.746 [warning] <0.375.0> disk resource limit alarm set on node rabbit@one."
"""As 3.7 and 3.8 write it: only the first line of a record has a time."""
OLD_ALARM = [
    "=WARNING REPORT==== 2-Sep-2020::17:52:40 ===",
    "memory resource limit alarm set on node rabbit@one.",
    *BANNER,
]
"""As versions before 3.7 write it: the time stands in a line of its own."""


def test_alarms_of_memory_and_disk_are_events_of_the_node() -> None:
    log = read("rabbitmq/rabbitmq-3.10.8.log")
    assert log.form == "rabbitmq log"
    assert [
        (each.kind, each.cause) for each in log.events.values() if each.destination == NODE
    ] == [
        (Kind.OVERFULL, "memory"), (Kind.UNDERFULL, "memory"),
        (Kind.OVERFULL, "disk"), (Kind.OVERFULL, "memory"), (Kind.UNDERFULL, "disk"), (Kind.UNDERFULL, "memory"),
        (Kind.OVERFULL, "disk"), (Kind.UNDERFULL, "disk"),
    ]  # fmt: skip
    assert log.figures(8) == {"kind": Kind.OVERFULL, "destination": NODE, "cause": "memory"}
    assert log.events[8].time == 1_795_289_437_916


def test_the_memory_in_use_is_a_level_with_its_limit() -> None:
    assert read("rabbitmq/rabbitmq-3.10.8.log").figures(7) == {
        "kind": Kind.LEVEL, "bytes": 122_789_888, "limit": 25_274_793, "cause": "memory",
    }  # fmt: skip


def test_every_other_line_of_a_real_log_is_ignored() -> None:
    log = read("rabbitmq/rabbitmq-3.10.8.log")
    assert (len(log.events), log.ignored, log.put_aside) == (13, 42, {})


def test_no_rule_judges_it() -> None:
    assert rules_of("rabbitmq log") == ()
    assert read("rabbitmq/rabbitmq-3.10.8.log").outcomes() == {}
    assert list(Judge(()).judge(Event(source="log", seq=1, time=0, kind=Kind.OVERFULL))) == []


@pytest.mark.parametrize(
    ("lines", "line", "time", "cause"),
    [([ALARM, *BANNER], 1, 1_606_341_809_746, "disk"), (OLD_ALARM, 2, 1_599_069_160_000, "memory")],
    ids=["3.7", "before 3.7"],
)
def test_a_record_of_several_lines_is_one_event_at_the_time_of_its_first(
    lines: list[str], line: int, time: int, cause: str
) -> None:
    log = read_lines(lines, "rabbitmq log")
    assert log.figures(line) == {"kind": Kind.OVERFULL, "destination": "rabbit@one", "cause": cause}
    assert {number: each.time for number, each in log.events.items()} == {line: time}
    assert (log.ignored, log.put_aside) == (len(lines) - 1, {})


@pytest.mark.parametrize(
    ("lines", "line", "field"),
    [
        ([ALARM.replace("disk resource", "file resource")], 1, None),
        ([ALARM.replace(" 22:03", " 29:03")], 1, "time"),
        ([OLD_ALARM[0].replace("Sep", "Set"), OLD_ALARM[1]], 2, "time"),
        ([OLD_ALARM[0].replace(" 2-Sep", " 31-Sep"), OLD_ALARM[1]], 2, "time"),
        ([OLD_ALARM[1]], 1, "time"),
        (["2020-11-25 22:03:29 [info] <0.1.0> vm_memory_high_watermark set. Memory used:1.2 allowed:5"], 1, "used"),
    ],
    ids=["another resource", "no such hour", "no such month", "no such day", "no record begun", "no whole number"],
)
def test_an_alarm_that_cannot_be_read_is_put_aside(lines: list[str], line: int, field: str | None) -> None:
    log = read_lines(lines, "rabbitmq log")
    assert {number: each.field for number, each in log.put_aside.items()} == {line: field}


def test_a_node_that_starts_is_an_event() -> None:
    assert read("rabbitmq/rabbitmq-3.10.8.log").figures(1) == {"kind": Kind.START, "cause": "started"}
