"""A real Broker-J with a producer that it holds: asked over its management, and by its log."""

import re
from collections.abc import Iterator
from pathlib import Path

import pika
import pytest

from tests.cli.command import tidegate
from tidegate.adapters.base import Limits
from tidegate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from tidegate.adapters.qpid.broker_j import BrokerJ

pytestmark = pytest.mark.real_broker
CAPACITY, BODY, SENT = 2000, 500, 6
"""Bytes of a message and of the limit; so many messages are more than the limit takes."""


@pytest.fixture
def broker() -> Iterator[BrokerJ]:
    running = BrokerJ("10.1.0", queues={"orders": Limits(limit_bytes=CAPACITY)})
    running.start()
    yield running
    running.stop()


@pytest.fixture
def blocked(broker: BrokerJ) -> Iterator[pika.BlockingConnection]:
    credentials = pika.PlainCredentials(USER, PASSWORD)
    address = pika.ConnectionParameters(broker.host, broker.amqp_port, VIRTUAL_HOST, credentials)
    connection = pika.BlockingConnection(address)
    channel = connection.channel()
    for _ in range(SENT):
        channel.basic_publish("", "orders", b"x" * BODY)
    connection.process_data_events(1)
    yield connection
    connection.close()


def test_a_running_broker_and_its_log_say_the_same(
    broker: BrokerJ, blocked: pika.BlockingConnection, tmp_path: Path
) -> None:
    port = re.search(r"HTTP : Listening on TCP port (\d+)", broker.log.read_text())
    assert port is not None
    url = f"http://{broker.host}:{port[1]}"
    asked = tidegate("why", "--broker", url, "--user", f"{USER}:{PASSWORD}", folder=tmp_path)
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "sending to queue orders." in asked.stdout
    assert f"maximumQueueDepthBytes = {CAPACITY:,} bytes" in asked.stdout
    read = tidegate("why", str(broker.log), folder=tmp_path)
    assert "sending to queue test/orders." in read.stdout
    assert f"maximumQueueDepthBytes = {CAPACITY:,} bytes" in read.stdout
    refused = tidegate("why", "--broker", url, "--user", "guest:wrong", folder=tmp_path)
    assert (refused.returncode, "expected --user NAME:PASSWORD" in refused.stderr) == (2, True)
