"""The adapter contract on the real client of WSO2 Message Broker: who is stopped and let go, and what a send says."""

from collections.abc import Iterator

import pytest

from tidegate.adapters.base import Adapter, Depth, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.capabilities import GROUPS
from tidegate.adapters.groups import ClientState, NoScript, Usage, declined, reason_to_decline
from tidegate.adapters.qpid.andes import GATE, AndesClientAdapter
from tidegate.catalogue import catalogue

pytestmark = pytest.mark.real_broker
MEMORY = Usage(memory_bytes=1000, block_percent=40, resume_percent=50)
SHORT = ProducerOptions(wait_ms=2500, notify_ms=1000)


@pytest.fixture(scope="module")
def running() -> Iterator[AndesClientAdapter]:
    """An adapter whose broker runs."""
    started = AndesClientAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: AndesClientAdapter) -> Iterator[AndesClientAdapter]:
    """The running adapter, for one scenario."""
    yield running
    running.end_scenario()


def test_the_adapter_offers_what_its_capabilities_promise(adapter: AndesClientAdapter) -> None:
    assert isinstance(adapter, Adapter)
    offered = [group for capability, group in GROUPS.items() if capability in adapter.capabilities]
    assert offered and all(isinstance(adapter, group) for group in offered)
    assert (adapter.identity.name, adapter.identity.version) == ("WSO2 Message Broker client", "3.2.12")


def test_rules_of_the_client_alone_are_claimed(adapter: AndesClientAdapter) -> None:
    claimed = {rule for rule in catalogue() if reason_to_decline(declined(adapter), rule) is None}
    assert claimed == {rule for rule in catalogue() if rule.startswith("ANDES-CLIENT-")} != set()


def test_all_are_stopped_past_the_threshold_and_let_go_past_the_other_one(adapter: AndesClientAdapter) -> None:
    adapter.declare_usage(MEMORY)
    adapter.declare("queue", Limits())
    for producer in ("first", "second"):
        adapter.open_producer(producer, producer, ("queue",))
    assert adapter.send("first", "m1", 301) is Outcome.ACCEPTED
    assert adapter.send("first", "m2", 299) is Outcome.ACCEPTED
    assert not adapter.standing("second").stopped
    assert adapter.send("second", "m3", 1) is Outcome.ACCEPTED
    adapter.open_producer("latecomer", "latecomer", ("queue",))
    assert [adapter.standing(each).stopped for each in ("first", "second", "latecomer")] == [True] * 3
    assert (adapter.memory_used(), adapter.depth("queue")) == (601, Depth(601, 3))
    adapter.open_consumer("consumer", "consumer", "queue")
    for message_id, stopped in (("m1", True), ("m2", False)):
        adapter.take("consumer")
        adapter.acknowledge("consumer", message_id)
        assert adapter.standing("second").stopped is (stopped and adapter.memory_used() >= 500)
    assert adapter.depth(GATE) == Depth(0, 0)


def test_a_send_that_waits_says_so_and_fails(adapter: AndesClientAdapter) -> None:
    adapter.declare_usage(MEMORY)
    adapter.declare("queue", Limits())
    adapter.open_producer("filler", "filler", ("queue",))
    adapter.open_producer("producer", "producer", ("queue",), SHORT)
    adapter.send("filler", "m1", 1000)
    assert adapter.send("producer", "m2", 10) is Outcome.UNSETTLED
    assert adapter.send("producer", "m3", 10) is Outcome.BLOCKED
    adapter.advance(4500)
    (settlement,) = adapter.settlements("producer")
    assert settlement.outcome is Outcome.REJECTED and "JMSException" in settlement.reason
    assert len(adapter.client_warnings("producer")) >= 2
    # its exception says that it closes the connection, which it does not
    log = adapter._clients._jms._log
    assert log is not None and "hence closing the JMS connection" in log.path.read_text(encoding="utf-8")
    assert adapter.client_state("producer") == ClientState(connected=True, session_open=True)


def test_what_a_memory_with_both_thresholds_does_not_say_is_refused(adapter: AndesClientAdapter) -> None:
    for usage in (Usage(memory_bytes=1000), Usage(connection_messages=10)):
        with pytest.raises(Unsupported, match="by a memory with both thresholds"):
            adapter.declare_usage(usage)
    with pytest.raises(NoScript, match="no script repeats"):
        adapter.recording([])
