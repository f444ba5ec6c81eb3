"""The adapter contract on a real Broker-J: exact charges, observation by management, nothing left."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.adapters.scripts import script_of
from tidegate.adapters.base import (
    Adapter,
    AdapterError,
    Call,
    Delivery,
    Depth,
    Limits,
    Outcome,
    ProducerOptions,
    Standing,
    Unsupported,
)
from tidegate.adapters.capabilities import GROUPS, MECHANISMS
from tidegate.adapters.errors import Refused
from tidegate.adapters.groups import Usage
from tidegate.adapters.qpid.adapter import QpidAdapter
from tidegate.adapters.qpid.broker import PASSWORD, USER, VIRTUAL_HOST
from tidegate.adapters.qpid.broker_j import BrokerJ
from tidegate.adapters.qpid.producers import Route
from tidegate.record.errors import BadInput
from tidegate.record.report import Check, CheckKind, CheckResult

pytestmark = pytest.mark.real_broker
CAPACITY = 100_000
GATED = Limits(limit_bytes=CAPACITY, resume_bytes=80_000)
PROTOCOLS = ("AMQP 0-9-1", "AMQP 1.0")
PATIENCE_SECONDS = 20.0


@pytest.fixture(scope="module")
def running() -> Iterator[QpidAdapter]:
    """An adapter whose broker runs."""
    started = QpidAdapter()
    started.start()
    yield started
    started.stop()


@pytest.fixture
def adapter(running: QpidAdapter) -> Iterator[QpidAdapter]:
    """The running adapter, for one scenario."""
    yield running
    running.end_scenario()


def producer(adapter: QpidAdapter, name: str, *queues: str, protocol: str = "", obeys: bool = True) -> None:
    adapter.open_producer(name, name, queues, ProducerOptions(protocol=protocol, obeys=obeys))


def comes_to_be(adapter: QpidAdapter, name: str, *, stopped: bool) -> bool:
    """Whether what happened elsewhere reaches the producer in time."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (seen := adapter.standing(name).stopped) is not stopped and time.monotonic() < deadline:
        adapter.advance(5)
    return seen is stopped


