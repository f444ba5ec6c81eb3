"""The adapter contract on a real Artemis: exact charges, observation by management, nothing left."""

from dataclasses import replace

import pytest

from tests.waiting import eventually
from tidegate.adapters.artemis.adapter import ArtemisAdapter
from tidegate.adapters.artemis.management import Management
from tidegate.adapters.base import Adapter, AdapterError, Depth, Limits, Outcome, ProducerOptions, Unsupported
from tidegate.adapters.groups import ReadsLimits, WritesLog

pytestmark = pytest.mark.real_broker
LIMIT = 500_000
TRANSACTED = ProducerOptions(transacted=True)
BLOCKING = Limits(limit_bytes=LIMIT, policy="BLOCK", credit=100, credit_low=30)


def test_the_adapter_offers_what_its_capabilities_promise(adapter: ArtemisAdapter) -> None:
    assert isinstance(adapter, Adapter)
    assert isinstance(adapter, ReadsLimits)
    assert isinstance(adapter, WritesLog)
    assert adapter.identity.version == "2.44.0"


@pytest.mark.parametrize("size", [500, 700, 1000, 5000, LIMIT])
def test_a_message_is_charged_exactly_its_size(adapter: ArtemisAdapter, size: int) -> None:
    adapter.declare("exact", BLOCKING)
    adapter.open_producer("producer", "producer", ("exact",))
    assert adapter.send("producer", "a-message-id", size) is Outcome.ACCEPTED
    assert adapter.depth("exact") == Depth(size, 1)


@pytest.mark.parametrize(("size", "credit"), [(LIMIT - 1, 100), (LIMIT, 0), (LIMIT + 1, 0)])
def test_a_latecomer_stands_as_the_broker_has_it(adapter: ArtemisAdapter, size: int, credit: int) -> None:
    adapter.declare("full", BLOCKING)
    adapter.open_producer("first", "first", ("full",))
    assert adapter.send("first", "m1", size) is Outcome.ACCEPTED
    adapter.open_producer("latecomer", "latecomer", ("full",))
    standing = adapter.standing("latecomer")
    assert (standing.stopped, standing.credit_issued, standing.credit_left) == (credit == 0, credit, credit)
    expected = Outcome.ACCEPTED if credit else Outcome.BLOCKED
    assert adapter.send("latecomer", "m2", 1000) is expected
    assert adapter.depth("full").messages == (2 if credit else 1)


def test_a_message_is_charged_once_it_is_sent_and_counted_once_it_is_committed(adapter: ArtemisAdapter) -> None:
    adapter.declare("transacted", BLOCKING)
    adapter.open_producer("producer", "producer", ("transacted",), TRANSACTED)
    assert adapter.send("producer", "m1", 1000) is Outcome.UNSETTLED
    assert adapter.depth("transacted") == Depth(1000, 0)
    assert adapter.commit("producer") is Outcome.ACCEPTED
    assert eventually(lambda: adapter.depth("transacted") == Depth(1000, 1))
    assert adapter.send("producer", "m2", 2000) is Outcome.UNSETTLED
    adapter.rollback("producer")
    assert adapter.depth("transacted") == Depth(1000, 1)
    assert (adapter.standing("producer").credit_issued, adapter.standing("producer").credit_left) == (100, 98)


@pytest.mark.parametrize("end", ["close_producer", "kill"])
def test_what_a_transacted_producer_leaves_open_is_rolled_back(adapter: ArtemisAdapter, end: str) -> None:
    adapter.declare("left-open", BLOCKING)
    adapter.open_producer("producer", "producer", ("left-open",), TRANSACTED)
    adapter.open_producer("other", "producer", ("left-open",))
    assert adapter.send("producer", "m1", 1000) is Outcome.UNSETTLED
    getattr(adapter, end)("producer")
    assert eventually(lambda: adapter.depth("left-open") == Depth(0, 0))


@pytest.mark.parametrize("end", ["close_consumer", "kill"])
def test_a_subscription_holds_its_messages_and_ends_with_its_consumer(adapter: ArtemisAdapter, end: str) -> None:
    adapter.declare_bound("topic", BLOCKING, {}, "last")
    adapter.subscribe("subscriber", "subscriber", "topic")
    adapter.open_producer("producer", "producer", ("topic",))
    assert adapter.send("producer", "m1", 1000) is Outcome.ACCEPTED
    assert adapter.depth("subscriber") == Depth(1000, 1)
    for queue in ("topic", "last"):
        adapter.purge(queue)
    assert (adapter.depth("subscriber").messages, adapter.depth("topic").messages) == (1, 0)
    assert adapter.depth("topic").bytes > 0
    getattr(adapter, end)("subscriber")
    assert eventually(lambda: adapter.depth("topic") == Depth(0, 0))


