"""The adapter contract on the old Qpid Java broker: what it claims works, and a broker that dies is an error."""

from collections.abc import Iterator

import psutil
import pytest

from tidegate.adapters.base import Adapter, AdapterError, Delivery, Depth, Limits, Outcome, ProducerOptions
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.groups import ClientState, Settlement, Usage
from tidegate.adapters.qpid.adapter import QpidAdapter
from tidegate.adapters.qpid.old_broker import OldBroker

pytestmark = [pytest.mark.real_broker, pytest.mark.nightly]
"""By day the boundaries of this broker are run, through the same adapter."""
LIMITS = Limits(limit_bytes=1000, resume_bytes=800)
LOOKS = 2000


@pytest.fixture(scope="module")
def running() -> Iterator[QpidAdapter]:
    started = QpidAdapter("0.18")
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: QpidAdapter) -> Iterator[QpidAdapter]:
    yield running
    running.end_scenario()


def comes_to(adapter: QpidAdapter, producer: str, *, stopped: bool) -> bool:
    """Whether a producer comes to stand so, in many looks."""
    for _ in range(LOOKS):
        if adapter.standing(producer).stopped is stopped:
            return True
        adapter.advance(5)
    return False


def test_the_adapter_offers_what_its_capabilities_promise(adapter: QpidAdapter) -> None:
    assert isinstance(adapter, Adapter)
    for capability in adapter.capabilities & GROUPS.keys():
        assert isinstance(adapter, GROUPS[capability]), capability
    assert adapter.identity.version == "0.18"
    assert adapter.parameters.protocols == ("AMQP 0-9-1",)


@pytest.mark.parametrize("size", [1, 799, 1000, 1001, 10_485_761])
def test_a_message_is_charged_exactly_its_size(adapter: QpidAdapter, size: int) -> None:
    assert adapter.parameters.scale == 1
    adapter.declare("exact", Limits())
    adapter.open_producer("producer", "producer", ("exact",))
    assert adapter.send("producer", "a-message-id", size) is Outcome.ACCEPTED
    assert adapter.depth("exact") == Depth(size, 1)


def test_a_cooperating_producer_stops_and_goes_on_when_released(adapter: QpidAdapter) -> None:
    adapter.declare("gate", LIMITS)
    adapter.open_producer("producer", "producer", ("gate",))
    adapter.open_consumer("consumer", "consumer", "gate")
    assert adapter.send("producer", "m1", 1001) is Outcome.ACCEPTED
    assert adapter.standing("producer").stopped
    assert adapter.send("producer", "m2", 1) is Outcome.BLOCKED
    assert adapter.depth("gate") == Depth(1001, 1)
    assert adapter.take("consumer") is not None
    adapter.acknowledge("consumer", "m1")
    assert adapter.depth("gate") == Depth(0, 0)
    assert comes_to(adapter, "producer", stopped=False)
    assert adapter.send("producer", "m3", 1) is Outcome.ACCEPTED


def test_a_channel_is_shown_as_it_stands(adapter: QpidAdapter) -> None:
    adapter.declare("q", Limits(limit_bytes=1000, resume_bytes=800))
    adapter.open_producer("p", "line", ("q",))
    assert adapter.shown_stopped("p") is False
    adapter.send("p", "m1", 1001)
    assert comes_to(adapter, "p", stopped=True)
    assert adapter.shown_stopped("p") is True
    adapter.purge("q")
    assert comes_to(adapter, "p", stopped=False)
    assert adapter.shown_stopped("p") is False


def test_a_producer_that_ignores_the_order_sends_on(adapter: QpidAdapter) -> None:
    adapter.declare("ignored", LIMITS)
    adapter.open_producer("producer", "producer", ("ignored",), ProducerOptions(obeys=False))
    outcomes = [adapter.send("producer", f"m{number}", 1001) for number in range(3)]
    assert outcomes == [Outcome.ACCEPTED] * 3
    assert adapter.standing("producer").stopped
    assert adapter.depth("ignored") == Depth(3003, 3)


def test_one_message_goes_to_several_queues(adapter: QpidAdapter) -> None:
    for queue in ("orders", "audit"):
        adapter.declare(queue, LIMITS)
    adapter.open_producer("producer", "producer", ("orders", "audit"))
    assert adapter.send("producer", "m1", 600) is Outcome.ACCEPTED
    assert [adapter.depth(queue) for queue in ("orders", "audit")] == [Depth(600, 1)] * 2


