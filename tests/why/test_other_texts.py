"""The table of texts of brokers and clients without rules: each row is told as it says, and where it is said."""

import re

import pytest

from tests.why.asking import ask, held
from tidegate.model.language.message_text import PLACEHOLDER
from tidegate.why.answer import State
from tidegate.why.lines.other_texts import KEYS, OPTIONAL, ROWS, SHAPES, WAIT, mark
from tidegate.why.show import shown

VALUES = {"word": "till-7", "text": "eu", "number": "700"}
SENDS = re.compile(r"fail|go on|wait$")
TEXTS = [(row, text) for row in ROWS for text in row["texts"]]
ENDS = [(row, text) for row in ROWS for text in row.get("ended_by", ())]


def filled(text: str) -> str:
    """The text as a program writes it, with a value in each place."""
    return PLACEHOLDER.sub(lambda found: VALUES[found["type"]], text)


def test_each_row_has_the_keys_of_a_row_and_no_other() -> None:
    for row in ROWS:
        assert row.keys() >= KEYS, row["setting"]
        assert row.keys() <= KEYS | OPTIONAL, row["setting"]
        assert SENDS.match(row["sends"]), row["setting"]
        assert {found["type"] for text in row["texts"] for found in PLACEHOLDER.finditer(text)} <= SHAPES.keys()


def test_each_text_has_a_part_that_no_other_program_writes() -> None:
    assert not [text for _, text in TEXTS + ENDS if len(mark(text)) < 12]


@pytest.mark.parametrize(("row", "text"), TEXTS, ids=lambda one: one[:60] if isinstance(one, str) else "")
def test_a_line_with_the_text_tells_the_limit_of_its_row(row: dict[str, str], text: str) -> None:
    line = f"2026-11-25 10:00:00 WARN {filled(text)}"
    found = held(line)
    assert found.reason == row["reason"]
    assert ask(line).state is (State.BLOCKED if row["sends"] == WAIT else State.NOT_BLOCKED)
    assert found.sends == ("" if row["sends"] == WAIT else row["sends"])


@pytest.mark.parametrize(("row", "text"), ENDS, ids=lambda one: one[:60] if isinstance(one, str) else "")
def test_what_ends_a_wait_ends_it(row: dict[str, list[str]], text: str) -> None:
    for begins in row["texts"]:
        assert ask(filled(begins)).state is State.BLOCKED
        assert ask(filled(begins), filled(text)).state is State.NOT_BLOCKED


AS_THEY_COME = [
    # line, setting, place or client
    ('[7] 2026/11/25 10:00:00.000000 [INF] 10.0.0.9:4000 - cid:7 - "v1.31.0:go:till" - Slow Consumer Detected: '
     "WriteDeadline of 10s exceeded with 7 chunks of 700 total bytes.", "max_pending or write_deadline", ""),
    ("[7] 2026/11/25 10:00:00.000000 [INF] 10.0.0.9:4000 - cid:7 - Slow Consumer Detected: MaxPending of 700 Exceeded",
     "max_pending or write_deadline", ""),
    ("(error) OOM command not allowed when used memory > 'maxmemory'.", "maxmemory", ""),
    ("redis.exceptions.ResponseError: OOM command not allowed when used memory > 'maxmemory'.", "maxmemory", ""),
    ("ReplyError: OOM command not allowed when used memory > 'maxmemory'", "maxmemory", ""),
    ("1:M 25 Nov 2026 10:00:01.123 # Client id=7 addr=10.0.0.9:4000 scheduled to be closed ASAP for overcoming of "
     "output buffer limits.", "client-output-buffer-limit", "subscriber id=7 addr=10.0.0.9:4000"),
    ("1764000000: Outgoing messages are being dropped for client till.", "max_queued_messages or max_queued_bytes",
     "subscriber till"),
    ("2026-11-25T10:00:01.123456+01:00 [warning] tag: MQTT, clientid: till, msg: dropped_msg_due_to_mqueue_is_full, "
     "peername: 10.0.0.9:4000", "mqtt.max_mqueue_len", ""),
    ('{"time":1764000000000000,"level":"warning","msg":"dropped_msg_due_to_mqueue_is_full","clientid":"till"}',
     "mqtt.max_mqueue_len", ""),
    ("2026-11-25T10:00:01.123456+01:00 [warning] till@10.0.0.9:4000 [Session] Dropped msg due to mqueue is full: X",
     "mqtt.max_mqueue_len", ""),
    ("2026-11-25 10:00:00,000 WARN  - Outgoing publish message was dropped. Receiving client: till, topic: a/b, qos: "
     "1, reason: The client message queue is full.", "queued-messages max-queue-size", "subscriber till"),
    ("2026-11-25 10:00:00.000000+01:00 [error] <0.9.0> Channel error on connection <0.8.0> (10.0.0.9:4000 -> "
     "10.0.0.1:5672, vhost: '/', user: 'shop'), channel 1: operation none caused a channel exception "
     "precondition_failed: delivery acknowledgement on channel 1 timed out. Timeout value used: 1800000 ms.",
     "consumer_timeout", ""),
    ("com.rabbitmq.client.ShutdownSignalException: channel error; protocol method: #method<channel.close>"
     "(reply-code=406, reply-text=PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out.",
     "consumer_timeout", ""),
    ("redis.exceptions.OutOfMemoryError: command not allowed when used memory > 'maxmemory'.", "maxmemory", ""),
    ("Caused by: org.apache.kafka.common.errors.RecordTooLargeException: The message is 1125872 bytes when serialized "
     "which is larger than 1048576, which is the value of the max.request.size configuration.", "max.request.size", ""),
    ("2026-11-25 10:00:00,000 | WARN  | Transport Connection to: tcp://10.0.0.9:4000 failed: java.io.IOException: "
     "Frame size of 257 MB larger than max allowed 100 MB | org.apache.activemq.broker.TransportConnection.Transport",
     "wireFormat.maxFrameSize", ""),
    ("com.rabbitmq.client.ShutdownSignalException: channel error; protocol method: #method<channel.close>"
     "(reply-code=406, reply-text=PRECONDITION_FAILED - message size 20000000 is larger than configured max size "
     "16777216, class-id=60, method-id=40)", "max_message_size", ""),
    ("org.apache.rocketmq.client.exception.MQClientException: CODE: 13  DESC: the message body size over max value, "
     "MAX: 4194304", "maxMessageSize", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "place"), AS_THEY_COME, ids=lambda one: str(one)[:60])
def test_the_text_is_told_in_the_logs_of_its_programs(line: str, setting: str, place: str) -> None:
    found = held(line)
    assert found.setting == setting
    assert found.place == place


def test_a_message_that_did_not_come_tells_nothing() -> None:
    text = 'the message "The request was terminated because the entity is being throttled. Error code: 7"'
    assert ask(f"We have not received {text}, so we wait").quoted is None
    assert ask(f"We have received {text}, so we wait").quoted is not None


def test_one_message_or_the_other_tells_what_may_be_written() -> None:
    either = "RabbitMQ shows 'free space, disk resource limit alarm set'"
    assert ask(f"{either} here").quoted is not None
    assert ask(f"{either} or 'memory resource limit alarm set' here").quoted is None


def test_a_message_that_is_too_large_waits_for_nothing_to_go() -> None:
    line = "PulsarClientException$InvalidMessageException: Message size is bigger than 5242880 bytes"
    found = held(line)
    assert (found.limit, found.unit, found.goes) == (5_242_880, "bytes", False)
    assert not any("how much must go" in each for each in shown(ask(line)))