def test_each_producer_has_transactions_of_its_own(adapter: ArtemisAdapter) -> None:
    adapter.declare("two", BLOCKING)
    shared = replace(TRANSACTED, session="shared")
    for producer in ("first", "second"):
        adapter.open_producer(producer, "both", ("two",), shared)
        assert adapter.send(producer, f"m-{producer}", 1000) is Outcome.UNSETTLED
    adapter.rollback("first")
    assert adapter.commit("second") is Outcome.ACCEPTED
    adapter.open_consumer("consumer", "consumer", "two")
    assert eventually(lambda: adapter.depth("two") == Depth(1000, 1))
    delivery = adapter.take("consumer")
    assert delivery is not None and delivery.message_id == "m-second"


def test_a_producer_without_transactions_has_none_to_commit(adapter: ArtemisAdapter) -> None:
    adapter.declare("plain", BLOCKING)
    adapter.open_producer("producer", "producer", ("plain",))
    with pytest.raises(Unsupported, match="the producer 'producer' is not transacted"):
        adapter.commit("producer")


def test_an_acknowledged_message_is_gone_when_acknowledge_returns(adapter: ArtemisAdapter) -> None:
    adapter.declare("drained", BLOCKING)
    adapter.open_producer("producer", "producer", ("drained",))
    adapter.open_consumer("consumer", "consumer", "drained")
    for number in range(20):
        adapter.send("producer", f"m{number}", 1000)
    for left in reversed(range(20)):
        delivery = adapter.take("consumer")
        assert delivery is not None
        assert adapter.depth("drained") == Depth((left + 1) * 1000, left + 1)
        adapter.acknowledge("consumer", delivery.message_id)
        assert adapter.depth("drained") == Depth(left * 1000, left)
    assert adapter.take("consumer") is None


def test_a_message_on_its_way_from_a_page_is_taken_and_not_missed(adapter: ArtemisAdapter) -> None:
    adapter.declare("paged", Limits(limit_bytes=200_000, policy="PAGE", page_bytes=150_000, credit=100, credit_low=30))
    adapter.open_producer("producer", "producer", ("paged",))
    adapter.open_consumer("consumer", "consumer", "paged")
    for turn in range(20):
        for number in range(5):  # the fourth fills memory, and the fifth is sent once the four are consumed
            if number == 4:
                drain(adapter, "consumer")
            adapter.send("producer", f"m{turn}-{number}", 50_000)
        assert eventually(lambda: adapter.depth("paged").messages == 1)  # what is paged is counted a moment later
        assert drain(adapter, "consumer") == 1


def drain(adapter: ArtemisAdapter, consumer: str) -> int:
    """Consume what there is; how many messages that was."""
    drained = 0
    while (delivery := adapter.take(consumer)) is not None:
        adapter.acknowledge(consumer, delivery.message_id)
        drained += 1
    return drained


def test_limits_configured_are_read_back(adapter: ArtemisAdapter) -> None:
    adapter.declare("limited", Limits(limit_bytes=LIMIT, policy="BLOCK", reject_bytes=2 * LIMIT))
    in_force = adapter.limits_in_force("limited")
    assert (in_force.limit_bytes, in_force.policy, in_force.reject_bytes) == (LIMIT, "BLOCK", 2 * LIMIT)


def test_limits_left_open_are_those_of_the_brokers_own_classes(adapter: ArtemisAdapter) -> None:
    adapter.declare("open", Limits())
    in_force = adapter.limits_in_force("open")
    assert (in_force.limit_bytes, in_force.policy, in_force.reject_bytes) == (-1, "PAGE", -1)


def stops_at_its_limit(adapter: ArtemisAdapter, address: str, own: Limits) -> bool:
    """Whether a latecomer is issued no credit once an address holds `LIMIT` bytes, and is before."""
    window = replace(own, credit=100, credit_low=30)
    adapter.declare(address, window)
    adapter.open_producer("first", "first", (address,))
    free = not adapter.standing("first").stopped
    assert adapter.send("first", "m1", LIMIT) is Outcome.ACCEPTED
    adapter.open_producer("latecomer", "latecomer", (address,))
    return free and adapter.standing("latecomer").stopped


