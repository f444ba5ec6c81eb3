"""What libraries for RabbitMQ write themselves of a blocked connection, of one let go, and of waits that end."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State

PIKA = "Received <METHOD(['channel_number=0', 'frame_type=1', \"method=<Connection.{}\"])> from broker"
AIORMQ = 'Connection <Connection: "amqp://shop:******@mq1/" at 0x7f10> was {}'
OSLO = "2026-11-25 10:00:01.123 7 {} oslo.messaging._drivers.impl_rabbit [None req-1 - - - - -] The broker has {}"
MEMORY, DISK = "vm_memory_high_watermark", "disk_free_limit"
BOTH = "vm_memory_high_watermark or disk_free_limit"
BLOCKED = [
    # line, setting
    (PIKA.format("Blocked(['reason=low on memory'])>"), MEMORY),
    ("WARNING:pika.connection:" + PIKA.format("Blocked(['reason=low on disk'])>"), DISK),
    (AIORMQ.format("blocked by: 'low on memory'"), MEMORY),
    (AIORMQ.format("blocked by: 'low on memory & disk'"), BOTH),
    (OSLO.format("ERROR", "blocked the connection: low on disk"), DISK),
    (OSLO.format("ERROR", "blocked the connection: connection blocked, see broker logs"), ""),
    ("Connection Producer blocked with reason low on disk", DISK),
    ("'till 4' connection blocked: low on memory", MEMORY),
    ("PHP Fatal error:  Uncaught PhpAmqpLib\\Exception\\AMQPConnectionBlockedException: Connection is blocked due to "
     "low resources in /srv/till.php:12", ""),
    ("[2026-11-25 10:00:01] shop.ERROR: Connection is blocked due to low resources", ""),
    ("kombu.exceptions.OperationalError: connection blocked, see broker logs", ""),
    ("pika.exceptions.ConnectionClosed: (320, 'Blocked connection timeout expired')", ""),
    ("pika.exceptions.ConnectionBlockedTimeout", ""),
    ("2026/11/25 10:00:01 gorabbit WARN: pausing publishing due to TCP blocking from server", ""),
    ("2026/11/25 10:00:01 gorabbit WARN: pausing publishing due to flow request from server", ""),
    ("panic: publishing blocked due to TCP block on the server", ""),
    ("panic: publishing blocked due to high flow on the server", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting"), BLOCKED)
def test_a_library_tells_that_its_connection_is_blocked(line: str, setting: str) -> None:
    found = ask(line)
    assert found.state is (State.BLOCKED if setting else State.LIMIT_UNKNOWN)
    assert found.held is not None
    assert found.held.setting == setting


RELEASES = [
    (PIKA.format("Blocked(['reason=low on memory'])>"), PIKA.format("Unblocked>")),
    (AIORMQ.format("blocked by: 'low on memory'"), AIORMQ.format("unblocked")),
    (OSLO.format("ERROR", "blocked the connection: low on memory"), OSLO.format("INFO", "unblocked the connection")),
    ("Connection Producer blocked with reason low on memory", "Connection Producer unblocked"),
    ("'till 4' connection blocked: low on memory", "'till 4' connection unblocked}"),
]
GO = "2026/11/25 10:00:01 gorabbit WARN: {}ing publishing due to {} from server"


@pytest.mark.parametrize("cause", ["TCP blocking", "flow request"])
def test_go_rabbitmq_tells_that_publishing_goes_on(cause: str) -> None:
    assert ask(GO.format("paus", cause)).state is State.LIMIT_UNKNOWN
    assert ask(GO.format("paus", cause), GO.format("resum", cause)).state is State.NOT_BLOCKED


@pytest.mark.parametrize(("blocked", "released"), RELEASES)
def test_the_same_library_tells_that_it_goes_on(blocked: str, released: str) -> None:
    assert ask(blocked).state is State.BLOCKED
    assert ask(blocked, released).state is State.NOT_BLOCKED


WAITED = [
    ("java.io.IOException: Frame enqueuing failed", "could not write"),
    ("com.rabbitmq.client.ChannelContinuationTimeoutException: Continuation call for method #method<tx.commit>() on "
     "channel AMQChannel(amqp://shop@10.0.0.1:5672/,1) (#1) timed out", "did not answer a method"),
    ("     Error: Timedout after 10000ms waiting for broker to confirm publication to: tickets, with error stack:",
     "did not confirm a publication"),
    ("System.TimeoutException: Publisher confirms timed out after 4 seconds waiting for ACK or NACK from sequence "
     "number 7", "did not confirm a publication"),
    ("Timed out waiting for publisher confirm (Timeout::Error)", "did not confirm a publication"),
    ("Timeout::Error: Timed out waiting for publisher confirms (batch: 40, limit: 20)",
     "did not confirm a publication"),
    ("/srv/till.rb:7:in 'Till#sell': Timed out waiting for publisher confirms (limit: 20) (Timeout::Error)",
     "did not confirm a publication"),
    ("Timeout::Error: IO timeout when writing to socket", "could not write"),
    ("PHP Fatal error:  Uncaught PhpAmqpLib\\Exception\\AMQPTimeoutException: Error sending data. Connection timed "
     "out. in /srv/till.php:12", "could not write"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "reason"), WAITED)
def test_a_wait_of_the_java_client_that_ends_does_not_tell_which_limit(line: str, reason: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    assert reason in held(line).reason


REFUSED = [
    "RabbitMQ.Client.Exceptions.PublishException: Message rejected by broker.",
    "Error: message nacked",
    "Message 7 was nacked (Bunny::MessageNacked)",
    "amqp.exceptions.MessageNacked",
    "org.springframework.amqp.client.AmqpClientNackReceivedException: The message was not accepted, but RELEASED",
]


@pytest.mark.parametrize("line", REFUSED)
def test_a_publication_that_the_broker_refuses_does_not_hang(line: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    assert "basic.nack" in held(line).reason


CODE = [
    "except pika.exceptions.ConnectionBlockedTimeout",
    "raise ConnectionBlockedTimeout",
    "Connection pool unblocked by us",
]


@pytest.mark.parametrize("line", CODE)
def test_source_code_tells_of_no_connection(line: str) -> None:
    found = ask(line)
    assert found.state is State.UNKNOWN
    assert found.quoted is None
