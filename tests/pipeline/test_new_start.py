"""Brokers that were killed and started again while producers were stopped: what was before counts no more."""

from collections import Counter
from pathlib import Path

import pytest

from tests.pipeline.growing import Watcher
from tests.pipeline.measured import rows
from tests.pipeline.real_logs import LOGS, read, read_lines
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.stops import tables
from tidegate.record.events import Kind

NAME = "restart/broker-j-10.1.0.log"
LOG = LOGS / NAME
QPID = {
    ("channel", "capacity", "closed"): 4,
    ("channel", "capacity", "restarted"): 1,
    ("channel", "capacity", "told"): 1,
    ("channel", "disk-quota", "closed"): 2,
    ("channel", "disk-quota", "told"): 1,
    ("limit", "capacity", "restarted"): 1,
    ("limit", "capacity", "told"): 1,
    ("limit", "disk-quota", "restarted"): 1,
    ("limit", "disk-quota", "told"): 1,
}
ARTEMIS = {("destination", "max-size", "restarted"): 2, ("destination", "max-size", "told"): 2}
CLASSIC = {
    ("destination", "memory", "restarted"): 3,
    ("destination", "memory", "untold"): 3,
    ("destination", "memory", "inferred"): 1,
    ("producer", "memory", "restarted"): 1,
    ("producer", "memory", "untold"): 1,
}


def test_a_store_may_be_said_to_be_overfull_again_once_it_was_opened_again() -> None:
    assert read(NAME).outcomes()["QPID-DISK-8", True] == 2


def test_a_store_that_is_said_to_be_overfull_twice_in_one_life_of_its_broker_is_a_violation() -> None:
    lines = [line for line in LOG.read_text().splitlines() if "MST-1004" not in line]
    outcomes = read_lines(lines, "qpid log").outcomes()
    assert (outcomes["QPID-DISK-8", True], outcomes["QPID-DISK-8", False]) == (1, 1)


@pytest.mark.parametrize(
    ("log", "ends"), [(LOG.name, QPID), ("artemis-2.44.0.log", ARTEMIS), ("classic-6.3.1.log", CLASSIC)]
)
def test_all_rules_hold_and_each_stop_ends_as_it_did(
    tmp_path: Path, log: str, ends: dict[tuple[str, str, str], int]
) -> None:
    found = check_files([LOGS / "restart" / log], tmp_path, catalogue())
    (judged,) = found.inputs
    assert {verdict.verdict for verdict in judged.verdicts} == {"kept"}
    assert judged.account.quarantined == 0
    assert Counter(rows(tmp_path, tables.EPISODES, "of", "cause", "end")) == ends


def test_a_queue_of_which_no_log_says_that_it_is_let_go_was_full_only_until_that_was_last_said(tmp_path: Path) -> None:
    check_files([LOGS / "restart" / "classic-6.3.1.log"], tmp_path, catalogue())
    told = rows(tmp_path, tables.EPISODES, "of", "who", "end", "at_least_ms")
    assert sorted(each[1:] for each in told if each[0] == "destination") == [
        ("queue://orders", "inferred", 0),
        ("queue://orders", "restarted", 0),
        ("queue://orders", "untold", 0),
        ("queue://payments", "restarted", 0),
        ("queue://payments", "untold", 0),
        ("queue://quotes", "restarted", 0),
        ("queue://quotes", "untold", 0),
    ]


@pytest.mark.parametrize("name", [LOG.name, "artemis-2.44.0.log"])
def test_a_watch_says_nothing_of_who_was_closed_or_of_what_was_before_a_new_start(tmp_path: Path, name: str) -> None:
    events = read(f"restart/{name}").events
    last = max(number for number, event in events.items() if event.kind is Kind.START)
    log = tmp_path / "broker.log"
    log.write_text("".join((LOGS / "restart" / name).read_text().splitlines(keepends=True)[:last]))
    watcher = Watcher(tmp_path / "watch", log)
    assert watcher.look(wall=0) == []
    assert watcher.look(wall=3_600_000) == []
