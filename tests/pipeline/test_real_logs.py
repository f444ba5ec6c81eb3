"""Logs of brokers and clients: each line is an event with its figures, is ignored, or is put aside for a field."""

from typing import Any

import pytest

from tests.pipeline.real_logs import LOGS, read, read_lines
from tidegate.pipeline.read.inputs import inputs
from tidegate.record.events import Kind

TIME = "2026-01-31 23:59:59,123"
PRODUCER = "ID:vm-38693-1795289632962-"
OLD_PRODUCER = "ID:vm-36187-1795289434939-1:"
NODE = "tidegatelogs@localhost"
BANNER = [
    "",
    "**********************************************************",
    "*** Publishers will be blocked until this alarm clears ***",
    "**********************************************************",
    "",
]
ALARM = "2020-11-25 22:03:29.746 [warning] <0.375.0> disk resource limit alarm set on node rabbit@one."
"""As RabbitMQ 3.7 and 3.8 write it: only the first line of a record has a time."""
OLD_ALARM = ["=WARNING REPORT==== 2-Sep-2020::17:52:40 ===", "memory resource limit alarm set on node rabbit@one."]
"""As versions before 3.7 write it: the time stands in a line of its own."""
ANDES = "TID: [-1] [] [2026-01-31 10:00:00,000]  INFO {org.wso2.andes.kernel.AndesChannel} -  "
CHANNEL_STOPPED = ANDES + "Flow control enabled for channel [ ID: 7 , Identifier: /127.0.0.1:5672 , Destination: o ]"
WAITS = (
    "2026-11-21 19:34:25,887 | WARN  | Usage(Main:store:queue://audit:store) percentUsage=99%, usage=1296485, "
    "limit=1200000, percentUsageMinDelta=1%;Parent:Usage(Main:store) percentUsage=108%, usage=1296485, limit=1200000, "
    "percentUsageMinDelta=1%: Persistent store is Full, 100% of 1200000. Stopping producer (ID:p) to prevent flooding "
    "queue://audit. See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 1s) | x | y"
)
DELAY = "Message send delayed by 5s due to broker enforced flow control"


@pytest.mark.parametrize(
    ("name", "form", "version", "events", "ignored"),
    [
        ("andes/rendered", "andes log", "", 10, 0),
        ("classic/classic-5.3.1", "classic log", "5.3.1", 25, 12),
        ("classic/classic-5.15.16", "classic log", "5.15.16", 26, 15),
        ("classic/classic-5.18.6", "classic log", "5.18.6", 28, 17),
        ("classic/classic-6.3.1", "classic log", "6.3.1", 31, 15),
        ("clients/qpid-client-0.18", "qpid client log", "", 12, 9),
        ("clients/qpid-client-6.4.0", "qpid client log", "", 12, 17),
        ("clients/andes-client-3.2.12", "andes client log", "", 12, 11),
        ("clients/artemis-client-2.44.0", "artemis client log", "", 3, 24),
        ("rabbitmq/rabbitmq-3.10.8", "rabbitmq log", "3.10.8", 13, 42),
    ],
)
def test_no_line_of_a_log_is_lost_or_put_aside(name: str, form: str, version: str, events: int, ignored: int) -> None:
    log = read(f"{name}.log")
    assert (log.form, len(log.events), log.ignored, log.put_aside) == (form, events, ignored, {})
    (file,) = inputs([LOGS / f"{name}.log"])
    assert file.version == version


def held(destination: str, producer: str, cause: str = "memory", **more: Any) -> dict[str, Any]:
    return {"kind": Kind.STOP, "destination": destination, "producer": producer, "cause": cause, **more}


def at_limit(destination: str, **more: Any) -> dict[str, Any]:
    return {"kind": Kind.STOP, "destination": destination, "cause": "memory", **more}


def refused(kind: Kind, destination: str, cause: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "destination": destination, "outcome": "rejected", "cause": cause, **more}


