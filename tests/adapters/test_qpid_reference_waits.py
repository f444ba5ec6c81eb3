"""The clients of the Qpid reference wait as their options say."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.base import DEFAULT_OPTIONS, Limits, Outcome, ProducerOptions
from tidegate.adapters.reference.qpid import QpidReference

HOUR_MS = 3_600_000


@pytest.fixture
def broker() -> Iterator[QpidReference]:
    """A reference with a queue that one message takes past its capacity."""
    broker = QpidReference()
    broker.start()
    broker.declare("queue", Limits(limit_bytes=1000, resume_bytes=800))
    yield broker
    broker.stop()


def second_send(broker: QpidReference, options: ProducerOptions) -> Outcome:
    """The outcome of a producer's send after a message that stopped it."""
    broker.open_producer("producer", "connection", ("queue",), options)
    assert broker.send("producer", "first", 1001) is Outcome.ACCEPTED
    return broker.send("producer", "second", 10)


def test_a_send_that_waits_without_end_outlasts_an_hour(broker: QpidReference) -> None:
    assert second_send(broker, ProducerOptions(wait_ms=-1)) is Outcome.UNSETTLED
    broker.advance(HOUR_MS)
    assert broker.settlements("producer") == []


def test_a_send_with_a_time_fails_after_it(broker: QpidReference) -> None:
    assert second_send(broker, ProducerOptions(wait_ms=HOUR_MS)) is Outcome.UNSETTLED
    broker.advance(HOUR_MS)
    assert [each.outcome for each in broker.settlements("producer")] == [Outcome.REJECTED]


def test_without_a_configured_wait_the_client_does_not_try(broker: QpidReference) -> None:
    assert second_send(broker, DEFAULT_OPTIONS) is Outcome.BLOCKED


def test_a_send_that_goes_on_to_a_queue_that_refuses_messages_is_rejected(broker: QpidReference) -> None:
    assert second_send(broker, ProducerOptions(wait_ms=-1)) is Outcome.UNSETTLED
    broker.change_limits("queue", Limits(limit_bytes=1000, policy="FAIL"))
    assert [each.outcome for each in broker.settlements("producer")] == [Outcome.REJECTED]
    assert broker.depth("queue").messages == 1
