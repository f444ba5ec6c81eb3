"""The log of Qpid's JMS client: which warnings are whose."""

from pathlib import Path

import pytest

from tidegate.adapters.base import ProducerOptions
from tidegate.adapters.qpid_jms.broker import Broker
from tidegate.adapters.qpid_jms.clients import ENDLESS_MS, ClientLog, times_of
from tidegate.adapters.qpid_jms.kind import WSO2

DELAYED = "(transport.Session) - Message send delayed by 1s due to broker enforced flow control"


def line(level: str, thread: str, text: str = DELAYED) -> str:
    return f"2026-11-21 19:32:08,482 {level:5} [{thread}] {text}\n"


@pytest.fixture
def log(tmp_path: Path) -> ClientLog:
    path = tmp_path / "client.log"
    path.touch()
    return ClientLog(path)


def written(log: ClientLog, *lines: str) -> None:
    with log.path.open("a", encoding="utf-8") as file:
        file.writelines(lines)


def test_a_producer_is_told_its_own_warnings_once(log: ClientLog) -> None:
    written(log, line("WARN", "s1.one"), line("WARN", "s1.two"), line("WARN", "s1.one", "again"))
    assert log.warnings("s1.one") == [line("WARN", "s1.one").strip(), line("WARN", "s1.one", "again").strip()]
    assert log.warnings("s1.one") == []
    assert log.warnings("s1.two") == [line("WARN", "s1.two").strip()]


def test_other_levels_and_stack_traces_are_no_warnings(log: ClientLog) -> None:
    written(log, line("ERROR", "s1.one"), line("INFO", "s1.one"), "\tat org.apache.qpid.transport.Session\n")
    assert log.warnings("s1.one") == []


def test_the_client_of_wso2_says_by_its_words_and_not_by_the_level_that_a_send_waits(tmp_path: Path) -> None:
    log = ClientLog(tmp_path / "client.log", WSO2)
    log.path.touch()
    written(log, line("INFO", "s1.one"), line("WARN", "s1.one", "(client.AMQSession) - Broker enforced flow control"))
    assert log.warnings("s1.one") == [line("INFO", "s1.one").strip()]


def test_a_line_that_is_just_being_written_is_read_when_it_is_whole(log: ClientLog) -> None:
    whole = line("WARN", "s1.one")
    written(log, whole[:60])
    assert log.warnings("s1.one") == []
    written(log, whole[60:])
    assert log.warnings("s1.one") == [whole.strip()]


def test_a_name_with_spaces_is_no_part_of_a_url() -> None:
    url = Broker("127.0.0.1", 5672, "test", "guest", "secret").url("s1.producer 1")
    assert url.startswith("amqp://guest:secret@s1.producer-1/test?brokerlist='tcp://127.0.0.1:5672'")


@pytest.mark.parametrize(("wait_ms", "expected"), [(None, None), (250, 250), (0, 0), (-1, ENDLESS_MS)])
def test_a_send_that_waits_without_end_is_one_of_a_year_for_the_client(wait_ms: int | None, expected: int) -> None:
    assert times_of(ProducerOptions(wait_ms=wait_ms, notify_ms=30)) == (expected, 30)
