"""A broker that was killed and started again while producers were stopped: what was before counts no more."""

from pathlib import Path

import pytest

from headgate.catalogue import catalogue
from headgate.pipeline.choice import Engine
from headgate.pipeline.engine import check_files
from headgate.pipeline.ingest.form import Form
from headgate.pipeline.measure import tables
from headgate.record.events import Kind
from tests.pipeline.growing import Watcher
from tests.pipeline.measured import rows
from tests.pipeline.real_logs import LOGS, read, read_lines

NAME = "qpid-restart/broker-10.1.0.log"
LOG = LOGS / NAME


def test_a_store_may_be_said_to_be_overfull_again_once_it_was_opened_again() -> None:
    assert read(NAME).outcomes()["QPID-DISK-8", True] == 2


def test_a_store_that_is_said_to_be_overfull_twice_in_one_life_of_its_broker_is_a_violation() -> None:
    lines = [line for line in LOG.read_text().splitlines() if "MST-1004" not in line]
    outcomes = read_lines(lines, Form.QPID_LOG).outcomes()
    assert (outcomes["QPID-DISK-8", True], outcomes["QPID-DISK-8", False]) == (1, 1)


@pytest.mark.parametrize("engine", [Engine.PLAIN, Engine.SPARK])
def test_all_rules_hold_and_each_stop_ends_as_it_did(tmp_path: Path, engine: Engine) -> None:
    found = check_files([LOG], tmp_path, catalogue(), engine=engine, measuring=True)
    assert {verdict.verdict for verdict in found.inputs[0].verdicts} == {"kept"}
    episodes = rows(tmp_path, tables.EPISODES, "of", "cause", "end")
    assert {each: episodes.count(each) for each in episodes} == {
        ("channel", "capacity", "closed"): 4,
        ("channel", "capacity", "restarted"): 1,
        ("channel", "capacity", "told"): 1,
        ("channel", "disk-quota", "closed"): 2,
        ("channel", "disk-quota", "told"): 1,
        ("destination", "capacity", "restarted"): 1,
        ("destination", "capacity", "told"): 1,
        ("destination", "disk-quota", "restarted"): 1,
        ("destination", "disk-quota", "told"): 1,
    }


def test_a_watch_says_nothing_of_who_was_closed_or_of_what_was_before_a_new_start(tmp_path: Path) -> None:
    events = read(NAME).events
    last = max(number for number, event in events.items() if event.kind is Kind.START)
    log = tmp_path / "broker.log"
    log.write_text("".join(LOG.read_text().splitlines(keepends=True)[:last]))
    watcher = Watcher(tmp_path / "watch", log)
    assert watcher.take(wall=0) == []
    assert watcher.take(wall=3_600_000) == []
