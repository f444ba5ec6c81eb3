"""The log of ActiveMQ Classic: who is held back and by what, in each generation, and what cannot be told from it."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.pipeline.real_logs import LOGS, read_lines
from tests.pipeline.test_real_logs import WAITS
from tidegate.model.language.judge import Judge
from tidegate.pipeline.judge.verdicts import rules_of
from tidegate.record.events import Event, Kind

ROOT = Path(__file__).parents[2]
TEMP_IS_FULL = "Temp Store is Full (100% of"


def test_what_a_stack_trace_quotes_is_ignored() -> None:
    quoted = WAITS[WAITS.index("Persistent") : WAITS.index(" (blocking")]
    log = read_lines(
        [WAITS, f"javax.jms.ResourceAllocationException: {quoted}", "\tat a.b.C.d(C.java:1)"], "classic log"
    )
    assert (list(log.events), log.ignored, log.put_aside) == ([1], 2, {})


def test_the_level_of_a_full_disk_is_that_of_all_destinations() -> None:
    log = read_lines([WAITS.replace("usage=1296485", "usage=7", 1)], "classic log")
    assert log.figures(1)["bytes"] == 1_296_485


OF_THREE = ";Parent:Usage(Main:all) percentUsage=9%, usage=9, limit=100, percentUsageMinDelta=1%: "
"""Figures of memory that producers and consumers share, which each have a part of it."""


@pytest.mark.parametrize(
    ("was", "now", "field"),
    [("usage=1296485", "usage=1296kb", "used"), ("percentUsage=99%", "percentUsage=full%", "percent_used"),
     ("limit=1200000", "limit=1.2e6", "limit"),
     ("MinDelta=1%: ", f"MinDelta=1%{OF_THREE.replace('=9%', '=?%')}", None)],
)  # fmt: skip
def test_a_line_whose_figures_are_none_is_put_aside(was: str, now: str, field: str | None) -> None:
    line = WAITS.replace(was, now, 1)
    assert line != WAITS
    log = read_lines([line], "classic log")
    assert not log.events
    assert field is None or log.put_aside[1].field == field


@pytest.mark.parametrize("line", [WAITS, WAITS.replace("100% of", "70% of")])
def test_figures_of_memory_that_is_divided_twice_are_read(line: str) -> None:
    log = read_lines([line.replace("MinDelta=1%: ", f"MinDelta=1%{OF_THREE}", 1)], "classic log")
    assert (log.figures(1)["producer"], log.figures(1)["cause"], log.put_aside) == ("ID:p", "store", {})


def test_a_part_of_a_limit_is_read_and_not_judged() -> None:
    log = read_lines([WAITS.replace("100% of", "70% of")], "classic log")
    assert log.figures(1) == {
        "kind": Kind.STOP, "destination": "queue://audit", "producer": "ID:p", "credit": 1, "cause": "store",
    }  # fmt: skip
    assert log.outcomes() == {}


@pytest.mark.parametrize(
    ("percent", "used", "holds"), [(100, 1_007_781, True), (104, 1_040_000, True), (90, 900_000, False)]
)
def test_temporary_space_is_judged_whatever_share_of_it_the_line_tells(percent: int, used: int, holds: bool) -> None:
    (line, *_) = [
        each for each in (LOGS / "classic/classic-6.3.1.log").read_text().splitlines() if TEMP_IS_FULL in each
    ]
    said = line.replace("usage=1007781", f"usage={used}").replace(TEMP_IS_FULL, f"Temp Store is Full ({percent}% of")
    log = read_lines([said], "classic log")
    assert log.figures(1)["bytes"] == used
    assert log.outcomes() == {("CLASSIC-USAGE-2", holds): 1}


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


def test_something_else_that_starts_is_ignored() -> None:
    log = read_lines([WAITS, "2026-11-21 19:34:25,887 | INFO  | Route (orders) is starting | x | y"], "classic log")
    assert (len(log.events), log.ignored, log.put_aside) == (1, 1, {})