def test_the_adapter_offers_what_its_capabilities_promise(adapter: QpidAdapter) -> None:
    assert isinstance(adapter, Adapter)
    assert adapter.identity.version == "10.1.0"
    for capability in adapter.capabilities:
        assert capability in MECHANISMS or isinstance(adapter, GROUPS[capability]), capability


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("size", [100, 356, 400, 5000, CAPACITY])
def test_a_message_is_charged_exactly_its_size(adapter: QpidAdapter, size: int, protocol: str) -> None:
    adapter.declare("exact", GATED)
    producer(adapter, "producer", "exact", protocol=protocol)
    assert adapter.send("producer", "a-message-id", size) is Outcome.ACCEPTED
    assert adapter.depth("exact") == Depth(size, 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(("size", "stopped"), [(CAPACITY - 1, False), (CAPACITY, False), (CAPACITY + 1, True)])
def test_a_sender_stands_as_the_broker_has_it(adapter: QpidAdapter, protocol: str, size: int, stopped: bool) -> None:
    adapter.declare("full", GATED)
    producer(adapter, "producer", "full", protocol=protocol)
    assert adapter.send("producer", "m1", size) is Outcome.ACCEPTED
    assert comes_to_be(adapter, "producer", stopped=stopped)
    expected = Outcome.BLOCKED if stopped else Outcome.ACCEPTED
    assert adapter.send("producer", "m2", 100) is expected
    assert adapter.depth("full").messages == (1 if stopped else 2)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_stopped_producer_is_released_when_enough_is_consumed(adapter: QpidAdapter, protocol: str) -> None:
    adapter.declare("released", GATED)
    producer(adapter, "producer", "released", protocol=protocol)
    adapter.open_consumer("consumer", "consumer", "released")
    for message_id, size in (("m1", 20_000), ("m2", 80_001)):
        assert adapter.send("producer", message_id, size) is Outcome.ACCEPTED
    assert comes_to_be(adapter, "producer", stopped=True)
    for message_id, stopped in (("m1", True), ("m2", False)):
        delivery = adapter.take("consumer")
        assert delivery is not None and delivery.message_id == message_id
        adapter.acknowledge("consumer", message_id)
        assert comes_to_be(adapter, "producer", stopped=stopped)
    assert adapter.send("producer", "m3", 100) is Outcome.ACCEPTED


def test_a_producer_that_ignores_the_order_sends_on(adapter: QpidAdapter) -> None:
    adapter.declare("ignored", GATED)
    producer(adapter, "producer", "ignored", obeys=False)
    for message_id in ("m1", "m2"):
        assert adapter.send("producer", message_id, CAPACITY + 1) is Outcome.ACCEPTED
    assert comes_to_be(adapter, "producer", stopped=True)
    assert adapter.depth("ignored").messages == 2


def test_one_message_goes_to_several_queues(adapter: QpidAdapter) -> None:
    for queue in ("orders", "audit"):
        adapter.declare(queue, GATED)
    producer(adapter, "producer", "orders", "audit")
    assert adapter.send("producer", "m1", 700) is Outcome.ACCEPTED
    assert [adapter.depth(queue) for queue in ("orders", "audit")] == [Depth(700, 1)] * 2


def test_an_anonymous_producer_is_charged_as_a_named_one(adapter: QpidAdapter) -> None:
    for queue in ("short", "a-much-longer-name-of-a-queue"):
        adapter.declare(queue, GATED)
    adapter.open_anonymous_producer("anyone", "anyone")
    assert adapter.send_to("anyone", "short", "m1", 1000) is Outcome.ACCEPTED
    assert adapter.send_to("anyone", "a-much-longer-name-of-a-queue", "m2", 700) is Outcome.ACCEPTED
    assert adapter.depth("short") == Depth(1000, 1)
    assert adapter.depth("a-much-longer-name-of-a-queue") == Depth(700, 1)
    with pytest.raises(AdapterError, match="names a destination with each message"):
        adapter.send("anyone", "m3", 700)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_topic_has_a_subscription_of_its_name(adapter: QpidAdapter, protocol: str) -> None:
    adapter.declare_topic("news", GATED)
    producer(adapter, "producer", "news", protocol=protocol)
    adapter.open_consumer("consumer", "consumer", "news")
    assert adapter.send("producer", "m1", 1000) is Outcome.ACCEPTED
    assert adapter.depth("news") == Depth(1000, 1)
    delivery = adapter.take("consumer")
    assert delivery is not None and delivery.message_id == "m1"


def test_an_acknowledged_message_is_gone_when_acknowledge_returns(adapter: QpidAdapter) -> None:
    adapter.declare("drained", Limits())
    producer(adapter, "producer", "drained")
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
    with pytest.raises(AdapterError, match="'m0' was not handed out to 'consumer'"):
        adapter.acknowledge("consumer", "m0")


def test_clients_share_a_connection(adapter: QpidAdapter) -> None:
    adapter.declare("shared", GATED)
    adapter.open_producer("producer", "line", ("shared",))
    adapter.open_consumer("consumer", "line", "shared")
    adapter.send("producer", "m1", CAPACITY + 1)
    assert comes_to_be(adapter, "producer", stopped=True)
    assert adapter.take("consumer") is not None
    adapter.acknowledge("consumer", "m1")
    assert comes_to_be(adapter, "producer", stopped=False)


def test_no_waiting_producer_is_opened_on_a_connection_on_which_a_send_waits(adapter: QpidAdapter) -> None:
    adapter.declare("full", GATED)
    waiting = ProducerOptions(wait_ms=-1)
    adapter.open_producer("producer", "line", ("full",), waiting)
    while adapter.send("producer", f"m{adapter.depth('full').messages}", CAPACITY) is Outcome.ACCEPTED:
        pass
    with pytest.raises(Unsupported, match="while a send waits there"):
        adapter.open_producer("other", "line", ("full",), waiting)
    adapter.open_producer("other", "other line", ("full",), waiting)


def test_each_channel_of_a_connection_is_shown_as_it_stands(adapter: QpidAdapter) -> None:
    adapter.declare("full", GATED)
    adapter.declare("empty", GATED)
    for name, queue in (("stopped", "full"), ("free", "empty")):
        adapter.open_producer(name, "one line & more", (queue,))
    producer(adapter, "by links", "full", protocol="AMQP 1.0")
    adapter.send("stopped", "m1", CAPACITY + 1)
    assert comes_to_be(adapter, "stopped", stopped=True)
    assert (adapter.shown_stopped("stopped"), adapter.shown_stopped("free")) == (True, False)
    assert adapter.shown_stopped("by links") is None
    adapter.purge("full")
    assert comes_to_be(adapter, "stopped", stopped=False)
    assert adapter.shown_stopped("stopped") is False
    adapter.kill("one line & more")
    deadline = time.monotonic() + 5
    while adapter.shown_stopped("free") is not None and time.monotonic() < deadline:
        time.sleep(0.01)  # the broker learns of the lost connection a little later
    assert adapter.shown_stopped("free") is None


def test_limits_configured_are_read_back(adapter: QpidAdapter) -> None:
    adapter.declare("limited", Limits(limit_bytes=100_003, resume_bytes=77_777))
    assert adapter.limits_in_force("limited") == Limits(limit_bytes=100_003, resume_bytes=77_777, policy="BLOCK")


def test_limits_left_open_are_the_brokers_own(adapter: QpidAdapter) -> None:
    adapter.declare("open", Limits())
    assert adapter.limits_in_force("open") == Limits(limit_bytes=-1, resume_bytes=-1, policy="NONE")
    adapter.declare("half", Limits(limit_bytes=CAPACITY))
    assert adapter.limits_in_force("half") == Limits(limit_bytes=CAPACITY, resume_bytes=80_000, policy="BLOCK")


def test_defaults_are_in_force_until_the_scenario_ends(adapter: QpidAdapter) -> None:
    adapter.declare_defaults(Limits(limit_bytes=50_000, resume_bytes=10_000))
    adapter.declare("by-default", Limits())
    assert adapter.limits_in_force("by-default") == Limits(limit_bytes=50_000, resume_bytes=10_000, policy="BLOCK")
    adapter.declare("own", GATED)
    assert adapter.limits_in_force("own").limit_bytes == CAPACITY
    adapter.end_scenario()
    adapter.declare("after", Limits())
    assert adapter.limits_in_force("after").limit_bytes == -1


def test_limits_of_the_file_are_in_force_until_the_scenario_ends(adapter: QpidAdapter) -> None:
    adapter.start_with_limits("by-file", Limits(limit_bytes=50_000, resume_bytes=10_000))
    adapter.declare("by-file", Limits())
    assert adapter.limits_in_force("by-file") == Limits(limit_bytes=50_000, resume_bytes=10_000, policy="BLOCK")
    adapter.declare("beside", Limits())
    assert adapter.limits_in_force("beside").limit_bytes == -1
    adapter.log_lines()
    producer(adapter, "producer", "by-file")
    adapter.send("producer", "m1", 60_000)
    assert comes_to_be(adapter, "producer", stopped=True)
    assert [line for line in adapter.log_lines() if "QUE-1003" in line], "the log is that of the broker with the file"
    adapter.end_scenario()
    adapter.declare("by-file", Limits())
    assert adapter.limits_in_force("by-file").limit_bytes == -1


def test_changed_limits_are_in_force_at_once(adapter: QpidAdapter) -> None:
    adapter.declare("changed", GATED)
    producer(adapter, "producer", "changed")
    adapter.send("producer", "m1", CAPACITY + 1)
    assert comes_to_be(adapter, "producer", stopped=True)
    adapter.change_limits("changed", Limits(limit_bytes=2 * CAPACITY, resume_bytes=2 * CAPACITY))
    assert adapter.limits_in_force("changed").limit_bytes == 2 * CAPACITY
    assert comes_to_be(adapter, "producer", stopped=False)
    adapter.change_limits("changed", Limits())
    assert adapter.limits_in_force("changed") == Limits(limit_bytes=-1, resume_bytes=-1, policy="NONE")


def test_a_resume_level_needs_a_capacity_that_is_no_lower(adapter: QpidAdapter) -> None:
    with pytest.raises(AdapterError, match="no capacity is set"):
        adapter.declare("resume-only", Limits(resume_bytes=1000))
    with pytest.raises(AdapterError, match="no percentage up to 100"):
        adapter.declare("inverted", Limits(limit_bytes=1000, resume_bytes=1001))


def test_a_purge_leaves_nothing_and_releases(adapter: QpidAdapter) -> None:
    adapter.declare("purged", GATED)
    producer(adapter, "producer", "purged")
    adapter.send("producer", "m1", CAPACITY + 1)
    assert comes_to_be(adapter, "producer", stopped=True)
    adapter.purge("purged")
    assert adapter.depth("purged") == Depth(0, 0)
    assert comes_to_be(adapter, "producer", stopped=False)


@pytest.mark.parametrize("end", ["close", "kill"])
def test_what_a_consumer_leaves_unacknowledged_goes_back(adapter: QpidAdapter, end: str) -> None:
    adapter.declare("returned", GATED)
    producer(adapter, "producer", "returned")
    for name in ("first", "second"):
        adapter.open_consumer(name, name, "returned")
    adapter.send("producer", "m1", 1000)
    assert adapter.take("first") is not None
    assert adapter.take("second") is None
    if end == "close":
        adapter.close_consumer("first")
    else:
        adapter.kill("first")
    again = adapter.take("second")
    assert again is not None and again.message_id == "m1"


def test_a_message_that_goes_back_within_its_time_is_there(adapter: QpidAdapter) -> None:
    adapter.declare("returned", GATED)
    producer(adapter, "producer", "returned")
    assert adapter.send_expiring("producer", "m1", 1000, 60_000) is Outcome.ACCEPTED
    adapter.open_consumer("consumer", "consumer", "returned")
    assert adapter.take("consumer") is not None
    adapter.close_consumer("consumer")
    assert adapter.depth("returned") == Depth(1000, 1)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("end", ["close", "kill"])
def test_a_stopped_producer_can_go(adapter: QpidAdapter, protocol: str, end: str) -> None:
    adapter.declare("left", GATED)
    for name in ("goes", "stays"):
        producer(adapter, name, "left", protocol=protocol)
    for name in ("goes", "stays"):
        assert adapter.send(name, name, CAPACITY + 1) is Outcome.ACCEPTED
        assert comes_to_be(adapter, name, stopped=True)
    if end == "close":
        adapter.close_producer("goes")
    else:
        adapter.kill("goes")
    assert adapter.standing("stays") == Standing(stopped=True)
    assert adapter.depth("left").messages == 2


@pytest.mark.parametrize(("protocol", "stopped"), [("AMQP 0-9-1", False), ("AMQP 1.0", True)])
def test_whether_a_latecomer_is_stopped_before_it_sends_is_a_matter_of_the_protocol(
    adapter: QpidAdapter, protocol: str, stopped: bool
) -> None:
    adapter.declare("late", GATED)
    producer(adapter, "first", "late")
    assert adapter.send("first", "m1", CAPACITY + 1) is Outcome.ACCEPTED
    producer(adapter, "latecomer", "late", protocol=protocol)
    assert comes_to_be(adapter, "latecomer", stopped=stopped)
    assert adapter.send("latecomer", "m2", 100) is (Outcome.BLOCKED if stopped else Outcome.ACCEPTED)


def test_the_log_is_handed_out_once(adapter: QpidAdapter) -> None:
    adapter.log_lines()
    adapter.declare("logged", GATED)
    producer(adapter, "producer", "logged")
    adapter.send("producer", "m1", CAPACITY + 1)
    lines: list[str] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not any("CHN-1005" in line for line in lines) and time.monotonic() < deadline:
        lines += adapter.log_lines()
    overfull = [line for line in lines if "QUE-1003 : Overfull : Size : 100,001 bytes, Capacity : 100,000" in line]
    assert len(overfull) == 1
    assert sum("CHN-1005 : Flow Control Enforced (Queue logged)" in line for line in lines) == 1


def test_the_end_of_a_scenario_leaves_no_queue_and_no_exchange(adapter: QpidAdapter) -> None:
    for _ in range(2):
        for queue in ("one", "two"):
            adapter.declare(queue, GATED)
            assert adapter.depth(queue) == Depth(0, 0)
        producer(adapter, "producer", "one", "two")
        adapter.send("producer", "m1", 1000)
        adapter.end_scenario()
    with pytest.raises(Refused, match="one"):
        adapter.depth("one")


def test_a_full_disk_stops_a_producer_until_it_is_free(adapter: QpidAdapter) -> None:
    adapter.use_small_disk()
    adapter.declare("one", GATED)
    producer(adapter, "producer", "one")
    assert adapter.send("producer", "m1", 1000) is Outcome.ACCEPTED
    for change, stopped in ((adapter.fill_disk, True), (adapter.free_disk, False)):
        change()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while adapter.standing("producer").stopped is not stopped and time.monotonic() < deadline:
            time.sleep(0.05)
        assert adapter.standing("producer").stopped is stopped


def test_a_producer_whose_channel_the_broker_closed_is_refused_and_waits_for_no_order(adapter: QpidAdapter) -> None:
    adapter.declare("one", GATED)
    producer(adapter, "producer", "one")
    sender, _ = adapter._producers["producer"]
    assert sender.send("m1", 1000, Route("no such exchange", "")) is Outcome.REJECTED
    assert adapter.send("producer", "m2", 1000) is Outcome.REJECTED
    assert not adapter.standing("producer").stopped


def test_a_message_that_is_too_large_for_the_broker_is_unsupported_and_not_refused_for_want_of_room(
    adapter: QpidAdapter,
) -> None:
    adapter.declare("one", Limits())
    producer(adapter, "producer", "one")
    with pytest.raises(Unsupported, match=r"the broker accepts no message of 104,858,\d\d\d bytes"):
        adapter.send("producer", "m1", 100 * 1024 * 1024 + 1000)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (ProducerOptions(asynchronous=True), "no producer with"),
        (ProducerOptions(window_bytes=1000, transacted=True), "no producer with"),
        (ProducerOptions(protocol="STOMP"), "no producer of 'STOMP'"),
        (ProducerOptions(protocol="AMQP 1.0", obeys=False), "no producer of AMQP 1.0"),
        (ProducerOptions(protocol="AMQP 1.0", persistent=True), "no producer of AMQP 1.0"),
        (ProducerOptions(protocol="AMQP 1.0", transacted=True), "no producer of 'AMQP 1.0'"),
        (ProducerOptions(transacted=True, obeys=False), "no JMS producer"),
    ],
)
def test_what_is_not_claimed_is_refused(adapter: QpidAdapter, options: ProducerOptions, reason: str) -> None:
    adapter.declare("refused", GATED)
    with pytest.raises(AdapterError, match=reason):
        adapter.open_producer("producer", "producer", ("refused",), options)