def test_a_default_is_the_limit_of_an_address_that_sets_none(adapter: ArtemisAdapter) -> None:
    adapter.declare_defaults(Limits(limit_bytes=LIMIT, policy="BLOCK"))
    assert stops_at_its_limit(adapter, "roads.one", Limits())


def test_a_pattern_is_the_limit_of_the_addresses_that_match_it(adapter: ArtemisAdapter) -> None:
    adapter.declare_pattern("roads.", Limits(limit_bytes=LIMIT, policy="BLOCK"))
    adapter.declare("elsewhere", Limits())
    assert adapter.limits_in_force("elsewhere").limit_bytes == -1
    assert stops_at_its_limit(adapter, "roads.one", Limits())


def test_a_file_has_the_limit_of_an_address_that_sets_none(adapter: ArtemisAdapter) -> None:
    adapter.start_with_limits("roads.one", Limits(limit_bytes=LIMIT, policy="BLOCK"))
    assert stops_at_its_limit(adapter, "roads.one", Limits())


def test_what_all_addresses_hold_stops_producers_of_each(adapter: ArtemisAdapter) -> None:
    adapter.declare_shared(Limits(limit_bytes=LIMIT))
    assert stops_at_its_limit(adapter, "roads.one", Limits(limit_bytes=-1, policy="BLOCK"))
    adapter.declare("roads.two", Limits(limit_bytes=-1, policy="BLOCK", credit=100, credit_low=30))
    adapter.open_producer("other", "other", ("roads.two",))
    assert adapter.standing("other").stopped


def test_the_log_is_handed_out_once(adapter: ArtemisAdapter) -> None:
    adapter.log_lines()
    adapter.declare("logged", BLOCKING)
    adapter.open_producer("producer", "producer", ("logged",))
    adapter.send("producer", "m1", LIMIT)
    lines: list[str] = []
    for _ in range(200):
        lines += [line for line in adapter.log_lines() if "AMQ222183" in line and "'logged'" in line]
        adapter.advance(5)
    assert len(lines) == 1
    assert f"size={LIMIT} bytes (1 messages); maxSize={LIMIT} bytes" in lines[0]


def test_the_end_of_a_scenario_leaves_no_address_and_no_setting(adapter: ArtemisAdapter) -> None:
    for _ in range(2):
        adapter.declare("again", BLOCKING)
        assert adapter.depth("again") == Depth(0, 0)
        adapter.open_producer("producer", "producer", ("again",))
        adapter.send("producer", "m1", 1000)
        adapter.end_scenario()
    with pytest.raises(AdapterError, match="again"):
        adapter.depth("again")
    adapter.declare("again", Limits())
    assert adapter.limits_in_force("again").limit_bytes == -1


def test_a_credit_window_that_is_not_there_is_refused(adapter: ArtemisAdapter) -> None:
    with pytest.raises(AdapterError, match=r"issues 100 credits and refills at 30, not \(50, 10\)"):
        adapter.declare("other", Limits(credit=50, credit_low=10))


def test_a_size_that_no_message_has_is_refused(adapter: ArtemisAdapter) -> None:
    adapter.declare("small", BLOCKING)
    adapter.open_producer("producer", "producer", ("small",))
    with pytest.raises(AdapterError, match="no message with the id 'm1' is charged exactly 10 bytes"):
        adapter.send("producer", "m1", 10)


def test_an_anonymous_producer_is_charged_as_a_named_one(adapter: ArtemisAdapter) -> None:
    for destination in ("short", "a-much-longer-name-of-an-address"):
        adapter.declare(destination, BLOCKING)
    adapter.open_anonymous_producer("anyone", "anyone")
    assert adapter.send_to("anyone", "short", "m1", 1000) is Outcome.ACCEPTED
    assert adapter.send_to("anyone", "a-much-longer-name-of-an-address", "m2", 760) is Outcome.ACCEPTED
    assert adapter.depth("short") == Depth(1000, 1)
    assert adapter.depth("a-much-longer-name-of-an-address") == Depth(760, 1)


