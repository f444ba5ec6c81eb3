"""The adapter contract on a real Artemis by STOMP: charges, receipts, refusals, transactions and consumers."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.artemis.stomp.adapter import SCALE, ArtemisStompAdapter
from tidegate.adapters.base import Adapter, Delivery, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS

pytestmark = pytest.mark.real_broker
REFUSING = Limits(limit_bytes=2 * SCALE, policy="FAIL")


@pytest.fixture(scope="module")
def running() -> Iterator[ArtemisStompAdapter]:
    """An adapter whose broker runs."""
    started = ArtemisStompAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: ArtemisStompAdapter) -> Iterator[ArtemisStompAdapter]:
    """The running adapter, for one scenario."""
    yield running
    running.end_scenario()


def test_the_adapter_offers_what_its_capabilities_promise(adapter: ArtemisStompAdapter) -> None:
    assert isinstance(adapter, Adapter)
    offered = [group for capability, group in GROUPS.items() if capability in adapter.capabilities]
    assert all(isinstance(adapter, group) for group in offered)
    assert (adapter.identity.name, adapter.identity.version) == ("Artemis STOMP", "2.44.0")


@pytest.mark.parametrize("address", ["a", "an-address-with-a-long-name"])
@pytest.mark.parametrize("size", [SCALE, SCALE + 1, 1_000_000])
@pytest.mark.parametrize("options", [ProducerOptions(), ProducerOptions(asynchronous=True, properties=3)])
def test_a_message_is_charged_exactly_its_size(
    adapter: ArtemisStompAdapter, address: str, size: int, options: ProducerOptions
) -> None:
    adapter.declare(address, Limits())
    adapter.open_producer("producer", "producer", (address,), options)
    told = Outcome.SENT if options.asynchronous else Outcome.ACCEPTED
    assert adapter.send("producer", "a-message-id", size) is told
    assert adapter.depth(address) == Depth(size, 1)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_refused_producer_connects_again_and_sends_on(adapter: ArtemisStompAdapter, asynchronous: bool) -> None:
    adapter.declare("refusing", REFUSING)
    adapter.open_producer("producer", "producer", ("refusing",), ProducerOptions(asynchronous=asynchronous))
    told = [adapter.send("producer", f"m{number}", SCALE) for number in range(4)]
    assert told[:2] == [Outcome.SENT if asynchronous else Outcome.ACCEPTED] * 2
    assert told[2:] == [Outcome.REJECTED] * 2
    assert [each.reason for each in adapter.settlements("producer")] == [
        "AMQ339011 Error sending message CoreMessage"
    ] * 2
    adapter.purge("refusing")
    assert adapter.send("producer", "m4", SCALE) is told[0]
    assert not adapter.standing("producer").stopped


def test_a_transaction_counts_once_it_is_committed(adapter: ArtemisStompAdapter) -> None:
    adapter.declare("queue", Limits())
    adapter.open_producer("producer", "producer", ("queue",), ProducerOptions(transacted=True))
    assert adapter.send("producer", "m1", SCALE) is Outcome.UNSETTLED
    assert adapter.depth("queue").messages == 0
    assert adapter.commit("producer") is Outcome.ACCEPTED
    assert adapter.depth("queue") == Depth(SCALE, 1)
    assert adapter.send("producer", "m2", SCALE) is Outcome.UNSETTLED
    adapter.rollback("producer")
    assert adapter.depth("queue") == Depth(SCALE, 1)


def test_a_refusal_ends_the_transaction(adapter: ArtemisStompAdapter) -> None:
    adapter.declare("refusing", REFUSING)
    adapter.open_producer("producer", "producer", ("refusing",), ProducerOptions(transacted=True))
    told = [adapter.send("producer", f"m{number}", SCALE) for number in range(3)]
    assert told == [Outcome.UNSETTLED, Outcome.UNSETTLED, Outcome.REJECTED]
    assert adapter.commit("producer") is Outcome.REJECTED
    assert adapter.send("producer", "m4", SCALE) is Outcome.UNSETTLED
    assert adapter.commit("producer") is Outcome.ACCEPTED
    assert adapter.depth("refusing").messages == 1


@pytest.mark.parametrize("is_topic", [False, True])
def test_a_consumer_is_sent_only_what_it_takes(adapter: ArtemisStompAdapter, is_topic: bool) -> None:
    (adapter.declare_topic if is_topic else adapter.declare)("place", Limits())
    adapter.open_producer("producer", "producer", ("place",))
    for number in range(4):
        adapter.send("producer", f"m{number}", SCALE)
    adapter.open_consumer("one", "one", "place")
    adapter.open_consumer("other", "other", "place")
    taken = [adapter.take("one"), adapter.take("one"), adapter.take("other")]
    assert taken == [Delivery(f"m{number}", "place") for number in range(3)]
    assert adapter.traffic("place").in_hand == 3
    adapter.acknowledge("one", "m0")
    adapter.give_up("one", "m1")
    adapter.kill("other")
    assert adapter.depth("place") == Depth(2 * SCALE, 2)
    assert [adapter.take("one"), adapter.take("one"), adapter.take("one")] == [
        Delivery("m2", "place"),
        Delivery("m3", "place"),
        None,
    ]
    adapter.close_consumer("one")
    assert adapter.traffic("place").in_hand == 0


@pytest.mark.parametrize("is_topic", [False, True])
def test_messages_that_are_given_back_are_handed_out_again_in_their_order(
    adapter: ArtemisStompAdapter, is_topic: bool
) -> None:
    declare = adapter.declare_topic if is_topic else adapter.declare
    declare("returning", Limits())
    adapter.open_producer("producer", "producer", ("returning",))
    adapter.open_consumer("one", "one", "returning")
    adapter.open_consumer("other", "other", "returning")
    for number in range(3):
        assert adapter.send("producer", f"m{number}", SCALE) is Outcome.ACCEPTED
    for _ in range(2):
        assert [adapter.take("one") for _ in range(2)] == [Delivery(f"m{number}", "returning") for number in range(2)]
        adapter.give_back("one")
        assert adapter.traffic("returning").in_hand == 0
    assert [adapter.take("other") for _ in range(3)] == [Delivery(f"m{number}", "returning") for number in range(3)]