def test_a_size_that_no_message_has_is_refused(adapter: QpidAdapter) -> None:
    adapter.declare("small", GATED)
    producer(adapter, "producer", "small")
    with pytest.raises(AdapterError, match="is charged exactly 10 bytes"):
        adapter.send("producer", "m1", 10)


def test_a_destination_that_was_not_declared_is_refused(adapter: QpidAdapter) -> None:
    with pytest.raises(AdapterError, match="'nowhere' was not declared"):
        producer(adapter, "producer", "nowhere")


@pytest.mark.parametrize("size", [300, 400, 40_000])
def test_a_message_of_the_jms_client_is_charged_exactly_its_size(adapter: QpidAdapter, size: int) -> None:
    adapter.declare("exact", Limits())
    adapter.open_producer("jms", "jms", ("exact",), ProducerOptions(transacted=True))
    assert adapter.send("jms", "a-message-id", size) is Outcome.UNSETTLED
    assert adapter.commit("jms") is Outcome.ACCEPTED
    assert adapter.depth("exact") == Depth(size, 1)


def test_a_store_over_its_quota_stops_every_producer_until_it_is_under_it(adapter: QpidAdapter) -> None:
    adapter.declare_usage(Usage(quota_bytes=2_000_000, quota_resume_bytes=1_600_000))
    adapter.log_lines()
    for queue in ("here", "there"):
        adapter.declare(queue, Limits())
        adapter.open_producer(queue, queue, (queue,), ProducerOptions(persistent=True))
    assert adapter.send("here", "m1", 1_000_000) is Outcome.ACCEPTED
    assert not adapter.standing("there").stopped
    assert adapter.send("here", "m2", 2_000_000) is Outcome.ACCEPTED
    assert [adapter.standing(queue).stopped for queue in ("here", "there")] == [True, True]
    adapter.open_consumer("consumer", "consumer", "here")
    for _ in range(2):
        delivery = adapter.take("consumer")
        assert delivery is not None
        adapter.acknowledge("consumer", delivery.message_id)
    assert [adapter.standing(queue).stopped for queue in ("here", "there")] == [False, False]
    lines = adapter.log_lines()
    assert [sum(code in line for line in lines) for code in ("MST-1008", "MST-1009")] == [1, 1]