def test_a_topic_has_a_subscription_of_its_name(adapter: ArtemisAdapter) -> None:
    adapter.declare_topic("news", BLOCKING)
    adapter.open_producer("producer", "producer", ("news",))
    adapter.open_consumer("consumer", "consumer", "news")
    assert adapter.send("producer", "m1", 1000) is Outcome.ACCEPTED
    assert adapter.depth("news") == Depth(1000, 1)
    delivery = adapter.take("consumer")
    assert delivery is not None
    assert delivery.message_id == "m1"
    adapter.acknowledge("consumer", "m1")
    assert adapter.depth("news") == Depth(0, 0)


def test_changed_limits_are_in_force_at_once(adapter: ArtemisAdapter) -> None:
    adapter.declare("changed", BLOCKING)
    adapter.change_limits("changed", Limits(limit_bytes=2 * LIMIT, policy="BLOCK", credit=100, credit_low=30))
    assert adapter.limits_in_force("changed").limit_bytes == 2 * LIMIT


@pytest.mark.parametrize(
    ("limits", "operation"),
    [(Limits(limit_bytes=2 * LIMIT), "addAddressSettings"), (Limits(), "removeAddressSettings")],
    ids=["raised", "taken back"],
)
def test_limits_are_changed_by_one_operation(
    adapter: ArtemisAdapter, monkeypatch: pytest.MonkeyPatch, limits: Limits, operation: str
) -> None:
    adapter.declare("at-once", BLOCKING)
    called: list[str] = []
    operate = Management.operate

    def noted(management: Management, resource: str, name: str, *arguments: object) -> object:
        called.append(name)
        return operate(management, resource, name, *arguments)

    monkeypatch.setattr(Management, "operate", noted)
    adapter.change_limits("at-once", limits)
    assert called == [operation]
    assert adapter.limits_in_force("at-once").limit_bytes == (limits.limit_bytes or -1)


def test_a_broker_that_is_started_again_charges_the_same() -> None:
    adapter = ArtemisAdapter()
    try:
        adapter.start()
        charges = adapter.parameters.notes
        adapter.stop()
        adapter.start()
        assert adapter.parameters.notes == charges
        adapter.declare("again", BLOCKING)
        adapter.open_producer("producer", "producer", ("again",))
        assert adapter.send("producer", "m1", 1000) is Outcome.ACCEPTED
        assert adapter.depth("again") == Depth(1000, 1)
    finally:
        adapter.stop()


@pytest.mark.nightly
@pytest.mark.parametrize("version", ["2.6.2", "2.31.2"])
def test_an_old_version_is_managed_by_position(version: str) -> None:
    old = ArtemisAdapter(version)
    try:
        old.start()
        old.declare("q", BLOCKING)
        assert old.limits_in_force("q").limit_bytes == LIMIT
        old.open_producer("producer", "producer", ("q",))
        assert old.send("producer", "m1", 1000) is Outcome.ACCEPTED
        assert old.depth("q") == Depth(1000, 1)
        old.change_limits("q", Limits(limit_bytes=2 * LIMIT))
        assert old.limits_in_force("q").limit_bytes == 2 * LIMIT
    finally:
        old.stop()


def test_a_purge_leaves_nothing(adapter: ArtemisAdapter) -> None:
    adapter.declare("purged", BLOCKING)
    adapter.open_producer("producer", "producer", ("purged",))
    for number in range(5):
        adapter.send("producer", f"m{number}", 1000)
    adapter.purge("purged")
    assert adapter.depth("purged") == Depth(0, 0)


@pytest.mark.parametrize("end", ["close", "kill"])
def test_what_a_consumer_leaves_unacknowledged_goes_back(adapter: ArtemisAdapter, end: str) -> None:
    adapter.declare("returned", BLOCKING)
    adapter.open_producer("producer", "producer", ("returned",))
    adapter.open_consumer("first", "first", "returned")
    adapter.open_consumer("second", "second", "returned")
    adapter.send("producer", "m1", 1000)
    assert adapter.take("first") is not None
    if end == "close":
        adapter.close_consumer("first")
    else:
        adapter.kill("first")
    deliveries = (adapter.take("second") for _ in range(500))
    again = next(delivery for delivery in deliveries if delivery is not None)
    assert again.message_id == "m1"


def test_an_order_of_management_stops_and_lets_go(adapter: ArtemisAdapter) -> None:
    adapter.declare("ordered", BLOCKING)
    adapter.block("ordered")
    adapter.open_producer("producer", "producer", ("ordered",))
    assert adapter.standing("producer").stopped
    adapter.unblock("ordered")
    adapter.open_producer("latecomer", "latecomer", ("ordered",))
    assert not adapter.standing("latecomer").stopped
