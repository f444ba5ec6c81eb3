"""The worked example of the chapter on shared connections, step by step, in 4.x and since 5.0."""

import pytest

from tidegate.model.mechanisms.classic import Destination
from tidegate.model.mechanisms.classic_connection import (
    Broker,
    ConnectionName,
    Producer,
    ProducerName,
    after_acknowledgement,
    after_admission,
    after_send,
    stalls_connection,
    stuck,
)

PRODUCER, LINE, OTHER_LINE = ProducerName("producer"), ConnectionName("line"), ConnectionName("other line")


def after_three_steps(*, suspends: bool) -> Broker:
    """A message fills the queue, one more must wait, and the first is acknowledged over the same connection."""
    stalls = stalls_connection(suspends=suspends, answered=True, windowed=False)
    broker = Broker(Destination(1000, True, 0), {PRODUCER: Producer(LINE, stalls, 0)})
    suspended = after_send(after_send(broker, PRODUCER, 1000), PRODUCER, 10)
    return after_acknowledgement(suspended, LINE, 1000)


def test_before_5_0_the_connection_is_stuck_and_another_one_gets_it_out() -> None:
    broker = after_three_steps(suspends=True)
    assert stuck(broker, LINE)
    assert stuck(after_acknowledgement(broker, LINE, 1000), LINE)
    freed = after_acknowledgement(broker, OTHER_LINE, 1000)
    assert not stuck(freed, LINE)
    assert after_admission(freed, PRODUCER).destination.bytes == 10


def test_since_5_0_the_producer_alone_waits_and_goes_on() -> None:
    broker = after_three_steps(suspends=False)
    assert not stuck(broker, LINE)
    admitted = after_admission(broker, PRODUCER)
    assert admitted.destination.bytes == 10
    assert admitted.producers[PRODUCER].held == 0


@pytest.mark.parametrize(
    ("answered", "windowed", "stalls"), [(True, False, False), (False, True, False), (False, False, True)]
)
def test_since_5_0_only_who_waits_for_nothing_stalls_a_connection(answered: bool, windowed: bool, stalls: bool) -> None:
    assert stalls_connection(suspends=False, answered=answered, windowed=windowed) is stalls
