"""A producer of Kafka whose own limit is reached, in the words of each client, and records that nobody answered."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.waits import KAFKA_BUFFER

WITHIN = "within the configured max blocking time"
QUEUE = "queue.buffering.max.messages or queue.buffering.max.kbytes"
HANGS = [
    # line, setting, limit in bytes
    (f"org.apache.kafka.common.errors.TimeoutException: Failed to allocate memory {WITHIN} 4000 ms.",
     "buffer.memory", None),
    (f"org.apache.kafka.clients.producer.BufferExhaustedException: Failed to allocate 900 bytes {WITHIN} 4000 ms. "
     "Total memory: 70000 bytes. Available memory: 100 bytes. Poolable size: 900 bytes", "buffer.memory", 70000),
    (f"KafkaTimeoutError: KafkaTimeoutError: Failed to allocate memory {WITHIN}", "buffer.memory", None),
    ("[DEBUG] blocking Produce because we are either over max buffered records or max buffered bytes",
     "MaxBufferedRecords or MaxBufferedBytes", None),
]  # fmt: skip
FAILS = [
    ("You have exhausted the 70000 bytes of memory you configured for the client and the client is configured to error "
     "rather than block when memory is exhausted.", "buffer.memory", ""),
    ("BufferError: Local: Queue full", QUEUE, ""),
    ("till-1 | Error: Local: Queue full", QUEUE, ""),
    ("% Failed to produce to topic sales: Local: Queue full", QUEUE, "sales"),
    ("Failed to produce to topic 'sales' partition 3: Local: Queue full", QUEUE, "sales"),
    ("the maximum amount of records are buffered, cannot buffer more", "MaxBufferedRecords or MaxBufferedBytes", ""),
]  # fmt: skip
EXPIRED = [
    ("org.apache.kafka.common.errors.TimeoutException: Expiring 3 record(s) for sales-eu-2:9000 ms has passed since "
     "batch creation", "sales-eu"),
    ("Expiring 3 record(s) for sales-2: 9000 ms has passed since batch creation plus linger time", "sales"),
    ("Expiring 3 record(s) for sales: 9000  ms has passed since batch creation plus linger time", "sales"),
    ("Expiring 3 record(s) for sales-2 due to 9000 ms has passed since batch creation plus linger time", "sales"),
    ("% Message delivery failed: Local: Message timed out", ""),
    ("> org.apache.kafka.common.errors.TimeoutException: Batch Expired", ""),
    ("org.apache.kafka.common.errors.TimeoutException: Batch containing 3 record(s) expired due to timeout while "
     "requesting metadata from brokers for sales-2", "sales"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "setting", "limit"), HANGS)
def test_a_send_waits_for_room_in_the_client(line: str, setting: str, limit: int | None) -> None:
    assert ask(line).state is State.BLOCKED
    told = held(line)
    assert (told.setting, told.limit) == (setting, limit)


@pytest.mark.parametrize(("line", "setting", "topic"), FAILS)
def test_a_send_that_fails_at_once_does_not_hang(line: str, setting: str, topic: str) -> None:
    assert ask(line).state is State.NOT_BLOCKED
    told = held(line)
    assert told.setting == setting
    assert told.sends == "fail"
    assert told.place == topic


@pytest.mark.parametrize(("line", "topic"), EXPIRED)
def test_records_that_nobody_answered_do_not_tell_which_limit(line: str, topic: str) -> None:
    assert ask(line).state is State.LIMIT_UNKNOWN
    assert topic in held(line).place


def test_a_thread_waits_for_room_in_the_client() -> None:
    told = held(
        '"till-4" #31 prio=5 os_prio=0 tid=0x1 nid=0x2 waiting on condition',
        "   java.lang.Thread.State: TIMED_WAITING (parking)",
        "\tat sun.misc.Unsafe.park(Native Method)",
        "\tat org.apache.kafka.clients.producer.internals.BufferPool.allocate(BufferPool.java:1)",
        "\tat org.apache.kafka.clients.producer.KafkaProducer.doSend(KafkaProducer.java:1)",
    )
    assert told.reason == KAFKA_BUFFER.reason
    assert told.setting == "buffer.memory"


def test_another_queue_that_is_full_is_none_of_kafka() -> None:
    assert ask("java.lang.IllegalStateException: Queue full").state is State.UNKNOWN


def test_records_that_expired_waited_from_the_beginning_of_their_batch() -> None:
    waited = held(
        "2026-11-30 10:01:04,072 ERROR Expiring 3 record(s) for sales-2: 64072 ms has passed since batch creation"
    )
    assert waited.gave_up
    assert (waited.since, waited.before) == ("2026-11-30 10:00:00", 64)