def test_a_topic_hands_its_messages_to_its_subscription(adapter: QpidAdapter) -> None:
    adapter.declare_topic("news", LIMITS)
    adapter.open_producer("producer", "producer", ("news",))
    adapter.open_consumer("consumer", "consumer", "news")
    assert adapter.send("producer", "m1", 1001) is Outcome.ACCEPTED
    assert adapter.standing("producer").stopped
    delivery = adapter.take("consumer")
    assert delivery is not None
    assert delivery.message_id == "m1"


def test_an_anonymous_producer_names_the_queue_with_each_message(adapter: QpidAdapter) -> None:
    for queue in ("here", "there"):
        adapter.declare(queue, LIMITS)
    adapter.open_anonymous_producer("producer", "producer")
    assert adapter.send_to("producer", "here", "m1", 100) is Outcome.ACCEPTED
    assert adapter.send_to("producer", "there", "m2", 1001) is Outcome.ACCEPTED
    assert adapter.send_to("producer", "here", "m3", 1) is Outcome.BLOCKED
    assert [adapter.depth(queue) for queue in ("here", "there")] == [Depth(100, 1), Depth(1001, 1)]


def test_a_send_of_the_jms_client_waits_says_so_and_fails(adapter: QpidAdapter) -> None:
    adapter.declare("waited-for", LIMITS)
    options = ProducerOptions(wait_ms=1000, notify_ms=500)
    adapter.open_producer("jms", "jms", ("waited-for",), options)
    assert adapter.send("jms", "m1", 1001) is Outcome.ACCEPTED
    assert adapter.standing("jms").stopped
    assert adapter.send("jms", "m2", 10) is Outcome.UNSETTLED
    assert adapter.send("jms", "m3", 10) is Outcome.BLOCKED
    assert adapter.depth("waited-for") == Depth(1001, 1)
    told = list(adapter.settlements("jms"))
    for _ in range(LOOKS):
        if told:
            break
        adapter.advance(5)
        told += adapter.settlements("jms")
    (settled,) = told
    assert (settled.message_id, settled.outcome) == ("m2", Outcome.REJECTED)
    assert settled.reason.startswith("javax.jms.JMSException")
    assert adapter.client_state("jms") == ClientState(connected=True, session_open=True)
    warnings = adapter.client_warnings("jms")
    assert "delayed by 0s" in warnings[0]
    assert adapter.depth("waited-for") == Depth(1001, 1)


def test_a_send_of_the_jms_client_goes_on_when_it_is_released(adapter: QpidAdapter) -> None:
    adapter.declare("released", LIMITS)
    adapter.open_producer("jms", "jms", ("released",), ProducerOptions(wait_ms=60_000, notify_ms=500))
    adapter.open_consumer("consumer", "consumer", "released")
    adapter.send("jms", "m1", 1001)
    assert adapter.send("jms", "m2", 10) is Outcome.UNSETTLED
    assert adapter.take("consumer") == Delivery("m1", "released")
    adapter.acknowledge("consumer", "m1")
    assert comes_to(adapter, "jms", stopped=False)
    assert list(adapter.settlements("jms")) == [Settlement("m2", Outcome.ACCEPTED)]
    assert adapter.depth("released") == Depth(10, 1)


def test_a_transaction_counts_once_it_is_committed(adapter: QpidAdapter) -> None:
    adapter.declare("transacted", LIMITS)
    adapter.open_producer("jms", "jms", ("transacted",), ProducerOptions(transacted=True))
    assert adapter.send("jms", "m1", 400) is Outcome.UNSETTLED
    adapter.rollback("jms")
    assert adapter.send("jms", "m2", 300) is Outcome.UNSETTLED
    assert adapter.depth("transacted") == Depth(0, 0)
    assert adapter.client_state("jms").in_transaction
    assert adapter.commit("jms") is Outcome.ACCEPTED
    assert adapter.depth("transacted") == Depth(300, 1)


def test_what_the_jms_client_cannot_do_is_an_adapter_error(adapter: QpidAdapter) -> None:
    adapter.declare("plain", LIMITS)
    with pytest.raises(AdapterError, match="no JMS producer"):
        adapter.open_producer("deaf", "deaf", ("plain",), ProducerOptions(transacted=True, obeys=False))
    adapter.open_producer("pika", "pika", ("plain",))
    with pytest.raises(AdapterError, match="does not belong to the JMS client"):
        adapter.client_state("pika")