def test_limits_that_are_no_quota_are_an_adapter_error(adapter: QpidAdapter) -> None:
    with pytest.raises(AdapterError, match="a quota for its message store"):
        adapter.declare_usage(Usage(memory_bytes=1000))


@pytest.mark.parametrize(
    ("version", "reason"),
    [("0.32", "a version up to 0.20 or from 6.0 is expected"), ("ten", "expected a version, not 'ten'")],
)
def test_a_version_that_cannot_be_is_bad_input(version: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        QpidAdapter(version)


@pytest.mark.parametrize(("recorded", "code"), [(True, 0), (False, 1)])
def test_a_reproducer_says_whether_the_answers_are_the_same(
    adapter: QpidAdapter, tmp_path: Path, recorded: bool, code: int
) -> None:
    """It runs by itself, on a broker that it is given, and says so when what was recorded is not seen again."""
    calls = [
        Call("declare", ("s1.orders", GATED)),
        Call("declare", ("s1.audit", Limits())),
        Call("open_producer", ("s1.producer", "s1.producer", ("s1.orders", "s1.audit"))),
        Call("send", ("s1.producer", "s1.m1", CAPACITY), Outcome.ACCEPTED),
        Call("depth", ("s1.orders",), Depth(CAPACITY, 1)),
        Call("standing", ("s1.producer",), Standing(stopped=False)),
        Call("open_anonymous_producer", ("s1.anyone", "s1.anyone")),
        Call("send_to", ("s1.anyone", "s1.orders", "s1.m2", 100), Outcome.ACCEPTED),
        Call("standing", ("s1.anyone",), Standing(stopped=recorded)),
        Call("open_consumer", ("s1.consumer", "s1.consumer", "s1.orders")),
    ]
    if recorded:
        calls += [
            Call("take", ("s1.consumer",), Delivery("s1.m1", "s1.orders")),
            Call("acknowledge", ("s1.consumer", "s1.m1")),
            Call("standing", ("s1.anyone",), Standing(stopped=False)),
        ]
    check = Check(
        "a_check", CheckKind.SCENARIO, CheckResult.VIOLATED, ("QPID-QUEUE-1",), ("done",), "this", "that", "replay"
    )
    script = tmp_path / "script.py"
    script.write_text(script_of(adapter, check, calls), encoding="utf-8")
    assert "tidegate" not in script.read_text(encoding="utf-8")
    broker = adapter._broker
    assert isinstance(broker, BrokerJ)
    url = f"amqp://{USER}:{PASSWORD}@{broker.host}:{broker.amqp_port}/{VIRTUAL_HOST}"
    management = f"http://{USER}:{PASSWORD}@{broker.host}:{broker.http_port}"
    command = [sys.executable, str(script), url, management]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert ("OTHERWISE" in ended.stdout) is (code == 1)


def test_a_broker_that_died_is_an_adapter_error_and_can_be_started_again() -> None:
    adapter = QpidAdapter()
    adapter.start()
    try:
        adapter.declare("before", GATED)
        producer(adapter, "producer", "before")
        broker = adapter._broker
        assert isinstance(broker, BrokerJ)
        process = psutil.Process(broker.pid)
        process.kill()
        psutil.wait_procs([process])
        for verb in (lambda: adapter.depth("before"), lambda: adapter.send("producer", "m1", 1000)):
            with pytest.raises(AdapterError):
                verb()
        with pytest.raises(AdapterError):
            adapter.end_scenario()
        adapter.stop()
        adapter.start()
        adapter.declare("after", GATED)
        assert adapter.depth("after") == Depth(0, 0)
    finally:
        adapter.stop()
    assert not adapter.log_path.exists()


def test_a_limit_in_messages_stops_and_is_changed_in_use(adapter: QpidAdapter) -> None:
    adapter.declare("counted", Limits(limit_messages=2))
    adapter.open_producer("p", "c", ("counted",))
    for number in range(2):
        assert adapter.send("p", f"m{number}", 100) is Outcome.ACCEPTED
    assert not adapter.standing("p").stopped
    adapter.send("p", "m2", 100)
    assert adapter.standing("p").stopped
    adapter.change_limits("counted", Limits(limit_messages=10))
    assert not adapter.standing("p").stopped
