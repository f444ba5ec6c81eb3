"""Pulsar: a topic past its backlog quota, in the words of the broker and of each client; and clients that are full."""

import pytest

from tests.why.asking import ask, held
from tidegate.why.answer import State
from tidegate.why.notices import Cause
from tidegate.why.waits import PULSAR_MEMORY, PULSAR_QUEUE

TOPIC = "persistent://shop/eu/orders-partition-3"
FULL = "Cannot create producer on topic with backlog quota exceeded"
HOLD, FAIL = "producer_request_hold", "producer_exception"
LINES = [
    # line, the topic, the producer, the policy
    (f"[{TOPIC}] [till-4] Failed to create producer: {FULL}", TOPIC, "till-4", ""),
    (f"[{TOPIC}] [null] Failed to create producer: {FULL}", TOPIC, "", ""),
    (f'[{TOPIC}] [till-4] Failed to create producer: {{"errorMsg":"{FULL}","reqId":7}}', TOPIC, "till-4", ""),
    (
        f"[{TOPIC}] [till-4] Could not get connection to broker: {FULL} -- Will try again in 9.1 s",
        TOPIC,
        "till-4",
        "",
    ),
    (
        f"[till-4] [{TOPIC}] Producer is blocked on creation because backlog exceeded on topic.",
        TOPIC,
        "till-4",
        HOLD,
    ),
    (
        f"[{TOPIC}] [till-4] Topic backlog quota exceeded. Throwing Exception on producer.",
        TOPIC,
        "till-4",
        FAIL,
    ),
    (
        f"[{TOPIC}, till-4] Producer is blocked on creation because backlog is exceeded on topic",
        TOPIC,
        "till-4",
        HOLD,
    ),
    (f"[{TOPIC}, till-4] Backlog is exceeded on topic. Sending exception to producer", TOPIC, "till-4", FAIL),
    (
        f'time="2026-11-25T10:00:01Z" level=error msg="[Failed to create producer]" error="server error: '
        f'ProducerBlockedQuotaExceededError: {FULL}" producerID=6 producer_name=till-4 topic="{TOPIC}"',
        TOPIC,
        "till-4",
        HOLD,
    ),
    (
        f'[2026/11/25 10:00:01.123 +00:00] [WARN] [x.go:12] ["cannot send"] [error="server error: '
        f'ProducerBlockedQuotaExceededException: {FULL}"]',
        "",
        "",
        FAIL,
    ),
    (
        f"org.apache.pulsar.client.api.PulsarClientException$ProducerBlockedQuotaExceededException: {FULL}",
        "",
        "",
        FAIL,
    ),
    (
        "Caused by: org.apache.pulsar.client.api.PulsarClientException$ProducerBlockedQuotaExceededException: "
        f"The backlog quota of the topic {TOPIC} that the producer till-4 produces to is exceeded",
        TOPIC,
        "till-4",
        FAIL,
    ),
    (
        f"[{TOPIC}] [till-4] Failed to create producer: "
        f'{{"errorMsg":"org.apache.pulsar.broker.service.X$TopicBacklogQuotaExceededException: {FULL}","reqId":7}}',
        TOPIC,
        "till-4",
        "",
    ),
    (f"Backlog quota exceeded for topic [{TOPIC}]. Applying [{HOLD}] policy", TOPIC, "", HOLD),
    (f"Backlog quota type message_age exceeded for topic [{TOPIC}]. Applying [{FAIL}] policy", TOPIC, "", FAIL),
    (f"Producer [till-4] has exceeded backlog quota on topic [{TOPIC}]. Disconnecting", TOPIC, "till-4", ""),
]


@pytest.mark.parametrize(("line", "topic", "producer", "policy"), LINES)
def test_a_topic_past_its_backlog_quota_holds_up_its_producers(
    line: str, topic: str, producer: str, policy: str
) -> None:
    told = held(line)
    assert (told.setting, told.place) == ("backlog quota", f"topic {topic}" if topic else "")
    assert told.clients == ((f"producer {producer}",) if producer else ())
    assert policy in told.reason
    assert ask(line).state is State.BLOCKED


def test_a_topic_with_a_name_is_told_before_a_line_that_lost_it() -> None:
    told = held(LINES[0][0], f"server error: {FULL}")
    assert told.place == f"topic {TOPIC}"


@pytest.mark.parametrize(
    "created",
    [
        f"[{TOPIC}] [till-4] Created producer on cnx [id: 0x1, L:/10.0.0.1:4000]",
        f'level=info msg="[Created producer]" cnx="10.0.0.1:1 -> 10.0.0.2:6650" producerID=6 topic="{TOPIC}"',
        f"Created new producer: Producer{{topic=PersistentTopic{{topic={TOPIC}}}, client=/10.0.0.1:1, producerName=t}}",
    ],
)
def test_a_producer_that_is_created_tells_that_the_topic_holds_up_nobody(created: str) -> None:
    assert ask(LINES[0][0], created).state is State.NOT_BLOCKED
    assert ask(LINES[0][0], created.replace(TOPIC, f"{TOPIC}0")).state is State.BLOCKED


def test_a_topic_that_evicts_and_a_client_that_is_full_hold_nobody_up() -> None:
    evicts = ask(f"Backlog quota exceeded for topic [{TOPIC}]. Applying [consumer_backlog_eviction] policy")
    full = ask(
        "org.apache.pulsar.client.api.PulsarClientException$ProducerQueueIsFullError: Producer send queue is full"
    )
    memory = ask("Client memory buffer is full")
    assert {found.state for found in (evicts, full, memory)} == {State.NOT_BLOCKED}
    assert [found.held.sends for found in (evicts, full, memory) if found.held] == ["go on", "fail", "fail"]
    assert [found.held.setting for found in (full, memory) if found.held] == ["maxPendingMessages", "memoryLimit"]


def test_a_send_that_timed_out_names_no_limit() -> None:
    found = ask("Could not send message to broker within given timeout")
    assert found.state is State.LIMIT_UNKNOWN
    named = held(f"The producer till-4 can not send message to the topic {TOPIC} within given timeout")
    assert (named.place, named.clients) == (f"topic {TOPIC}", ("producer till-4",))


@pytest.mark.parametrize(
    ("frame", "cause"),
    [
        ("java.util.concurrent.Semaphore.acquire", PULSAR_QUEUE),
        ("org.apache.pulsar.client.impl.MemoryLimitController.reserveMemory", PULSAR_MEMORY),
    ],
)
def test_a_thread_of_a_client_that_is_full_waits(frame: str, cause: Cause) -> None:
    stack = ["jdk.internal.misc.Unsafe.park", frame, "org.apache.pulsar.client.impl.ProducerImpl.canEnqueueRequest"]
    told = held('"till" #1 prio=5 tid=0x1', *(f"\tat {each}(X.java:1)" for each in stack))
    assert (told.setting, told.reason) == (cause.setting, cause.reason)


@pytest.mark.parametrize(("kind", "limited"), [("destination_storage", "in bytes;"), ("message_age", "by age;")])
def test_the_broker_tells_what_the_quota_limits_and_its_policy(kind: str, limited: str) -> None:
    applies = f"Backlog quota type {kind} exceeded for topic [{TOPIC}]. Applying [producer_exception] policy"
    disconnects = f"Producer [till-7] has exceeded backlog quota on topic [{TOPIC}]. Disconnecting producer"
    for lines in ((applies, disconnects), (disconnects, applies)):
        stop = held(*lines)
        assert stop.clients == ("producer till-7",)
        assert limited in stop.reason
        assert "the policy is producer_exception" in stop.reason
