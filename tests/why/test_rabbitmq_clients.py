"""What libraries for RabbitMQ write themselves of a blocked connection, of one let go, and of waits that end."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.show import shown

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
    ("PhpAmqpLib\\Exception\\AMQPConnectionBlockedException: no room", ""),
    ('{"level":"warn","ts":1790000000.5,"msg":"publisher stopped","Reason":"low on disk"}', DISK),
    ('{"@t":"2026-11-25T10:00:01Z","@mt":"{Who} is stopped","Properties":{"BlockReason":"low on memory"}}', MEMORY),
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


@pytest.mark.parametrize(
    "line",
    [
        "pika.exceptions.ConnectionBlockedTimeout: Blocked connection timeout expired.",
        "pika.exceptions.ConnectionClosed: (320, 'Blocked connection timeout expired')",
        "pika.exceptions.ConnectionBlockedTimeout",
    ],
)
def test_a_client_that_closed_its_blocked_connection_waits_no_longer(line: str) -> None:
    found = ask(line)
    assert found.held is not None
    assert found.held.gave_up
    assert shown(found).startswith("Waited in vain (a.log:1")


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


@pytest.mark.parametrize(
    "line",
    [
        "} catch (AMQPConnectionBlockedException $stopped) {",
        "throw new AMQPConnectionBlockedException('no room');",
        "        'connection.blocked' => array('t', 7),",
        "        'connection.unblocked' => '7,9',",
        '{"level":"warn","ts":1790000000.5,"msg":"order refused","reason":"card is blocked"}',
        '{"level":"warn","ts":1790000000.5,"msg":"till 4 is slow","reason":"disk is busy"}',
    ],
)
def test_a_program_or_another_reason_blocks_no_connection(line: str) -> None:
    found = ask(line)
    assert (found.held, found.quoted) == (None, None)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["Alarms", "", "(none)"], "no alarm is set (a.log:3)"),
        ([" {alarms,[]},"], "no alarm is set (a.log:1)"),
        (["Node rabbit@till reported no alarms, local or clusterwide"], "no alarm is set (a.log:1)"),
        (["rabbitmq_alarms_memory_used_watermark 0"], "the alarm of vm_memory_high_watermark is not set (a.log:1)"),
        (['"mem_alarm": false'], "the alarm of vm_memory_high_watermark is not set (a.log:1)"),
    ],
)
def test_an_alarm_that_is_not_set_is_told(lines: list[str], words: str) -> None:
    found = ask(*lines)
    assert (found.state, found.clear) == (State.UNKNOWN, (words,))
    assert words in shown(found)


def test_an_alarm_that_is_set_counts_more_than_one_that_is_not() -> None:
    found = ask("rabbitmq_alarms_memory_used_watermark 0", "rabbitmq_alarms_free_disk_space_watermark 1")
    assert (found.state, found.clear) == (State.BLOCKED, ())


def test_figures_that_a_collector_put_behind_their_alarm_belong_to_it() -> None:
    alarm = "2026-11-25 10:00:01.123 [warning] <0.190.0> disk resource limit alarm set on node 'rabbit@till'."
    figures = "2026-11-25 10:00:{} [info] <0.191.0> Free disk space is insufficient. Free bytes: 40. Limit: 90"
    assert held(alarm, figures.format("01.121")).told.startswith("40 bytes free, 90 bytes asked for")
    assert held(alarm, figures.format("31.121")).told == ""


@pytest.mark.parametrize(
    "frame",
    [
        "[ch 1] channel.flow(active={})",
        "#method<channel.flow>(active={})",
        "Received <METHOD(['channel_number=1', 'frame_type=1', \"method=<Channel.Flow(['active={}'])>\"])> from broker",
    ],
)
def test_a_frame_of_the_broker_stops_a_channel_and_lets_it_go_on(frame: str) -> None:
    stops = f"2026-11-20 10:00:00,000 DEBUG {frame.format('false')}"
    found = ask(stops)
    assert found.state is State.LIMIT_UNKNOWN
    assert found.held is not None
    assert "channel.flow" in found.held.reason
    assert ask(stops, f"2026-11-20 10:00:09,000 DEBUG {frame.format('true')}").state is State.NOT_BLOCKED


def test_a_frame_of_the_client_stops_no_send() -> None:
    assert ask("2026-11-20 10:00:00,000 DEBUG >> [ch 1] channel.flow(active=false)").state is not State.LIMIT_UNKNOWN


@pytest.mark.parametrize(
    "text",
    ["rabbit connection blocked: low on disk", "[10:00:00 WRN] RabbitMQ connection blocked. Reason: low on disk"],
)
def test_a_program_tells_the_reason_of_the_broker_in_its_own_words(text: str) -> None:
    line = text if text.startswith("[") else f"2026-11-20 10:00:00,000 WARN {text}"
    assert held(line).setting == "disk_free_limit"
    gone = line.replace("blocked", "unblocked").partition(": low")[0].partition(". R")[0]
    assert ask(line, gone).state is State.NOT_BLOCKED
