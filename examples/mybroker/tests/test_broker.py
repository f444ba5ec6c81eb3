"""The broker's own tests."""

import pytest
from mybroker import Broker, Channel, Message
from mybroker.broker import Refused


def stopped_channel(broker: Broker, said: list[bool]) -> Channel:
    broker.create("queue", capacity=10, resume=5)
    channel = broker.connect().channel(said.append)
    channel.publish(Message("m1", bytes(11)), ("queue",))
    return channel


def test_a_channel_is_told_to_stop_and_to_go_on() -> None:
    broker, said = Broker(), list[bool]()
    stopped_channel(broker, said)
    assert said == [False]
    consumer = broker.connect().consumer("queue")
    message = consumer.take()
    assert message is not None
    assert said == [False]
    consumer.acknowledge(message.id)
    assert said == [False, True]


def test_a_deleted_queue_stops_nobody() -> None:
    broker, said = Broker(), list[bool]()
    stopped_channel(broker, said)
    broker.delete("queue")
    assert said == [False, True]


def test_what_a_consumer_gives_back_comes_first() -> None:
    broker = Broker()
    broker.create("queue")
    channel = broker.connect().channel(lambda active: None)
    for name in ("m1", "m2", "m3"):
        channel.publish(Message(name, b"x"), ("queue",))
    first, second = broker.connect().consumer("queue"), broker.connect().consumer("queue")
    assert [first.take(), first.take()] == [Message("m1", b"x"), Message("m2", b"x")]
    first.close()
    assert [second.take(), second.take(), second.take()] == [Message(name, b"x") for name in ("m1", "m2", "m3")]


def test_nobody_acknowledges_for_another() -> None:
    broker = Broker()
    stopped_channel(broker, [])
    broker.connect().consumer("queue").take()
    with pytest.raises(Refused):
        broker.connect().consumer("queue").acknowledge("m1")
