"""The logs of programs with a client: told to stop and to go on, how long a send has waited, and who was refused."""

from typing import Any

import pytest

from tests.pipeline.real_logs import read, read_lines
from tidegate.record.events import Kind

ORDER = {"kind": Kind.STOP, "cause": "order"}
RELEASE = {"kind": Kind.RELEASE, "cause": "order"}
DELAYED = {"kind": Kind.SEND, "outcome": "unsettled", "producer": "main", "cause": "delayed, INFO"}
TIMED_OUT = {"kind": Kind.SEND, "outcome": "rejected", "cause": "timed out"}
DELAY = "Message send delayed by 5s due to broker enforced flow control"
TIME = "2026-01-31 23:59:59,123"


@pytest.mark.parametrize(
    ("name", "form", "line", "expected"),
    [
        ("qpid-client-0.18", "qpid client log", 6, ORDER),
        ("qpid-client-0.18", "qpid client log", 7, {**DELAYED, "credit": 2}),
        ("qpid-client-0.18", "qpid client log", 10, RELEASE),
        ("qpid-client-0.18", "qpid client log", 21, TIMED_OUT),
        ("qpid-client-6.4.0", "qpid client log", 6, ORDER),
        ("qpid-client-6.4.0", "qpid client log", 8, {**DELAYED, "credit": 4}),
        ("qpid-client-6.4.0", "qpid client log", 11, RELEASE),
        ("qpid-client-6.4.0", "qpid client log", 28, TIMED_OUT),
        ("andes-client-3.2.12", "andes client log", 4, ORDER),
        ("andes-client-3.2.12", "andes client log", 6, {**DELAYED, "credit": 4}),
        ("andes-client-3.2.12", "andes client log", 8, RELEASE),
        ("andes-client-3.2.12", "andes client log", 23, {**TIMED_OUT, "credit": 9}),
        ("artemis-client-2.44.0", "artemis client log", 1,
         {"kind": Kind.STOP, "destination": "orders", "cause": "AMQ212054"}),
        ("artemis-client-2.44.0", "artemis client log", 2,
         {"kind": Kind.SEND, "destination": "payments", "outcome": "rejected", "cause": "AMQ229102"}),
        ("artemis-client-2.44.0", "artemis client log", 16,
         {"kind": Kind.SEND, "destination": "payments", "bytes": 1237, "outcome": "rejected", "cause": "AMQ219058"}),
    ],
)  # fmt: skip
def test_each_line_of_a_client_is_an_event(name: str, form: str, line: int, expected: dict[str, Any]) -> None:
    log = read(f"clients/{name}.log")
    assert (log.form, log.figures(line)) == (form, expected)


@pytest.mark.parametrize(
    ("name", "events", "ignored"),
    [
        ("qpid-client-0.18", 12, 9),
        ("qpid-client-6.4.0", 12, 17),
        ("andes-client-3.2.12", 12, 11),
        ("artemis-client-2.44.0", 3, 24),
    ],
)
def test_no_line_of_a_real_log_is_lost_or_put_aside(name: str, events: int, ignored: int) -> None:
    log = read(f"clients/{name}.log")
    assert (len(log.events), log.ignored, log.put_aside) == (events, ignored, {})


def test_real_qpid_clients_write_their_delays_as_information() -> None:
    assert read("clients/qpid-client-0.18.log").outcomes() == {("QPID-CLIENT-10", False): 8}
    assert read("clients/qpid-client-6.4.0.log").outcomes() == {("QPID-CLIENT-10", False): 8}


def test_no_rule_says_what_an_andes_client_logs() -> None:
    assert read("clients/andes-client-3.2.12.log").outcomes() == {}


@pytest.mark.parametrize(
    ("line", "figures", "judged"),
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
def test_a_delay_is_a_warning_where_its_level_is_shown(line: str, figures: dict[str, str], judged: set[bool]) -> None:
    log = read_lines([line], "qpid client log")
    assert log.figures(1) == {"kind": Kind.SEND, "outcome": "unsettled", "credit": 5, **figures}
    assert {holds for _, holds in log.outcomes()} == judged


@pytest.mark.parametrize(
    ("form", "line", "field"),
    [
        ("qpid client log", f"{TIME} WARN {DELAY.replace('5s', '5.5s')}", "seconds"),
        ("qpid client log", f"WARN {DELAY}", "time"),
        (
            "andes client log",
            f"{TIME} WARN Broker enforced flow control and client wait time exceeded xs ago",
            "seconds",
        ),
        ("artemis client log", f"{TIME} WARN [x] AMQ212054: Address orders is blocked.", None),
        (
            "artemis client log",
            f'{TIME} WARN [x] AMQ219058: Address "a" is full. Message encode size = 1,237B',
            "size",
        ),
    ],
)
def test_a_line_that_is_not_in_its_form_is_put_aside(form: str, line: str, field: str | None) -> None:
    log = read_lines([line], form)
    assert {number: each.field for number, each in log.put_aside.items()} == {1: field}


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