def test_a_store_over_its_quota_stops_every_producer_until_it_is_under_it(adapter: QpidAdapter) -> None:
    adapter.declare_usage(Usage(quota_bytes=6_000_000, quota_resume_bytes=4_800_000))
    adapter.log_lines()
    for queue in ("here", "there"):
        adapter.declare(queue, Limits())
        adapter.open_producer(queue, queue, (queue,), ProducerOptions(persistent=True))
    assert adapter.send("here", "m1", 3_000_000) is Outcome.ACCEPTED
    assert not adapter.standing("there").stopped
    adapter.send("here", "m2", 5_000_000)
    assert all(comes_to(adapter, queue, stopped=True) for queue in ("here", "there"))
    adapter.open_consumer("consumer", "consumer", "here")
    for _ in range(2):
        delivery = adapter.take("consumer")
        assert delivery is not None
        adapter.acknowledge("consumer", delivery.message_id)
    assert all(comes_to(adapter, queue, stopped=False) for queue in ("here", "there"))
    lines = adapter.log_lines()
    assert [sum(code in line for line in lines) for code in ("MST-1008", "MST-1009")] == [1, 1]


def test_limits_that_are_no_quota_are_an_adapter_error(adapter: QpidAdapter) -> None:
    with pytest.raises(AdapterError, match="a quota for its message store"):
        adapter.declare_usage(Usage(memory_bytes=1000))


def test_what_a_consumer_did_not_acknowledge_goes_back_when_it_is_closed_or_killed(adapter: QpidAdapter) -> None:
    adapter.declare("returned", Limits())
    adapter.open_producer("producer", "producer", ("returned",))
    adapter.send("producer", "m1", 100)
    adapter.open_consumer("closed", "closed", "returned")
    assert adapter.take("closed") is not None
    adapter.close_consumer("closed")
    adapter.open_consumer("killed", "killed", "returned")
    assert adapter.take("killed") is not None
    adapter.kill("killed")
    adapter.open_consumer("last", "last", "returned")
    delivery = adapter.take("last")
    assert delivery is not None
    assert delivery.message_id == "m1"
    assert adapter.depth("returned") == Depth(100, 1)


def test_defaults_end_with_their_scenario(adapter: QpidAdapter) -> None:
    adapter.declare_defaults(Limits(limit_bytes=5000, resume_bytes=4000))
    adapter.declare("during", Limits())
    assert adapter.limits_in_force("during") == Limits(limit_bytes=5000, resume_bytes=4000)
    adapter.end_scenario()
    adapter.declare("after", Limits())
    assert adapter.limits_in_force("after") == Limits(limit_bytes=0, resume_bytes=0)


def test_limits_that_are_raised_release_and_a_purge_does(adapter: QpidAdapter) -> None:
    for queue in ("raised", "purged"):
        adapter.declare(queue, LIMITS)
        adapter.open_producer(queue, queue, (queue,))
        adapter.send(queue, f"m-{queue}", 1001)
        assert adapter.standing(queue).stopped
    adapter.change_limits("raised", Limits(limit_bytes=5000, resume_bytes=4000))
    adapter.purge("purged")
    assert adapter.depth("purged") == Depth(0, 0)
    assert comes_to(adapter, "raised", stopped=False)
    assert comes_to(adapter, "purged", stopped=False)


def test_a_broker_that_dies_is_an_error_and_can_be_started_again() -> None:
    adapter = QpidAdapter("0.18")
    adapter.start()
    try:
        adapter.declare("queue", LIMITS)
        adapter.open_producer("producer", "producer", ("queue",))
        broker = adapter._broker
        assert isinstance(broker, OldBroker)
        process = psutil.Process(broker.pid)
        process.kill()
        process.wait(60)
        with pytest.raises(AdapterError):
            adapter.send("producer", "m1", 1)
        with pytest.raises(AdapterError):
            adapter.depth("queue")
        adapter.stop()
        adapter.start()
        adapter.declare("queue", LIMITS)
        assert adapter.depth("queue") == Depth(0, 0)
    finally:
        adapter.stop()