STARTED = {"kind": Kind.START, "cause": "started"}
PAYMENTS = held("queue://payments", f"{PRODUCER}6:1:1:1", bytes=13344, limit=12000)
ORDER, RELEASE = {"kind": Kind.STOP, "cause": "order"}, {"kind": Kind.RELEASE, "cause": "order"}
DELAYED = {"kind": Kind.SEND, "outcome": "unsettled", "producer": "main", "cause": "delayed, INFO"}
TIMED_OUT = {"kind": Kind.SEND, "outcome": "rejected", "cause": "timed out"}
FIGURES: dict[str, dict[int, dict[str, Any]]] = {
    "classic/classic-6.3.1": {
        6: STARTED,
        11: at_limit("queue://orders", connection="tcp:///127.0.0.1:59698@37643", messages=6, limit=12000),
        14: {**PAYMENTS, "credit": 1},
        16: {**PAYMENTS, "credit": 3},
        17: at_limit("topic://prices", connection="tcp:///127.0.0.1:34298@37643", limit=12000),
        20: held("topic://quotes", f"{PRODUCER}16:1:1:1", bytes=13344, limit=12000, credit=1),
        26: held("queue://wide", f"{PRODUCER}22:1:1:1", "all memory", bytes=403744, limit=400000, credit=1),
        29: held("queue://audit", f"{PRODUCER}26:1:1:1", "store", bytes=1296485, limit=1200000, credit=1),
        32: held("queue://bulk", f"{PRODUCER}30:1:1:1", "temp", bytes=1007781, limit=1000000, credit=1),
        35: refused(Kind.SEND, "queue://failing", "temp", producer=f"{PRODUCER}34:1:1:1", bytes=1007781, limit=1000000),
        37: refused(Kind.SETTLED, "queue://failing", "temp", producer=f"{PRODUCER}38:1:1:1"),
    },
    "classic/classic-5.18.6": {6: STARTED},
    "classic/classic-5.15.16": {1: STARTED},
    "classic/classic-5.3.1": {
        2: STARTED,
        7: at_limit("queue://orders"),
        9: held("queue://payments", f"{OLD_PRODUCER}2:1:1", credit=1),
        12: at_limit("topic://prices", limit=12000),
        16: held("topic://quotes", f"{OLD_PRODUCER}7:1:1", credit=3),
        21: held("queue://audit", f"{OLD_PRODUCER}12:1:1", "store", credit=1),
        24: held("queue://bulk", f"{OLD_PRODUCER}14:1:1", "temp", credit=1),
        28: refused(Kind.SETTLED, "queue://failing", "memory", producer=f"{OLD_PRODUCER}18:1:1"),
    },
    "clients/qpid-client-0.18": {6: ORDER, 7: {**DELAYED, "credit": 2}, 10: RELEASE, 21: TIMED_OUT},
    "clients/qpid-client-6.4.0": {6: ORDER, 8: {**DELAYED, "credit": 4}, 11: RELEASE, 28: TIMED_OUT},
    "clients/andes-client-3.2.12": {
        4: ORDER, 6: {**DELAYED, "credit": 4}, 8: RELEASE, 23: {**TIMED_OUT, "credit": 9},
    },
    "clients/artemis-client-2.44.0": {
        1: {"kind": Kind.STOP, "destination": "orders", "cause": "AMQ212054"},
        2: refused(Kind.SEND, "payments", "AMQ229102"),
        16: refused(Kind.SEND, "payments", "AMQ219058", bytes=1237),
    },
    "rabbitmq/rabbitmq-3.10.8": {
        1: STARTED,
        7: {"kind": Kind.LEVEL, "bytes": 122_789_888, "limit": 25_274_793, "cause": "memory"},
        8: {"kind": Kind.OVERFULL, "destination": NODE, "cause": "memory"},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", FIGURES)
def test_lines_that_tell_of_flow_control_are_events_with_their_figures(name: str) -> None:
    log = read(f"{name}.log")
    assert {line: log.figures(line) for line in FIGURES[name]} == FIGURES[name]


def judged(*rules: tuple[str, int], holds: bool = True) -> dict[tuple[str, bool], int]:
    return {(rule, holds): count for rule, count in rules}


@pytest.mark.parametrize(
    ("name", "outcomes"),
    [
        ("classic/classic-5.3.1", {}),
        ("classic/classic-5.15.16", judged(("CLASSIC-MEMORY-1", 6), ("CLASSIC-USAGE-1", 3), ("CLASSIC-USAGE-2", 3))),
        ("classic/classic-6.3.1", judged(("CLASSIC-MEMORY-1", 6), ("CLASSIC-USAGE-1", 3), ("CLASSIC-USAGE-2", 3),
                                         ("CLASSIC-FAIL-1", 2))),
        ("clients/qpid-client-0.18", judged(("QPID-CLIENT-10", 8), holds=False)),
        ("clients/qpid-client-6.4.0", judged(("QPID-CLIENT-10", 8), holds=False)),
        ("clients/andes-client-3.2.12", {}),
        ("rabbitmq/rabbitmq-3.10.8", {}),
    ],
)  # fmt: skip
def test_lines_with_figures_are_judged_and_others_are_not(name: str, outcomes: dict[tuple[str, bool], int]) -> None:
    assert read(f"{name}.log").outcomes() == outcomes


@pytest.mark.parametrize(
    ("form", "lines", "field"),
    [
        ("andes log", [CHANNEL_STOPPED.replace("2026-01-31", "2026-01-32")], "time"),
        ("andes log", [CHANNEL_STOPPED.removesuffix(" ]")], None),
        ("andes log", [ANDES + "Global buffer based flow control enabled. By whom?"], None),
        ("classic log", [WAITS.replace("for: 1s", "for: 1.0s")], "seconds"),
        ("classic log", [WAITS.removeprefix("2026-11-21 ")], "time"),
        ("classic log", [WAITS.replace("2026-11-21", "2026-13-21")], "time"),
        ("classic log", [WAITS.replace("Stopping", "Pausing")], None),
        ("qpid client log", [f"{TIME} WARN {DELAY.replace('5s', '5.5s')}"], "seconds"),
        ("qpid client log", [f"WARN {DELAY}"], "time"),
        ("andes client log",
         [f"{TIME} WARN Broker enforced flow control and client wait time exceeded xs ago"], "seconds"),
        ("artemis client log", [f"{TIME} WARN [x] AMQ212054: Address orders is blocked."], None),
        ("artemis client log",
         [f'{TIME} WARN [x] AMQ219058: Address "a" is full. Message encode size = 1,237B'], "size"),
        ("rabbitmq log", [ALARM.replace("disk resource", "file resource")], None),
        ("rabbitmq log", [ALARM.replace(" 22:03", " 29:03")], "time"),
        ("rabbitmq log", [OLD_ALARM[0].replace("Sep", "Set"), OLD_ALARM[1]], "time"),
        ("rabbitmq log", [OLD_ALARM[0].replace(" 2-Sep", " 31-Sep"), OLD_ALARM[1]], "time"),
        ("rabbitmq log", [OLD_ALARM[1]], "time"),
        ("rabbitmq log",
         ["2020-11-25 22:03:29 [info] <0.1.0> vm_memory_high_watermark set. Memory used:1.2 allowed:5"], "used"),
    ],
)  # fmt: skip
def test_a_line_that_looks_relevant_and_is_not_in_its_form_is_put_aside(
    form: str, lines: list[str], field: str | None
) -> None:
    """The last line is the one."""
    log = read_lines(lines, form)
    assert {number: each.field for number, each in log.put_aside.items()} == {len(lines): field}


@pytest.mark.parametrize(
    ("lines", "line", "time", "cause"),
    [([ALARM, *BANNER], 1, 1_606_341_809_746, "disk"), ([*OLD_ALARM, *BANNER], 2, 1_599_069_160_000, "memory")],
    ids=["3.7", "before 3.7"],
)
def test_a_record_of_several_lines_is_one_event_at_the_time_of_its_first(
    lines: list[str], line: int, time: int, cause: str
) -> None:
    log = read_lines(lines, "rabbitmq log")
    assert log.figures(line) == {"kind": Kind.OVERFULL, "destination": "rabbit@one", "cause": cause}
    assert {number: each.time for number, each in log.events.items()} == {line: time}
    assert (log.ignored, log.put_aside) == (len(lines) - 1, {})


def test_alarms_of_memory_and_disk_are_events_of_the_node() -> None:
    log = read("rabbitmq/rabbitmq-3.10.8.log")
    full, free = Kind.OVERFULL, Kind.UNDERFULL
    assert [(each.kind, each.cause) for each in log.events.values() if each.destination == NODE] == [
        *((full, "memory"), (free, "memory"), (full, "disk"), (full, "memory"), (free, "disk"), (free, "memory")),
        *((full, "disk"), (free, "disk")),
    ]
    assert log.events[8].time == 1_795_289_437_916


@pytest.mark.parametrize(
    ("line", "figures", "verdicts"),
    [
        (f"{TIME} WARN  [main] a.B - {DELAY}", {"producer": "main", "cause": "delayed, WARN"}, {True}),
        (f"{TIME} [main] WARN a.B - {DELAY}", {"cause": "delayed, WARN"}, {True}),
        (f"{TIME} WARN {DELAY}", {"cause": "delayed, WARN"}, {True}),
        (f"{TIME} INFO {DELAY}", {"cause": "delayed, INFO"}, {False}),
        (f"{TIME} DEBUG a.B: {DELAY}", {"cause": "delayed, DEBUG"}, {False}),
        (f"{TIME} ERROR a.B: {DELAY}", {"cause": "delayed, ERROR"}, {False}),
        (f"{TIME} a.B: {DELAY}", {"cause": "delayed"}, set()),
    ],
)
def test_a_delay_is_a_warning_where_its_level_is_shown(line: str, figures: dict[str, str], verdicts: set[bool]) -> None:
    log = read_lines([line], "qpid client log")
    assert log.figures(1) == {"kind": Kind.SEND, "outcome": "unsettled", "credit": 5, **figures}
    assert {holds for _, holds in log.outcomes()} == verdicts


def test_the_log_of_a_broker_that_is_taken_for_that_of_a_client_is_read_all_the_same() -> None:
    blocked = (
        "AMQ222183: Blocking message production on address 'orders'; size=10000 bytes (10 messages); "
        "maxSize=10000 bytes (-1 messages); globalSize=10000 bytes (10 messages); "
        "globalMaxSize=259489792 bytes (-1 messages);"
    )
    log = read_lines(
        [f"{TIME} WARN [x] AMQ212037: Connection failure", f"{TIME} WARN [x] {blocked}"], "artemis client log"
    )
    assert log.events[2].kind is Kind.OVERFULL
    assert log.outcomes() == {("ARTEMIS-BLOCK-1", True): 1}
