"""The log of ActiveMQ Classic: who is held back and by what, in each generation, and what cannot be told from it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.real_logs import LOGS, read, read_lines
from tidegate.model.language.judge import Judge
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.pipeline.read.inputs import inputs
from tidegate.record.events import Event, Kind

ROOT = Path(__file__).parents[2]
PRODUCER = "ID:vm-38693-1795289632962-"
PAYMENTS = {
    "kind": Kind.STOP, "destination": "queue://payments", "producer": f"{PRODUCER}6:1:1:1", "bytes": 13344,
    "limit": 12000, "cause": "memory",
}  # fmt: skip
WAITS = (
    "2026-11-21 19:34:25,887 | WARN  | Usage(Main:store:queue://audit:store) percentUsage=99%, usage=1296485, "
    "limit=1200000, percentUsageMinDelta=1%;Parent:Usage(Main:store) percentUsage=108%, usage=1296485, limit=1200000, "
    "percentUsageMinDelta=1%: Persistent store is Full, 100% of 1200000. Stopping producer (ID:p) to prevent flooding "
    "queue://audit. See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 1s) | x | y"
)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (11, {"kind": Kind.STOP, "destination": "queue://orders", "connection": "tcp:///127.0.0.1:59698@37643",
              "messages": 6, "limit": 12000, "cause": "memory"}),
        (14, {**PAYMENTS, "credit": 1}),
        (16, {**PAYMENTS, "credit": 3}),
        (17, {"kind": Kind.STOP, "destination": "topic://prices", "connection": "tcp:///127.0.0.1:34298@37643",
              "limit": 12000, "cause": "memory"}),
        (20, {"kind": Kind.STOP, "destination": "topic://quotes", "producer": f"{PRODUCER}16:1:1:1", "bytes": 13344,
              "limit": 12000, "credit": 1, "cause": "memory"}),
        (26, {"kind": Kind.STOP, "destination": "queue://wide", "producer": f"{PRODUCER}22:1:1:1", "bytes": 403744,
              "limit": 400000, "credit": 1, "cause": "all memory"}),
        (29, {"kind": Kind.STOP, "destination": "queue://audit", "producer": f"{PRODUCER}26:1:1:1", "bytes": 1296485,
              "limit": 1200000, "credit": 1, "cause": "store"}),
        (32, {"kind": Kind.STOP, "destination": "queue://bulk", "producer": f"{PRODUCER}30:1:1:1", "bytes": 1007781,
              "limit": 1000000, "credit": 1, "cause": "temp"}),
        (35, {"kind": Kind.SEND, "destination": "queue://failing", "producer": f"{PRODUCER}34:1:1:1",
              "bytes": 1007781, "limit": 1000000, "outcome": "rejected", "cause": "temp"}),
        (37, {"kind": Kind.SETTLED, "destination": "queue://failing", "producer": f"{PRODUCER}38:1:1:1",
              "outcome": "rejected", "cause": "temp"}),
    ],
    ids=["queue at its limit", "waits 1 s", "waits 3 s", "topic at its limit", "topic, waits", "the memory of all",
         "the store", "temporary space", "refused", "told of a refusal"],
)  # fmt: skip
def test_each_line_of_the_current_generation_is_an_event(line: int, expected: dict[str, Any]) -> None:
    assert read("classic/classic-6.3.1.log").figures(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (7, {"kind": Kind.STOP, "destination": "queue://orders", "cause": "memory"}),
        (9, {"kind": Kind.STOP, "destination": "queue://payments", "producer": "ID:vm-36187-1795289434939-1:2:1:1",
             "credit": 1, "cause": "memory"}),
        (12, {"kind": Kind.STOP, "destination": "topic://prices", "limit": 12000, "cause": "memory"}),
        (16, {"kind": Kind.STOP, "destination": "topic://quotes", "producer": "ID:vm-36187-1795289434939-1:7:1:1",
              "credit": 3, "cause": "memory"}),
        (21, {"kind": Kind.STOP, "destination": "queue://audit", "producer": "ID:vm-36187-1795289434939-1:12:1:1",
              "credit": 1, "cause": "store"}),
        (24, {"kind": Kind.STOP, "destination": "queue://bulk", "producer": "ID:vm-36187-1795289434939-1:14:1:1",
              "credit": 1, "cause": "temp"}),
        (28, {"kind": Kind.SETTLED, "destination": "queue://failing", "producer": "ID:vm-36187-1795289434939-1:18:1:1",
              "outcome": "rejected", "cause": "memory"}),
    ],
    ids=["queue", "waits", "topic", "topic, waits", "store", "temp", "told of a refusal"],
)  # fmt: skip
def test_each_line_of_the_first_generation_is_an_event(line: int, expected: dict[str, Any]) -> None:
    assert read("classic/classic-5.3.1.log").figures(line) == expected


@pytest.mark.parametrize(
    ("version", "events", "ignored"), [("5.3.1", 25, 12), ("5.15.16", 25, 16), ("5.18.6", 27, 18), ("6.3.1", 30, 16)]
)
def test_no_line_of_a_real_log_is_lost_or_put_aside(version: str, events: int, ignored: int) -> None:
    log = read(f"classic/classic-{version}.log")
    assert (log.form, len(log.events), log.ignored, log.put_aside) == ("classic log", events, ignored, {})


@pytest.mark.parametrize(
    ("version", "judged"),
    [
        ("5.3.1", {}),
        ("5.15.16", {("CLASSIC-MEMORY-1", True): 6, ("CLASSIC-USAGE-1", True): 3, ("CLASSIC-USAGE-2", True): 3}),
        ("6.3.1", {("CLASSIC-MEMORY-1", True): 6, ("CLASSIC-USAGE-1", True): 3, ("CLASSIC-USAGE-2", True): 3,
                   ("CLASSIC-FAIL-1", True): 2}),
    ],
)  # fmt: skip
def test_lines_with_figures_are_judged_and_others_are_not(version: str, judged: dict[tuple[str, bool], int]) -> None:
    assert read(f"classic/classic-{version}.log").outcomes() == judged


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (WAITS.replace("for: 1s", "for: 1.0s"), "seconds"),
        (WAITS.removeprefix("2026-11-21 "), "time"),
        (WAITS.replace("2026-11-21", "2026-13-21"), "time"),
        (WAITS.replace("Stopping", "Pausing"), None),
    ],
    ids=["no whole number", "no date", "no such month", "other words"],
)
def test_a_line_that_looks_relevant_and_is_not_in_its_form_is_put_aside(line: str, reason: str | None) -> None:
    log = read_lines([line], "classic log")
    assert {number: each.field for number, each in log.put_aside.items()} == {1: reason}


def test_what_a_stack_trace_quotes_is_ignored() -> None:
    quoted = WAITS[WAITS.index("Persistent") : WAITS.index(" (blocking")]
    log = read_lines(
        [WAITS, f"javax.jms.ResourceAllocationException: {quoted}", "\tat a.b.C.d(C.java:1)"], "classic log"
    )
    assert (list(log.events), log.ignored, log.put_aside) == ([1], 2, {})


def test_a_part_of_a_limit_is_read_and_not_judged() -> None:
    log = read_lines([WAITS.replace("100% of", "70% of")], "classic log")
    assert log.figures(1) == {
        "kind": Kind.STOP, "destination": "queue://audit", "producer": "ID:p", "credit": 1, "cause": "store",
    }  # fmt: skip
    assert log.outcomes() == {}


def event(kind: Kind, cause: str, used: int, **more: Any) -> Event:
    return Event(source="log", seq=1, time=0, kind=kind, cause=cause, bytes=used, limit=12000, **more)


@pytest.mark.parametrize(
    ("kind", "cause", "rule"),
    [
        (Kind.STOP, "memory", "CLASSIC-MEMORY-1"),
        (Kind.STOP, "store", "CLASSIC-USAGE-1"),
        (Kind.STOP, "temp", "CLASSIC-USAGE-2"),
        (Kind.SEND, "memory", "CLASSIC-FAIL-1"),
    ],
)
@pytest.mark.parametrize(("used", "holds"), [(11_999, False), (12_000, True), (12_001, True)])
def test_whoever_is_held_back_or_refused_meets_something_full(
    kind: Kind, cause: str, rule: str, used: int, holds: bool
) -> None:
    judge = Judge(rules_of("classic log"))
    outcome = "rejected" if kind is Kind.SEND else None
    said = list(judge.judge(event(kind, cause, used, producer="ID:p", outcome=outcome)))
    assert [(each.rule.rule_id, each.holds) for each in said] == [(rule, holds)]


def test_a_line_without_a_producer_or_about_the_memory_of_all_is_not_judged() -> None:
    judge = Judge(rules_of("classic log"))
    assert list(judge.judge(event(Kind.STOP, "memory", 0))) == []
    assert list(judge.judge(event(Kind.STOP, "all memory", 0, producer="ID:p"))) == []


@pytest.mark.parametrize("version", ["5.3.1", "6.3.1"])
def test_the_log_of_a_run_is_read_whole_and_contradicts_nothing(version: str) -> None:
    lines = (ROOT / "tests" / "runs" / f"classic-{version}.log").read_text().splitlines()
    log = read_lines(lines, "classic log")
    kinds = Counter(event.kind for event in log.events.values())
    told = {Kind.STOP: "Producers will be throttled", Kind.START: ") is starting"}
    assert kinds == {kind: sum(words in line for line in lines) for kind, words in told.items()}
    assert min(kinds.values()) > 0
    assert log.put_aside == {}
    assert not any(not holds for _, holds in log.outcomes())


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("classic/classic-5.3.1.log", "5.3.1"),
        ("classic/classic-5.15.16.log", "5.15.16"),
        ("classic/classic-6.3.1.log", "6.3.1"),
        ("rabbitmq/rabbitmq-3.10.8.log", "3.10.8"),
        ("andes/rendered.log", ""),
    ],
)
def test_a_log_says_which_version_wrote_it(name: str, version: str) -> None:
    (file,) = inputs([LOGS / name])
    assert file.version == version


@pytest.mark.parametrize(("version", "line"), [("5.3.1", 2), ("5.15.16", 1), ("5.18.6", 6), ("6.3.1", 6)])
def test_a_broker_that_starts_is_an_event_in_every_generation(version: str, line: int) -> None:
    assert read(f"classic/classic-{version}.log").figures(line) == {"kind": Kind.START, "cause": "started"}


def test_something_else_that_starts_is_ignored() -> None:
    log = read_lines([WAITS, "2026-11-21 19:34:25,887 | INFO  | Route (orders) is starting | x | y"], "classic log")
    assert (len(log.events), log.ignored, log.put_aside) == (1, 1, {})
