"""Brokers that are shut down while producers are stopped: the stops end then, and are not still on."""

from pathlib import Path

import pytest

from tests.pipeline.episode import check
from tests.pipeline.growing import Watcher
from tests.pipeline.measured import rows
from tests.pipeline.real_logs import LOGS
from tidegate.catalogue import catalogue
from tidegate.pipeline.check.engine import check_files
from tidegate.pipeline.stops import tables

CON = "[con:0(guest@/127.0.0.1:58068/d)/ch:1]"
QPID = f"""\
2026-11-23T11:47:29,357Z INFO  [IO] (q.m.q.overfull) - {CON} [vh(/d)/qu(orders)] QUE-1003 : Overfull : Size : 20,360 bytes, Capacity : 20,000
2026-11-23T11:47:30,000Z INFO  [IO] (q.m.c.flow_enforced) - {CON} {CON} CHN-1005 : Flow Control Enforced (Queue orders)
2026-11-23T11:47:31,000Z INFO  [IO] (q.m.c.close) - [con:1(guest@/127.0.0.1:58070/d)] CON-1002 : Close
"""  # noqa: E501
ARTEMIS = """\
2026-11-23 11:47:30,000 WARN  [org.apache.activemq.artemis.core.server] AMQ222183: Blocking message production on address 'orders'; size=22041 bytes (9 messages); maxSize=20000 bytes (-1 messages); globalSize=22041 bytes (9 messages); globalMaxSize=259489792 bytes (-1 messages);
2026-11-23 11:47:31,000 INFO  [org.apache.activemq.artemis.core.server] AMQ221020: Started EPOLL Acceptor at 127.0.0.1:61616 for protocols [AMQP]
"""  # noqa: E501
CLASSIC = """\
2026-11-23 11:47:30,000 | WARN  | Usage(Main:memory:queue://orders:memory) percentUsage=111%, usage=13344, limit=12000, percentUsageMinDelta=1%: Usage Manager Memory Limit reached. Producer (ID:vm-1:1:1:1) stopped to prevent flooding queue://orders. See http://activemq.apache.org/producer-flow-control.html for more info (blocking for: 7s) | org.apache.activemq.broker.region.Queue | main
2026-11-23 11:47:31,000 | INFO  | Connector tcp://localhost:61616 stopped | org.apache.activemq.broker.TransportConnector | main
"""  # noqa: E501
RABBITMQ = """\
2026-11-23 11:47:30.000000+00:00 [warning] <0.287.0> disk resource limit alarm set on node rabbit@a.
2026-11-23 11:47:31.000000+00:00 [info] <0.652.0> RabbitMQ is asked to stop...
"""
SHUTDOWNS = {
    "qpid": (QPID, "2026-11-23T11:47:37,000Z INFO  [Broker-Config] (q.m.b.stopped) - [Shutdown] BRK-1005 : Stopped"),
    "qpid 0.18": (QPID, "2026-11-23 11:47:37,000 INFO  [main] (broker.stopped) - [Broker] BRK-1005 : Stopped"),
    "artemis": (
        ARTEMIS,
        "2026-11-23 11:47:37,000 INFO  [org.apache.activemq.artemis.core.server] AMQ221002: Apache ActiveMQ Artemis "
        "Message Broker version 2.44.0 [07b6e8cf-e755-11f1-bb15-02fc00000001] stopped, uptime 3 minutes",
    ),
    "classic": (
        CLASSIC,
        "2026-11-23 11:47:37,000 | INFO  | Apache ActiveMQ 6.3.1 (localhost, ID:vm-1-0:1) is shutdown | "
        "org.apache.activemq.broker.BrokerService | main",
    ),
    "rabbitmq": (
        RABBITMQ,
        "2026-11-23 11:47:37.000000+00:00 [info] <0.9.0> Successfully stopped RabbitMQ and its dependencies",
    ),
}
"""A log in which somebody is stopped at 11:47:30, and the line of the broker's shutdown at 11:47:37."""
SHOWN = ("end", "lasted_ms", "at_least_ms")
SINCE_THE_STOP = [("shutdown", 7_000, 7_000)]
SAID_LAST = [("shutdown", None, 7_000)]
"""A log without any release shows only that the producer was stopped for the 7 s that its line tells."""
AN_HOUR_LATER = {
    "qpid": "2026-11-23T12:47:37,000Z INFO  [main] (q.m.b.startup) - [Broker] BRK-1001 : Startup : Version: 10.1.0\n",
    "artemis": "2026-11-23 12:47:37,000 INFO  [x] AMQ221000: Primary message broker is starting with configuration x\n",
}


def ends(folder: Path, text: str) -> list[tuple[object, ...]]:
    """How the stops in a log end; full queues whose stopped channels are named do not count."""
    log = folder / "broker.log"
    log.write_text(text)
    check_files([log], folder / "store", catalogue())
    return sorted(each[1:] for each in rows(folder / "store", tables.EPISODES, "of", *SHOWN) if each[0] != "limit")


@pytest.mark.parametrize("broker", SHUTDOWNS)
def test_a_stop_lasts_until_the_broker_says_that_it_shut_down(tmp_path: Path, broker: str) -> None:
    before, shutdown = SHUTDOWNS[broker]
    assert ends(tmp_path, f"{before}{shutdown}\n") == (SAID_LAST if broker == "classic" else SINCE_THE_STOP)


@pytest.mark.parametrize("broker", AN_HOUR_LATER)
def test_nobody_was_stopped_from_the_shutdown_to_the_next_start(tmp_path: Path, broker: str) -> None:
    before, shutdown = SHUTDOWNS[broker]
    assert ends(tmp_path, f"{before}{shutdown}\n{AN_HOUR_LATER[broker]}") == SINCE_THE_STOP


@pytest.mark.parametrize("broker", ["qpid", "artemis", "rabbitmq"])
def test_a_watch_says_nothing_of_who_was_stopped_before_the_shutdown(tmp_path: Path, broker: str) -> None:
    before, shutdown = SHUTDOWNS[broker]
    log = tmp_path / "broker.log"
    log.write_text(before)
    watcher = Watcher(tmp_path / "watch", log)
    assert watcher.look(wall=0) == []
    log.write_text(f"{before}{shutdown}\n")
    assert watcher.look(wall=1_000) == []
    assert watcher.look(wall=3_600_000) == []


def test_a_watch_tells_of_the_same_stop_where_the_broker_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "broker.log"
    log.write_text(ARTEMIS)
    watcher = Watcher(tmp_path / "watch", log)
    assert watcher.look(wall=0) == []
    assert len(watcher.look(wall=3_600_000)) == 1


@pytest.mark.parametrize("version", ["5.15.16", "5.18.6", "6.3.1"])
def test_no_stop_of_a_real_log_that_ends_with_a_shutdown_is_without_an_end(tmp_path: Path, version: str) -> None:
    check_files([LOGS / "classic" / f"classic-{version}.log"], tmp_path, catalogue())
    found = {end for (end,) in rows(tmp_path, tables.EPISODES, "end")}
    assert "shutdown" in found
    assert not found & {"never", "untold"}


def test_no_space_is_seen_at_a_destination_because_its_broker_shuts_down(tmp_path: Path) -> None:
    before, shutdown = SHUTDOWNS["artemis"]
    (tmp_path / "broker.log").write_text(f"{before}{shutdown}\n")
    said = check(tmp_path, tmp_path / "broker.log").stdout
    assert "until the broker shut down" in said
    assert "not seen" in said and "at its end" not in said
